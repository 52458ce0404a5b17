#!/usr/bin/env bash
# oneDNN as the oracle of blocked formats: tests/dnnl_oracle.c, with the names of dnnl_types.h.
#
#     tests/dnnl_oracle.sh DIRECTORY_OF_LIBSTRIDE        exit status 77: there is no oneDNN here
set -euo pipefail
out=$1
tests=$(dirname "$0")
cc=${CC:-cc}

header=$(echo '#include <oneapi/dnnl/dnnl_types.h>' | $cc -E - 2>/dev/null |
    sed -n 's/^# [0-9]* "\(.*dnnl_\(common_\)\{0,1\}types\.h\)".*/\1/p' | sort -u) || true
[ -n "$header" ] || exit 77
# shellcheck disable=SC2086
sed -n 's/^ *dnnl_\([A-Za-z0-9]*\) *= *dnnl_\([a-lA-L0-9]*\),.*/NAME(\1, \2)/p' $header > "$out/dnnl_aliases.h"
$cc -std=c99 -O1 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Werror -I"$tests/../include" -I"$out" "$tests/dnnl_oracle.c" \
    "$out/libstride.a" -ldnnl -o "$out/dnnl_oracle"
OMP_NUM_THREADS=${OMP_NUM_THREADS:-1} "$out/dnnl_oracle"
