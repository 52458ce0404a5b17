#!/usr/bin/env python3
"""Transposes an array that is larger than a worker's memory, a .npy file or a Zarr array, on the workers of Dask.

    dask_relayout.py INPUT OUTPUT [--axes 1,0] [--workers 4] [--memory 512MB] [--way stride,one,...] [--check]

Needs numpy, dask[distributed,array], zarr for Zarr, and the stride package. 8 GB, with a worker killed on the way:

    dask_relayout.py big.npy out.npy --make f8:32768,32768 --kill 20 --check
    dask_relayout.py big.npy out.npy --way one,threads,copyto,dask --cold
    dask_relayout.py big.npy out.npy --cut parts --memory 4GB --cold
    dask_relayout.py big.zarr out.zarr --make f8:32768,32768/2048,2048 --check

.npy: the result is cut into boxes that have long runs on both sides: whole pages, so that no other task needs them. Of
the source they have 64 KiB or more, since a page fault maps that much around it where the file is cached, and what is
mapped counts as the worker's memory: 16 KiB of 64 MB mapped 516 MB. A task maps the part of both files that its box
reaches, asks for the source's runs, executes a plan, and unmaps both. Boxes of one shape share one plan, which travels
with the task: it is a value without pointers. No two tasks write the same byte, so there is no lock, and a task that is
run again writes the same bytes.

--cut parts shows the other way: part k of n of one plan for the whole. Its cut is made for threads with one memory: it
takes all rows of the source, and of each less than a page where n is large. Then pages are read once for each part that
meets them, and mapped many at a time.

Zarr: a task is a chunk of the result, built from the chunks of the source that it meets, one in memory at a time. If
the chunks of the result are those of the source, transposed, which is what --chunks defaults to, each is read once.

The result is made beside OUTPUT with its full size, and renamed when all tasks have ended. Its data begin at a page,
and boxes end at pages where the rows do. Where they do not, two tasks write bytes of one page: on one machine they
share it; machines that share a file system by NFS do not, and would have to write boxes of whole pages.
"""

import argparse
import contextlib
import functools
import itertools
import json
import logging
import math
import mmap
import os
import resource
import shutil
import signal
import sys
import time
from typing import NamedTuple

import numpy as np

import stride

PAGE = mmap.PAGESIZE
FAULT_BYTES = 16 * PAGE  # A fault on a mapped file that is read maps so many bytes of it (Linux, fault_around_bytes).
CGROUPS = "/sys/fs/cgroup"
WAIT_SECONDS = 30


def give_up(sentence):
    sys.exit(f"dask_relayout: {sentence}")


def bytes_of(text):
    units = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}
    digits = text.rstrip("KMGiIbB")
    try:
        return int(float(digits) * units.get(text[len(digits):].upper(), 1))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is no number of bytes (64MB, 512MiB)") from None


def numbers_of(text):
    return tuple(int(number) for number in text.split(","))


# --- Files ------------------------------------------------------------------------------------------------------------


def npy_header(dtype, shape):
    """A .npy header of a whole page, so that the data begin at a page."""
    described = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": shape}
    text = repr(described).encode("latin1").ljust(PAGE - 11) + b"\n"
    return np.lib.format.magic(1, 0) + len(text).to_bytes(2, "little") + text


def make_npy(path, dtype, shape):
    """A file of its full size. The space is taken now, since a disk that is full later would be a signal."""
    with open(path, "wb") as file:
        file.write(npy_header(dtype, shape))
        nbytes = math.prod(shape) * dtype.itemsize
        if nbytes:
            os.posix_fallocate(file.fileno(), PAGE, nbytes)


@contextlib.contextmanager
def mapped(path, first, length, writable):
    """Bytes `first` to `first + length` of a file, as a memoryview; unmapped at the end. A fault brings one page.
    Without the advice, one on a page that is written brings what read-ahead says, and maps it (Linux 6.18: 1 GiB for
    64 MiB)."""
    start = first // PAGE * PAGE
    with open(path, "r+b" if writable else "rb") as file:
        memory = mmap.mmap(file.fileno(), first - start + length, offset=start,
                           access=mmap.ACCESS_WRITE if writable else mmap.ACCESS_READ)
    if hasattr(mmap, "MADV_RANDOM"):
        memory.madvise(mmap.MADV_RANDOM)
    view = memoryview(memory)[first - start:]
    try:
        yield memory, view
    finally:
        # An exception on its way may still hold the memory, and so may Dask's profiler, which looks at a task's frames.
        with contextlib.suppress(BufferError):
            view.release()
            memory.close()


def leave_cache(path):
    """The file's pages leave the page cache, so that a run reads them from the disk."""
    files = [path] if os.path.isfile(path) else [os.path.join(at, name) for at, _, names in os.walk(path)
                                                 for name in names]
    for name in files:
        descriptor = os.open(name, os.O_RDONLY)
        os.fsync(descriptor)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


def sync(path):
    for name in [path] if os.path.isfile(path) else [os.path.join(at, n) for at, _, ns in os.walk(path) for n in ns]:
        descriptor = os.open(name, os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)


def remove(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.remove(path)


# --- Boxes of a .npy file ---------------------------------------------------------------------------------------------


def box_sizes(dst, src, most_bytes):
    """Sizes of a box of at most about so many bytes. Each cut halves the dimension that reaches farthest on either
    side, but runs of the source stay as long as what a fault maps; sizes along a side's runs become whole pages."""
    sizes = list(dst.shape)
    steps = [max(abs(one), abs(other)) for one, other in zip(dst.byte_strides, src.byte_strides)]

    def cuttable(axis):
        short = sizes[axis] * dst.itemsize < 2 * FAULT_BYTES and abs(src.byte_strides[axis]) == dst.itemsize
        return sizes[axis] > 1, not short, sizes[axis] * steps[axis]

    while math.prod(sizes) * dst.itemsize > most_bytes and max(sizes) > 1:
        axis = max(range(len(sizes)), key=cuttable)
        sizes[axis] = (sizes[axis] + 1) // 2
    in_page = PAGE // dst.itemsize
    for axis, size in enumerate(sizes):
        along = dst.itemsize in (abs(dst.byte_strides[axis]), abs(src.byte_strides[axis]))
        if along and size < dst.shape[axis] and size > in_page > 1:
            sizes[axis] = size // in_page * in_page
    return sizes


def boxes_of(dst, src, most_bytes):
    """For each box: its plan, the layouts of both sides from the box's first byte on, and that byte on both sides."""
    sizes = box_sizes(dst, src, most_bytes)

    @functools.lru_cache(maxsize=None)
    def sides(box):
        to, of = stride.Layout(dst.dtype, box, dst.strides), stride.Layout(src.dtype, box, src.strides)
        return stride.Plan(to, of), to, of

    for starts in itertools.product(*(range(0, whole, size) for whole, size in zip(dst.shape, sizes))):
        box = tuple(min(size, whole - first) for first, size, whole in zip(starts, sizes, dst.shape))
        firsts = [sum(start * step for start, step in zip(starts, side.byte_strides)) for side in (dst, src)]
        yield (*sides(box), *firsts)


@functools.lru_cache(maxsize=8)
def runs_of(layout):
    """The runs of a box, (first byte, bytes), in the order of memory: the rows of a copy that packs it. None if they
    are shorter than a page."""
    ordered = layout.permute(*layout.dim_order)
    rows = stride.Plan(ordered.packed(), ordered).regions(rank_max=3)
    if any(row.row_bytes < PAGE for row in rows):
        return None
    return [(row.src_offset + i * row.src_pitches[0] + j * row.src_pitches[1], row.row_bytes)
            for row in rows for j in range(row.counts[1]) for i in range(row.counts[0])]


def ask_for(memory, shift, layout):
    """Tells the kernel which runs of a mapped file are read, so that it reads them in long pieces."""
    runs = runs_of(layout)
    if runs is None or not hasattr(mmap, "MADV_WILLNEED"):
        return
    for first, length in runs:
        start = (shift + first) // PAGE * PAGE
        memory.madvise(mmap.MADV_WILLNEED, start, shift + first + length - start)


def do_box(job, plan, to, of, dst_first, src_first):
    """A task: one box."""
    with (mapped(job["partial"], job["dst_offset"] + dst_first, to.min_bytes, True) as (_, dst),
          mapped(job["input"], job["src_offset"] + src_first, of.min_bytes, False) as (memory, src)):
        ask_for(memory, len(memory) - len(src), of)
        plan.execute(dst, src, threads=1)
    return facts_of_process()


def do_part(job, plan, part, parts):
    """A task: one part of the plan for the whole."""
    with (mapped(job["partial"], job["dst_offset"], job["nbytes"], True) as (_, dst),
          mapped(job["input"], job["src_offset"], job["nbytes"], False) as (_, src)):
        plan.execute_part(dst, src, part, parts)
    return facts_of_process()


class Facts(NamedTuple):
    """Of a process: its number, the most memory that it had, bytes that it read from disks, seconds of a processor."""

    pid: int
    peak: int
    read: int
    cpu: float


def facts_of_process():
    with open("/proc/self/status") as status, open("/proc/self/io") as io:
        peak = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))
        read = next(int(line.split()[1]) for line in io if line.startswith("read_bytes"))
    return Facts(os.getpid(), peak, read, time.process_time())


# --- Chunks of a Zarr array -------------------------------------------------------------------------------------------


def do_chunk(job, index, with_stride=True):
    """A task: one chunk of the result, from the chunks of the source that it meets."""
    import zarr

    src, dst = zarr.open_array(job["input"], mode="r"), zarr.open_array(job["partial"], mode="r+")
    axes = job["axes"]
    lows = [number * size for number, size in zip(index, dst.chunks)]
    highs = [min(low + size, whole) for low, size, whole in zip(lows, dst.chunks, dst.shape)]
    if not with_stride:
        there = tuple(slice(lows[axes.index(axis)], highs[axes.index(axis)]) for axis in range(len(axes)))
        dst[tuple(map(slice, lows, highs))] = src[there].transpose(axes)
        return facts_of_process()
    out = np.empty([high - low for low, high in zip(lows, highs)], dst.dtype)
    meets = [range(lows[k] // src.chunks[axis], -(-highs[k] // src.chunks[axis])) for k, axis in enumerate(axes)]
    for numbers in itertools.product(*meets):  # In the order of the result's dimensions.
        place = [0] * len(axes)
        to, of = [], [slice(None)] * len(axes)
        for k, axis in enumerate(axes):
            place[axis], begin = numbers[k], numbers[k] * src.chunks[axis]
            low, high = max(lows[k], begin), min(highs[k], begin + src.chunks[axis])
            to.append(slice(low - lows[k], high - lows[k]))
            of[axis] = slice(low - begin, high - begin)
        block = src.blocks[tuple(place)]
        stride.copy(stride.array(out)[tuple(to)], stride.array(block)[tuple(of)].permute(*axes), threads=1)
        del block
    dst[tuple(map(slice, lows, highs))] = out
    return facts_of_process()


def create_zarr(path, src, axes, chunks):
    import zarr

    names = getattr(src.metadata, "dimension_names", None)
    more = {"dimension_names": [names[axis] for axis in axes]} if names else {}
    return zarr.create_array(path, shape=[src.shape[axis] for axis in axes], chunks=chunks, dtype=src.dtype,
                             compressors=src.compressors, fill_value=src.fill_value, attributes=dict(src.attrs),
                             zarr_format=src.metadata.zarr_format, overwrite=True, **more)


# --- Workers ----------------------------------------------------------------------------------------------------------


def memory_cgroup(name):
    """The folder of a memory cgroup, and the file of its limit."""
    if os.path.isdir(f"{CGROUPS}/memory"):
        return f"{CGROUPS}/memory/{name}", "memory.limit_in_bytes"
    return f"{CGROUPS}/{name}", "memory.max"


def bound(limit, group):
    """Bounds this worker besides the nanny, which looks only now and then: its own data, which leaves out mapped files,
    and with a cgroup also the pages of files that it reads and writes."""
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    if group:
        folder, file = memory_cgroup(f"{group}-{os.getpid()}")
        os.mkdir(folder)
        for name, value in ((file, limit), ("cgroup.procs", os.getpid())):
            with open(os.path.join(folder, name), "w") as opened:
                opened.write(str(value))


@contextlib.contextmanager
def workers(options):
    """A client of workers of one thread each; those that Dask starts again are bounded too."""
    import dask
    from distributed import Client, LocalCluster, WorkerPlugin

    limit, group = options.memory, f"stride-{os.getpid()}" if options.cgroup else ""

    class Bounds(WorkerPlugin):
        name = "bounds"

        def setup(self, worker):
            bound(limit, group)

    dask.config.set({"distributed.worker.memory.spill": False, "distributed.worker.memory.target": False,
                     "distributed.admin.low-level-log-length": 0})
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with LocalCluster(n_workers=options.workers, threads_per_worker=1, processes=True, memory_limit=options.memory,
                      dashboard_address=None, silence_logs=logging.CRITICAL) as cluster, Client(cluster) as client:
        client.register_plugin(Bounds())
        client.wait_for_workers(options.workers)
        yield client
    if group:
        parent, name = os.path.split(memory_cgroup(group)[0])
        for found in os.listdir(parent):
            if found.startswith(name):
                with contextlib.suppress(OSError):
                    os.rmdir(os.path.join(parent, found))


def facts_of_all(client):
    """Facts of all workers, or of this process."""
    answers = client.run(facts_of_process).values() if client else [facts_of_process()]
    return {answer[0]: Facts(*answer) for answer in answers}


def killed_in_task(ended, function, *task):
    """A task whose worker is killed once all its bytes are written, before anybody has heard of it. A worker that runs
    it again finds the file `ended` and is left alive."""
    facts = function(*task)
    with contextlib.suppress(FileExistsError), open(ended, "x") as file:
        print(os.getpid(), file=file, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    return facts


def run_tasks(client, function, tasks, kill, ended_at):
    """Runs all tasks; the worker of number `kill` is killed in it, and the file `ended_at` says which one that was.
    Answers with the facts of each worker after its last task."""
    from distributed import TimeoutError, as_completed

    facts, ended, total = {}, 0, len(tasks)
    if kill is not None and not 0 <= kill < total:
        give_up(f"--kill {kill}: there are {total} tasks, from 0 on")
    futures = [client.submit(*((killed_in_task, ended_at) if number == kill else ()), function, *task,
                             key=f"{function.__name__}-{number}", pure=False)
               for number, task in enumerate(tasks)]
    waiting = as_completed(futures, with_results=True)
    del futures
    alive = time.monotonic()
    while ended < total:
        if waiting.is_empty():
            time.sleep(0.01)
            # A nanny closes if its worker does not end in time. Without any worker no task ends.
            if time.monotonic() > alive + WAIT_SECONDS:
                try:
                    client.wait_for_workers(1, timeout=WAIT_SECONDS)
                except TimeoutError:
                    give_up(f"no worker is left, {ended} of {total} tasks ended; is --memory too small for --piece?")
                alive = time.monotonic()
            continue
        for future, answer in waiting.next_batch(block=False):
            if future.status == "error":
                future.result()  # Raises what the task did.
            future.release()  # A result that is here need not be made again.
            of = Facts(*answer)  # Dask may send a tuple.
            facts[of.pid] = max(of, facts.get(of.pid, of), key=lambda one: one.cpu)
            ended += 1
    if kill is not None:
        with open(ended_at) as file:
            print(f"worker {file.read().strip()} was killed in task {function.__name__}-{kill} of {total}")
    return facts


class Mapped:
    """A .npy file as Dask's own functions take it: opened anew where it is used."""

    def __init__(self, path, writable=False):
        array = np.load(path, mmap_mode="r")
        self.path, self.writable = path, writable
        self.shape, self.dtype, self.ndim = array.shape, array.dtype, array.ndim

    def __getitem__(self, index):
        return np.array(np.load(self.path, mmap_mode="r")[index])

    def __setitem__(self, index, value):
        np.load(self.path, mmap_mode="r+")[index] = value


# --- The ways ---------------------------------------------------------------------------------------------------------


class Npy:
    """A .npy file and its transpose."""

    def __init__(self, options):
        self.options = options
        try:
            array = self.array()
        except (OSError, ValueError) as problem:
            give_up(f"{options.input}: {problem}")
        self.axes = checked_axes(options.axes, array.ndim)
        self.src = stride.Layout.of(array).permute(*self.axes)
        self.dst = stride.Layout(self.src.dtype, self.src.shape)
        self.nbytes, self.shape, self.dtype = array.nbytes, self.dst.shape, array.dtype
        self.job = {"input": options.input, "partial": options.output + ".partial", "axes": self.axes,
                    "src_offset": array.offset, "dst_offset": PAGE, "nbytes": self.nbytes}

    def array(self):
        """The source, mapped until the caller lets go of it."""
        return np.load(self.options.input, mmap_mode="r")

    def create(self):
        make_npy(self.job["partial"], self.dtype, self.shape)

    def tasks(self):
        if self.nbytes == 0:
            return do_box, []
        if self.options.cut == "parts":
            plan, parts = stride.Plan(self.dst, self.src), -(-self.nbytes // self.options.piece)
            return do_part, [(self.job, plan, part, parts) for part in range(parts)]
        return do_box, [(self.job, *box) for box in boxes_of(self.dst, self.src, self.options.piece)]

    def one(self, threads):
        out = np.load(self.job["partial"], mmap_mode="r+")
        stride.copy(out, self.array().transpose(self.axes), threads=threads, slab_bytes=self.options.piece)

    def copyto(self):
        np.copyto(np.load(self.job["partial"], mmap_mode="r+"), self.array().transpose(self.axes))

    def dask(self):
        import dask.array as da

        sizes = box_sizes(self.dst, self.src, self.options.piece)
        chunks = tuple(sizes[self.axes.index(axis)] for axis in range(len(sizes)))
        source = da.from_array(Mapped(self.options.input), chunks=chunks, name=False)
        da.store(source.transpose(self.axes), Mapped(self.job["partial"], True), lock=False)

    def check(self):
        """Whether each element is the one that NumPy has, box by box."""
        out, wanted = np.load(self.options.output, mmap_mode="r"), self.array().transpose(self.axes)
        if out.shape != wanted.shape or out.dtype != wanted.dtype:
            return False
        sizes = box_sizes(self.dst, self.src, self.options.piece)
        for starts in itertools.product(*(range(0, whole, size) for whole, size in zip(self.shape, sizes))):
            box = tuple(slice(start, start + size) for start, size in zip(starts, sizes))
            if np.ascontiguousarray(out[box]).tobytes() != np.ascontiguousarray(wanted[box]).tobytes():
                return False
        return True


class Zarr:
    """A Zarr array and its transpose."""

    def __init__(self, options):
        import zarr

        self.options = options
        try:
            self.array = zarr.open_array(options.input, mode="r")
        except (OSError, ValueError) as problem:
            give_up(f"{options.input}: {problem}")
        self.axes = checked_axes(options.axes, self.array.ndim)
        self.nbytes = self.array.nbytes
        self.shape = tuple(self.array.shape[axis] for axis in self.axes)
        self.chunks = options.chunks or tuple(self.array.chunks[axis] for axis in self.axes)
        if len(self.chunks) != len(self.axes) or min(self.chunks, default=1) < 1:
            give_up(f"--chunks has {self.chunks}, the array {len(self.axes)} dimensions")
        # One chunk of each side, and each once more while it is packed or unpacked; the interpreter has a quarter.
        both = 2 * (math.prod(self.chunks) + math.prod(self.array.chunks)) * self.array.dtype.itemsize
        if both > options.memory * 3 // 4:
            give_up(f"a task needs {both} bytes for its chunks, a worker has {options.memory}: take smaller chunks")
        self.job = {"input": options.input, "partial": options.output + ".partial", "axes": self.axes}

    def indices(self):
        return itertools.product(*(range(-(-whole // size)) for whole, size in zip(self.shape, self.chunks)))

    def create(self):
        create_zarr(self.job["partial"], self.array, self.axes, self.chunks)

    def tasks(self):
        return do_chunk, [(self.job, index) for index in self.indices()]

    def one(self, threads):
        for index in self.indices():
            do_chunk(self.job, index)

    def copyto(self):
        for index in self.indices():
            do_chunk(self.job, index, with_stride=False)

    def dask(self):
        import dask.array as da
        import zarr

        source = da.from_zarr(self.options.input).transpose(self.axes).rechunk(self.chunks)
        da.store(source, zarr.open_array(self.job["partial"], mode="r+"), lock=False)

    def check(self):
        import zarr

        out = zarr.open_array(self.options.output, mode="r")
        if out.shape != self.shape or out.dtype != self.array.dtype:
            return False
        for index in self.indices():
            here = tuple(slice(number * size, (number + 1) * size) for number, size in zip(index, self.chunks))
            there = tuple(here[self.axes.index(axis)] for axis in range(len(self.axes)))
            if out[here].tobytes() != np.ascontiguousarray(self.array[there].transpose(self.axes)).tobytes():
                return False
        return True


def checked_axes(axes, rank):
    axes = tuple(range(rank))[::-1] if axes is None else axes
    if sorted(axes) != list(range(rank)):
        give_up(f"--axes has {','.join(map(str, axes))}, the array's dimensions are 0 to {rank - 1}")
    return axes


def make_input(path, text):
    """An array of numbers, all different as far as the type has so many: DTYPE:SIZES or DTYPE:SIZES/CHUNKS."""
    dtype, _, rest = text.partition(":")
    dtype, (sizes, _, chunks) = np.dtype(dtype), rest.partition("/")
    shape = numbers_of(sizes)
    if path.endswith(".zarr"):
        import zarr

        out = zarr.create_array(path, shape=shape, dtype=dtype, chunks=numbers_of(chunks), compressors=None)
        step = out.chunks[0]
    else:
        make_npy(path, dtype, shape)
        out, step = np.load(path, mmap_mode="r+"), max(1, (1 << 26) // max(1, math.prod(shape[1:]) * dtype.itemsize))
    row = math.prod(shape[1:])
    for first in range(0, shape[0], step):
        rows = min(step, shape[0] - first)
        values = np.arange(first * row, (first + rows) * row, dtype="u8") * np.uint64(0x9E3779B97F4A7C15)
        narrow = (values >> np.uint64(64 - 8 * min(8, dtype.itemsize))).astype(f"u{min(8, dtype.itemsize)}")
        out[first:first + rows] = narrow.view(dtype).reshape(rows, *shape[1:])


def time_way(array, way, options):
    """Runs one way and prints its line."""
    partial = array.job["partial"]
    killed = partial + ".killed"
    for path in (partial, killed, options.output):
        remove(path)
    try:
        array.create()
    except OSError as problem:
        remove(partial)
        give_up(f"{partial}: {problem.strerror}")
    if options.cold:
        leave_cache(options.input)
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # The peak of this process begins anew.
    line = {"way": way, "bytes": array.nbytes}
    try:
        with contextlib.ExitStack() as stack:
            client = stack.enter_context(workers(options)) if way in ("stride", "dask") else None
            before = facts_of_all(client)
            began = time.perf_counter()
            if way == "stride":
                function, tasks = array.tasks()
                line["tasks"] = len(tasks)
                facts = run_tasks(client, function, tasks, options.kill, killed)
            else:
                if way == "dask":
                    array.dask()
                elif way == "copyto":
                    array.copyto()
                else:
                    array.one(1 if way == "one" else None)
                facts = facts_of_all(client)
            line["seconds"] = time.perf_counter() - began
        remove(killed)
    except BaseException as problem:
        remove(killed)
        remove(partial)
        if type(problem).__name__ == "KilledWorker":
            give_up("workers died again and again in the same task; is --memory too small for --piece?")
        raise
    began = time.perf_counter()
    sync(partial)
    os.rename(partial, options.output)
    nothing = Facts(0, 0, 0, 0)
    line["sync"], line["peaks"] = time.perf_counter() - began, sorted(of.peak for of in facts.values())
    line["read"] = sum(of.read - before.get(of.pid, nothing).read for of in facts.values())
    line["cpu"] = sum(of.cpu - before.get(of.pid, nothing).cpu for of in facts.values())
    peaks, rate = ", ".join(f"{peak / 1e6:.0f}" for peak in line["peaks"]), array.nbytes / line["seconds"] / 1e9
    print(f"{way:8} {line['seconds']:8.2f} s {rate:6.2f} GB/s, CPU {line['cpu']:7.2f} s; "
          f"to the disk {line['sync']:6.2f} s; read {line['read'] / max(1, array.nbytes):5.2f} times; peak MB {peaks}"
          + (f"; {line['tasks']} tasks" if "tasks" in line else ""), flush=True)
    if options.json:
        print(json.dumps(line))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("input", help="a .npy file or a folder that is a Zarr array")
    parser.add_argument("output", help="is replaced")
    parser.add_argument("--axes", type=numbers_of, help="as numpy.transpose; default: all reversed")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--memory", type=bytes_of, default="512MB", help="of a worker")
    parser.add_argument("--piece", type=bytes_of, help="bytes of a task of a .npy file; default: an eighth of --memory")
    parser.add_argument("--cut", choices=("boxes", "parts"), default="boxes", help="how a .npy file is cut")
    parser.add_argument("--chunks", type=numbers_of, help="of the Zarr result")
    parser.add_argument("--way", default="stride", help="list of: stride (tasks of Dask), one (one process), threads "
                        "(one process, its threads), copyto (NumPy), dask (its own transpose and store)")
    parser.add_argument("--kill", type=int, metavar="N", help="kill the worker of task N (0, 1, ...) in its task")
    parser.add_argument("--cold", action="store_true", help="the input leaves the page cache first")
    parser.add_argument("--cgroup", action="store_true", help="a memory cgroup for each worker (as root)")
    parser.add_argument("--check", action="store_true", help="compare the last result with NumPy's")
    parser.add_argument("--make", metavar="DTYPE:SIZES[/CHUNKS]", help="make the input first, unless it is there")
    parser.add_argument("--json", action="store_true", help="each line also as JSON")
    options = parser.parse_args()
    options.piece = options.piece or options.memory // 8
    ways = options.way.split(",")
    for way in ways:
        if way not in ("stride", "one", "threads", "copyto", "dask"):
            give_up(f"--way: '{way}' is none of stride, one, threads, copyto, dask")
    if options.workers < 1 or options.piece < PAGE:
        give_up(f"{options.workers} workers, pieces of {options.piece} bytes: at least 1 and {PAGE} are needed")
    options.input, options.output = os.path.abspath(options.input), os.path.abspath(options.output)
    if options.input == options.output:
        give_up("INPUT and OUTPUT are the same")
    if options.make and not os.path.exists(options.input):
        make_input(options.input, options.make)
    if not os.path.exists(options.input):
        give_up(f"{options.input} is not there")
    array = Zarr(options) if os.path.isdir(options.input) else Npy(options)
    print(f"{array.nbytes} bytes, axes {array.axes} to {array.shape}; {options.workers} workers of "
          f"{options.memory / 1e6:.0f} MB")
    for way in ways:
        time_way(array, way, options)
    if options.check:
        if not array.check():
            give_up(f"{options.output} is not what NumPy's transpose is")
        print("as NumPy's transpose, byte for byte")


if __name__ == "__main__":
    main()
