#!/usr/bin/env bash
# Everything that is tested, with all its own set-up. Parts whose interpreter is
# missing on this machine are named as NOT RUN at the end; they never count as passed.
#   scripts/test.sh [lint] [go] [python] [torch] [wheels]     default: all of them
# Environment: TORCH="2.6.0:3.12 …" selects the torch versions.
set -u
cd "$(dirname "$0")/.."
. scripts/lib.sh

TORCHES="2.15.0:3.13 2.12.1:3.12 2.6.0:3.12 2.2.2:3.11" # the longest first
parts=${*:-lint go python torch wheels}
failed= missing=
run() { # run LABEL COMMAND...
    label=$1
    shift
    say "$label"
    started=$(date +%s)
    if ! "$@"; then
        failed="$failed
  $label"
    fi
    echo "($(($(date +%s) - started)) s)"
}
wants() { case " $parts " in *" $1 "*) return 0 ;; esac; return 1; }

# The torch suites are independent of everything else and use one core each, so a
# second lane works through them from the start. Who comes first takes a suite.
claimed=$(mktemp -d)
trap 'rm -rf "$claimed"' EXIT
torch_lane() {
    for spec in ${TORCH:-$TORCHES}; do
        mkdir "$claimed/$spec" 2>/dev/null || continue
        started=$(date +%s)
        torch_suite "$spec" >"$claimed/$spec/log" 2>&1
        echo $? >"$claimed/$spec/rc"
        echo "($(($(date +%s) - started)) s)" >"$claimed/$spec/time"
    done
}
torch_suite() { # 3: this machine cannot run it
    python=$(torch_python "$1") || return 3
    PYTHONPATH=python "$python" -B -m unittest discover -q -s tests/torch
}

binary || die "the Go program does not build"
tools || missing="$missing
  ruff, mypy, torch and wheels: the package index cannot be reached"

if wants torch && [ -x "${UV:-}" ]; then
    torch_lane &
fi

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

if wants wheels && [ -x "${UV:-}" ]; then
    run "wheels" scripts/wheels.sh build
    run "an installed wheel" scripts/wheels.sh check
fi

if wants torch && [ -x "${UV:-}" ]; then
    torch_lane
    wait
    for spec in ${TORCH:-$TORCHES}; do
        say "torch ${spec%%:*} on Python ${spec##*:}"
        cat "$claimed/$spec/log" "$claimed/$spec/time"
        case $(cat "$claimed/$spec/rc") in
        0) ;;
        3)
            missing="$missing
  torch ${spec%%:*} on Python ${spec##*:}: $(tail -n 1 "$claimed/$spec/log")"
            ;;
        *)
            failed="$failed
  torch ${spec%%:*} on Python ${spec##*:}"
            ;;
        esac
    done
fi

[ -z "$missing" ] || printf '\nNOT RUN on this machine:%s\n' "$missing"
if [ -n "$failed" ]; then
    printf '\nFAILED:%s\n' "$failed"
    exit 1
fi
printf '\nAll that ran has passed.\n'
