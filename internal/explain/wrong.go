package explain

import "encoding/json"

// Comparison is one run of depyf.compare, or of a program under "depyf run --compare", as it was measured.
type Comparison struct {
	Function  string    `json:"function"`
	Backend   string    `json:"backend"`
	Graphs    int       `json:"graphs"`     // captured while it ran
	LeftOut   int       `json:"left_out"`   // calls of graphs that were not kept
	Findings  []Finding `json:"findings"`   // the first wrong numbers; empty if there are none
	Apart     []Measure `json:"apart"`      // results of the whole that are not the same
	NotFinite bool      `json:"not_finite"` // whether eager results have a NaN or an infinity
	Random    []string  `json:"random"`     // operations that draw random numbers
	Explained []Measure `json:"explained"`  // differences of graphs that precision explains
	Notes     []string  `json:"notes"`      // what could not be looked at
}

// Finding is one operation, or some that have to be compiled together, whose numbers are wrong.
type Finding struct {
	Kind       string      `json:"kind"` // "differs", "not finite", "derivative" or "raises"
	Pass       string      `json:"pass"` // "forward" or "backward"
	Operations []Operation `json:"operations"`
	Stage      string      `json:"stage"` // the backend of torch with which it begins, or "backend"
	Kernels    []string    `json:"kernels"`
	CompileID  string      `json:"compile_id"`
	Call       int         `json:"call"` // of the graph, counted from 1
	Error      string      `json:"error,omitempty"`

	// Of a derivative: in one direction, as the backward pass tells it and as differences of results measure it.
	Told     string `json:"told,omitempty"`
	Measured string `json:"measured,omitempty"`

	// Of what differs.
	Measures []Measure `json:"measures,omitempty"`
	Lost     string    `json:"reference_lost,omitempty"` // the first operation that could not be done in float64

	// Of what is not finite.
	Value           string     `json:"value,omitempty"` // "nan" or "inf"
	DType           string     `json:"dtype,omitempty"`
	Takes           []Range    `json:"takes,omitempty"`
	ReferenceFinite *bool      `json:"reference_finite,omitempty"`
	Became          *Operation `json:"became_nan,omitempty"` // where an infinity turned into a NaN
}

// Operation is one operation of a captured graph and the user's line that it comes from.
type Operation struct {
	Node      string `json:"node"`
	Operation string `json:"operation"`
	File      string `json:"file,omitempty"`
	Line      int    `json:"line,omitempty"`
	Function  string `json:"function,omitempty"`
	Code      string `json:"code,omitempty"`
}

// Measure says how far a result of eager and of compiled code are apart.
type Measure struct {
	Result        string   `json:"result"` // "output", "gradient", "input", as it is afterwards, or "memory", whose it is
	Name          string   `json:"name"`
	DType         string   `json:"dtype"`
	Shape         []int    `json:"shape"`
	CompiledDType string   `json:"compiled_dtype,omitempty"`
	CompiledShape []int    `json:"compiled_shape,omitempty"`
	Missing       bool     `json:"missing,omitempty"` // the compiled code does not give it
	Extra         bool     `json:"extra,omitempty"`   // only the compiled code gives it
	At            []int    `json:"at,omitempty"`      // where it is furthest apart, and the values there
	Eager         string   `json:"eager_value,omitempty"`
	Compiled      string   `json:"compiled_value,omitempty"`
	Reference     string   `json:"reference_value,omitempty"`
	Difference    *float64 `json:"difference,omitempty"`
	Scale         float64  `json:"scale,omitempty"`     // the largest number
	Explained     *float64 `json:"explained,omitempty"` // how far precision lets results be apart, or how many of them
	EagerError    *float64 `json:"eager_error,omitempty"`
	CompiledError *float64 `json:"compiled_error,omitempty"`
	// Of "memory": what the result shares its memory with.
	Shares         []string `json:"shares,omitempty"`
	CompiledShares []string `json:"compiled_shares,omitempty"`
	// Of what has no distance, whole numbers, NaNs and infinities: how many are not the same, and how many not what the reference has.
	Unequal        *int `json:"unequal,omitempty"`
	Of             int  `json:"of,omitempty"`
	EagerUnlike    *int `json:"eager_unlike,omitempty"`
	CompiledUnlike *int `json:"compiled_unlike,omitempty"`
}

// Range is what an operation took.
type Range struct {
	Name  string `json:"name"`
	DType string `json:"dtype"`
	Shape []int  `json:"shape"`
	Least string `json:"least,omitempty"`
	Most  string `json:"most,omitempty"`
}

// ComparisonOf reads the fields of a "wrong" event.
func ComparisonOf(f map[string]any) (Comparison, error) {
	var c Comparison
	data, err := json.Marshal(f)
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	return c, err
}

func (m *Model) applyWrong(f fields) {
	c, err := ComparisonOf(f)
	if err != nil {
		m.Problems = append(m.Problems, Problem{Where: "wrong numbers", Error: err.Error()})
		return
	}
	m.Comparisons = append(m.Comparisons, c)
}
