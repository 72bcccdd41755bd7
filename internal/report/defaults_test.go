package report

import "testing"

func TestDefaultsOfOtherModules(t *testing.T) {
	for src, want := range map[string]string{
		"def f(x, n=3, s='a, b=c', *, k=(1, 2)):\n    return x == n\n":               "",
		"def f(x, key=lambda v: v, t: int = int):\n    return x\n":                   "",
		"async def f(x, m: M[int, 2] = Mode.A, *, d=torch.float32):\n    return x\n": "# Its defaults, in its own module: m=Mode.A, d=torch.float32\nasync def f(x, m: M[int, 2] = ..., *, d=...):\n    return x\n",
		"def f(\n    x,  # y=Z\n    m=[a.b(1, c=2)],\n):\n    g(m=Z)\n":              "# Its defaults, in its own module: m=[a.b(1, c=2)]\ndef f(\n    x,  # y=Z\n    m=...,\n):\n    g(m=Z)\n",
	} {
		if want == "" {
			want = src
		}
		if got := withoutDefaults(src); got != want {
			t.Errorf("%q\n got %q\nwant %q", src, got, want)
		}
	}
}
