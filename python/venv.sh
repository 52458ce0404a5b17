#!/bin/sh
# The Python of a virtual environment, which is made where there is none yet. (On Windows it has another place.)
#
#   python/venv.sh FOLDER
set -eu
[ -d "$1" ] || python3 -m venv "$1" >&2
for python in "$1/bin/python" "$1/Scripts/python.exe"; do
    if [ -x "$python" ]; then echo "$python"; fi
done
