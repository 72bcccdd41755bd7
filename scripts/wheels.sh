#!/usr/bin/env bash
# The wheels and the sdist, for every platform, from this machine.
#   scripts/wheels.sh build          everything into dist/
#   scripts/wheels.sh check [PY]     install this machine's wheel from dist/ where no Go is on PATH,
#                                    with torch, and run the toy example there
# The Go program is static (CGO_ENABLED=0): one Linux wheel serves glibc and musl.
set -eu
cd "$(dirname "$0")/.."
. scripts/lib.sh
tools || die "uv cannot be installed: the package index cannot be reached"

build() {
    command -v go >/dev/null 2>&1 || die "Go 1.26 or newer is needed on PATH"
    rm -rf dist
    "$UV" build -q --sdist --out-dir dist
    # GOOS, GOARCH, platform tags. Go 1.26 needs macOS 12 (https://go.dev/wiki/MinimumRequirements).
    while read -r os arch tags; do
        GOOS=$os GOARCH=$arch DEPYF_WHEEL_PLATFORM=$tags "$UV" build -q --wheel --out-dir dist
    done <<'LIST'
linux amd64 manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64
linux arm64 manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64
darwin amd64 macosx_12_0_x86_64
darwin arm64 macosx_12_0_arm64
windows amd64 win_amd64
LIST
    rm -f dist/.gitignore
    ls -l dist
}

check() {
    py=${1:-$(find_python 3.13 || find_python 3.12 || python_at_least 10)}
    env=$(torch_env wheel "$py" torch numpy pip) || die "torch cannot be installed"
    "$UV" pip uninstall -q -p "$env" depyf 2>/dev/null || true
    # No index, no Go: what pip takes is the wheel that fits this machine.
    nogo=$(mktemp -d)
    trap 'rm -rf "$nogo"' EXIT
    # Every program on PATH but Go: Inductor needs a compiler and more.
    mkdir "$nogo/bin"
    printf '%s\n' "$PATH" | tr : '\n' | while read -r d; do
        [ ! -d "$d" ] || ln -s "$d"/* "$nogo/bin/" 2>/dev/null || true
    done
    rm -f "$nogo/bin/go" "$nogo/bin/gofmt"
    ! PATH=$nogo/bin command -v go >/dev/null || die "Go is still on PATH"
    PATH=$nogo/bin "$env" -m pip install -q --no-index --find-links dist --only-binary :all: --disable-pip-version-check depyf
    cp examples/toy_example.py "$nogo/"
    (
        cd "$nogo"
        env -u PYTHONPATH PATH="$nogo/bin" "$env" toy_example.py
        for f in full_code_for_toy_example_0.py __transformed_code_0_for_toy_example.py index.md; do
            [ -s "dump_src_dir/$f" ] || die "the installed wheel made no $f"
        done
        ! grep -q 'not swapped\|unproved' dump_src_dir/index.md || die "the installed wheel proved less than everything"
        PATH=$nogo/bin "$env" -m depyf version
    )
    # Without a word about depyf in the program: depyf run and DEPYF_DUMP.
    "$env" -m pip download -q --no-index --find-links dist --only-binary :all: --disable-pip-version-check -d "$nogo/wheel" depyf
    DEPYF_WHEEL=$(ls "$nogo"/wheel/*.whl) PYTHONPATH=python "$env" -B -m unittest discover -q -s tests/torch -p test_wheel.py
    say "$(ls dist/*.whl | wc -l) wheels; the one of this machine runs without Go"
}

"$@"
