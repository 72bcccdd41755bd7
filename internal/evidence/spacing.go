package pyast

// Spacing says how many statements of a file stand right below a `return` or `raise`, and how
// many leave one line between: a blank one, a comment or an `else:`.
type Spacing struct{ Tight, Loose int }
