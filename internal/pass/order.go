package pass

import "fmt"

// Order checks the rows of all tables, in the order in which they run: no two have
// one name, each has a reason, and each comes behind those that it names in After.
func Order(rows []Row) error {
	at := map[string]int{}
	for i, r := range rows {
		if j, twice := at[r.Name]; twice {
			return fmt.Errorf("two passes have the name %q: numbers %d and %d", r.Name, j+1, i+1)
		}
		at[r.Name] = i
		if r.Name == "" || r.Why == "" {
			return fmt.Errorf("pass %d, %q, has no name or no reason", i+1, r.Name)
		}
	}
	for i, r := range rows {
		for _, a := range r.After {
			j, known := at[a]
			switch {
			case !known:
				return fmt.Errorf("pass %q has to come behind %q, which is no pass", r.Name, a)
			case j >= i:
				return fmt.Errorf("pass %q has to come behind %q and comes before it", r.Name, a)
			}
		}
	}
	return nil
}

// Must returns the rows of all tables, and panics where their order is wrong.
func Must(tables ...[]Row) []Row {
	var all []Row
	for _, t := range tables {
		all = append(all, t...)
	}
	if err := Order(all); err != nil {
		panic("the table of passes: " + err.Error())
	}
	return all
}
