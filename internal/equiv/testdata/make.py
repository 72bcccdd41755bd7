"""Compiles src/*.py into 3.X/*.pyc with the CPython that runs this."""

import importlib.util
import marshal
import pathlib
import sys
import warnings

warnings.simplefilter("ignore")
here = pathlib.Path(__file__).parent
version = "%d.%d" % sys.version_info[:2]
out = here / version
out.mkdir(exist_ok=True)
for source in sorted((here / "src").glob("*.py")):
    needs = source.stem[1:]
    if needs.isdigit() and int(needs[1:]) > sys.version_info[1]:
        continue
    code = compile(source.read_bytes(), source.name, "exec", dont_inherit=True)
    header = importlib.util.MAGIC_NUMBER + bytes(12)
    (out / (source.stem + ".pyc")).write_bytes(header + marshal.dumps(code))

# Pairs of sources that mean the same, in one file with a "# ---" between.
(out / "pairs").mkdir(exist_ok=True)
for source in sorted((here / "src" / "pairs").glob("*.py")):
    for half, text in zip("ab", source.read_text().split("# ---\n")):
        code = compile(text, source.name, "exec", dont_inherit=True)
        header = importlib.util.MAGIC_NUMBER + bytes(12)
        (out / "pairs" / (source.stem + "." + half + ".pyc")).write_bytes(header + marshal.dumps(code))
