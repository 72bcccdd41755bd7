"""Compiles the decompiler's cases with the interpreter that runs this file.

    python3.X gen/cases.py

Every testdata/cases/TOPIC/NAME.txtar has a section `source.py` and, if it does
not apply to all versions, a section `versions` (3.8- or 3.9-3.11). The compiled
modules go to testdata/cases/3.X.zip as TOPIC/NAME.pyc, with fixed dates, so that
the file changes only with the cases. Go tests read it; they need no Python.
"""
import importlib.util
import marshal
import os
import sys
import zipfile

ROOT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "testdata", "cases")
MINOR = sys.version_info[1]


def sections(text):
    out, name = {}, None
    for line in text.splitlines(keepends=True):
        if line.startswith("-- ") and line.rstrip().endswith(" --"):
            name = line.strip()[3:-3]
            out[name] = ""
        elif name is not None:
            out[name] += line
    return out


def applies(spec):
    if not spec.strip():
        return True
    low, _, high = spec.strip().partition("-")
    low = int(low.split(".")[1])
    if "-" not in spec:
        return MINOR == low
    return low <= MINOR and (not high or MINOR <= int(high.split(".")[1]))


def main():
    target = os.path.join(ROOT, "3.%d.zip" % MINOR)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as z:
        for topic in sorted(os.listdir(ROOT)):
            folder = os.path.join(ROOT, topic)
            if not os.path.isdir(folder):
                continue
            for name in sorted(os.listdir(folder)):
                if not name.endswith(".txtar"):
                    continue
                with open(os.path.join(folder, name), encoding="utf-8") as f:
                    parts = sections(f.read())
                if not applies(parts.get("versions", "")):
                    continue
                stem = name[: -len(".txtar")]
                code = compile(parts["source.py"], stem + ".py", "exec", dont_inherit=True, optimize=0)
                data = importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code)
                info = zipfile.ZipInfo(topic + "/" + stem + ".pyc", (2000, 1, 1, 0, 0, 0))
                info.compress_type = zipfile.ZIP_DEFLATED
                z.writestr(info, data)


main()
