"""CPython's own tests against decompiled modules.

    PYTHON tools/behaviour/behaviour.py --depyf BINARY [--modules a,b] [--tests test_a,test_b] [--keep FOLDER]

Runs under the CPython whose library is tried, with the standard library alone.
Three copies of the modules are made; each in turn stands in front of the library:

    decompiled  what depyf made of the compiled modules. A module that is not wholly proven
                takes part as it is; one whose text holds a stub, which raises by design, is
                the library's own. Both kinds are counted.
    original    the library's own text, from the same place: the control. What fails here too
                is not the decompiler's doing.
    relaid      the library's own text parsed and unparsed by ast: nothing is changed but line
                breaks, comments and spelling. It says which of the other failures are tests of
                the text itself, which no decompiler can pass.

A test that fails with the decompiled modules and passes with the originals is a failure of
depyf unless EXCLUDED names it, with the reason. Exit status: 0 none · 1 some · 2 could not run.
"""

import argparse
import ast
import fnmatch
import json
import os
import py_compile
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile

MODULES = """json ast argparse asyncio dataclasses _pydecimal difflib enum functools heapq inspect logging pathlib
 pickle random re statistics string tarfile textwrap typing unittest urllib zipfile configparser csv fractions shlex
 tempfile""".split()

TESTS = """test_json test_ast test_argparse test_asyncio test_dataclasses test_decimal test_difflib test_enum
 test_functools test_heapq test_inspect test_logging test_pathlib test_pickle test_random test_re test_statistics
 test_string test_tarfile test_textwrap test_typing test_unittest test_urllib test_zipfile test_configparser test_csv
 test_fractions test_shlex test_tempfile""".split()

# Tests that look at the text of a module, and so may tell its decompiled text from its own:
# (pattern of the test's identifier, reason). Each must fail with the relaid text as well.
EXCLUDED = [
    (
        "test.test_inspect*.TestMain.test_only_source",
        "holds the text of unittest against what an interpreter that ignores PYTHONPATH prints of its own",
    ),
]

LIB = sysconfig.get_paths()["stdlib"]


def files_of(module):
    """The module's .py files, relative to the library; its own tests apart."""
    base = os.path.join(LIB, module)
    if os.path.isfile(base + ".py"):
        return [module + ".py"]
    out = []
    for folder, dirs, names in os.walk(base):
        dirs[:] = [d for d in dirs if d not in ("test", "tests", "__pycache__")]
        out += [os.path.relpath(os.path.join(folder, n), LIB) for n in names if n.endswith(".py")]
    return sorted(out)


def copy_modules(modules, to):
    for m in modules:
        base = os.path.join(LIB, m)
        if os.path.isdir(base):
            shutil.copytree(base, os.path.join(to, m), ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(base + ".py", os.path.join(to, m + ".py"))


def write(path, text):
    with open(path, "w", encoding="utf-8", errors="surrogatepass", newline="\n") as f:
        f.write(text)


def prepare(depyf, modules, work):
    """Makes the three copies; returns the (file, verdict, detail) of what is not proven."""
    for name in ("decompiled", "original", "relaid"):
        copy_modules(modules, os.path.join(work, name))
    files = [f for m in modules for f in files_of(m)]
    for f in files:
        pyc = os.path.join(work, "pyc", f + "c")
        os.makedirs(os.path.dirname(pyc), exist_ok=True)
        # A path of the library, as in an installed .pyc: nothing may depend on it.
        py_compile.compile(os.path.join(LIB, f), pyc, doraise=True)
        with open(os.path.join(LIB, f), "rb") as source:
            write(os.path.join(work, "relaid", f), ast.unparse(ast.parse(source.read())) + "\n")
    subprocess.run(
        [depyf, "decompile", "-python", sys.executable, "-r", "-format", "json", "-o", work + "/json", work + "/pyc"],
        stderr=subprocess.DEVNULL,
    )
    rest = []
    for f in files:
        with open(os.path.join(work, "json", f + ".json"), encoding="utf-8") as data:
            r = json.load(data)
        if r["verdict"] not in ("exact", "proved"):
            rest.append((f, r["verdict"], r.get("detail", "")))
        if r["verdict"] != "partial":
            write(os.path.join(work, "decompiled", f), r["source"])
    return files, rest


def environment(work, variant):
    env = dict(os.environ, PYTHONPATH=os.path.join(work, variant), PYTHONDONTWRITEBYTECODE="1")
    for name in ("PYTHONSTARTUP", "PYTHONHOME", "PYTHONSAFEPATH", "PYTHONWARNINGS"):
        env.pop(name, None)
    return env


def check_in_use(work, variant, modules):
    """The modules that Python takes from elsewhere although the copy is in front."""
    code = "import importlib, sys\nfor m in sys.argv[1:]: print(importlib.import_module(m).__file__)"
    out = subprocess.run(
        [sys.executable, "-c", code] + modules,
        env=environment(work, variant),
        stdout=subprocess.PIPE,
        universal_newlines=True,
        cwd=work,
    )
    paths = out.stdout.split("\n")
    return [m for m, p in zip(modules, paths + [""] * len(modules)) if not p.startswith(os.path.join(work, variant))]


def regrtest(work, variant, args, verbose=False):
    command = [sys.executable, "-W", "ignore", "-m", "test", "--timeout", "300", "-v" if verbose else "-q"] + args
    out = subprocess.run(
        command,
        env=environment(work, variant),
        cwd=work,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
        errors="replace",
    )
    return out.returncode, out.stdout


def failed_files(output):
    """The test files that regrtest's summary names as failed."""
    names, inside = [], False
    for line in output.split("\n"):
        if re.match(r"\d+ tests? failed:|\d+ re-run tests?:", line):
            inside = True
        elif inside and line.startswith("    "):
            names += line.split()
        else:
            inside = False
    return sorted(set(names))


def failed_tests(work, variant, file):
    """The identifiers of the tests of one file that fail, and the output."""
    status, output = regrtest(work, variant, [file], verbose=True)
    ids = set()
    for m in re.finditer(r"^(FAIL|ERROR|UNEXPECTED SUCCESS): (.*)$", output, re.M):
        # "test_x (test.test_m.Class.test_x) [subtest] (i=1)": subtests fail with their test.
        inner = re.match(r"(\w+) \(([\w.]+)\)", m.group(2))
        if not inner:
            ids.add(m.group(2))
            continue
        name, where = inner.groups()
        ids.add(where if where.endswith("." + name) else where + "." + name)
    if status != 0 and not ids:
        ids.add(file + " itself")
    return ids, output


def detail(output, test):
    """The last line of the first traceback of a test."""
    name = test.rsplit(".", 1)[-1]
    m = re.search(r"^(?:FAIL|ERROR): %s\b.*?\n-+\n(.*?)\n\n" % re.escape(name), output, re.M | re.S)
    lines = m.group(1).split("\n") if m else []
    errors = [x for x in lines if re.match(r"\w[\w.]*(Error|Exception|Warning|Interrupt|Exit)\b", x)]
    return (errors or lines[-1:] or [""])[0][:200]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--depyf", required=True)
    parser.add_argument("--modules", default="")
    parser.add_argument("--tests", default="")
    parser.add_argument("--keep", default="", help="work in this folder and leave it there")
    parser.add_argument("-j", default="2")
    a = parser.parse_args()
    # A shell starts background jobs with interrupts ignored, which tests that interrupt themselves wait for.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    version = "%d.%d.%d" % sys.version_info[:3]
    try:
        import test.test_json  # noqa: F401
    except ImportError:
        print("NOT RUN: CPython %s has no test package" % version)
        return 2
    modules = [m for m in (a.modules.split(",") if a.modules else MODULES) if files_of(m)]
    places = {t: os.path.join(LIB, "test", *t.split(".")) for t in (a.tests.split(",") if a.tests else TESTS)}
    tests = [t for t, p in places.items() if os.path.exists(p) or os.path.exists(p + ".py")]
    work = os.path.realpath(a.keep or tempfile.mkdtemp())
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    try:
        return run(os.path.abspath(a.depyf), version, modules, tests, work, a.j)
    finally:
        if not a.keep:
            shutil.rmtree(work, ignore_errors=True)


def run(depyf, version, modules, tests, work, jobs):
    files, rest = prepare(depyf, modules, work)
    stubs = [r for r in rest if r[1] == "partial"]
    print(
        "== CPython %s: %d modules, %d files decompiled: %d proven, %d not proven but used, %d with a stub left out"
        % (version, len(modules), len(files), len(files) - len(rest), len(rest) - len(stubs), len(stubs)),
        flush=True,
    )
    for f, verdict, why in rest:
        print("   %s %s: %s" % (verdict, f, why[:150]))
    elsewhere = check_in_use(work, "decompiled", modules)
    if elsewhere:
        print("FAILED: not importable from their decompiled text: " + " ".join(elsewhere))
        return 1
    _, output = regrtest(work, "decompiled", ["-j" + jobs] + tests)
    for line in output.split("\n"):
        if line.startswith(("Total tests", "Total test files", "Tests result", "Result")):
            print("   " + line)
    if "Total test" not in output and "Tests result" not in output:
        print(output[-3000:])
        return 1
    ours, total = [], 0
    for file in failed_files(output):
        bad, log = failed_tests(work, "decompiled", file)
        if not bad:
            print("   unsteady: %s failed once and passed when it was run again" % file)
            continue
        control, _ = failed_tests(work, "original", file)
        relaid, _ = failed_tests(work, "relaid", file)
        for t in sorted(bad):
            total += 1
            reason = next((why for pattern, why in EXCLUDED if fnmatch.fnmatch(t, pattern)), None)
            if t in control:
                print("   fails with the library's own modules too: " + t)
            elif reason and t in relaid:
                print("   tests the text (%s): %s" % (reason, t))
            else:
                text = " [fails with the relaid text too]" if t in relaid else ""
                ours.append(t)
                print("   OURS: %s%s\n         %s" % (t, text, detail(log, t)))
    print("== CPython %s: %d failures are depyf's, %d are not" % (version, len(ours), total - len(ours)), flush=True)
    return 1 if ours else 0


if __name__ == "__main__":
    sys.exit(main())
