package explain

import "testing"

// The way of a branch is told of a plain condition alone.
func TestArm(t *testing.T) {
	both := []Resume{{Name: "__resume_at_110_3"}, {Name: "__resume_at_98_2"}}
	for _, c := range []struct {
		code    string
		resumes []Resume
		want    string // of the first
	}{
		{"if b.sum() < 0:", both, "false"},
		{"while x.any():", both, "false"},
		{"if b.sum() < 0:", []Resume{both[1], both[0]}, "true"},
		{"if b.sum() < 0 or flag:", both, "none"},
		{"print(x)", both, "none"},
		{"if b.sum() < 0:", both[:1], "none"},
		{"if b.sum() < 0:", []Resume{{Name: "torch_dynamo_resume_in_f_at_7"}, both[0]}, "none"},
	} {
		v := &Version{Resumes: c.resumes, Compile: &Compile{Breaks: []Break{{Code: c.code}}}}
		taken, ok := v.Arm(c.resumes[0].Name)
		got := map[bool]string{true: "true", false: "false"}[taken]
		if !ok {
			got = "none"
		}
		if got != c.want {
			t.Errorf("%s %v: %s, not %s", c.code, c.resumes, got, c.want)
		}
	}
}
