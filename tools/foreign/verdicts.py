"""The verdicts of what `depyf decompile --format json` prints.

    depyf decompile --format json -r FOLDER | PYTHON tools/foreign/verdicts.py MODULES

Exit status: 0 MODULES modules came, and every code object is exact or proved and no dispatch loop · 1 otherwise.
"""

import json
import sys
from collections import Counter

DISPATCH = "each turn runs one block"  # what the text says above a dispatch loop

modules, count, loops, open_ = 0, Counter(), 0, []
for line in sys.stdin:
    result = json.loads(line)
    modules += 1
    if DISPATCH in result["source"]:
        loops += 1
        open_.append("%s: a dispatch loop" % result["path"])
    for o in result["code_objects"]:
        count[o["verdict"]] += 1
        if o["verdict"] not in ("exact", "proved"):
            open_.append("%s: %s: %s: %s" % (result["path"], o["qualname"], o["verdict"], o.get("detail", "")))
print(
    "   %d modules, %d code objects:" % (modules, sum(count.values())),
    *("%d %s," % (n, v) for v, n in count.most_common()),
)
print("   %d modules with a dispatch loop" % loops)
for text in open_:
    print("   " + text)
if modules != int(sys.argv[1]):
    print("   %s modules were written" % sys.argv[1])
    sys.exit(1)
sys.exit(bool(open_))
