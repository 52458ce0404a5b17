#!/usr/bin/env bash
# Mutants of the whole crate (cargo-mutants): each changes one expression or the answer of one function, and a test must fail. In
# shares of one in 200, which stay: so it may be broken off, and goes on where it was. Those that no test notices are written to
# target/proof/mutants/*/missed.txt, to be explained or to get a test, and those that ran out of time to late.txt.
# A mutant meets the tests that are quick to build first, without vector kernels; those that none of these notices meet all
# tests but the examples, of C too. What is not compiled here (kernels for ARM, ndarray) is left out.
#
#   MUTANT_HOURS=8 tests/proof/mutants.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
of=$(git rev-parse HEAD:src HEAD:tests HEAD:c_tests HEAD:benches/cases HEAD:Cargo.toml | sha256sum | cut -c 1-16)
out=$PWD/target/proof/mutants/$of
mkdir -p "$out"
exec 9> "$out/lock"
flock -n 9 || { echo 'it runs already'; exit 1; }
if ! command -v cargo-mutants >/dev/null; then cargo install -q --locked --root "$out" cargo-mutants; fi
# What is compiled stays for the next state of the sources.
export PATH=$PATH:$out/bin STRIDE_SHARE=7 CARGO_TARGET_DIR=$PWD/target/proof/mutants/build
shares=200
# In a tree of its own, which changes under the hands of the tests.
if [ ! -d "$out/tree" ]; then git clone -q . "$out/tree"; fi
cd "$out/tree"
git checkout -q .
slow='batch c_abi copies_exhaustive exhaustive plans seed_pages time_bounds'
quick=(--lib) all=(--lib --test=kernels --test=loads --test=header)
for test in tests/*.rs; do
    name=$(basename "$test" .rs)
    case $name in examples | ndarray) continue ;; esac # they build other programs, or need more
    all+=("--test=$name")
    if [[ " $slow " != *" $name "* ]]; then quick+=("--test=$name"); fi
done
# A test that fails anyway would catch them all. How long they take says when a mutant has run out of time.
# baseline ARGUMENT...: the seconds of tests that are built.
baseline() {
    cargo test -q --no-run "$@" > "$out/baseline.txt" 2>&1 || { tail -n 20 "$out/baseline.txt" >&2; return 1; }
    local begin=$SECONDS
    cargo test -q "$@" > "$out/baseline.txt" 2>&1 || { tail -n 20 "$out/baseline.txt" >&2; return 1; }
    echo $((SECONDS - begin + 10))
}
all_seconds=$(baseline "${all[@]}")
quick_seconds=$(baseline --no-default-features "${quick[@]}")

# mutants WHERE SECONDS ARGUMENT...: exit statuses 2 and 3 say that mutants were missed, or took too long.
mutants() {
    local where=$1 seconds=$2
    shift 2
    cargo mutants -o "$where" --in-place --baseline skip --no-shuffle --colors never --timeout $((5 * seconds)) \
        --exclude 'src/copy/kernels/aarch64/**' --exclude src/slices/ndarray.rs "$@" > "$where.txt" 2>&1 < /dev/null ||
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
    mutants "$out/$share/quick" "$quick_seconds" --shard "$share/$shares" --sharding round-robin --no-default-features \
        "${quick[@]/#/--cargo-arg=}"
    missed=()
    while read -r name; do missed+=(--re "^$(sed 's/[][().*+?^${}|\\]/\\&/g' <<< "$name")\$"); done \
        < <(cat "$out/$share/quick/mutants.out/missed.txt" "$out/$share/quick/mutants.out/timeout.txt")
    if [ ${#missed[@]} != 0 ]; then mutants "$out/$share/all" "$all_seconds" "${missed[@]}" "${all[@]/#/--cargo-arg=}"; fi
    touch "$out/$share/done"
done
python3 - "$out" << 'END'
import glob, json, os, sys

def outcomes(share, kind):
    try:
        with open(f"{share}/{kind}/mutants.out/outcomes.json") as file:
            return json.load(file)
    except FileNotFoundError:
        return {"caught": 0, "missed": 0, "timeout": 0, "total_mutants": 0}

caught = late = all_of = 0
lists = {"missed": [], "timeout": []}
shares = [os.path.dirname(name) for name in glob.glob(sys.argv[1] + "/*/done")]
for share in shares:
    quick, every = outcomes(share, "quick"), outcomes(share, "all")
    # Those that the quick tests missed, or did not end with, are those that all tests met.
    assert every["total_mutants"] == quick["missed"] + quick["timeout"], share
    caught += quick["caught"] + every["caught"]
    late += every["timeout"]
    all_of += quick["caught"] + every["caught"] + every["timeout"] + every["missed"]
    for kind, names in lists.items():
        if every["total_mutants"]:
            with open(f"{share}/all/mutants.out/{kind}.txt") as file:
                names += file.read().splitlines()
for name, kind in [("missed", "missed"), ("late", "timeout")]:
    with open(f"{sys.argv[1]}/{name}.txt", "w") as file:
        file.writelines(line + "\n" for line in lists[kind])
print(f"mutants: {caught + late} of {all_of} caught, {late} of them by time, in {len(shares)} of 200 shares")
END
