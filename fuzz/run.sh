#!/usr/bin/env bash
# Runs every fuzz target, or those that are named, for some seconds, two at a time, and prints how many inputs each one
# ran.
#
#   fuzz/run.sh SECONDS [record] [TARGET...]     record: a line for each is added to runs.txt, with the seconds of the CPU that it took
#   fuzz/run.sh build [TARGET...]                only builds them
#
# FUZZ_SEED=1 makes the same choices in every run, as CI does. Needs a nightly Rust, cargo-fuzz
# (`cargo install cargo-fuzz`), Python 3.10. It begins with the inputs of tests/corpora (corpora.py); what it finds lies
# below fuzz/corpus, of which git knows nothing; an input that fails lies in fuzz/artifacts.
set -euo pipefail
cd "$(dirname "$0")"
seconds=${1:-}
shift || true
if ! [[ $seconds =~ ^([0-9]+|build)$ ]]; then
    sed -n '2,11s/^# \{0,1\}//p' run.sh
    exit 2
fi
record=
if [ "${1:-}" = record ]; then
    record=$1
    shift
fi
all=$(sed -n 's/^name = "\(.*\)"/\1/p' Cargo.toml | grep -v '^libstride-fuzz$')
for target in "$@"; do
    grep -qx -- "$target" <<< "$all" || { echo "fuzz/run.sh: no such target: $target; there are" $all; exit 2; }
done
targets=${*:-$all}
for command in cargo-fuzz 'cargo +nightly'; do
    $command --version >/dev/null 2>&1 || { echo "fuzz/run.sh needs $command"; exit 2; }
done
# What is fuzzed; with a + if it is not what was committed.
fuzzed() {
    local changed
    changed=$(git status --porcelain -- .. ':!runs.txt' ':!../docs/PROOF.md' ':!../tests/proof/mutants/outcomes.txt')
    echo "$(git rev-parse --short=8 HEAD)${changed:++}"
}
# Coverage is asked of the library alone (rustc.sh): the naive loops that it is held against, and the standard library
# in them, lead nowhere.
export RUSTC_WRAPPER=$PWD/rustc.sh
# The tests allocate much, the library nothing, and it keeps no address after a call: an allocation need not know who
# asked for it, memory that was freed may be used again at once, and what is on the stack may stay there. What lies
# around an allocation is watched all the same.
export ASAN_OPTIONS=${ASAN_OPTIONS:-malloc_context_size=0:detect_stack_use_after_return=0:quarantine_size_mb=0:thread_local_quarantine_size_kb=0}
# Sums that overflow are found (Cargo.toml); debug assertions are off: they would make the kernels, which are written
# once for all widths, several times as slow.
if [ $# = 0 ]; then cargo +nightly fuzz build --release; fi
for target in "$@"; do cargo +nightly fuzz build --release "$target"; done
if [ "$seconds" = build ]; then exit; fi

# What went wrong, and the input.
told() {
    grep -a -m 1 -A 25 -E 'panicked at|ERROR: |runtime error' "$1" || true
    grep -a -A 30 'Failing input' "$1" || tail -n 40 "$1"
}

one() {
    python3 corpora.py unpack "$1"
    local before commit
    commit=$(fuzzed)
    before=$(find "corpus/$1" -type f | wc -l)
    # Inputs are choices, some bytes each; a case takes about a hundred of them. Weights of inputs (entropic) would take
    # half of the time where the kernels have 450,000 edges.
    cargo +nightly fuzz run --release "$1" "corpus/$1" -- -max_total_time="$seconds" -max_len=400 -entropic=0 -print_final_stats=1 \
        -seed="${FUZZ_SEED:-0}" -timeout=10 -rss_limit_mb=4096 2>&1 | grep -av '^#.*exec/s.*L: ' > "$out/$1" ||
        { told "$out/$1"; return 1; }
    local runs spent edges
    times > "$out/$1.times" # of this shell, and of what it waited for
    spent=$(awk -F '[ms ]+' 'NR == 2 { print int($1 * 60 + $2 + $3 * 60 + $4) }' "$out/$1.times")
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$out/$1")
    runs=$((${runs:-0} - before)) # those of the corpus come first
    edges=$(sed -n 's/^#.*DONE *cov: \([0-9]*\) .*/\1/p' "$out/$1")
    [ "${edges:-0}" -ge 200 ] || { echo "$1: only ${edges:-0} edges of the library were seen: coverage does not work"; return 1; }
    [ "$runs" -ge 1000 ] || { echo "$1: $runs new inputs in $seconds s, where 1000 are the least; run it longer"; return 1; }
    echo "fuzz $1: $runs inputs in $seconds s, $spent of the CPU, $edges edges, $(find "corpus/$1" -type f | wc -l) kept"
    if [ "$record" = record ]; then
        [ "$commit" = "$(fuzzed)" ] || commit=${commit%+}+ # changed meanwhile
        echo "$(date +%F) $1 $spent $runs $commit" >> runs.txt
    fi
}

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failed=0
for target in $targets; do
    if [ "$(jobs -rp | wc -l)" -ge 2 ]; then wait -n || failed=1; fi
    { one "$target"; touch "$out/$target.done"; } &
done
while [ "$(jobs -p | wc -l)" -gt 0 ]; do wait -n || failed=1; done
# (Of one that a signal ends `wait -n` may say nothing.)
for target in $targets; do [ -e "$out/$target.done" ] || { echo "$target did not come to its end"; failed=1; }; done
exit $failed
