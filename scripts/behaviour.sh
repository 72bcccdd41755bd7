#!/usr/bin/env bash
# CPython's own tests against decompiled modules: each module below is compiled,
# decompiled, and its text put in front of the standard library.
#   scripts/behaviour.sh [3.11 3.13 3.14]
# An interpreter without its test package (python -m test) is named and left out.
set -u
cd "$(dirname "$0")/.."
. scripts/lib.sh
modules="json ast argparse asyncio dataclasses _pydecimal difflib enum functools heapq inspect logging pathlib pickle
 random re statistics string tarfile textwrap typing unittest urllib zipfile configparser csv fractions shlex tempfile"
tests="test_json test_ast test_argparse test_asyncio test_dataclasses test_decimal test_difflib test_enum test_functools
 test_heapq test_inspect test_logging test_pathlib test_pickle test_random test_re test_statistics test_string test_tarfile
 test_textwrap test_typing test_unittest test_urllib test_zipfile test_configparser test_csv test_fractions test_shlex test_tempfile"
binary
status=0
for v in ${*:-3.11 3.13 3.14}; do
    py=$(find_python "$v") || { echo "NOT RUN: no CPython $v"; continue; }
    "$py" -c 'import test.test_json' 2>/dev/null || { echo "NOT RUN: CPython $v has no test package"; continue; }
    dir=$(mktemp -d)
    mkdir "$dir/pyc" "$dir/src"
    "$py" - "$dir/pyc" $modules <<'PY'
import os, py_compile, sys, sysconfig
lib, out = sysconfig.get_paths()["stdlib"], sys.argv[1]
for name in sys.argv[2:]:
    base = os.path.join(lib, name)
    files = [base + ".py"] if os.path.isfile(base + ".py") else [
        os.path.join(d, f) for d, _, fs in os.walk(base) for f in fs if f.endswith(".py") and "/test" not in d[len(lib):]]
    for f in files:
        to = os.path.join(out, os.path.relpath(f, lib) + "c")
        os.makedirs(os.path.dirname(to), exist_ok=True)
        py_compile.compile(f, to, doraise=True)
PY
    python/depyf/bin/depyf decompile -python "$py" -r -o "$dir/src" "$dir/pyc" 2>"$dir/log"
    echo "== CPython $v: $(find "$dir/src" -name '*.py' | wc -l) modules decompiled; $(wc -l <"$dir/log") not proven whole"
    cat "$dir/log"
    lib=$("$py" -c 'import sysconfig; print(sysconfig.get_paths()["stdlib"])')
    # A module with a stub would fail for a known reason: the library's own stands in.
    sed -n 's/^depyf decompile: \(.*\)\.pyc: .*/\1/p' "$dir/log" | while read -r p; do
        rm -f "$dir/src/${p#"$dir/pyc/"}.py"
        cp "$lib/${p#"$dir/pyc/"}.py" "$dir/src/${p#"$dir/pyc/"}.py"
    done
    # Packages whose tests lie inside them keep those.
    [ ! -d "$lib/unittest/test" ] || cp -r "$lib/unittest/test" "$dir/src/unittest/"
    have=
    for t in $tests; do
        "$py" -c "import importlib.util, sys; sys.exit(importlib.util.find_spec('test.$t') is None)" && have="$have $t"
    done
    (cd "$dir" && PYTHONPATH="$dir/src" "$py" -W ignore -m test -j2 -q --timeout 300 $have) || status=1
    rm -rf "$dir"
done
exit $status
