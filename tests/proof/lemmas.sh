#!/usr/bin/env bash
# The lemmas behind the checks, proved by z3 (tests/proof/lemmas.py), which is installed beside it.
set -euo pipefail
cd "$(dirname "$0")/../.."
python3 -m venv target/proof/z3
target/proof/z3/bin/pip install -q z3-solver
target/proof/z3/bin/python tests/proof/lemmas.py
