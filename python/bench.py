#!/usr/bin/env python3
"""The same copies by NumPy, PyTorch and stride, as a table in Markdown.

    python3 python/bench.py [--milliseconds 200] [--threads N] [--mib 64]
    python3 python/bench.py --small [--at-most 2]

Two tables: copies into an existing array (numpy.copyto, torch.Tensor.copy_, stride.copy), and into a new array
(numpy.ascontiguousarray, torch.Tensor.contiguous, stride.ascontiguous), where the system hands out the memory as
well. Each figure is the median time of a job, alternating with the others of as many threads, in the same run.
The ratios are NumPy's time, and PyTorch's on as many threads, divided by that of stride. PyTorch is left out where it
is not installed. `--small` prints two of small copies and other jobs instead, in nanoseconds of the CPU, the best of
many; with `--at-most` it fails where a copy by stride takes more than so many times what NumPy does.
"""

from __future__ import annotations

import argparse
import pathlib
import platform
import statistics
import sys
import time
import timeit
from typing import Any, Callable

import numpy as np

import stride

try:
    import torch
except ImportError:
    torch = None


def alternated(jobs: dict[str, Callable[[], Any]], milliseconds: float) -> dict[str, float]:
    """The median seconds of each job; the jobs alternate."""
    for job in jobs.values():
        job()
    times: dict[str, list[float]] = {name: [] for name in jobs}
    end = time.perf_counter() + milliseconds / 1000 * len(jobs)
    while time.perf_counter() < end or len(next(iter(times.values()))) < 5:
        for name, job in jobs.items():
            begin = time.perf_counter()
            job()
            times[name].append(time.perf_counter() - begin)
    return {name: statistics.median(taken) for name, taken in times.items()}


def cases(mib: int) -> dict[str, tuple[Any, Any]]:
    """Name: the array and the axes of the transpose that is copied."""
    side = int((mib * 2**20 / 4) ** 0.5) // 8 * 8
    images = max(1, mib * 2**20 // (3 * 224 * 224))
    few, heads = max(1, images // 4), max(2, mib)

    def made(shape: tuple[int, ...], dtype: str) -> Any:
        return (np.arange(np.prod(shape)) % 251).astype(dtype).reshape(shape)

    return {
        f"transpose f32 {side} x {side}": (made((side, side), "f4"), (1, 0)),
        f"transpose u8 {2 * side} x {2 * side}": (made((2 * side, 2 * side), "u1"), (1, 0)),
        f"NHWC to NCHW u8 {images} x 224 x 224 x 3": (made((images, 224, 224, 3), "u1"), (0, 3, 1, 2)),
        f"NCHW to NHWC u8 {images} x 3 x 224 x 224": (made((images, 3, 224, 224), "u1"), (0, 2, 3, 1)),
        f"NHWC to NCHW f32 {few} x 224 x 224 x 3": (made((few, 224, 224, 3), "f4"), (0, 3, 1, 2)),
        f"heads f16 32 x 1024 x {heads} x 16 to 32 x {heads} x 1024 x 16":
            (made((32, 1024, heads, 16), "f2"), (0, 2, 1, 3)),
        "reversed axes f32 200 x 300 x 280": (made((200, 300, 280), "f4"), (2, 1, 0)),
    }


def small(at_most: float) -> None:
    """Copies whose time is that of finding out what the arrays are."""
    print("| copy | np.copyto | stride.copy | ratio |\n|---|---|---|---|")
    transposed = np.ones((16, 16), "f4").T
    slow = []
    # Windows counts a process's time by 15 ms.
    timer = time.perf_counter if sys.platform == "win32" else time.process_time
    for name, src in [*((f"{size} B", np.ones(size // 4, "f4")) for size in (16, 1024, 65536)),
                      ("transpose f32 16 x 16", transposed),
                      ("u8 16 x 16 of rows of 20", np.ones((16, 20), "u1")[:, :16])]:
        dst = np.zeros(src.shape, src.dtype)
        jobs = [timeit.Timer(job, timer=timer)
                for job in (lambda: np.copyto(dst, src), lambda: stride.copy(dst, src))]
        best = [float("inf")] * 2
        for iteration in range(1000):  # Alternating, so that what else the machine does meets both.
            if iteration >= 100 and best[1] <= at_most * best[0]:
                break
            best = [min(known, job.timeit(1000) * 1e6) for known, job in zip(best, jobs)]
        print(f"| {name} | {best[0]:.0f} ns | {best[1]:.0f} ns | {best[1] / best[0]:.1f} |", flush=True)
        if best[1] > at_most * best[0]:
            slow.append(name)
    print("\n| job | NumPy | stride | ratio |\n|---|---|---|---|")
    for name, (theirs, ours) in helpers().items():
        pair = (timeit.Timer(theirs), timeit.Timer(ours))
        best = [float("inf")] * 2
        for _ in range(100):
            best = [min(known, job.timeit(200) * 5e6) for known, job in zip(best, pair)]
        print(f"| {name} | {best[0]:.0f} ns | {best[1]:.0f} ns | {best[1] / best[0]:.1f} |", flush=True)
    if slow:
        sys.exit(f"more than {at_most} times what NumPy takes: {', '.join(slow)}")


def helpers() -> dict[str, tuple[Callable[[], Any], Callable[[], Any]]]:
    """Name: the job as NumPy does it, and stride."""
    a, transposed = np.zeros((8, 8), "f4"), np.ones((8, 8), "f4").T
    plan = stride.Plan(stride.Layout.of(a), stride.Layout.of(transposed))
    image, x, y = np.ones((16, 16, 3), "u1"), np.ones(64, "f4"), np.ones(64, "f4")
    records, foreign = np.zeros(64, "u1,<f4")["f1"], np.ones(64, ">f4")
    table, rows = np.ones((64, 16), "f4"), np.random.default_rng(1).permutation(64)
    nibbles, wide = np.ones(1 << 16, "u1"), np.zeros(1 << 17, "u1")
    packed, apart = (stride.Layout("uint4", (1 << 17,), (step,)) for step in (1, 2))

    def shifts() -> None:
        wide[::2], wide[1::2] = nibbles & 15, nibbles >> 4

    return {
        "Plan.execute f32 8 x 8": (lambda: np.copyto(a, transposed), lambda: plan.execute(a, transposed)),
        "to_channels_first u8 16 x 16 x 3":
            (lambda: np.ascontiguousarray(np.moveaxis(image, -1, 0)), lambda: stride.to_channels_first(image)),
        "flip_copy u8 16 x 16 x 3": (lambda: np.flip(image, 0).copy(), lambda: stride.flip_copy(image, 0)),
        "take u8 16 x 16 x 3": (lambda: image[..., [2, 1, 0]], lambda: stride.take(image, (2, 1, 0))),
        "take 64 rows of 64 B": (lambda: np.take(table, rows, 0), lambda: stride.take(table, rows, 0)),
        "copy_range f32 32 of 64":
            (lambda: np.copyto(x[:32], y[16:48]), lambda: stride.copy_range(x[:32], y, 32, src_first=16)),
        "131072 nibbles to a byte each":
            (shifts, lambda: stride.copy(wide, nibbles, dst_side=apart, src_side=packed, fill=b"\0")),
        "fill f32 64": (lambda: x.fill(1.0), lambda: stride.fill(x, 1.0)),
        "equal f32 64": (lambda: np.array_equal(x, y), lambda: stride.equal(x, y)),
        "f32 64 from packed records": (lambda: np.copyto(x, records), lambda: stride.copy(x, records)),
        "f32 64 from the other byte order": (lambda: np.copyto(x, foreign), lambda: stride.copy(x, foreign)),
    }


def cpu() -> str:
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def row(name: str, array: Any, axes: tuple[int, ...], many: int, milliseconds: float, new: bool) -> str:
    """One line of a table."""
    view = array.transpose(axes)
    dst = np.zeros(view.shape, view.dtype)
    alone: dict[str, Callable[[], Any]]
    together: dict[str, Callable[[], Any]]
    if new:
        alone = {"numpy": lambda: np.ascontiguousarray(view), "one": lambda: stride.ascontiguous(view, threads=1)}
        together = {"many": lambda: stride.ascontiguous(view, threads=many)}
    else:
        alone = {"numpy": lambda: np.copyto(dst, view), "one": lambda: stride.copy(dst, view, threads=1)}
        together = {"many": lambda: stride.copy(dst, view, threads=many)}
    if torch:
        other, tensor = torch.from_numpy(np.zeros_like(dst)), torch.from_numpy(array).permute(axes)
        alone["torch"] = together["torch many"] = tensor.contiguous if new else lambda: other.copy_(tensor)
        torch.set_num_threads(1)
    taken = alternated(alone, milliseconds)
    if torch:
        torch.set_num_threads(many)
    taken.update(alternated(together, milliseconds))
    stride.copy(dst, view)
    assert stride.equal(dst, np.ascontiguousarray(view)) and stride.equal(dst, stride.ascontiguous(view)), name

    def speed(seconds: float) -> str:
        return f"{seconds * 1e6:.1f} µs" if view.nbytes < 2**20 else f"{view.nbytes / seconds / 1e9:.1f} GB/s"

    def ratio(job: str, by: str) -> str:
        return f"{taken[job] / taken[by]:.1f} x" if job in taken else ""

    return (f"| {name} | {speed(taken['one'])} | {ratio('numpy', 'one')} | {ratio('torch', 'one')} | "
            f"{speed(taken['many'])} | {ratio('torch many', 'many')} |")


def main() -> None:
    parser = argparse.ArgumentParser(description="NumPy, PyTorch and stride side by side.")
    parser.add_argument("--milliseconds", type=float, default=200, help="for each job")
    parser.add_argument("--threads", type=int, default=stride.cpus())
    parser.add_argument("--mib", type=int, default=64, help="megabytes of a large case")
    parser.add_argument("--small", action="store_true", help="small copies")
    parser.add_argument("--at-most", type=float, default=float("inf"), help="of small ones: the highest ratio")
    options = parser.parse_args()
    many = options.threads
    print(f"{cpu()}, {stride.cpu_level()}, {stride.cpus()} processors; NumPy {np.__version__}, "
          f"PyTorch {torch.__version__ if torch else 'not installed'}, stride {stride.__version__}")
    if options.small:
        small(options.at_most)
        return
    for title, new, by_numpy, by_torch in (("into an existing array", False, "np.copyto", "torch copy_"),
                                           ("into a new array", True, "np.ascontiguousarray", "torch contiguous")):
        print(f"\n| copy {title} | stride, 1 thread | {by_numpy} takes | {by_torch} takes, 1 thread | "
              f"stride, {many} threads | {by_torch} takes, {many} threads |\n|---|---|---|---|---|---|")
        for name, (array, axes) in cases(options.mib).items():
            print(row(name, array, axes, many, options.milliseconds, new), flush=True)


if __name__ == "__main__":
    main()
