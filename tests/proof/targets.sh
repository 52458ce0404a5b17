#!/usr/bin/env bash
# The tests on every kind of target that can be run here, natively or emulated: 64 and 32 bits, both byte orders, ARM,
# Windows, WebAssembly without and with SIMD128. Says for each how many tests ran, and which instruction sets. What
# passed with the same sources and tests is not run again, unless STRIDE_AGAIN=1. Compilers and emulators are there or
# not (tools/checks.toml installs them); standard libraries come by rustup.
#
#   tests/proof/targets.sh [sample] [TARGET...]      sample: copies of each kind, and some of the kernels' checks
set -euo pipefail
cd "$(dirname "$0")/../.."

# Target, with a feature where the build decides about it; linker, runner.
table='x86_64-unknown-linux-gnu - -
x86_64-unknown-linux-musl - -
i686-unknown-linux-gnu - -
aarch64-unknown-linux-gnu aarch64-linux-gnu-gcc qemu-aarch64
armv7-unknown-linux-gnueabihf arm-linux-gnueabihf-gcc qemu-arm
riscv64gc-unknown-linux-gnu riscv64-linux-gnu-gcc qemu-riscv64
s390x-unknown-linux-gnu s390x-linux-gnu-gcc qemu-s390x
powerpc64le-unknown-linux-gnu powerpc64le-linux-gnu-gcc qemu-ppc64le
x86_64-pc-windows-gnu x86_64-w64-mingw32-gcc wine
wasm32-wasip1 - node
wasm32-wasip1+simd128 - node'

tests=(--lib --test differential --test exhaustive --test copies_exhaustive --test rules --test views --test xla_tiles
    --test relayout --test bits --test calls --test errors --test foreign --test interop)
least=300 share=31 sample=
if [ "${1:-}" = sample ]; then
    shift
    tests=(--test differential --test kernels --test copies_exhaustive --test rules)
    least=120 share=300 sample=' of a sample'
    export STRIDE_SAMPLE=1
fi

# All that a result hangs on.
inputs=(src tests benches/cases Cargo.toml Cargo.lock build.rs)
sources=$({ git ls-files -s -- "${inputs[@]}" && git diff -- "${inputs[@]}" && rustc -V && echo "${tests[@]}"; } | sha256sum)
for target in "$@"; do
    grep -q "^$target " <<< "$table" || { echo "no such target: $target"; exit 2; }
done

have() { command -v "$1" >/dev/null 2>&1; }
makes_32_bits() { echo 'int main(void) { return 0; }' | cc -m32 -x c - -o /dev/null 2>/dev/null; }
passed=0 failed=0 seconds=0
while read -r row linker runner; do
    if [ $# != 0 ] && [[ " $* " != *" $row "* ]]; then continue; fi
    said=target/proof/target-$row.said
    target=${row%+*}
    if [ -z "${STRIDE_AGAIN:-}" ] && [ -e "$said" ] && [ "$(head -n 1 "$said")" = "$sources" ]; then
        echo "$(tail -n 1 "$said"), before"
        passed=$((passed + 1)) seconds=$((seconds + $(sed -n 2p "$said")))
        continue
    fi
    if ! rustup target add "$target" >/dev/null 2>&1; then echo "skipped: $row, its standard library cannot be installed"; continue; fi
    if [ "$target" = i686-unknown-linux-gnu ] && ! makes_32_bits; then
        echo "skipped: $target, cc makes no programs of 32 bits (gcc-multilib)"
        continue
    fi
    missing=
    for program in "$linker" "$runner"; do
        if [ "$program" != - ] && ! have "$program"; then missing=$program; fi
    done
    if [ -n "$missing" ]; then echo "skipped: $row, $missing is not here"; continue; fi
    settings=() more=()
    if [ "$row" != "$target" ]; then
        settings+=("RUSTFLAGS=-Ctarget-feature=+${row#*+}")
        if [ -z "$sample" ]; then more=(--test kernels); fi # they run nowhere else
    fi
    name=$(echo "$target" | tr 'a-z-' 'A-Z_')
    if [ "$linker" != - ]; then settings+=("CARGO_TARGET_${name}_LINKER=$linker"); fi
    case $runner in
        -) ;;
        # V8's fast calls let a collection begin where none may be, when Node's WASI frees memory in them
        # (nodejs/node#46777).
        node) settings+=("CARGO_TARGET_${name}_RUNNER=node --no-warnings --no-turbo-fast-api-calls $PWD/tests/proof/wasi.mjs") ;;
        qemu-*) settings+=("CARGO_TARGET_${name}_RUNNER=$runner -L /usr/${linker%-gcc}") ;;
        *) settings+=("CARGO_TARGET_${name}_RUNNER=$runner") ;;
    esac
    log=target/proof/target-$row.txt
    deps=target/proof/targets/$target/debug/deps
    mkdir -p "$deps"
    if [ "$runner" = wine ]; then
        # Rust's standard library asks this for random numbers, and Wine 8.0 has none.
        echo 'int ProcessPrng(unsigned char *to, unsigned long long n) { while (n) to[--n] = (unsigned char)(n * 151 + 7); return 1; }' |
            "$linker" -x c - -shared -o "$deps/bcryptprimitives.dll" ||
            { echo "FAILED: $target, no bcryptprimitives.dll"; failed=1; }
    fi
    begin=$SECONDS
    if env "${settings[@]}" STRIDE_SHARE=$share WINEDEBUG=-all timeout 3600 cargo test --target "$target" --target-dir target/proof/targets \
        "${tests[@]}" "${more[@]}" -- --nocapture --skip the_guard_bites > "$log" 2>&1 < /dev/null; then
        ran=$(sed -n 's/.*test result: ok. \([0-9]*\) passed.*/\1/p' "$log" | awk '{ n += $1 } END { print n + 0 }')
        copies=$(grep -ao '[0-9]* named copies by .*' "$log" | tr -d '\r' | tail -n 1) || true
        took=$((SECONDS - begin))
        line="$row: $ran tests$sample; ${copies:-no copies by name} ($took s)"
        echo "$line"
        if [ "$ran" -gt $least ] && [ -n "$copies" ]; then
            passed=$((passed + 1)) seconds=$((seconds + took))
            printf '%s\n' "$sources" "$took" "$line" > "$said"
        else
            failed=1
        fi
    else
        failed=1
        echo "FAILED: $row"
        grep -a -m 20 -E 'panicked|^error|FAILED' "$log" || true
        tail -n 20 "$log" # how it ended: a signal, a failed build
    fi
done <<< "$table"
echo "targets: $passed"
echo "in all: $seconds s"
exit $failed
