#!/usr/bin/env bash
# The examples for Dask and MPI, small: workers are killed in their tasks, every byte is compared, and what is wrong is
# refused with a sentence.
#
#     tests/cluster.sh DIRECTORY_OF_LIBSTRIDE
#
# Dask and Zarr are installed into target/cluster/python. What cannot be had is printed as skipped.
set -euo pipefail
lib=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
out=$PWD/target/cluster
mkdir -p "$out"
data=$(mktemp -d "$out/data.XXXXXX")
trap 'rm -rf "$data"' EXIT
done=0

# ran NAME LINE COMMAND...: it succeeds, and prints a line like this.
ran() {
    local name=$1 line=$2
    shift 2
    if "$@" > "$data/output.txt" 2>&1 && grep -q -e "$line" "$data/output.txt"; then
        done=$((done + 1))
        printf 'ok      %s\n' "$name"
    else
        printf 'FAILED  %s, which had to print: %s\n' "$name" "$line"
        cat "$data/output.txt"
        exit 1
    fi
}

# refused SENTENCE COMMAND...: exit status 1, and this sentence.
refused() {
    local sentence=$1 code=0
    shift
    "$@" > "$data/output.txt" 2>&1 || code=$?
    if [ $code != 1 ] || ! grep -q -e "$sentence" "$data/output.txt"; then
        printf 'FAILED  exit status %s, expected 1 and: %s\n' $code "$sentence"
        cat "$data/output.txt"
        exit 1
    fi
    done=$((done + 1))
    printf 'ok      refused: %s\n' "$sentence"
}

# --- Dask -------------------------------------------------------------------------------------------------------------

python=$out/python/bin/python
has() { "$python" -c 'import dask.array, distributed, numpy, zarr' 2>/dev/null; }
if ! has; then
    python3 -m venv "$out/python"
    "$python" -m pip install -q --disable-pip-version-check numpy 'dask[distributed,array]' zarr || true
fi
if has; then
    wheel=$(python3 python/build_wheel.py --library "$lib/libstride.so" --out "$out/wheels")
    "$python" -m pip install -q --disable-pip-version-check --no-index --no-deps --force-reinstall "$wheel"
    relayout() { "$python" examples/python/dask_relayout.py "$data/$1" "$data/$2" --workers 2 "${@:3}"; }
    # NumPy alone, besides what --check compares.
    same() {
        "$python" - "$data" "$@" <<'END'
import sys
import numpy as np
folder, src, dst, axes = sys.argv[1:]
src, dst = np.load(f"{folder}/{src}"), np.load(f"{folder}/{dst}")
assert len(np.unique(src.reshape(-1)[:200])) > 100
assert dst.tobytes() == np.ascontiguousarray(src.transpose([int(axis) for axis in axes.split(",")])).tobytes()
print("the same")
END
    }
    ran 'Dask: 64 boxes, a worker killed' 'worker [0-9]* was killed in task do_box-5 of 64' \
        relayout a.npy b.npy --make f8:3000,2000 --piece 1MB --kill 5
    ran 'Dask: NumPy has the same' 'the same' same a.npy b.npy 1,0
    ran 'Dask: boxes of three dimensions, odd sizes' 'as NumPy' \
        relayout c.npy d.npy --make u1:201,77,131 --axes 2,0,1 --piece 64KB --check
    ran 'Dask: NumPy has the same' 'the same' same c.npy d.npy 2,0,1
    ran 'Dask: parts of one plan, a worker killed' 'worker [0-9]* was killed in task do_part-3 of ' \
        relayout c.npy d.npy --axes 1,2,0 --piece 32KB --cut parts --kill 3
    ran 'Dask: NumPy has the same' 'the same' same c.npy d.npy 1,2,0
    # Dask's profiler holds the frames of a task for a moment, and with them what they made of the mapped files.
    held() {
        PYTHONPATH=examples/python "$python" - "$data" <<'END'
import sys
import numpy as np
import dask_relayout, stride
path, frames = sys.argv[1] + "/held.npy", []
dask_relayout.make_npy(path, np.dtype("u1"), (300, 200))
job = dict(partial=path, dst_offset=dask_relayout.PAGE, input=path, src_offset=dask_relayout.PAGE, nbytes=60000)
one = stride.Layout("u8", (300, 200))
sys.setprofile(lambda frame, *_: frames.append(frame))
dask_relayout.do_part(job, stride.Plan(one, one), 0, 1)
sys.setprofile(None)
print(len(frames), "frames held")
END
    }
    ran "Dask: a profiler holds a task's frames" '[1-9][0-9]* frames held' held
    ran 'Dask: one process, NumPy, Dask itself' 'as NumPy' \
        relayout a.npy b.npy --way one,threads,copyto,dask --piece 4MB --check
    ran 'Dask: chunks of Zarr, a worker killed' 'worker [0-9]* was killed in task do_chunk-3 of ' \
        relayout a.zarr b.zarr --make f4:300,210,20/64,64,20 --axes 1,2,0 --kill 3 --check
    ran 'Dask: other chunks of Zarr' 'as NumPy' \
        relayout a.zarr b.zarr --axes 2,1,0 --chunks 20,100,70 --way stride,one,copyto,dask --check
    refused "dask_relayout: --axes has 0,2, the array's dimensions are 0 to 1" relayout a.npy b.npy --axes 0,2
    refused 'dask_relayout: .*/none.npy is not there' relayout none.npy b.npy
    refused 'dask_relayout: INPUT and OUTPUT are the same' relayout a.npy a.npy
    refused 'a task needs [0-9]* bytes for its chunks, a worker has 1000000' relayout a.zarr b.zarr --memory 1MB
    if ls "$data" | grep partial; then echo 'FAILED  a file that was not ended is left'; exit 1; fi
else
    echo 'skipped: the example for Dask: dask, distributed or zarr cannot be installed'
fi

# --- MPI --------------------------------------------------------------------------------------------------------------

if command -v mpicc >/dev/null && command -v mpirun >/dev/null; then
    mpicc -std=c99 -O2 -Wall -Wextra -Wpedantic -Werror -Iinclude examples/c/mpi_relayout.c "$lib/libstride.a" \
        -o "$data/mpi_relayout"
    flags=''
    if mpirun --version | grep -q 'Open MPI'; then flags='--oversubscribe --allow-run-as-root'; fi
    # shellcheck disable=SC2086
    ranks() { mpirun $flags -n "$1" "$data/mpi_relayout" --repeat 1 "${@:2}"; }
    ran 'MPI: a matrix on 4 ranks' 'every element is where' ranks 4 --sizes 512,1024 --buffer 1
    for line in 'regions: 1 between' '^regions ' '^types ' '^rounds ' '^plans ' '^pack '; do
        grep -q -e "$line" "$data/output.txt" || { echo "FAILED  no line $line"; exit 1; }
    done
    ran 'MPI: four dimensions on 3 ranks' 'regions: 20 between' \
        ranks 3 --sizes 60,12,7,5 --axes 1,3,0,2 --from 0 --to 0 --bytes 2
    ran 'MPI: bytes on 2 ranks, the last dimension in blocks' 'every element is where' \
        ranks 2 --sizes 6,4,8 --axes 2,0,1 --from 0 --to 2 --bytes 1
    ran 'MPI: rounds that end in a row' 'every element is where' ranks 4 --sizes 4,400000 --bytes 4 --buffer 1
    ran 'MPI: one rank' 'every element is where' ranks 1 --sizes 300,200
    refused 'sizes 4098 and 1024 of the dimensions in blocks do not both divide by 4 ranks' ranks 4 --sizes 4098,1024
    refused 'a rank needs 99[0-9]* bytes for its two blocks: [0-9]* are missing' ranks 4 --gb 200
    refused "sizes, dimension 1: 4000000000 times 4000000000 does not fit in 64 bits" \
        ranks 4 --sizes 4000000000,4000000000
else
    echo 'skipped: the example for MPI: there is no mpicc or no mpirun'
fi
[ $done -gt 0 ]
echo "cluster: $done as expected"
