"""Record what the running CPython says about the code it makes of a corpus.

Run once per interpreter (3.7 .. 3.15), in the repository root:

    PYTHON -I gen/record.py testdata/dis

For each NAME.py in that folder that this version can compile, 3.X/NAME.pyc is
written, and 3.X/dis.json.gz gets, for each code object in it (outer before inner),
what dis, co_lines, co_positions and the exception table parser report. The Go
tests of internal/bytecode and internal/pyc compare with that.
"""
import dis, gzip, io, json, marshal, os, sys, types, warnings
import importlib.util

warnings.simplefilter('ignore')
JUMPS = set(dis.hasjrel) | set(dis.hasjabs) | set(getattr(dis, 'hasjump', ()))


def lines(co):
    """The line of each byte offset."""
    if hasattr(co, 'co_positions'):
        return None
    out = [None] * len(co.co_code)
    if hasattr(co, 'co_lines'):
        for start, end, line in co.co_lines():
            out[start:end] = [line] * (end - start)
    else:
        starts = list(dis.findlinestarts(co)) + [(len(out), None)]
        for (start, line), (end, _) in zip(starts, starts[1:]):
            out[start:end] = [line] * (end - start)
    return out


def describe(co):
    instrs = []
    line = lines(co)
    positions = list(co.co_positions()) if line is None else None
    for i in dis.get_instructions(co):
        if i.opname in ('EXTENDED_ARG', 'CACHE'):
            continue
        target = i.argval if i.opcode in JUMPS else None
        where = [line[i.offset]] if line else list(positions[i.offset // 2])
        argrepr = '' if target is not None or 'code object' in i.argrepr else i.argrepr
        instrs.append([i.offset, i.opname, i.arg, target, argrepr] + where)
    table = []
    if hasattr(dis, '_parse_exception_table'):
        table = [[e.start, e.end, e.target, e.depth, bool(e.lasti)] for e in dis._parse_exception_table(co)]
    return {
        'name': getattr(co, 'co_qualname', co.co_name),
        'args': [co.co_argcount, getattr(co, 'co_posonlyargcount', 0), co.co_kwonlyargcount,
                 co.co_stacksize, co.co_flags, co.co_firstlineno],
        'vars': [co.co_varnames, co.co_cellvars, co.co_freevars],
        'exceptions': table,
        'instrs': instrs,
    }


def walk(co):
    yield describe(co)
    for c in co.co_consts:
        if isinstance(c, types.CodeType):
            for d in walk(c):
                yield d


def main(folder):
    out = os.path.join(folder, '3.%d' % sys.version_info[1])
    if not os.path.isdir(out):
        os.mkdir(out)
    # No name and no time in the gzip header: the same input gives the same file.
    with open(os.path.join(out, 'dis.json.gz'), 'wb') as raw, \
            gzip.GzipFile('', 'wb', 9, raw, 0) as packed, \
            io.TextIOWrapper(packed, encoding='utf-8', newline='\n') as f:
        f.write('{')
        sep = '\n'
        for name in sorted(os.listdir(folder)):
            if not name.endswith('.py'):
                continue
            with open(os.path.join(folder, name), encoding='utf-8') as src:
                text = src.read()
            try:
                # -I leaves __debug__ on; the file name is the same everywhere.
                co = compile(text, name, 'exec', dont_inherit=True, optimize=0)
            except SyntaxError:
                continue
            with open(os.path.join(out, name + 'c'), 'wb') as pyc:
                pyc.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(co))
            f.write('%s%s: [' % (sep, json.dumps(name + 'c')))
            sep = ',\n'
            inner = '\n'
            for d in walk(co):
                instrs = d.pop('instrs')
                f.write(inner + json.dumps(d)[:-1] + ', "instrs": [\n')
                f.write(',\n'.join(json.dumps(i, separators=(',', ':')) for i in instrs) + ']}')
                inner = ',\n'
            f.write(']')
        f.write('}\n')


main(sys.argv[1])
