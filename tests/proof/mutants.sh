#!/usr/bin/env bash
# Mutants of the whole crate (cargo-mutants): each changes one expression or the answer of one function, and a test must fail. In
# shares of one in 200, which stay: so it may be broken off, and goes on where it was. Those that no test notices are written to
# target/proof/mutants/*/missed.txt, to be explained or to get a test.
#
#   MUTANT_HOURS=8 tests/proof/mutants.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
out=$PWD/target/proof/mutants/$(git rev-parse HEAD:src)
mkdir -p "$out"
if ! command -v cargo-mutants >/dev/null; then cargo install -q --locked --root "$out" cargo-mutants; fi
export PATH=$PATH:$out/bin STRIDE_SHARE=31 CARGO_PROFILE_DEV_DEBUG=false
shares=200
tests=(--lib)
for test in tests/*.rs; do
    case $(basename "$test" .rs) in
        examples | ndarray) ;; # they build other programs, or need more
        *) tests+=(--test "$(basename "$test" .rs)") ;;
    esac
done
tests+=(--test kernels --test loads)
# A test that fails anyway would catch them all.
cargo test -q "${tests[@]}" > "$out/baseline.txt" 2>&1 || { tail -n 20 "$out/baseline.txt"; exit 1; }
until=$((SECONDS + ${MUTANT_HOURS:-8} * 3600))
# Far from each other, so that a part of all shares is a sample of the whole.
for ((k = 0; k < shares; k++)); do
    share=$(((k * 77 + 13) % shares))
    if [ -e "$out/$share/done" ]; then continue; fi
    if [ $SECONDS -ge $until ]; then break; fi
    rm -rf "${out:?}/$share"
    # Exit statuses 2 and 3: mutants were missed, or took too long.
    cargo mutants --shard "$share/$shares" -o "$out/$share" --timeout 400 --baseline skip --no-shuffle -- "${tests[@]}" || case $? in 2 | 3) ;; *) exit 1 ;; esac
    touch "$out/$share/done"
done
cat "$out"/*/mutants.out/missed.txt > "$out/missed.txt"
mapfile -t shares_done < <(cd "$out" && for share in */done; do echo "$out/${share%done}mutants.out/outcomes.json"; done)
python3 - "${shares_done[@]}" << 'END'
import json, sys
caught = all_of = 0
for name in sys.argv[1:]:
    with open(name) as file:
        of = json.load(file)
    caught += of["caught"] + of["timeout"]
    all_of += of["caught"] + of["timeout"] + of["missed"]
print(f"mutants: {caught} of {all_of} caught, in {len(sys.argv) - 1} of 200 shares")
END
