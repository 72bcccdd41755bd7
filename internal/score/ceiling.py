# Which differences between two trees no decompiler could tell: see tree.go.
# It comes in front of tree.py.
#
# A decompiler sees code objects and their tables of positions, nothing else. So the
# tree of the decompiled text is laid over the original's code: each of its nodes gets
# the position that the original has where the node's own instructions stand, and the
# tree is compiled anew. If the code and all tables are now the original's, and the
# positions are ones that a text can have, both trees are equally likely, and which of
# them was written cannot be known.
#
# It errs to one side: a layout that is not found counts as a difference that can be told.
import ast
import collections
import dis

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
QUIET = ("NOP", "CACHE", "EXTENDED_ARG", "RESUME")
COLUMNS = hasattr(compile("0", "", "eval"), "co_positions")


def placed(tree):
    """The nodes of a tree that have positions, in order."""
    return [n for n in ast.walk(tree) if hasattr(n, "lineno")]


def set_position(node, position):
    """position: line, end line, column, end column; or a line alone."""
    node.lineno = position[0]
    if hasattr(node, "end_lineno"):
        node.end_lineno = position[1] or position[0]
    node.col_offset = position[2] or 0
    if hasattr(node, "end_col_offset"):
        node.end_col_offset = position[3] or 0


def positions(code):
    """Of each instruction of code that does something: what it is and where it stands."""
    out = []
    line = code.co_firstlineno
    for in_ in dis.get_instructions(code):
        if COLUMNS:
            p = in_.positions
            where = (p.lineno, p.end_lineno, p.col_offset, p.end_col_offset)
        else:
            line = in_.starts_line or line
            where = (line, line, 0, 0)
        if in_.opname not in QUIET and where[0]:
            out.append(((in_.opname, str(in_.arg) if in_.opcode < dis.HAVE_ARGUMENT else ""), where))
    return out


def aligned(a, b):
    """Pairs of positions of the same instruction in two versions of one code object."""
    x, y = positions(a), positions(b)
    if [i[0] for i in x] == [i[0] for i in y]:
        return [(p[1], q[1]) for p, q in zip(x, y)]
    import difflib

    out = []
    for at, to, n in difflib.SequenceMatcher(None, [i[0] for i in x], [i[0] for i in y], False).get_matching_blocks():
        out.extend((p[1], q[1]) for p, q in zip(x[at : at + n], y[to : to + n]))
    return out


def inner(code):
    return [c for c in code.co_consts if hasattr(c, "co_code")]


def pairs(a, b):
    """Pairs of code objects of two versions of one module."""
    yield a, b
    for x, y in zip(inner(a), inner(b)):
        yield from pairs(x, y)


def tables(code):
    """What a decompiler sees of a code object, but for its constants and names."""
    lines = list(code.co_positions()) if COLUMNS else list(dis.findlinestarts(code))
    return code.co_code, code.co_firstlineno, lines, getattr(code, "co_exceptiontable", b"")


def same(a, b):
    """Whether two code objects and all within them are the same to a decompiler."""
    return len(inner(a)) == len(inner(b)) and all(tables(x) == tables(y) for x, y in pairs(a, b))


def fill(node, known, around):
    """Positions for nodes that no instruction has: those of what stands in them or around them."""
    here = known.get(id(node), around)
    first = None
    for c in ast.iter_child_nodes(node):
        p = fill(c, known, here)
        first = first or p
    if not hasattr(node, "lineno"):
        return first
    set_position(node, known.get(id(node)) or first or around)
    return known.get(id(node)) or first


def blocks(node):
    for field in ("body", "handlers", "orelse", "finalbody", "cases"):
        v = getattr(node, field, None)
        if isinstance(v, list) and v:
            yield field, v


def lines_of(node, known):
    out = [known[id(n)][0] for n in ast.walk(node) if id(n) in known]
    return (min(out), max(out)) if out else None


# How far the first expression of a statement stands behind its beginning, at least.
KEYWORDS = {"If": 3, "While": 6, "With": 5, "For": 4, "Delete": 4, "AsyncFor": 10, "AsyncWith": 11, "Match": 6}
# The instructions of these begin where the statement does.
EXACT = ("Return", "Raise", "Import", "ImportFrom", "Break", "Continue", "Assert")


def parts(e):
    """What stands in an expression, in the order in which it is written."""
    if isinstance(e, ast.IfExp):
        return [e.body, e.test, e.orelse]
    if isinstance(e, ast.Dict):
        return [x for pair in zip(e.keys, e.values) for x in pair if x is not None]
    if isinstance(e, ast.Call):
        return [e.func] + sorted(e.args + [k.value for k in e.keywords], key=lambda x: x.lineno)
    if isinstance(e, (ast.Lambda, ast.arguments)):
        return []
    return list(ast.iter_child_nodes(e))


def room(e):
    """How many columns stand between two parts of e on one line, up to three brackets more;
    0 for any. Blanks are taken to be written as everyone writes them."""
    if isinstance(e, ast.BoolOp):
        return 5 if isinstance(e.op, ast.And) else 4
    return 0


def span(e, known):
    """From where to where an expression reaches at least, as far as it is known; or None.
    Raises ValueError if its parts are not in order, or have no room."""
    end = first = None
    for c in parts(e):
        s = span(c, known)
        if s is None:
            continue
        if end is not None:
            gap = room(e)
            if s[0] < end or COLUMNS and gap and s[0][0] == end[0] and not gap <= s[0][1] - end[1] <= gap + 3:
                raise ValueError
        elif COLUMNS and isinstance(e, ast.UnaryOp) and isinstance(e.op, ast.Not):
            first = (s[0][0], s[0][1] - 4)
        first = first or s[0]
        end = max(end or s[1], s[1])
    if id(e) in known:
        p = known[id(e)]
        return (p[0], p[2] or 0), max(end or (0, 0), (p[1] or p[0], p[3] or 0))
    return (first, end) if first else None


def expressions(s):
    """The expressions of a statement that do not stand in its blocks, in order."""
    if isinstance(s, FUNCTIONS + (ast.ClassDef,)):
        return []
    if isinstance(s, ast.AnnAssign):
        return [s.target] + [s.value] * (s.value is not None)
    out = []
    for field in s._fields:
        v = getattr(s, field)
        for x in v if isinstance(v, list) else [v]:
            if isinstance(x, ast.expr):
                out.append(x)
            elif isinstance(x, ast.withitem):
                out.extend([x.context_expr] + [x.optional_vars] * (x.optional_vars is not None))
    return out


def can_be_text(body, known, least=0, last=0):
    """Whether statements can stand at these positions in a text: from top to bottom, those of
    one block in one column that lies behind that of the block around, expressions in order."""
    column = least
    if COLUMNS:
        exact = {known[id(s)][2] for s in body if type(s).__name__ in EXACT and id(s) in known}
        if len(exact) > 1 or exact and min(exact) < least:
            return False
        column = min(exact) if exact else least
    for s in body:
        spans = [x for x in (span(e, known) for e in expressions(s)) if x]
        for x, y in zip(spans, spans[1:]):
            if y[0] < x[1]:
                return False
        if id(s) in known:
            spans.append(((known[id(s)][0], column), (known[id(s)][0], column)))
        elif spans and COLUMNS and spans[0][0][1] - KEYWORDS.get(type(s).__name__, 0) < column:
            return False
        if spans and min(spans)[0][0] < last:
            return False
        last = max([last] + [x[1][0] for x in spans])
        for field, part in blocks(s):
            if not isinstance(part[0], ast.stmt):
                part = [c for h in part for c in h.body]  # handlers and cases: their blocks, joined
                if COLUMNS and not all(can_be_text([c], known, column + 1, 0) for c in part):
                    return False
                last = max([last] + [x[1] for x in (lines_of(c, known) for c in part) if x])
                continue
            elif_ = field == "orelse" and len(part) == 1 and isinstance(part[0], ast.If) and isinstance(s, ast.If)
            if not (elif_ and can_be_text(part, known, column, last)):
                if not can_be_text(part, known, column + 1 if COLUMNS else 0, last):
                    return False
            last = max([last] + [x[1] for x in (lines_of(c, known) for c in part) if x])
    return True


def stands(function, known):
    """Whether the body of a function can stand at these positions in a text."""
    least = known[id(function)][2] + 1 if COLUMNS and id(function) in known else 0
    try:
        return can_be_text(function.body, known, least)
    except ValueError:
        return False


def untold(source, text, wanted):
    """Those of the functions, given by the lines of their definitions in text, whose
    tree cannot be told from the original's."""
    original = compile(source, "", "exec", dont_inherit=True)
    tree = ast.parse(text)
    defined = {n.lineno: n for n in ast.walk(tree) if isinstance(n, FUNCTIONS) and n.lineno in wanted}
    before = {id(n): n.lineno for n in defined.values()}
    nodes = placed(tree)
    for i, n in enumerate(nodes):
        set_position(n, (i + 1, i + 1, 0, 0))
    # Code begins at the first decorator from 3.8 on, before at the `def`.
    first = {x.lineno: n for n in defined.values() for x in [n] + n.decorator_list[:1]}
    marked = compile(tree, "", "exec", dont_inherit=True)
    votes = collections.defaultdict(collections.Counter)
    path = {}
    for i, (old, new) in enumerate(pairs(original, marked)):
        votes[new.co_firstlineno - 1][(old.co_firstlineno, old.co_firstlineno, 0, 0)] += 0
        for p, q in aligned(old, new):
            if 0 < q[0] <= len(nodes):
                votes[q[0] - 1][p] += 1
        if new.co_firstlineno in first and new.co_name == first[new.co_firstlineno].name:
            path[i] = first[new.co_firstlineno]
    known = {id(nodes[k]): v.most_common(1)[0][0] for k, v in votes.items()}
    fill(tree, known, (1, 1, 0, 0))
    laid = compile(tree, "", "exec", dont_inherit=True)
    out = set()
    for i, (old, new) in enumerate(pairs(original, laid)):
        if i in path and same(old, new) and stands(path[i], known):
            out.add(before[id(path[i])])
    return out
