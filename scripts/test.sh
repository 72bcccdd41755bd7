#!/usr/bin/env bash
# Everything that is tested, with all its own set-up. Parts whose interpreter is
# missing on this machine are named as NOT RUN at the end; they never count as passed.
#   scripts/test.sh [lint] [go] [python] [torch] [wheels]     default: all of them
# Environment: TORCH="2.6.0:3.12 …" selects the torch versions.
set -u
cd "$(dirname "$0")/.."
. scripts/lib.sh

parts=${*:-lint go python torch wheels}
failed= missing=
run() { # run LABEL COMMAND...
    label=$1
    shift
    say "$label"
    if ! "$@"; then
        failed="$failed
  $label"
    fi
}
wants() { case " $parts " in *" $1 "*) return 0 ;; esac; return 1; }

binary || die "the Go program does not build"
tools || missing="$missing
  ruff, mypy, torch and wheels: the package index cannot be reached"

# CPythons that neither PATH nor pyenv has come from the distribution's packages.
if wants python; then
    for v in 3.14 3.15; do
        find_python $v >/dev/null || sh scripts/get-python.sh $v >/dev/null 2>&1 || true
    done
fi

if wants lint; then
    run "gofumpt" test -z "$(go tool gofumpt -l cmd gen internal pkg tools | tee /dev/stderr)"
    run "go vet" go vet ./...
    run "staticcheck" go tool staticcheck ./...
    if [ -x "${RUFF:-}" ]; then
        run "ruff" "$RUFF" check -q .
        run "ruff format" "$RUFF" format -q --check .
    fi
    if [ -x "${MYPY:-}" ]; then
        run "mypy" "$MYPY"
    fi
fi

if wants go; then
    run "go test" go test ./...
fi

if wants python; then
    for v in 3.8 3.9 3.10 3.11 3.12 3.13 3.14 3.15; do
        if py=$(find_python $v); then
            run "Python package on $v" env PYTHONPATH=python "$py" -B -m unittest discover -q -s tests/python
        else
            missing="$missing
  the Python package on CPython $v: no such interpreter"
        fi
    done
    run "scores" scripts/score.sh check
    run "second opinion" env EVERY=30 scripts/independent.sh
fi

if wants torch && [ -x "${UV:-}" ]; then
    for spec in ${TORCH:-2.2.2:3.11 2.6.0:3.12 2.12.1:3.12 2.15.0:3.13}; do
        v=${spec%%:*} p=${spec##*:}
        if ! py=$(find_python "$p"); then
            missing="$missing
  torch $v: no CPython $p"
            continue
        fi
        numpy=numpy
        case $v in 2.[0-3].*) numpy='numpy<2' ;; esac
        if python=$(torch_env "torch-$v-$p" "$py" "torch==$v" "$numpy" setuptools); then
            run "torch $v on Python $p" env PYTHONPATH=python "$python" -B -m unittest discover -q -s tests/torch
        else
            missing="$missing
  torch $v: it could not be installed"
        fi
    done
fi

if wants wheels && [ -x "${UV:-}" ]; then
    run "wheels" scripts/wheels.sh build
    run "an installed wheel" scripts/wheels.sh check
fi

[ -z "$missing" ] || printf '\nNOT RUN on this machine:%s\n' "$missing"
if [ -n "$failed" ]; then
    printf '\nFAILED:%s\n' "$failed"
    exit 1
fi
printf '\nAll that ran has passed.\n'
