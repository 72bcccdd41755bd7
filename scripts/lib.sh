# Shell functions shared by the scripts. Source it from the repository's root.
# Everything that is installed goes below $DEPYF_ENVS (default .venv).

DEPYF_ENVS=${DEPYF_ENVS:-.venv}
export GOTOOLCHAIN=${GOTOOLCHAIN:-local}

say() { printf '\n== %s\n' "$*"; }
die() { printf '%s\n' "$*" >&2; exit 1; }

# python_at_least MINOR: the path of a Python 3 with at least that minor version.
python_at_least() {
    for p in python3 python3.14 python3.13 python3.12 python3.11 python3.10 python; do
        if command -v "$p" >/dev/null 2>&1 &&
            "$p" -c "import sys; sys.exit(sys.version_info < (3, $1))" 2>/dev/null; then
            "$p" -c 'import sys; print(sys.executable)'
            return 0
        fi
    done
    return 1
}

# find_python 3.X: the path of that very version: on PATH, or where pyenv keeps it.
find_python() {
    if command -v "python$1" >/dev/null 2>&1 && "python$1" -c '' 2>/dev/null; then
        "python$1" -c 'import sys; print(sys.executable)'
        return 0
    fi
    for root in "${PYENV_ROOT:-$HOME/.pyenv}" "${CPYTHONS:-$HOME/.cache/cpython}"; do
        for p in "$root"/versions/"$1"*/bin/python "$root/$1/bin/python$1"; do
            if [ -x "$p" ] && "$p" -c "import sys; sys.exit('%d.%d' % sys.version_info[:2] != '$1')" 2>/dev/null; then
                printf '%s\n' "$p"
                return 0
            fi
        done
    done
    return 1
}

# find_python_with_tests 3.X: the same with CPython's own tests (python -m test), which
# distributions package apart. What find_python finds is left as it is: one with
# tests is fetched beside it.
find_python_with_tests() {
    has='import test.test_json'
    if p=$(find_python "$1") && "$p" -c "$has" 2>/dev/null; then
        printf '%s\n' "$p"
        return 0
    fi
    mkdir -p "$DEPYF_ENVS"
    prefix=$(cd "$DEPYF_ENVS" && pwd)/cpython-tests/$1
    TESTS=1 sh scripts/get-python.sh "$1" "$prefix" >&2 && "$prefix/bin/python$1" -c "$has" || return 1
    printf '%s\n' "$prefix/bin/python$1"
}

# tools: a virtual environment with uv, ruff and mypy; sets UV, RUFF and MYPY.
tools() {
    UV=$DEPYF_ENVS/tools/bin/uv
    RUFF=$DEPYF_ENVS/tools/bin/ruff
    MYPY=$DEPYF_ENVS/tools/bin/mypy
    if [ ! -x "$UV" ] || [ ! -x "$RUFF" ] || [ ! -x "$MYPY" ]; then
        base=$(python_at_least 8) || die "Python 3.8 or newer is needed, as python3 on PATH"
        "$base" -m venv "$DEPYF_ENVS/tools" || die "python3 has no venv module (Debian: apt install python3-venv)"
        "$DEPYF_ENVS/tools/bin/python" -m pip install -q --disable-pip-version-check uv ruff mypy ||
            return 1
    fi
}

# torch_env NAME PYTHON SPEC...: a virtual environment with torch; prints its python.
torch_env() {
    name=$1 py=$2
    shift 2
    env=$DEPYF_ENVS/$name
    # What an environment was made of is noted in it: one of an older checkout may lack something.
    if [ "$(cat "$env/specs" 2>/dev/null)" != "$*" ] || ! "$env/bin/python" -c 'import torch' 2>/dev/null; then
        { [ -x "$env/bin/python" ] || "$UV" venv -q --clear -p "$py" "$env" >&2; } &&
            "$UV" pip install -q -p "$env/bin/python" "$@" >&2 || return 1
        # uv compiles nothing. Without compiled files every start of torch takes three
        # times as long; those that it uses are written once, here.
        env -u PYTHONDONTWRITEBYTECODE "$env/bin/python" scripts/warm_torch.py >&2 || return 1
        printf '%s\n' "$*" >"$env/specs"
    fi
    printf '%s\n' "$(cd "$env" && pwd)/bin/python"
}

# torch_python VERSION:PYTHON: the python of the environment that the tests with that torch run in.
torch_python() {
    v=${1%%:*} p=${1##*:}
    py=$(find_python "$p") || { echo "no CPython $p" >&2; return 1; }
    numpy=numpy
    case $v in 2.[0-3].*) numpy='numpy<2' ;; esac
    torch_env "torch-$v-$p" "$py" "torch==$v" "$numpy" setuptools debugpy || { echo "it could not be installed" >&2; return 1; }
}

# notebook_python 3.X: the python of an environment with a Jupyter kernel. Tests lend it torch from another environment.
notebook_python() {
    env=$DEPYF_ENVS/notebook-$1
    if ! "$env/bin/python" -c 'import ipykernel, jupyter_client' 2>/dev/null; then
        py=$(find_python "$1") && "$UV" venv -q --clear -p "$py" "$env" >&2 &&
            "$UV" pip install -q -p "$env/bin/python" ipykernel jupyter_client >&2 || return 1
    fi
    printf '%s\n' "$(cd "$env" && pwd)/bin/python"
}

# binary: build the Go program where the Python package looks for it.
binary() {
    command -v go >/dev/null 2>&1 || die "Go 1.26 or newer is needed on PATH"
    go build -trimpath -o python/depyf/bin/depyf ./cmd/depyf
}
