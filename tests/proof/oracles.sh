#!/usr/bin/env bash
# Answers and copies beside those of others that compute the same: NumPy (and its rule for results), XLA by jaxlib,
# arrays by DLPack, Python's buffers and gguf, oneDNN. Installs the Python packages into target/oracles.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/proof/counted.sh
out=$PWD/target/proof/oracles
mkdir -p "$out"
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET
make -s lib
python=target/oracles/bin/python
[ -x $python ] || python3 -m venv target/oracles
$python -m pip install -q numpy gguf jax==0.10.2 jaxlib==0.10.2
$python -c 'import numpy, gguf, jax'
# A program that has nothing to compare with says so and is content.
compared() {
    "$@" > "$out/said" 2>&1 || { cat "$out/said"; return 1; }
    if grep -E '^skipped: (numpy|xla) oracle' "$out/said"; then return 1; fi
}
counted 'layouts, views, broadcasts, copies beside NumPy' compared $python tests/numpy_oracle.py target/c/libstride.so
counted 'results of operations beside NumPy' compared $python tests/result_oracle.py target/c/libstride.so
counted 'shapes, tiles, relayouts beside XLA' compared $python tests/xla_oracle.py target/c/libstride.so
counted 'arrays of others: DLPack, buffers, ggml' compared $python tests/interop_oracle.py target/c/libstride.so
counted 'blocked formats beside oneDNN' bash tests/dnnl_oracle.sh target/c
echo "oracles: $passed of $ran agree"
[ "$passed" = "$ran" ]
