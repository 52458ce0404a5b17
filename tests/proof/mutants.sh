#!/usr/bin/env bash
# Mutants of the whole crate (cargo-mutants): each changes one expression or the answer of one function, and a test must fail. In
# shares of one in 200, which stay: so it may be broken off, and goes on where it was. Those that no test notices are written to
# target/proof/mutants/*/missed.txt, to be explained or to get a test.
#
# A mutant meets the tests that are quick to build first, with the portable kernels alone; those that none of these notices meet all
# tests, of C too.
#
#   MUTANT_HOURS=8 tests/proof/mutants.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
out=$PWD/target/proof/mutants/$(git rev-parse HEAD:src)
mkdir -p "$out"
if ! command -v cargo-mutants >/dev/null; then cargo install -q --locked --root "$out" cargo-mutants; fi
export PATH=$PATH:$out/bin STRIDE_SHARE=7 CARGO_TARGET_DIR=$out/build
shares=200
# In a tree of its own, which changes under the hands of the tests.
if [ ! -d "$out/tree" ]; then git clone -q . "$out/tree"; fi
cd "$out/tree"
git checkout -q .
slow='batch c_abi copies_exhaustive examples exhaustive header ndarray plans reference seed_pages time_bounds'
quick=(--lib) all=(--lib --test kernels --test loads)
for test in tests/*.rs; do
    name=$(basename "$test" .rs)
    case $name in examples | ndarray) continue ;; esac # they build other programs, or need more
    all+=(--test "$name")
    if [[ " $slow " != *" $name "* ]]; then quick+=(--test "$name"); fi
done
# A test that fails anyway would catch them all.
cargo test -q "${all[@]}" > "$out/baseline.txt" 2>&1 && cargo test -q --no-default-features "${quick[@]}" >> "$out/baseline.txt" 2>&1 ||
    { tail -n 20 "$out/baseline.txt"; exit 1; }

# mutants WHERE ARGUMENT...: exit statuses 2 and 3 say that mutants were missed, or took too long.
mutants() {
    local where=$1
    shift
    cargo mutants -o "$where" --in-place --baseline skip --no-shuffle --colors never "$@" > "$where.txt" 2>&1 ||
        case $? in 2 | 3) ;; *) tail -n 20 "$where.txt"; exit 1 ;; esac
}
until=$((SECONDS + ${MUTANT_HOURS:-8} * 3600))
# Every 200th one, so that a part of all shares is a sample of the whole.
for ((k = 0; k < shares; k++)); do
    share=$(((k * 77 + 13) % shares))
    if [ -e "$out/$share/done" ]; then continue; fi
    if [ $SECONDS -ge $until ]; then break; fi
    rm -rf "${out:?}/$share"
    mkdir "$out/$share"
    mutants "$out/$share/quick" --shard "$share/$shares" --sharding round-robin --timeout 120 --no-default-features -- "${quick[@]}"
    missed=()
    while read -r name; do missed+=(--re "^$(sed 's/[][().*+?^${}|\\]/\\&/g' <<< "$name")\$"); done < "$out/$share/quick/mutants.out/missed.txt"
    if [ ${#missed[@]} != 0 ]; then mutants "$out/$share/all" "${missed[@]}" --timeout 600 -- "${all[@]}"; fi
    touch "$out/$share/done"
done
cat "$out"/*/all/mutants.out/missed.txt > "$out/missed.txt"
python3 - "$out" << 'END'
import glob, json, os, sys
caught = all_of = 0
shares = [os.path.dirname(name) for name in glob.glob(sys.argv[1] + "/*/done")]
for share in shares:
    of = [json.load(open(name)) for name in glob.glob(share + "/*/mutants.out/outcomes.json")]
    met = [one["caught"] + one["timeout"] for one in of]
    # Those that the quick tests missed are those that all tests met.
    missed = min(one["missed"] for one in of)
    caught += sum(met)
    all_of += sum(met) + missed
print(f"mutants: {caught} of {all_of} caught, in {len(shares)} of 200 shares")
END
