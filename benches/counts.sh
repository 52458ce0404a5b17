#!/usr/bin/env bash
# Instructions per call of small copies, counted by callgrind: `make bench-counts`. They repeat from run to run, so a
# record can be compared with any other day's, where times of 30 ns cannot.
#
#   counts.sh [--check|--write]      held within 2 % of benches/counts.txt, if that was counted with the same rustc; or writes it
set -euo pipefail
cd "$(dirname "$0")/.."
out=${OUT:-target/c}
if ! command -v valgrind >/dev/null; then echo 'skipped: valgrind is not here'; exit 0; fi
if ! echo '#include <valgrind/callgrind.h>' | "${CC:-cc}" -E -x c - >/dev/null 2>&1; then
    echo "skipped: valgrind's headers are not here"
    exit 0
fi
"${CC:-cc}" -std=c11 -O2 -Wall -Wextra -Werror -Iinclude benches/counts.c "$out/libstride.a" -o "$out/counts"
dumps=$(mktemp -d)
trap 'rm -rf "$dumps"' EXIT
valgrind -q --tool=callgrind --callgrind-out-file="$dumps/dump" "$out/counts" 2>"$dumps/plans" \
    || { cat "$dumps/plans"; exit 1; }
# In the order in which they were made: dump.1, dump.2, and so on.
parts=()
while [ -e "$dumps/dump.$((${#parts[@]} + 1))" ]; do parts+=("$dumps/dump.$((${#parts[@]} + 1))"); done
what=${1:-}
table=$dumps/table
version=$(rustc --version)
commit=$(git describe --always --dirty 2>/dev/null || echo unknown)
{
    echo "# $(date +%F), commit $commit, $version, $(valgrind --version)"
    echo '# make bench-counts; instructions per call, level capped at AVX2'
    awk '
    /^desc: Trigger: Client Request: / { split(substr($0, 32), part, "|") }
    /^(totals|summary): / && part[1] != "" {
        count[part[1], part[2]] = $2
        if (!(part[1] in seen)) { seen[part[1]]; name[++n] = part[1] }
    }
    FILENAME ~ /plans$/ && /^plan\|/ { split($0, p, "|"); plan[p[2]] = p[3] }
    function own(k, what) { return count[name[k], what] - count[name[k], "nothing"] }
    END {
        printf "%-24s %17s %20s %12s  %s\n", "case", "stride_plan_init", "stride_plan_execute", "stride_copy", "plan"
        for (k = 1; k <= n; k++) {
            text = plan[name[k]]
            sub(/;.*/, "", text)
            printf "%-24s %17d %20d %12d  %s\n", name[k], own(k, "stride_plan_init"), own(k, "stride_plan_execute"),
                own(k, "stride_copy"), text
        }
    }' "${parts[@]}" "$dumps/plans"
} > "$table"
cat "$table"
if [ "$what" = --write ]; then cp "$table" benches/counts.txt; fi
if [ "$what" != --check ]; then exit; fi
if ! grep -qF ", $version," benches/counts.txt; then
    echo "skipped: benches/counts.txt was counted with another compiler: $(head -n 1 benches/counts.txt)"
    exit
fi
# The three numbers of a row stand before the plan, after a name of any words.
numbers() { sed -nE 's/^([^#].*[^ ]) +([0-9]+) +([0-9]+) +([0-9]+)  .*/\1|\2|\3|\4/p' "$1"; }
if [ "$(numbers benches/counts.txt | cut -d '|' -f 1)" != "$(numbers "$table" | cut -d '|' -f 1)" ]; then
    echo 'the cases are not those of benches/counts.txt'
    exit 1
fi
if ! grep -q AVX2 "$table"; then echo 'skipped: benches/counts.txt is about CPUs with AVX2'; exit; fi
join -t '|' <(numbers benches/counts.txt | sort -t '|' -k 1,1) <(numbers "$table" | sort -t '|' -k 1,1) | awk -F '|' '
    { for (k = 2; k <= 4; k++) { all++; change = $(k + 3) / $k - 1; if (change > 0.02 || change < -0.02) {
        printf "%s, number %d: %d instructions, not %d\n", $1, k - 1, $(k + 3), $k } else same++ } }
    END { printf "counts: %d of %d within 2 %%\n", same, all; exit all == 0 || same != all }'
