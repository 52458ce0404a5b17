#!/usr/bin/env bash
# rustc for the fuzzers (run.sh): only the library counts which of its edges are taken.
if [[ " $* " == *' --crate-name stride '* ]]; then exec "$@"; fi
kept=()
for argument in "$@"; do
    case $argument in
        -Cpasses=sancov-module | -Cllvm-args=-sanitizer-coverage-*) ;;
        *) kept+=("$argument") ;;
    esac
done
exec "${kept[@]}"
