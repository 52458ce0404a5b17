# For scripts that run several things and go on after a failure: `counted WHAT COMMAND...`. What it prints goes to
# $out/log, and is shown, as far as it fits, if it fails.
ran=0 passed=0
counted() {
    local what=$1
    shift
    ran=$((ran + 1))
    if "$@" > "$out/log" 2>&1; then
        passed=$((passed + 1))
        echo "ok: $what"
    else
        echo "FAILED: $what"
        grep -m 40 -v '^$' "$out/log" || true
    fi
}

# The Rust tests that are programs of their own, a line each.
rust_tests() { printf '%s\n' tests/*.rs tests/*/main.rs | sed 's|^tests/||; s|/main\.rs$||; s|\.rs$||'; }

# The C programs that an instrumented library can run, a line each: not those that ask what a call takes of the stack,
# or step through it.
instrumented_programs() { printf '%s\n' c_tests/*.c | sed 's|^c_tests/||; s|\.c$||' | grep -vxE 'stack|fences'; }

# tests_that WORD LOG: how many tests passed, or were ignored, in all programs of a log of `cargo test`.
tests_that() { sed -n "s/^test result: ok\..* \([0-9]*\) $1.*/\1/p" "$2" | awk '{ sum += $1 } END { print sum + 0 }'; }

# The library's functions that object files call, a line each.
called() { nm -u "$@" | sed -n 's/^ *U \(stride_.*\)/\1/p' | sort -u; }
