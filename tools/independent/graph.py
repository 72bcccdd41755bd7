"""The instruction graph of a code object in a normal form, made with dis alone.

Two code objects mean the same if the entries of their graphs are bisimilar. The normal form
removes what compilations of one program may differ in without meaning anything; each rule
below is an equality of programs:

    gone        NOP, CACHE, EXTENDED_ARG, NOT_TAKEN and unconditional jumps do nothing but lead on.
    order       A graph has no order of blocks, and bisimilarity does not count copies of a block.
    fused       LOAD_FAST_LOAD_FAST and its like are their parts; RETURN_CONST is LOAD_CONST and
                RETURN_VALUE; LOAD_SMALL_INT is LOAD_CONST, and so is LOAD_COMMON_CONSTANT of what
                could be a constant (3.15: None, "", …; not of a class or a function); a *_BORROW
                load pushes the same object (only who counts the reference differs).
    null        The low bit of LOAD_GLOBAL says that a call's NULL goes with it: that is PUSH_NULL on its
                own, in front up to 3.12 and behind since. 3.13+: that of LOAD_ATTR and
                LOAD_SUPER_ATTR lets an unbound method and its object take the places of a bound
                method and NULL, which only CALL and CALL_KW meet, and they call the same.
    checks      LOAD_FAST_CHECK is LOAD_FAST: the compiler leaves the check out where its own
                passes can prove that the variable is bound, which says nothing of the program.
    branches    A conditional jump is PEEK, which looks at the top of the stack and goes one of two
                ways, with POP_TOP on the ways that pop: polarity disappears, and JUMP_IF_x_OR_POP,
                COPY + POP_JUMP_IF_x and the like are one thing. UNARY_NOT in front swaps the ways;
                so does the "not" of "is not" and "not in". POP_JUMP_IF_NONE is
                LOAD_CONST None, IS_OP and a branch.
    known       On a way out of a PEEK that keeps the object, a second PEEK at the same object is
                decided: CPython's own jump threading assumes that truth does not change between.
    constants   A branch on a constant is decided; a constant that is popped at once is nothing.
    handlers    What handles an exception is an edge of every instruction that can raise; the
                handler's stack depth and whether it keeps the place belong to the label. An
                instruction that cannot raise (SILENT) has no such edge. Up to 3.10 SETUP_* and
                POP_BLOCK are instructions with edges.
    reraise     3.8: END_FINALLY raises again, goes back to a CALL_FINALLY or falls through, by what it
                finds on the stack. Behind the last clause of a try … except it finds an exception
                whichever way it was come to, so that nothing falls through, and whatever stands
                there is not come to by it.
    firstline   3.13+: the number stored as __firstlineno__ is the code's own first line.
    statics     3.13+: __static_attributes__ is written from a set: order means nothing.
    cells       3.11+: MAKE_CELL at the entry makes cells in slot order, which means nothing, in front of
                COPY_FREE_VARS or behind.

Only where that does not make two codes equal, Moved goes one step further:

    moves       A run of instructions that only move values (stack, constants, variables that cannot
                be unbound, tuples that are built and unpacked) is what it leaves on the stack and in
                the variables. CPython itself turns SWAP, STORE, STORE into STORE, STORE on one
                line, and pops a loop's iterator before or behind the loading of a returned value.
                What may be seen of this is when a reference is dropped within the run.
"""

import dis
import struct
import sys

V = sys.version_info[:2]

SKIP = {"NOP", "CACHE", "EXTENDED_ARG", "NOT_TAKEN"}
JUMPS = {"JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "JUMP_ABSOLUTE", "JUMP"}
ENDS = {"RETURN_VALUE", "RAISE_VARARGS", "RERAISE"}
# What cannot raise, by what ceval does: moves on the stack, constants, bound or unchecked
# variables, identity. A destructor that runs meanwhile cannot raise into the frame.
SILENT = {
    "LOAD_CONST", "POP_TOP", "COPY", "SWAP", "PUSH_NULL", "STORE_FAST", "LOAD_FAST_AND_CLEAR", "LOAD_CLOSURE",
    "MAKE_CELL", "COPY_FREE_VARS", "IS_OP", "RETURN_VALUE", "PUSH_EXC_INFO", "POP_EXCEPT", "STORE_DEREF", "RESUME",
    "RETURN_GENERATOR", "END_FOR", "POP_ITER", "END_SEND", "KW_NAMES", "LOAD_COMMON_CONSTANT", "PRECALL",
}  # fmt: skip
if V >= (3, 12):
    SILENT.add("LOAD_FAST")

FUSED = {
    "LOAD_FAST_LOAD_FAST": ("LOAD_FAST", "LOAD_FAST"),
    "LOAD_FAST_BORROW_LOAD_FAST_BORROW": ("LOAD_FAST", "LOAD_FAST"),
    "STORE_FAST_LOAD_FAST": ("STORE_FAST", "LOAD_FAST"),
    "STORE_FAST_STORE_FAST": ("STORE_FAST", "STORE_FAST"),
}
RENAMED = {
    "LOAD_FAST_BORROW": "LOAD_FAST",
    "LOAD_FAST_CHECK": "LOAD_FAST",
    "LOAD_CONST_IMMORTAL": "LOAD_CONST",
    "LOAD_SMALL_INT": "LOAD_CONST",
    "RETURN_CONST": "LOAD_CONST",
}
# Operations whose operand's low bits say more than the name that dis shows, and those whose
# lowest bit is a PUSH_NULL.
FLAG_BITS = {}
NULL_BIT = set()
if V >= (3, 11):
    NULL_BIT.add("LOAD_GLOBAL")
if (3, 12) <= V < (3, 13):
    FLAG_BITS.update(LOAD_ATTR=1, LOAD_SUPER_ATTR=3)
if V >= (3, 13):
    NULL_BIT.update(("LOAD_ATTR", "LOAD_SUPER_ATTR"))
    FLAG_BITS["LOAD_SUPER_ATTR"] = 2

TESTS = {
    "POP_JUMP_IF_FALSE": (False, True), "POP_JUMP_FORWARD_IF_FALSE": (False, True),
    "POP_JUMP_BACKWARD_IF_FALSE": (False, True), "POP_JUMP_IF_TRUE": (True, True),
    "POP_JUMP_FORWARD_IF_TRUE": (True, True), "POP_JUMP_BACKWARD_IF_TRUE": (True, True),
    "JUMP_IF_FALSE_OR_POP": (False, False), "JUMP_IF_TRUE_OR_POP": (True, False),
}  # fmt: skip
OLD_TESTS = {"is": ("IS_OP", 0), "is not": ("IS_OP", 1), "in": ("CONTAINS_OP", 0), "not in": ("CONTAINS_OP", 1)}
NONES = {}
for _d in ("", "FORWARD_", "BACKWARD_"):
    NONES["POP_JUMP_" + _d + "IF_NONE"] = True
    NONES["POP_JUMP_" + _d + "IF_NOT_NONE"] = False


def operation(i):
    """The name of an instruction that is not several."""
    if i.opname == "LOAD_COMMON_CONSTANT" and not callable(i.argval):
        return "LOAD_CONST"
    return RENAMED.get(i.opname, i.opname)


def key(value, code_key):
    """What a program can tell of a constant: type and bits; code objects by code_key."""
    t = type(value)
    if t is float:
        return ("float", struct.pack(">d", value))
    if t is complex:
        return ("complex", struct.pack(">dd", value.real, value.imag))
    if t is tuple:
        return ("tuple",) + tuple(key(x, code_key) for x in value)
    if t is frozenset:
        return ("frozenset", frozenset(key(x, code_key) for x in value))
    if t is slice:
        return ("slice",) + tuple(key(x, code_key) for x in (value.start, value.stop, value.step))
    if t.__name__ == "code":
        return code_key(value)
    if t.__name__ == "frozendict":
        return ("frozendict",) + tuple((key(k, code_key), key(v, code_key)) for k, v in value.items())
    if t in (int, bool, str, bytes, type(None), type(Ellipsis)):
        return (t.__name__, value)
    raise TypeError("constant of unknown type " + t.__name__)


def exception_table(code):
    """(start, end, target, depth, lasti) in bytes, first match first."""
    out, data = [], iter(getattr(code, "co_exceptiontable", b""))

    def number(b):
        n = b & 63
        while b & 64:
            b = next(data)
            n = n << 6 | b & 63
        return n

    for b in data:
        start = number(b) * 2
        size = number(next(data)) * 2
        target = number(next(data)) * 2
        dl = number(next(data))
        out.append((start, start + size, target, dl >> 1, dl & 1))
    return out


def always_raise(code):
    """3.8: the offsets of each END_FINALLY that finds an exception on every way to it.

    Follows, along all ways, what stands on the stack for END_FINALLY and POP_EXCEPT to take, the top
    first: an exception (E) or nothing (N). What CALL_FINALLY puts there never falls through, and the
    handler that it calls is come to by its SETUP_FINALLY anyway, so it has no way of its own here.
    Where two ways meet that differ in number (a compiler's "return" pops before it calls), what is
    below the shorter is not known, and what is not known may fall through."""
    ins = list(dis.get_instructions(code))
    index = {i.offset: n for n, i in enumerate(ins)}
    states, todo = {}, [(0, ())]
    while todo:
        n, state = todo.pop()
        if n >= len(ins):
            continue
        old = states.get(n)
        if old is not None:
            state = tuple([a | b for a, b in zip(old, state)])
            if state == old:
                continue
        states[n] = state
        i = ins[n]
        name, after = i.opname, state
        if name in ("SETUP_FINALLY", "SETUP_WITH", "SETUP_ASYNC_WITH"):
            todo.append((index[i.argval], (frozenset("E"),) + state))
        elif name == "BEGIN_FINALLY":
            after = (frozenset("N"),) + state
        elif name == "WITH_CLEANUP_FINISH":  # an __exit__ may have swallowed the exception
            after = tuple([kinds | {"N"} for kinds in state[:1]]) + state[1:]
        elif name in ("END_FINALLY", "POP_FINALLY", "POP_EXCEPT", "END_ASYNC_FOR"):
            if name == "END_FINALLY" and state and "N" not in state[0]:
                continue
            after = state[1:]
        elif name != "CALL_FINALLY" and (i.opcode in dis.hasjrel or i.opcode in dis.hasjabs):
            todo.append((index[i.argval], state))
        if name not in JUMPS and name not in ENDS:
            todo.append((n + 1, after))
    return {ins[n].offset for n, s in states.items() if ins[n].opname == "END_FINALLY" and s and "N" not in s[0]}


def loaded(code):
    """The ids of the code objects that an instruction loads which control can come to: the compiler
    keeps those of statements that it has left out among the constants (up to 3.11, and of some
    later). What the graph decides is decided here too: else a function behind a branch that is never
    taken would be missed in a text that leaves the branch out."""
    out = set()

    def note(constant):
        out.add(id(constant))
        return ("code", constant.co_name)

    collect([Graph(code, note)])
    return out


class Graph:
    """Nodes are reached from .entry; .node(n) is (label, successors)."""

    def __init__(self, code, code_key):
        self.code, self.code_key = code, code_key
        self.ins = [i for i in dis.get_instructions(code) if i.opname not in SKIP]
        self.at = {}
        # An offset between instructions (a cache, a NOP) is the next one's.
        last = 0
        for n, i in enumerate(self.ins):
            for off in range(last, i.offset + 1, 2):
                self.at[off] = n
            last = i.offset + 2
        self.end = len(self.ins)
        self.table = exception_table(code)
        self.raises = always_raise(code) if V < (3, 9) else ()
        # 3.11+: the captured variables have the last slots.
        own = len(set(code.co_varnames) | set(code.co_cellvars))
        self.first_captured = own if V >= (3, 11) else sys.maxsize
        self.cache = {}
        self.entry = self.start()

    def start(self):
        n, cells = 0, []
        while n < self.end and self.ins[n].opname in ("MAKE_CELL", "COPY_FREE_VARS"):
            cells.append((self.ins[n].opname, str(self.ins[n].argval)))
            n += 1
        self.cache["entry"] = (("entry", tuple(sorted(cells))), (self.resolve(n),))
        return "entry"

    def target(self, i):
        return self.at.get(i.argval, self.end)

    # Where a place leads: a place is an instruction's number; a node is a tuple.

    def resolve(self, n, truth=None):
        seen = set()
        while True:
            if n >= self.end:
                return ("end",)
            if n in seen:
                return ("hang",)
            seen.add(n)
            i = self.ins[n]
            if i.opname in JUMPS:
                n = self.target(i)
                continue
            if truth is not None:
                t = self.test(n)
                if t:
                    keeps, ways = t[1][truth]
                    if not keeps:
                        return ("pop", ways)
                    n = ways
                    continue
                return ("op", n)
            if operation(i) == "LOAD_CONST" and i.opname != "RETURN_CONST":
                t = self.test(n + 1)
                value = i.argval
                if t and not isinstance(value, type(self.code)):
                    keeps, ways = t[1][bool(value)]
                    if not keeps:
                        n = ways
                        continue
                m = n + 1
                if m < self.end and self.ins[m].opname == "POP_TOP":
                    n = m + 1
                    continue
            return ("op", n)

    def test(self, n):
        """The branch on the top of the stack that begins at n: (mode, {truth: (keeps, place)})."""
        keep = swap = False
        mode = "truth" if V < (3, 13) else "raw"
        first = True
        while n < self.end:
            i = self.ins[n]
            if first and i.opname == "COPY" and i.arg == 1:
                keep = True
            elif i.opname == "TO_BOOL":
                mode = "truth"
            elif i.opname == "UNARY_NOT":
                swap = not swap
                if keep and first:
                    return None
            elif i.opname in TESTS:
                on, pops = TESTS[i.opname]
                if not pops and (keep or swap):
                    return None
                ways = {on ^ swap: (keep or not pops, self.target(i)), (not on) ^ swap: (keep, n + 1)}
                return mode, ways
            else:
                return None
            first = False
            n += 1
        return None

    # Nodes.

    def node(self, n):
        got = self.cache.get(n)
        if got is None:
            got = self.cache[n] = self.make(n)
        return got

    def peek(self, mode, ways, raising, place):
        succ = []
        for truth in (True, False):
            keeps, to = ways[truth]
            succ.append(self.resolve(to, truth) if keeps else ("pop", to))
        return self.covered(("PEEK", mode), succ, raising, place)

    def covered(self, label, succ, raising, place):
        if raising and self.table:
            off = self.ins[place].offset
            for start, end, target, depth, lasti in self.table:
                if start <= off < end:
                    return label + ("handled", depth, lasti), tuple(succ) + (self.resolve(self.at[target]),)
        return label, tuple(succ)

    def make(self, n):
        if n[0] in ("end", "hang"):
            return (n[0],), ()
        if n[0] == "pop":
            return ("POP_TOP",), (self.resolve(n[1]),)
        if n[0] == "swapped":  # the branch behind "is not" and "not in"
            mode, ways = self.test(n[1])
            return self.peek("raw", {t: ways[t ^ n[2]] for t in (True, False)}, False, n[1])
        if n[0] == "bool":  # the branch behind a comparison made a bool
            mode, ways = self.test(n[1])
            return self.peek("truth", ways, True, n[2])
        if n[0] == "none":  # POP_JUMP_IF_NONE: 0 LOAD_CONST, 1 IS_OP, 2 the branch
            i = self.ins[n[1]]
            if n[2] == 0:
                return ("LOAD_CONST", ("NoneType", None)), (("none", n[1], 1),)
            if n[2] == 1:
                return ("IS_OP", 0), (("none", n[1], 2),)
            on = NONES[i.opname]
            return self.peek("raw", {on: (False, self.target(i)), not on: (False, n[1] + 1)}, False, n[1])
        if n[0] == "part":  # the second half of a fused instruction
            return self.plain(n[1], n[2], n[3], self.resolve(n[1] + 1))
        n = n[1]
        i = self.ins[n]
        name = i.opname
        t = self.test(n)
        if t:
            return self.peek(t[0], t[1], t[0] == "truth", n)
        if name in NONES:
            return self.node(("none", n, 0))
        if name in FUSED:
            one, two = FUSED[name]
            a, b = [self.variable(x, slot) for x, slot in zip(i.argval, (i.arg >> 4, i.arg & 15))]
            return self.plain(n, one, a, ("part", n, two, b))
        if name in NULL_BIT and i.arg & 1:
            if V < (3, 13):
                return self.plain(n, "PUSH_NULL", None, ("part", n, name, None))
            return self.plain(n, name, None, ("part", n, "PUSH_NULL", None))
        if name == "RETURN_CONST":
            return ("LOAD_CONST", self.const(i, n)), (("part", n, "RETURN_VALUE", None),)
        if name in ("IS_OP", "CONTAINS_OP") or V < (3, 9) and i.argval in OLD_TESTS:
            name, inverted = OLD_TESTS[i.argval] if V < (3, 9) else (name, i.arg)
            follow = self.through(n + 1)
            if self.test(follow) and not self.keeps(follow):
                return self.covered((name, 0), [("swapped", follow, inverted == 1)], name == "CONTAINS_OP", n)
            return self.covered((name, inverted), [self.resolve(n + 1)], name == "CONTAINS_OP", n)
        if name == "COMPARE_OP" and V >= (3, 13):
            follow = self.through(n + 1)
            if i.arg & 16 and self.test(follow) and not self.keeps(follow):
                return self.covered((name, i.arg >> 5), [("bool", follow, n)], True, n)
            return self.covered((name, i.arg >> 5) + (("bool",) if i.arg & 16 else ()), [self.resolve(n + 1)], True, n)
        name = operation(i)
        return self.plain(n, name, self.const(i, n) if name == "LOAD_CONST" else None, None)

    def through(self, n):
        while n < self.end and self.ins[n].opname in JUMPS:
            n = self.target(self.ins[n])
        return n

    def keeps(self, n):
        return any(keep for keep, _ in self.test(n)[1].values())

    def const(self, i, n):
        value = i.argval
        if V >= (3, 13) and n + 1 < self.end and self.ins[n + 1].opname == "STORE_NAME":
            stored = self.ins[n + 1].argval
            if stored == "__firstlineno__" and value == self.code.co_firstlineno:
                return ("its first line",)
            if stored == "__static_attributes__" and isinstance(value, tuple):
                return ("static attributes",) + tuple(sorted(value))
        return key(value, self.code_key)

    def variable(self, name, slot):
        """A variable. One of a function and one that it captures may share a name (a comprehension's
        in its function, 3.12+); else their slots mean nothing."""
        return name, slot >= self.first_captured

    def plain(self, n, name, value, follow):
        i = self.ins[n]
        # Since 3.14 END_ASYNC_FOR says which SEND it ends, for sys.monitoring alone; it does not go there.
        jumps = (i.opcode in dis.hasjrel or i.opcode in dis.hasjabs) and name != "END_ASYNC_FOR"
        if value is None and i.arg is not None and not jumps and name not in ("RETURN_VALUE", "PUSH_NULL"):
            if i.opcode in dis.hasconst:
                value = key(self.code.co_consts[i.arg], self.code_key)  # KW_NAMES
            elif name == "COMPARE_OP":
                value = i.argval
            elif i.opcode in dis.haslocal or i.opcode in dis.hasfree:
                value = self.variable(i.argval, i.arg)
            elif i.opcode in dis.hasname:
                value = (i.argval, i.arg & FLAG_BITS.get(name, 0))
            elif name == "END_ASYNC_FOR":
                value = None
            else:
                value = i.arg
        succ = []
        if name not in ENDS and i.offset not in self.raises:
            succ.append(follow or self.resolve(n + 1))
        if jumps:
            succ.append(self.resolve(self.target(i)))
        return self.covered((name, value), succ, name not in SILENT, n)


class Moved:
    """A graph in which each run of moves is one node."""

    def __init__(self, graph):
        self.graph, self.entry = graph, ("at", graph.entry)

    def node(self, n):
        if n[0] == "moves":
            return n[1], (n[2],)
        label, succs = self.graph.node(n[1])
        return label, tuple(self.run(s) for s in succs)

    def run(self, start):
        state, at, seen = Moves(), start, set()
        while at not in seen:
            seen.add(at)
            label, succs = self.graph.node(at)
            if not succs or not state.step(label):
                break
            at = succs[0]
        effect = state.effect()
        return ("moves", effect, ("at", at)) if effect else ("at", at)


class Moves:
    """What a run has done: the stack above what it has not touched, and the variables."""

    def __init__(self):
        self.stack, self.taken, self.vars, self.tuples = [], 0, {}, []

    def need(self, n):
        while len(self.stack) < n:
            self.taken += 1
            self.stack.insert(0, ("slot", self.taken))

    def step(self, label):
        name, value = label[0], label[1] if len(label) > 1 else None
        stack = self.stack
        if name == "LOAD_CONST":
            stack.append(("const", value))
        elif name == "PUSH_NULL":
            stack.append(("null",))
        elif name == "LOAD_FAST" and (V >= (3, 12) or value in self.vars):
            stack.append(self.vars.get(value, ("var", value)))
        elif name == "STORE_FAST":
            self.need(1)
            self.vars[value] = stack.pop()
        elif name == "POP_TOP":
            self.need(1)
            stack.pop()
        elif name in ("COPY", "DUP_TOP"):
            n = value or 1
            self.need(n)
            stack.append(stack[-n])
        elif name == "SWAP":
            self.need(value)
            stack[-1], stack[-value] = stack[-value], stack[-1]
        elif name in ("ROT_TWO", "ROT_THREE", "ROT_FOUR", "ROT_N"):
            n = {"ROT_TWO": 2, "ROT_THREE": 3, "ROT_FOUR": 4}.get(name, value)
            self.need(n)
            stack.insert(len(stack) - n, stack.pop())
        elif name == "BUILD_TUPLE" and value:
            self.need(value)
            items = stack[-value:]
            del stack[-value:]
            if all(x[0] == "const" for x in items):
                stack.append(("const", ("tuple",) + tuple(x[1] for x in items)))
            else:
                self.tuples.append(items)
                stack.append(("made", len(self.tuples) - 1))
        elif name == "UNPACK_SEQUENCE":
            if not stack:
                return False
            x = stack[-1]
            if x[0] == "made" and len(self.tuples[x[1]]) == value:
                items = self.tuples[x[1]]
            elif x[0] == "const" and x[1][0] == "tuple" and len(x[1]) == value + 1:
                items = [("const", k) for k in x[1][1:]]
            else:
                return False
            stack.pop()
            stack.extend(reversed(items))
        else:
            return False
        return True

    def effect(self):
        """The effect in one spelling; empty for none."""
        numbers = {}

        def spell(x):
            if x[0] != "made":
                return x
            if x[1] in numbers:
                return ("same", numbers[x[1]])
            numbers[x[1]] = len(numbers)
            return ("tuple", tuple([spell(y) for y in self.tuples[x[1]]]))

        stack, taken = self.stack, self.taken
        while stack and stack[0] == ("slot", taken):
            stack, taken = stack[1:], taken - 1
        out = tuple([spell(x) for x in stack])
        kept = tuple([(n, spell(x)) for n, x in sorted(self.vars.items()) if x != ("var", n)])
        return ("moves", taken, out, kept) if taken or out or kept else ()


def collect(graphs):
    """All reachable nodes of several graphs: labels and successors by number, and the entries."""
    number, labels, succs, entries = {}, [], [], []
    for g, graph in enumerate(graphs):
        entries.append(len(labels))
        number[g, graph.entry] = len(labels)
        work = [graph.entry]
        labels.append(None)
        succs.append(None)
        while work:
            n = work.pop()
            label, out = graph.node(n)
            targets = []
            for s in out:
                k = number.get((g, s))
                if k is None:
                    k = number[g, s] = len(labels)
                    labels.append(None)
                    succs.append(None)
                    work.append(s)
                targets.append(k)
            labels[number[g, n]] = label
            succs[number[g, n]] = tuple(targets)
    return labels, succs, entries


def bisimilar(a, b):
    """Moore's algorithm on both graphs together: refine the partition by label until it is stable."""
    labels, succs, (x, y) = collect([a, b])
    ids = {}
    color = [ids.setdefault((lab, len(s)), len(ids)) for lab, s in zip(labels, succs)]
    count = len(ids)
    while color[x] == color[y]:
        ids = {}
        color = [ids.setdefault((c, tuple([color[k] for k in s])), len(ids)) for c, s in zip(color, succs)]
        if len(ids) == count:
            return True
        count = len(ids)
    return False


def first_difference(a, b):
    """A shortest way from the entries to labels that differ, for a person."""
    seen, work = {(a.entry, b.entry)}, [(a.entry, b.entry)]
    for p, q in work:
        (la, sa), (lb, sb) = a.node(p), b.node(q)
        if la != lb or len(sa) != len(sb):
            return la, lb, p, q
        for pair in zip(sa, sb):
            if pair not in seen:
                seen.add(pair)
                work.append(pair)
    return None
