#!/usr/bin/env bash
# The C tests under AddressSanitizer and UndefinedBehaviorSanitizer, the library's own code under AddressSanitizer as
# well, with its checks of overflow.
#
#   c_tests/sanitize.sh [output directory [PROGRAM ARGUMENT...]]      one program, with these arguments, or all
#
# Needs Rust and gcc (CC and CARGO name others). Rust keeps its sanitizers for nightly; RUSTC_BOOTSTRAP unlocks them.
# Where the toolchain has none for this machine, the plain library is tested, which gcc sees only from outside.
set -euo pipefail
cd "$(dirname "$0")/.."
. tests/proof/counted.sh

CC=${CC:-gcc}
CARGO=${CARGO:-cargo}
out=${1:-${CARGO_TARGET_DIR:-target}/sanitize}
host=$(rustc -vV | sed -n 's/^host: //p')
mkdir -p "$out"
library=("$out/build/$host/debug/libwith_std.a" -lpthread -ldl -lm)

build_library() { # $1: RUSTFLAGS
  RUSTC_BOOTSTRAP=1 RUSTFLAGS=$1 "$CARGO" build -q --manifest-path tests/with_std/Cargo.toml --target "$host" --target-dir "$out/build"
}

and_the_library=' and the library'
if ! build_library -Zsanitizer=address 2>"$out/build.log"; then
  and_the_library=
  # Only a toolchain without sanitizers may be forgiven; whatever else is wrong with the build shows again here.
  build_library ''
  echo "skipped: AddressSanitizer inside the library, $(grep -m 1 error "$out/build.log" || echo 'the build failed')"
fi

sanitizers='-fsanitize=address,undefined -fno-sanitize-recover=all'
if ! echo 'int main(void) { return 0; }' | "$CC" $sanitizers -x c - -o "$out/probe" 2>"$out/probe.log"; then
  echo "skipped: the C tests under sanitizers, $CC has none: $(head -n 1 "$out/probe.log")"
  exit 0
fi

if [ -n "$and_the_library" ]; then
  "$CC" -std=c11 -O1 -g $sanitizers -Iinclude tests/proof/control.c "${library[@]}" -o "$out/control"
  "$out/control" address >"$out/control.log" 2>&1 || true
  grep -q 'ERROR: AddressSanitizer: heap-buffer-overflow' "$out/control.log" ||
    { echo 'AddressSanitizer does not find what control.c does wrong'; exit 1; }
fi

export ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1
export UBSAN_OPTIONS=print_stacktrace=1
failed=0 ran=0 passed=0
for name in $(instrumented_programs); do
  if [ "${2:-$name}" != "$name" ]; then continue; fi
  "$CC" -std=c11 -O1 -g $sanitizers -Wall -Wextra -Wpedantic -Werror -Iinclude "c_tests/$name.c" "${library[@]}" -o "$out/$name"
  echo "$name"
  ran=$((ran + 1))
  if "$out/$name" "${@:3}"; then passed=$((passed + 1)); else failed=1; fi
done
echo "sanitized: $passed of $ran programs$and_the_library"
exit $failed
