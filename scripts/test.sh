#!/usr/bin/env bash
# Everything that is tested, with all its own set-up. Parts whose interpreter is
# missing on this machine are named as NOT RUN at the end; they never count as passed.
#   scripts/test.sh [lint] [go] [vscode] [python] [torch] [wheels]     default: all of them
# Environment: TORCH="2.6.0:3.12 …" selects the torch versions; STRICT=1 fails if anything
# is NOT RUN, as a machine that has everything should.
#
# A line for each part says what came of it, and names each test that failed; what the part
# printed is shown only if it failed, and last of all. Tests that are skipped are named with
# their reason.
set -u
cd "$(dirname "$0")/.."
. scripts/lib.sh

TORCHES="2.15.0:3.13 2.6.0:3.12 2.12.1:3.12 2.2.2:3.11" # the longest first
parts=${*:-lint go vscode python torch wheels}
passed=0 failed=0 missing= red=
wants() { case " $parts " in *" $1 "*) return 0 ;; esac; return 1; }

# Each part has a folder with its log and, of runners that count, a report: see
# tests/runner.py.
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
export TEST_REPORT

# part LABEL COMMAND...: run one part; $TEST_REPORT is where a runner may write.
part() {
    here=$results/$(printf '%s' "$1" | tr ' ' _)
    mkdir "$here"
    attempt "$here" "${@:2}"
    tell "$1" "$here"
}
attempt() { # attempt FOLDER COMMAND...
    TEST_REPORT=$1/report
    started=$(date +%s)
    "${@:2}" >"$1/log" 2>&1
    echo $? >"$1/rc"
    echo $(($(date +%s) - started)) >"$1/time"
}
# tell LABEL FOLDER: say what came of a part, and count it.
tell() {
    rc=$(cat "$2/rc") good=0 bad=0
    if [ -f "$2/report" ]; then
        good=$(sed -n 's/^passed //p;T;q' "$2/report") bad=$(sed -n 's/^failed //p;T;q' "$2/report")
        if [ "$rc" != 0 ] && [ "$bad" = 0 ]; then bad=1; fi
    elif [ "$rc" = 0 ]; then
        good=1
    else
        bad=1
    fi
    passed=$((passed + good)) failed=$((failed + bad))
    word=ok
    [ "$rc" = 0 ] || word=FAILED red="$red $2"
    printf '%-7s %-32s %6d passed %4d failed %6d s\n' "$word" "$1" "$good" "$bad" "$(cat "$2/time")"
    printf '%s\n' "$1" >"$2/label"
    # The frames that torch made and depyf proved; what was left out, and why.
    sed -n 's/^torch [^,]*, \(.* frames, .*\)/        \1/p' "$2/log"
    [ ! -f "$2/report" ] || sed -n '/^$/q; s/^red /        failed: /p; /^skipped NOT RUN/d; s/^skipped /        skipped: /p' "$2/report"
    [ "$rc" = 0 ] || [ -f "$2/report" ] || printf '        failed: %s\n' "$(tail -n 1 "$2/log")"
    # What a test skips for want of something says NOT RUN, as does a script.
    left=$(sed -n 's/^NOT RUN: /  /p' "$2/log"
        [ ! -f "$2/report" ] || sed -n '/^$/q; s/^skipped NOT RUN: /  /p' "$2/report")
    [ -z "$left" ] || missing="$missing
$left ($1)"
}

# The torch suites are independent of everything else and use one core each, so a
# second lane works through them from the start. Who comes first takes a suite.
torch_lane() {
    for spec in ${TORCH:-$TORCHES}; do
        mkdir "$results/$spec" 2>/dev/null || continue
        attempt "$results/$spec" torch_suite "$spec"
    done
}
torch_suite() { # 3: this machine cannot run it
    python=$(torch_python "$1") || return 3
    # What does not depend on the version is left to the newest, or to it and the oldest; so is each snippet with both backends to the newest.
    case ${TORCH:-default}/$1 in
    default/2.12.* | default/2.6.*) export DEPYF_SHARE=middle ;;
    default/2.2.*) export DEPYF_SHARE=oldest ;;
    *) unset DEPYF_SHARE ;;
    esac
    case $1 in 2.15.*) DEPYF_NOTEBOOK=$(notebook_python "${1##*:}") && export DEPYF_NOTEBOOK ;; esac
    PYTHONPATH=python "$python" -B tests/runner.py tests/torch "$TEST_REPORT" || return 1
}
# A quarter of the time of the compiler and of tests is collecting garbage, and there is memory.
go() { GOGC=300 command go "$@"; }
go_tests() {
    reader=$(python_at_least 8) || { go test ./...; return; }
    go test -json ./... | "$reader" scripts/gotest.py "$TEST_REPORT"
}
formatted() { test -z "$(go tool gofumpt -l cmd gen internal pkg tools | tee /dev/stderr)"; }

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
    part "gofumpt" formatted
    part "go vet" go vet ./...
    part "staticcheck" go tool staticcheck ./...
    if [ -x "${RUFF:-}" ]; then
        part "ruff" "$RUFF" check -q .
        part "ruff format" "$RUFF" format -q --check .
    fi
    if [ -x "${MYPY:-}" ]; then
        part "mypy" "$MYPY"
    fi
    if [ -x "${UV:-}" ]; then
        part "the documentation as a site" scripts/site.sh
    fi
fi

if wants go; then
    part "go test" go_tests
fi

if wants vscode; then
    part "VS Code extension" scripts/vscode.sh check
    part "axe" scripts/axe.sh
fi

if wants python; then
    for v in 3.8 3.9 3.10 3.11 3.12 3.13 3.14 3.15; do
        if py=$(find_python $v); then
            part "Python package on $v" sh -c 'PYTHONPATH=python "$0" -B tests/runner.py tests/python "$TEST_REPORT"' "$py"
        else
            missing="$missing
  the Python package on CPython $v: no such interpreter"
        fi
    done
    part "scores" scripts/score.sh check
    part "second opinion" env EVERY=30 scripts/independent.sh
fi

if wants wheels && [ -x "${UV:-}" ]; then
    part "wheels" scripts/wheels.sh build
    part "an installed wheel" scripts/wheels.sh check
fi

if wants torch && [ -x "${UV:-}" ]; then
    torch_lane
    wait
    for spec in ${TORCH:-$TORCHES}; do
        label="torch ${spec%%:*} on Python ${spec##*:}"
        if [ "$(cat "$results/$spec/rc")" = 3 ]; then
            missing="$missing
  $label: $(tail -n 1 "$results/$spec/log")"
        else
            tell "$label" "$results/$spec"
        fi
    done
fi

[ -z "$missing" ] || printf '\nNOT RUN on this machine:%s\n' "$missing"
for each in $red; do
    printf '\n== %s failed; the end of what it printed:\n' "$(cat "$each/label")"
    tail -n 60 "$each/log"
    # The failing tests last, whatever was printed after them.
    if [ -f "$each/report" ]; then sed '1,/^$/d' "$each/report"; fi
done
printf '\n%d passed, %d failed\n' "$passed" "$failed"
if [ -n "$red" ]; then
    printf 'FAILED:\n'
    for each in $red; do printf '  %s\n' "$(cat "$each/label")"; done
    exit 1
fi
if [ -n "$missing" ] && [ -n "${STRICT:-}" ]; then
    echo "FAILED: some of it was NOT RUN, see above."
    exit 1
fi
echo "All that ran has passed."
