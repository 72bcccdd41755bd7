package explain

// Phases is what a backend spent its time on, in seconds.
type Phases struct {
	AOTAutograd float64 // with loading from its cache, and whatever is neither of the others
	Inductor    float64 // without the kernels
	Kernels     float64 // waiting for them to be compiled, and loading them
	Told        bool    // torch has measured Inductor: it does from 2.6 on, where Inductor ran
}

// phasesOf splits the time that a backend took by the figures of a compilation. In torch they are nested: the backend's
// time has Inductor's in it, and that has the kernels'.
func phasesOf(backend float64, f fields) Phases {
	seconds := func(micros string) (float64, bool) {
		us, ok := toFloat(f[micros])
		return us / 1e6, ok
	}
	inductor, told := seconds("inductor_cumulative_compile_time_us")
	kernels, some := seconds("triton_compile_time_us")
	if !told && !some {
		return Phases{}
	}
	// What comes from a cache loads its kernels outside of Inductor; figures are rounded.
	inductor = min(max(inductor, kernels), backend)
	kernels = min(kernels, inductor)
	return Phases{AOTAutograd: backend - inductor, Inductor: inductor - kernels, Kernels: kernels, Told: true}
}

func (p Phases) plus(q Phases) Phases {
	return Phases{p.AOTAutograd + q.AOTAutograd, p.Inductor + q.Inductor, p.Kernels + q.Kernels, p.Told || q.Told}
}
