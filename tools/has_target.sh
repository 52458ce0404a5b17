#!/bin/sh
# Whether Rust's standard library for a target is installed: tools/has_target.sh x86_64-pc-windows-gnu
# (No `grep -q` after a pipe: it leaves early, and what writes to it fails then, which `set -o pipefail` takes for a
# no.)
case " $(rustup target list --installed 2>/dev/null | tr '\n' ' ')" in *" $1 "*) ;; *) exit 1 ;; esac
