package explain

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
)

// traceStages maps the envelope keys (and names of artifacts, whose spelling
// moved between the two from version to version) to names of stages.
var traceStages = map[string]string{
	"dynamo_output_graph":       "Captured_Graph",
	"aot_joint_graph":           "Joint_graph",
	"aot_forward_graph":         "Forward_graph",
	"aot_inference_graph":       "Forward_graph",
	"aot_backward_graph":        "Backward_graph",
	"inductor_post_grad_graph":  "AFTER_POST_GRAD",
	"after_post_grad_graph":     "AFTER_POST_GRAD",
	"before_post_grad_graph":    "BEFORE_POST_GRAD",
	"inductor_pre_grad_graph":   "BEFORE_PRE_GRAD",
	"before_pre_grad_graph":     "BEFORE_PRE_GRAD",
	"after_pre_grad_graph":      "AFTER_PRE_GRAD",
	"before_joint_graph":        "BEFORE_JOINT",
	"after_joint_graph":         "AFTER_JOINT",
	"inductor_output_code":      StageKernel,
	"fx_graph_runnable":         StageRunnable,
	"optimize_ddp_split_graph":  "DDP_Split_Graph",
	"optimize_ddp_split_child":  "DDP_Split_Child",
	"compiled_autograd_graph":   StageAutograd,
	"aot_inductor_output_code":  StageKernel,
	"triton_kernel_info":        "",
	"inductor_triton_autotuned": "",
}

// Stages that are not graphs.
const (
	StageKernel   = "kernel"
	StageRunnable = "runnable"
)

// quietTraces are envelopes that arrive in large numbers and that no report
// uses. They are neither kept nor logged.
var quietTraces = map[string]bool{
	"chromium_event": true, "compilation_metrics_runtime": true, "describe_tensor": true, "describe_storage": true, "describe_source": true,
	"symbolic_shape_specialization": true, "expression_created": true, "propagate_real_tensors_provenance": true,
}

// quietTrace reports whether an envelope is one of those, without parsing all
// of it: the key comes first.
func quietTrace(envelope string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(envelope, " {"), `"`)
	if !ok {
		return false
	}
	key, _, _ := strings.Cut(rest, `"`)
	return quietTraces[key]
}

// applyTrace takes in one entry of torch's structured log. There is no
// specification of it; what is not understood is ignored.
func (m *Model) applyTrace(f fields) {
	env, ok := readEnvelope(f.str("envelope"))
	if !ok {
		return
	}
	if s, ok := env["str"].([]any); ok && len(s) == 2 {
		if id, ok := toInt(s[1]); ok {
			m.interned[id], _ = s[0].(string)
		}
		return
	}
	id := m.id(f.str("compile_id"))
	if frame, ok := toInt(env["frame_id"]); ok {
		told := id
		id = fmt.Sprintf("%d/%d", frame, env.int("frame_compile_id"))
		if ca, ok := toInt(env["compiled_autograd_id"]); ok {
			id = fmt.Sprintf("!%d/%s", ca, id)
		}
		if _, resets, again := strings.Cut(told, "@"); again {
			id += "@" + resets
		}
	}
	for _, k := range []string{"compilation_metrics", "bwd_compilation_metrics"} {
		if mt := env.sub(k); mt != nil && id == "" {
			id = mt.str("compile_id")
		}
	}
	if id == "" {
		return
	}
	c := m.compile(id)
	if n := env.int("attempt"); n > c.Restarts {
		// What an attempt assumed before it was begun again no longer holds.
		c.Restarts, c.Symbols, c.SizeGuards = n, nil, nil
	}
	for k := range env {
		m.traceItem(c, k, env, f)
	}
}

// traceItem takes in what one key of an entry says. The text behind the entry is copied where it is used: most are not.
func (m *Model) traceItem(c *Compile, key string, env, f fields) {
	name := key
	if key == "artifact" {
		name = env.sub("artifact").str("name")
	}
	if stage := traceStages[name]; stage != "" {
		if payload := f.text("payload"); payload != "" {
			a := &Artefact{Stage: stage, CompileID: c.ID, FromTrace: true, FromText: m.Start.Text, Origin: env.sub(key).str("filename")}
			m.hold(a, payload)
			c.Artefacts = append(c.Artefacts, a)
			return
		}
	}
	switch name {
	case "dynamo_start":
		c.Stack = m.frames(env.sub(key).list("stack"))
		if n := len(c.Stack); n > 0 {
			top := c.Stack[n-1]
			c.Func, c.File, c.Line = top.Name, top.File, top.Line
		}
	case "dynamo_graph_break_reason":
		b := ParseBreak(f.text("payload"))
		for _, old := range c.Breaks {
			if old.File == b.File && old.Line == b.Line && old.Reason == b.Reason {
				return // a restarted attempt tells it again
			}
		}
		b.From, b.Through = b.caller(c.Stack), b.through(c.Stack)
		c.Breaks = append(c.Breaks, b)
	case "recompile_reasons":
		for _, r := range ParseReasons(f.text("payload")) {
			if !slices.Contains(c.Recompile, r) {
				c.Recompile = append(c.Recompile, r)
			}
		}
	case "dynamo_cpp_guards_str":
		if payload := f.text("payload"); payload != "" { // depyf tells them in an event of their own
			c.Guards = PartsOfTree(payload, m.keep)
		}
	case "dynamo_error":
		c.Errors = append(c.Errors, CleanText(strings.TrimSpace(f.text("payload"))))
	case "compilation_metrics":
		c.metrics(env.sub(key))
		m.noCUDAGraphs(c, env.sub(key))
		m.logStart(env, env.sub(key))
		m.logLimit(c, env.sub(key), f.str("envelope"))
	case "bwd_compilation_metrics":
		c.backwardMetrics(env.sub(key))
		m.noCUDAGraphs(c, env.sub(key))
		m.logLimit(c, env.sub(key), f.str("envelope")) // torch 2.6 tells it here
	case "create_symbol":
		s := env.sub(key)
		sym := Symbol{Name: s.str("symbol"), Value: s.str("val"), Source: s.str("source"), Bounds: s.str("vr")}
		sym.At, _ = UsersLine(m.frames(s.list("user_stack")))
		if !slices.ContainsFunc(c.Symbols, func(old Symbol) bool { return old.Name == sym.Name && old.Source == sym.Source }) {
			c.Symbols = append(c.Symbols, sym)
		}
	case "guard_added_fast":
		s := env.sub(key)
		g := SizeGuard{Expr: s.str("expr")}
		g.At, _ = UsersLine(m.frames(s.list("user_stack")))
		if !slices.ContainsFunc(c.SizeGuards, func(old SizeGuard) bool { return old.Expr == g.Expr }) {
			c.SizeGuards = append(c.SizeGuards, g)
		}
	default:
		if strings.HasPrefix(name, "fx_graph_cache_") || strings.HasPrefix(name, "aotautograd_cache_") {
			c.Cache = append(c.Cache, name)
		}
	}
}

func (c *Compile) metrics(f fields) {
	c.Over = true
	_, c.Measured = toFloat(f["entire_frame_compile_time_s"])
	_, c.Counted = toInt(f["graph_op_count"])
	if s := f.str("co_name"); s != "" {
		c.Func, c.File = s, f.str("co_filename")
		c.Line = f.int("co_firstlineno")
	}
	if x, ok := toFloat(f["entire_frame_compile_time_s"]); ok {
		c.Seconds = x
	}
	c.Start = began(f)
	c.Backend, _ = toFloat(f["backend_compile_time_s"])
	c.Phases = phasesOf(c.Backend, f)
	c.GuardTime, _ = toFloat(f["guard_latency_us"])
	c.Ops, c.GuardN = f.int("graph_op_count"), f.int("guard_count")
	if t, why := f.str("fail_type"), f.str("fail_reason"); t != "" || why != "" {
		if t != "" { // torch 2.2 tells the reason alone
			why = t + ": " + why
		}
		c.Failure = strings.TrimSpace(CleanText(why))
		c.FailFile, c.FailLine = f.str("fail_user_frame_filename"), f.int("fail_user_frame_lineno")
	}
}

func (m *Model) frames(list []any) []Frame {
	var out []Frame
	for _, x := range list {
		e, _ := x.(map[string]any)
		f := fields(e)
		fr := Frame{Line: f.int("line"), Name: f.str("name"), Code: f.str("loc"), File: f.str("filename")}
		if id, ok := toInt(f["filename"]); ok {
			fr.File = m.interned[id]
		}
		out = append(out, fr)
	}
	return out
}

// ParseReasons reads the payload of recompile_reasons. It is labelled JSON, but
// a lone reason of torch 2.15 is a bare string; several are a list, newest first.
func ParseReasons(payload string) []string {
	payload = strings.TrimSpace(payload)
	var list []string
	var one string
	switch {
	case payload == "":
		return nil
	case json.Unmarshal([]byte(payload), &list) == nil:
	case json.Unmarshal([]byte(payload), &one) == nil:
		list = []string{one}
	default:
		list = []string{payload}
	}
	for i, s := range list {
		list[i] = CleanText(strings.TrimSpace(s))
	}
	return list
}

var (
	breakAt     = lazyregexp.New(`(?m)^Graph break in user code at (.*):(\d+)\s*$`)
	breakReason = lazyregexp.New(`(?m)^(?:Graph Break )?Reason: (.*)$`)
	breakError  = lazyregexp.New(`(?m)^torch\._dynamo\.exc\.(Unsupported: .*)$`)
	breakLink   = lazyregexp.New(`https?://\S*graph-break-site\S*`)
)

// ParseBreak reads the text of a graph break as torch words it. From 2.7 on the
// text has an explanation and hints; before, only a reason.
func ParseBreak(text string) Break {
	b := Break{Raw: text}
	if m := breakAt.FindStringSubmatch(text); m != nil {
		b.File = m[1]
		b.Line, _ = strconv.Atoi(m[2])
	}
	if m := breakReason.FindStringSubmatch(text); m != nil {
		b.Reason = strings.TrimSuffix(CleanText(strings.TrimSpace(m[1])), ":")
	}
	if all := breakError.FindAllStringSubmatch(text, -1); b.Reason == "" && len(all) > 0 { // of a function that is left alone, until torch 2.6
		b.Reason = CleanText(strings.TrimSpace(all[len(all)-1][1]))
	}
	cause := ReadCause(text)
	b.Link, b.Explanation, b.Hints = cause.Link, cause.Explanation, cause.Hints
	b.Causes = cause.Reasons
	if old, ok := strings.CutPrefix(b.Reason, "Unsupported: "); ok && len(b.Causes) == 0 {
		// The reason stays what torch says; the cause says it in plain words.
		plain, rest := PlainReason(old)
		b.Causes = []string{plain}
		if b.Explanation == "" {
			b.Explanation = rest
		}
	}
	// The innermost line of the user's traceback comes last. It says where, should the first line of the text not.
	stack := breakStack(text)
	if b.File == "" && len(stack) > 0 {
		b.File, b.Line = stack[len(stack)-1].File, stack[len(stack)-1].Line
	}
	for _, fr := range stack {
		if fr.File == b.File && fr.Line == b.Line {
			b.Code, b.Func = cmp.Or(fr.Code, b.Code), resumedName(fr.Name)
		}
	}
	return b
}

// began is when a compilation did, by its figures.
func began(f fields) float64 {
	if us, ok := toFloat(f["start_time_us"]); ok { // from torch 2.6 on
		return us / 1e6
	}
	s, _ := toFloat(f["start_time"])
	return s
}
