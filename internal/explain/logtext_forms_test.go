package explain_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// Forms of the text that versions of torch and the ways in which it is passed on give it. Each line
// of told is one answer.
func TestFormsOfText(t *testing.T) {
	const (
		old     = "[2023-04-13 21:42:57,808] torch._dynamo."
		dated   = "[2026-11-23 05:08:34,709] [0/0] torch._dynamo."
		glog    = "V1103 02:48:08.805986 34281 torch/_dynamo/guards.py:2813] "
		warn    = "W1103 02:48:08.805986 34281 torch/_dynamo/convert_frame.py:906] "
		graph   = "V1103 02:48:08.805986 34281 torch/_dynamo/output_graph.py:1353] [1/2] [__graph_code] "
		code    = "V1103 02:48:08.805986 34281 torch/_inductor/graph.py:2104] [0/0] [__output_code] "
		listing = "V1103 02:48:08.805986 34281 torch/_dynamo/convert_frame.py:1200] [0/0] [__bytecode] "
		brk     = "V1103 02:48:08.905986 34281 torch/_dynamo/symbolic_convert.py:5577] "
		told    = "W1103 02:48:08.835986 34281 torch/_dynamo/variables/tensor.py:2043] [0/0] "
		item    = told + "Graph break from `Tensor.item()`, consider setting:\n" + told + "    torch._dynamo.config.capture_scalar_outputs = True\n" + told + "or:\n" + told + "\n" +
			told + "Graph break: from user code at:\n" + told + "  File \"/home/user/a.py\", line 7, in f\n" + told + "    n = x.item()\n" + told + "\n"
		uncaught = "Traceback (most recent call last):\n  File \"/home/user/a.py\", line 20, in <module>\n    f(x)\n  File \"/lib/torch/_dynamo/eval_frame.py\", line 574, in _fn\n    raise e\n" +
			"torch._dynamo.exc.Unsupported: Data-dependent branching\n  Explanation: no\n\n  Developer debug context: no\n\nfrom user code:\n   File \"/home/user/a.py\", line 5, in f\n    if x.sum() > 0:\n\nSet TORCHDYNAMO_VERBOSE=1 for more\n"
		outer = brk + "[0/0] [__graph_breaks] Graph break in user code at /home/user/a.py:6\n" + brk + "[0/0] [__graph_breaks] Graph Break Reason: no\n" + brk + "[0/0] [__graph_breaks] User code traceback:\n" +
			brk + "[0/0] [__graph_breaks]   File \"/home/user/b.py\", line 31, in <module>\n" + brk + "[0/0] [__graph_breaks]     main()\n" + brk + "[0/0] [__graph_breaks]   File \"/home/user/b.py\", line 20, in main\n" + brk + "[0/0] [__graph_breaks]     step()\n" +
			brk + "[0/0] [__graph_breaks]   File \"/home/user/a.py\", line 6, in step\n" + brk + "[0/0] [__graph_breaks]     g()\n" + brk + "[0/0] [__graph_breaks] \n" + brk
		suppressed = "(user stack suppressed due to duplicate graph break) "
	)
	twice := func(id, suppressed, why string) string {
		at := "V1103 02:48:08." + strings.ReplaceAll(id, "/", "") + "5986 34281 torch/_dynamo/symbolic_convert.py:5577] [" + id + "] [__graph_breaks] "
		text := at + "Graph break " + suppressed + "in user code at /home/user/a.py:7\n" + at + "Graph Break Reason: Unsupported: " + why + "\n"
		if suppressed == "" {
			text += at + "User code traceback:\n" + at + "  File \"/home/user/a.py\", line 7, in f\n" + at + "    g(x)\n"
		}
		return text
	}
	for name, each := range map[string]struct {
		log  string
		told []string
	}{
		"torch 2.0: a recompilation is a tuple, without a line": {
			old + `convert_frame.__recompiles: [DEBUG] ('Recompiling function step in /home/user/a.py', "triggered by the following guard failure: L['t'] == 0")` + "\n" +
				old + `convert_frame.__recompiles: [DEBUG] ('Recompiling function step in /home/user/a.py', "triggered by the following guard failure: L['t'] == 1")` + "\n",
			[]string{"again 0/1,0/2 step: a Python value varies: t [0 1]"},
		},
		"torch 2.1: a tuple with a list": {
			old + `convert_frame.__recompiles: [DEBUG] ('Recompiling function inner in /home/user/a.py:15', 'triggered by the following guard failures: ["L[\'n\'] == 3", "len(L[\'x\']) == 2"]')` + "\n",
			[]string{"again 0/1 inner: a Python value varies: n [3]"},
		},
		"torch 2.0: the lines behind the first have no prefix": {
			"cuda eval  Model   " + old + "symbolic_convert: [WARNING] Graph break: call_function BuiltinVariable(iadd) from user code at   File \"/home/user/a.py\", line 7, in forward\n" +
				"    x = self.inner(x)\n  File \"/home/user/b.py\", line 9, in inner\n    y += (x,)\n\nepoch 1\n",
			[]string{"break /home/user/b.py:9 y += (x,): call_function BuiltinVariable(iadd)"},
		},
		"torch 2.2: reason and place in one line": {
			dated + "symbolic_convert.__graph_breaks: [DEBUG] Graph break: Tensor.item from user code at:\n" +
				dated + "symbolic_convert.__graph_breaks: [DEBUG]   File \"/home/user/a.py\", line 7, in f\n" +
				dated + "symbolic_convert.__graph_breaks: [DEBUG]     n = x.item()\n",
			[]string{"break /home/user/a.py:7 n = x.item(): Tensor.item"},
		},
		"torch 2.4: the reason is the last line": {
			glog + "[0/0] [__graph_breaks] Graph break: from user code at:\n" +
				glog + "[0/0] [__graph_breaks]   File \"/home/user/a.py\", line 7, in f\n" +
				glog + "[0/0] [__graph_breaks]     n = x.item()\n" +
				glog + "[0/0] [__graph_breaks] Traceback (most recent call last):\n" +
				glog + "[0/0] [__graph_breaks]   File \"/lib/python3.12/site-packages/torch/_dynamo/exc.py\", line 2, in unimplemented\n" +
				glog + "[0/0] [__graph_breaks] torch._dynamo.exc.Unsupported: Tensor.item\n",
			[]string{"break /home/user/a.py:7 n = x.item(): Tensor.item"},
		},
		"torch 2.5: a function that is skipped, in a list of Markdown": {
			"    " + glog + "[5/0] [__graph_breaks] Graph break: skip: from user code at:\n" +
				"    " + glog + "[5/0] [__graph_breaks]   File \"/home/user/a.py\", line 7, in f\n" +
				"    " + glog + "[5/0] [__graph_breaks]     if not x.is_in(y):\n" +
				"    " + glog + "[5/0] [__graph_breaks] Traceback (most recent call last):\n" +
				"    " + glog + "[5/0] [__graph_breaks] torch._dynamo.exc.Unsupported: generic_jump\n",
			[]string{"break /home/user/a.py:7 if not x.is_in(y):: generic_jump"},
		},
		"torch 2.4, cut off before the reason": {
			glog + "[0/0] [__graph_breaks] Graph break: from user code at:\n" +
				glog + "[0/0] [__graph_breaks]   File \"/home/user/a.py\", line 7, in f\n" +
				glog + "[0/0] [__graph_breaks]     n = x.item()\n",
			[]string{"break /home/user/a.py:7 n = x.item(): for a reason that is not told"},
		},
		"a warning before the break that it is about": {
			item + brk + "[0/0] [__graph_breaks] Graph break in user code at /home/user/a.py:7\n" + brk + "[0/0] [__graph_breaks] Graph Break Reason: Unsupported: Tensor.item\n" +
				brk + "[0/0] [__graph_breaks] User code traceback:\n" + brk + "[0/0] [__graph_breaks]   File \"/home/user/a.py\", line 7, in f\n" + brk + "[0/0] [__graph_breaks]     n = x.item()\n",
			[]string{"break /home/user/a.py:7 n = x.item(): Tensor.item"},
		},
		"a function that torch refuses before it has a number": {
			brk + "[0/0] [__recompiles] Recompiling function f in /home/user/a.py:3\n" + brk + "[0/0] [__recompiles]     - 0/0: L['n'] == 3\n" +
				warn + "WON'T CONVERT g /home/user/a.py line 9\n" + warn + "due to:\n" + warn + "Traceback (most recent call last):\n" + warn + "torch._dynamo.exc.Unsupported: no\n" +
				warn + "WON'T CONVERT <genexpr> /home/user/a.py line 10\n" + warn + "due to:\n" + warn + "Traceback (most recent call last):\n" + warn + "torch._dynamo.exc.Unsupported: Attempt to trace generator\n" +
				warn + "WON'T CONVERT old /home/user/a.py line 11\n" + warn + "due to:\n" + warn + "torch._dynamo.exc.Unsupported: generator\n" +
				brk + "[1/0] torchdynamo start compiling h /home/user/a.py:12, stack (elided 1 frames):\n" +
				glog + "[1/0] [__guards] TREE_GUARD_MANAGER:\n" + glog + "[1/0] [__guards] | +- EQUALS_MATCH: L['m'] == 4\n",
			[]string{"again 0/0 f: a Python value varies: n [3]", "failed g: Unsupported no", "guard 1/0 L['m'] == 4", "version 1/0 h"},
		},
		"a warning alone": {item, []string{"break /home/user/a.py:7 n = x.item(): Tensor.item()"}},
		"a line that breaks the graph for two reasons, each twice": {
			strings.Join([]string{twice("0/0", "", "first"), twice("1/0", "", "second"), twice("0/1", suppressed, "first"), twice("1/1", suppressed, "second")}, ""),
			[]string{"break /home/user/a.py:7 g(x): first", "break /home/user/a.py:7 g(x): second", "met 0/0,0/1: first", "met 1/0,1/1: second"},
		},
		"code that Dynamo was given, and made nothing of": {
			glog + "[0/0] [__bytecode] ORIGINAL BYTECODE f /home/user/a.py line 6 \n" + glog + "[0/0] [__bytecode]   6           RESUME                   0\n" +
				glog + "[1/0] [__bytecode] ORIGINAL BYTECODE g /home/user/a.py line 9 \n" + glog + "[1/0] [__bytecode]   9           RESUME                   0\n" +
				glog + "[1/0] [__bytecode] MODIFIED BYTECODE g /home/user/a.py line 9 \n" + glog + "[1/0] [__bytecode]   9           RESUME                   0\n",
			[]string{"version 1/0 g"},
		},
		"torch 2.2: guards are a list, a message each": {
			dated + "guards.__guards: [DEBUG] GUARDS:\n" +
				dated + "guards.__guards: [DEBUG] L['n'] == 2                                   # y = x + n  # /home/user/a.py:3 in f\n" +
				strings.ReplaceAll(dated, ",709", ",710") + "guards.__guards: [DEBUG] len(L['y']) == 1                              # y = x + n  # /home/user/a.py:3 in f\n" +
				dated + "convert_frame.__bytecode: [DEBUG] MODIFIED BYTECODE f /home/user/a.py line 2 \n",
			[]string{"guard 0/0 L['n'] == 2", "guard 0/0 len(L['y']) == 1"},
		},
		"Python's own formatter": {
			"DEBUG:torch._dynamo.guards.__recompiles:Recompiling function forward in /home/user/a.py:15\n" +
				"    triggered by the following guard failure(s):\n    - 0/0: tensor 'x' size mismatch at index 0. expected 4, actual 8\n",
			[]string{"again 0/1 forward: a size varies: x.size(0) [4 8]"},
		},
		"a prefix before the first line alone": {
			"[0/2] [__recompiles] Recompiling function forward in /home/user/a.py:16\n    triggered by the following guard failure(s):\n    - 0/1: len(a.b) == 26   # self.c(  # a.py:20 in forward\n",
			[]string{"again 0/2 forward: the length of a container varies: len(a.b) [26]"},
		},
		"a comment of Python": {
			"# Recompiling function f in /home/user/a.py:3\n#     triggered by the following guard failure(s):\n#     - 0/0: L['n'] == 3\nf(2)\n",
			[]string{"again 0/1 f: a Python value varies: n [3]"},
		},
		"a quotation whose first line has the mark": {
			"> TREE_GUARD_MANAGER:\n+- RootGuardManager\n| +- EQUALS_MATCH: L['n'] == 3\n",
			[]string{"guard 0/0 L['n'] == 3"},
		},
		"empty lines between": {
			warn + "WON'T CONVERT f e:\\user\\a.py line 9\n\n" + warn + "due to:\n\n" + warn + "Traceback (most recent call last):\n\n" + warn + "ValueError: no\n",
			[]string{"failed f: ValueError no"},
		},
		"cut off before the error": {
			warn + "WON'T CONVERT f /home/user/a.py line 9\n" + warn + "due to:\n" + warn + "Traceback (most recent call last):\n",
			[]string{"failed f: the log ends before torch names the error"},
		},
		"cut off at the beginning of a failure": {
			warn + "  File \"/lib/torch/_dynamo/convert_frame.py\", line 9, in compile\n" + warn + "    return g()\n" + warn + "torch._dynamo.exc.InternalTorchDynamoError: KeyError: 'x'\n",
			[]string{"failed <unknown>: InternalTorchDynamoError KeyError: 'x'"},
		},
		"cut off at the beginning": {
			glog + "[1/3] [__recompiles]     triggered by the following guard failure(s):\n" + glog + "[1/3] [__recompiles]     - L['n'] == 2\n" +
				glog + "[1/4] [__recompiles] Recompiling function f in /home/user/a.py:3\n" + glog + "[1/4] [__recompiles]     triggered by the following guard failure(s):\n" + glog + "[1/4] [__recompiles]     - L['n'] == 1\n",
			[]string{"again 1/3,1/4 f: a Python value varies: n [2 1]"},
		},
		"no reason": {
			"[0/1] [__recompiles] Recompiling function f in ...\n[0/1] [__recompiles]     triggered by the following guard failure(s):\n[0/1] [__recompiles]     - 0/0: \n",
			[]string{"again 0/1 f: torch does not say why []"},
		},
		"cut off in a listing": {
			listing + "ORIGINAL BYTECODE f /home/user/a.py line 3 \n" + listing + "  3           0 RESUME                   0\n",
			[]string{"unfinished f"},
		},
		"cut off before the reason": {
			glog + "[0/1] [__recompiles] Recompiling function f in /home/user/a.py:3\n" + glog + "[0/1] [__recompiles]     triggered by the following gua",
			[]string{"again 0/1 f: the log is cut off before torch says why []"},
		},
		"cut off in the place": {
			glog + "[0/1] [__recompiles] Recompiling function f in /home/us",
			[]string{"again 0/1 f: the log is cut off before torch says why []", "place f :0"},
		},
		"limits in the words of torch 2.0, of two functions of one name": {
			old + "convert_frame: [WARNING] torch._dynamo hit config.cache_size_limit (64)\n   function: 'f' (/home/user/a.py:3)\n   reasons:  ___check_obj_id(p, 140576345762848)\nto diagnose recompilation issues, see the web.\n" +
				old + "convert_frame: [WARNING] torch._dynamo hit config.cache_size_limit (64)\n   function: 'f' (/home/user/a.py:30)\n   reasons:  ___check_obj_id(p, 140576345762848)\n",
			[]string{"again 0/1,1/1 f: an object was replaced by another: p []", "limit 0/1 f cache_size_limit 64", "limit 1/1 f cache_size_limit 64"},
		},
		"reasons of versions that the log has no word of": {
			glog + "[0/7] [__recompiles] Recompiling function f in /home/user/a.py:3\n" + glog + "[0/7] [__recompiles]     triggered by the following guard failure(s):\n" + glog + "[0/7] [__recompiles]     - 0/6: ___check_obj_id(self.p, 140576345762848)\n",
			[]string{"again 0/7 f: an object was replaced by another: self.p []"},
		},
		"a limit alone": {
			warn + "[2/8] torch._dynamo hit config.recompile_limit (8)\n" + warn + "[2/8]    function: 'f' (/home/user/a.py:6)\n" +
				warn + "[2/8]    last reason: 2/7: tensor 'X[0]' size mismatch at index 1. expected 640, actual 8. Guard failed on a parameter, consider using a setting to allow dynamism on parameters.\n",
			[]string{"again 2/8 f: a size varies: X[0].size(1) [640 8]", "hint Guard failed on a parameter, consider using a setting to allow dynamism on parameters.", "limit 2/8 f recompile_limit 8", "number 2/7 7"},
		},
		"a limit that the call raises for": {
			warn + "[2/8] torch._dynamo hit config.recompile_limit (8)\n" + warn + "[2/8]    function: 'f' (/home/user/a.py:6)\n" + warn + "[2/8]    last reason: 2/7: L['n'] == 3\n" +
				"Traceback (most recent call last):\n  File \"/home/user/a.py\", line 20, in <module>\n    f(x, 9)\ntorch._dynamo.exc.FailOnRecompileLimitHit: recompile_limit reached with fullgraph=True. Excessive recompilations\n",
			[]string{"again 2/8 f: a Python value varies: n [3]", "limit 2/8 f recompile_limit 8", "raised 2/8 FailOnRecompileLimitHit"},
		},
		"limits of two functions, without compile ids": {
			"Recompiling function f in /home/user/a.py:3\n    triggered by the following guard failure(s):\n    - 0/7: L['c'] == 8.5\n    - 0/6: L['c'] == 7.5\n" +
				"torch._dynamo hit config.cache_size_limit (8)\n    function: 'f' (/home/user/a.py:3)\n    last reason: 0/0: L['c'] == 1.5\n" +
				"torch._dynamo hit config.cache_size_limit (8)\n    function: 'g' (/home/user/a.py:9)\n    last reason: 3/0: L['c'] == 1.5\n",
			[]string{"again 0/8 f: a Python value varies: c [7.5 8.5]", "again 3/8 g: a Python value varies: c [1.5]", "limit 0/8 f cache_size_limit 8", "limit 3/8 g cache_size_limit 8", "number 0/0 0", "number 0/6 6", "number 0/7 7", "number 3/0 0", "number 3/7 7"},
		},
		"a limit before torch 2.0": {
			"> [2022-10-14 15:59:22,874] torchdynamo.convert_frame: [WARNING] torchdynamo hit config.cache_size_limit (64)\n>    function: 'f' (/home/user/a.py:3)\n" +
				">    reasons:  [\"tensor 'x' strides mismatch at index 0. expected 562500, actual 2447991\"]\n> to diagnose recompilation issues, see the web\n",
			[]string{"again 0/1 f: the layout in memory varies: x.stride(0) [562500 2447991]", "limit 0/1 f cache_size_limit 64"},
		},
		"torch 2.1: the value that it has now": {
			old + `convert_frame.__recompiles: [DEBUG] ('Recompiling function f in /home/user/a.py:3', "triggered by the following guard failure: L['a'] == 0, with LHS value: 1")` + "\n",
			[]string{"again 0/1 f: a Python value varies: a [0 1]"},
		},
		"a warning whose head is cut off": {item[strings.Index(item, "\n")+1:], []string{"break /home/user/a.py:7 n = x.item(): Tensor.item() or the like"}},
		"what is refused is not compiled": {
			old + "convert_frame: [WARNING] torch._dynamo hit config.cache_size_limit (8)\n" + old + "convert_frame: [WARNING]    function: 'f' (/home/user/a.py:3)\n" +
				old + "convert_frame: [INFO] WON'T CONVERT f /home/user/a.py line 3 \n" + old + "convert_frame: [INFO] torch._dynamo.exc.Unsupported: cache_size_limit reached\n",
			[]string{"limit 0/1 f cache_size_limit 8"},
		},
		"a function that was compiled fails later": {
			dated + "guards.__guards: [DEBUG] TREE_GUARD_MANAGER:\n" + dated + "guards.__guards: [DEBUG] +- RootGuardManager\n" +
				dated + "convert_frame.__bytecode: [DEBUG] ORIGINAL BYTECODE f /home/user/a.py line 3\n" +
				old + "convert_frame: [WARNING] WON'T CONVERT f /home/user/a.py line 3\n" + old + "convert_frame: [WARNING] ValueError: no\n",
			[]string{"failed f: ValueError no", "version 0/0 f"},
		},
		"a graph whose lines behind the first have no prefix, empty ones among them": {
			"[2023-11-23 05:08:34,709] torch._dynamo.output_graph.__graph_code: [DEBUG] TRACED GRAPH\n ===== __compiled_fn_0 =====\n <eval_with_key>.0 class GraphModule(torch.nn.Module):\n" +
				"    def forward(self, L_x_ : torch.Tensor):\n        x = L_x_\n        \n        # File: a.py:3, code: return x + 1\n        add = x + 1\n        return (add,)\n        \n\nepoch 1\n",
			[]string{"file 0/0 Captured_Graph: 7 lines"},
		},
		"a graph that is cut off, and graphs of AOTAutograd without compile ids": {
			"TRACED GRAPH\n ===== __compiled_fn_0 =====\n class GraphModule(torch.nn.Module):\n    def forward(self, L_x_):\n        x = L_x_\n\n" +
				"TRACED GRAPH\n ===== Forward graph 0 =====\n class GraphModule(torch.nn.Module):\n    def forward(self, a):\n        return (a,)\n\n" +
				"TRACED GRAPH\n ===== Forward graph 1 =====\n class GraphModule(torch.nn.Module):\n    def forward(self, a):\n        return (a,)\n",
			[]string{"file 0/0 Captured_Graph: 4 lines", "file 0/0 Forward_graph: 3 lines", "file 1/0 Forward_graph: 3 lines"},
		},
		"a graph of a version that the log has nothing else of": {
			graph + "TRACED GRAPH\n" + graph + " ===== __compiled_fn_3 =====\n" + graph + " <eval_with_key>.0 class GraphModule(torch.nn.Module):\n" + graph + "    def forward(self):\n" + graph + "        return ()\n",
			[]string{"file 1/2 Captured_Graph: 3 lines", "version 1/2 <unknown>"},
		},
		"a list of guards of a version that the log has nothing else of": {
			glog + "[0/0] [__guards] GUARDS:\n" + glog + "[0/0] [__guards] len(L['d']) == 2   # return d  # a.py:3 in f\n",
			[]string{"guard 0/0 len(L['d']) == 2"},
		},
		"a tree of guards whose beginning is cut off": {
			glog + "[2/0] [__guards] | | +- GuardManager: source=L['n'], accessed_by=DictGetItemGuardAccessor('n')\n" + glog + "[2/0] [__guards] | | | +- EQUALS_MATCH: L['n'] == 3\n",
			[]string{"guard 2/0 L['n'] == 3"},
		},
		"Inductor's code whose beginning is cut off": {
			code + "def call(args):\n" + code + "    arg0, = args\n" + code + "    return (arg0, )\n",
			[]string{"file 0/0 kernel: 3 lines"},
		},
		"an error that ends the program": {
			brk + "[0/0] Step 1: torchdynamo start tracing f /home/user/a.py:3\n" + uncaught,
			[]string{"threw f /home/user/a.py:3: Unsupported Data-dependent branching"},
		},
		"an error that ends a program of several ranks": {
			"[rank1]:" + brk + "[0/0] Step 1: torchdynamo start tracing f /home/user/a.py:3\n[rank1]: " + strings.ReplaceAll(strings.TrimSuffix(uncaught, "\n"), "\n", "\n[rank1]: ") + "\n",
			[]string{"rank 1", "threw f /home/user/a.py:3: Unsupported Data-dependent branching"},
		},
		"an error that ends the program, alone": {
			uncaught, []string{"threw f /home/user/a.py:0: Unsupported Data-dependent branching"},
		},
		"an error that ends the program, of another function than the last": {
			brk + "[0/0] Step 1: torchdynamo start tracing g /home/user/a.py:30\n" + uncaught,
			[]string{"threw f /home/user/a.py:0: Unsupported Data-dependent branching"},
		},
		"a backend's error that ends the program": {
			brk + "[0/0] Step 1: torchdynamo start tracing f /home/user/a.py:3\nTraceback (most recent call last):\n  File \"/home/user/a.py\", line 20, in <module>\n    f(x)\n" +
				"torch._dynamo.exc.BackendCompilerFailed: backend='b' raised:\nValueError: no\n\nSet TORCHDYNAMO_VERBOSE=1 for the internal stack trace\nepoch 1\n",
			[]string{"threw f /home/user/a.py:3: BackendCompilerFailed backend='b' raised:"},
		},
		"a limit, its first line cut off": {
			warn + "[9/8]    function: 'f' (/home/user/a.py:6)\n" + warn + "[9/8]    last reason: 9/7: L['n'] == 3\n" + warn + "[9/8] To log all recompilation reasons, use TORCH_LOGS=\"recompiles\".\n",
			[]string{"again 9/8 f: a Python value varies: n [3]", "limit 9/8 f recompile_limit 0"},
		},
		"a limit without its indentation": {
			"torch._dynamo hit config.recompile_limit (8)\nfunction: 'f' (/home/user/a.py:6)\nlast reason: 0/7: GLOBAL_STATE changed: grad_mode\nTo log all recompilation reasons, use the switch.\n",
			[]string{"again 0/8 f: the gradient mode changed []", "limit 0/8 f recompile_limit 8"},
		},
		"a limit without a place": {
			"torch._dynamo hit config.recompile_limit (2)\n  function: 'f'\n  last reason: 0/1: L['n'] == 3\n",
			[]string{"again 0/2 f: a Python value varies: n [3]", "limit 0/2 f recompile_limit 2"},
		},
		"a limit for another reason than the recompilation in front of it, without compile ids": {
			"Recompiling function f in /home/user/a.py:1\n    triggered by the following guard failure(s):\n    - 0/0: tensor 'x' size mismatch at index 0. expected 3, actual 4\n" +
				"torch._dynamo hit config.recompile_limit (2)\n   function: 'f' (/home/user/a.py:1)\n   last reason: 0/1: tensor 'x' size mismatch at index 0. expected 4, actual 5\n",
			[]string{"again 0/1 f: a size varies: x.size(0) [3 4]", "again 0/2 f: a size varies: x.size(0) [4 5]", "limit 0/2 f recompile_limit 2"},
		},
		"a function that is left alone, first in the log": {
			warn + "WON'T CONVERT f /home/user/a.py line 3\n" + warn + "due to:\n" + warn + "Traceback (most recent call last):\n" + warn + "  File \"/lib/torch/_dynamo/x.py\", line 9, in g\n" + warn + "ValueError: no\n",
			[]string{"failed f: ValueError no", "left f"},
		},
		"a break whose traceback begins in front of the function": {
			outer + "[0/1] [__recompiles] Recompiling function step in /home/user/a.py:3\n" + brk + "[0/1] [__recompiles]     - 0/0: L['n'] == 3\n",
			[]string{"again 0/1 step: a Python value varies: n [3]", "break /home/user/a.py:6 g(): no", "version 0/0 step", "version 0/1 step"},
		},
		"the same, and nothing else": {
			strings.TrimSuffix(outer, brk), []string{"break /home/user/a.py:6 g(): no", "version 0/0 <unknown>"},
		},
		"a resume function, and no break": {
			brk + "[1/1] [__recompiles] Recompiling function torch_dynamo_resume_in_g_at_15 in /home/user/a.py:15\n" + brk + "[1/1] [__recompiles]     - 1/0: L['n'] == 3\n",
			[]string{"again 1/1 torch_dynamo_resume_in_g_at_15: a Python value varies: n [3]", "break /home/user/a.py:15 : the log does not tell why, but names the resume function behind the line"},
		},
		"a tree of guards without its head": {
			glog + "[0/0] [__guards] GUARDS:\n" + glog + "[0/0] [__guards] | | +- EQUALS_MATCH: L['n'] == 3\n" + glog + "[0/0] [__guards] | | +- LENGTH_CHECK: len(L['d']) == 2\n",
			[]string{"guard 0/0 L['n'] == 3", "guard 0/0 len(L['d']) == 2"},
		},
		"a recompilation in one line": {
			"Recompiling function f in /home/user/a.py:3 triggered by the following guard failure(s): - 0/0: L['n'] == 3\n",
			[]string{"again 0/1 f: a Python value varies: n [3]", "place f /home/user/a.py:3"},
		},
		"a recompilation without a line": {
			old + `convert_frame.__recompiles: [DEBUG] ('Recompiling function f in /home/user/a.py', "triggered by the following guard failure: L['t'] == 0")` + "\n",
			[]string{"again 0/1 f: a Python value varies: t [0]", "place f /home/user/a.py:0"},
		},
		"a check of torch's own": {
			"Recompiling function f in /home/user/a.py:3\n    triggered by the following guard failure(s):\n    - 0/0: 8*s0 < 2147483648  # (_inductor/codegen/simd.py:1877 in can_use_32bit_indexing)\n",
			[]string{"again 0/1 f: a condition on a value no longer holds: s0 []", "at /home/user/a.py:3"},
		},
		"torch 2.5: a function that is left alone for a break": {
			warn + "[5/0] [__graph_breaks] Graph break: skip: from user code at:\n" + warn + "[5/0] [__graph_breaks]   File \"/home/user/a.py\", line 7, in f\n" + warn + "[5/0] [__graph_breaks]     g()\n" +
				warn + "[5/0] [__graph_breaks] Traceback (most recent call last):\n" + warn + "[5/0] [__graph_breaks] torch._dynamo.exc.Unsupported: no\n",
			[]string{"break /home/user/a.py:7 g(): no", "left f"},
		},
		"a function that is left alone for a break in a loop": {
			brk + "[0/0] Step 1: torchdynamo start tracing f /home/user/a.py:3\n" + warn + "[0/0] Skipping frame because there is a graph break in a for/while loop\n" + warn + "[0/0] <FrameSummary file /home/user/a.py, line 8 in f>\n",
			[]string{"failed f: there is a graph break in a for/while loop", "left f"},
		},
		"times of the whole program": {
			brk + "TorchDynamo compilation metrics:\n" + brk + "Function, Runtimes (s)\n" + brk + "_compile.compile_inner, 1.5, 3.0\n" + brk + "OutputGraph.call_user_compiler, 0.5\n",
			[]string{"took 4.5 0.5"},
		},
		"a break of which nothing else is told": {
			"[2026-11-23 05:08:34,709] torch._dynamo.symbolic_convert: [WARNING] Graph break: Tensor.backward from user code at\n",
			[]string{"break unknown : Tensor.backward"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := toldBy(readLog(t, each.log)[0], each.told); !slices.Equal(got, each.told) {
				t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(each.told, "\n"))
			}
		})
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// toldBy is what a model answers, of the kinds that a test asks for.
func toldBy(m *explain.Model, kinds []string) []string {
	p := explain.Link(m)
	s := answers.Of(p)
	var got []string
	add := func(format string, args ...any) { got = append(got, fmt.Sprintf(format, args...)) }
	for _, c := range s.Causes {
		add("again %s %s: %s %v", strings.Join(c.IDs, ","), strings.Join(c.Functions, ","), c.Title, c.Values)
		add("at %s:%d", c.File, c.Line)
		for _, h := range c.Hints {
			add("hint %s", h)
		}
	}
	for _, b := range s.BreakLines {
		at := fmt.Sprintf("%s:%d", b.File, b.Line)
		if b.File == "" {
			at = "unknown"
		}
		add("break %s %s: %s", at, b.Code, b.Cause)
		add("met %s: %s", strings.Join(b.IDs, ","), b.Cause)
	}
	for _, c := range p.Lost {
		switch {
		case c.Outcome != nil && c.Outcome.Error != "":
			add("failed %s: %s %s", c.Func, c.Outcome.Error, c.Outcome.Text)
		case c.Failure != "":
			add("failed %s: %s", c.Func, c.Failure)
		}
	}
	for _, f := range slices.Concat(p.Functions, p.Resumes) {
		if f.Limit != nil {
			add("limit %s %s %s %d", f.Limit.ID, f.Name, f.Limit.Outcome.Limit, f.Limit.Outcome.Value)
			if f.Limit.Outcome.Raised {
				add("raised %s %s", f.Limit.ID, f.Limit.Outcome.Error)
			}
		}
		add("place %s %s:%d", f.Name, f.File, f.Line)
		for _, v := range f.Versions {
			add("version %s %s", v.CompileID, f.Name)
			add("number %s %d", v.CompileID, v.Number)
			for _, g := range v.Guards {
				add("guard %s %s", v.CompileID, g.Text)
			}
		}
	}
	add("rank %s", m.Start.Rank)
	for _, f := range p.Failed {
		add("threw %s %s:%d: %s %s", f.Func, f.File, f.Line, f.Outcome.Error, firstLine(f.Outcome.Text))
	}
	if m.Start.Total > 0 {
		add("took %.1f %.1f", m.Start.Total, m.Start.Backend)
	}
	for _, c := range p.Cut {
		add("unfinished %s", c.Func)
	}
	for _, c := range p.Lost {
		add("left %s", c.Func)
	}
	for _, f := range p.Files {
		add("file %s %s: %d lines", f.CompileID, f.Stage, strings.Count(f.Text, "\n"))
	}
	asked := func(line string) bool {
		kind, _, _ := strings.Cut(line, " ")
		return kind == "again" || kind == "unfinished" || kind == "break" || kind == "failed" || kind == "threw" || kind == "limit" || kind == "hint" ||
			slices.ContainsFunc(kinds, func(k string) bool { return strings.HasPrefix(k, kind+" ") })
	}
	got = slices.DeleteFunc(got, func(line string) bool { return !asked(line) })
	slices.Sort(got)
	return got
}
