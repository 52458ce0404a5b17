"""The threads that the parts of a copy run on: started by the first copy that wants them, forgotten by a child."""

from __future__ import annotations

import concurrent.futures
import operator
import os
import threading
from collections.abc import Callable
from typing import Optional

#: Bytes for which a thread more is worth the handing over, some tens of microseconds in Python.
BYTES_A_THREAD = 1 << 20

_lock = threading.Lock()
_pool: Optional[concurrent.futures.ThreadPoolExecutor] = None


def cpus() -> int:
    """The processors that this process may run on."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _threads() -> concurrent.futures.ThreadPoolExecutor:
    global _pool
    with _lock:
        if _pool is None:
            # One for each processor that is there, whatever this process may use now: idle threads cost nothing.
            _pool = concurrent.futures.ThreadPoolExecutor(max(1, os.cpu_count() or 1), "stride")
        return _pool


def _forget_threads() -> None:
    """A child has none of its parent's threads, and perhaps its lock."""
    global _pool, _lock
    _pool, _lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_threads)


def each_part(part: Callable[[int, int], None], parts: int) -> None:
    """Runs all parts, the last one here, and returns when all have ended."""
    tasks = []
    try:
        for number in range(parts - 1):
            tasks.append(_threads().submit(part, number, parts))
    except RuntimeError:  # Python is ending and takes no more tasks: the rest is done here.
        pass
    try:
        for number in range(len(tasks), parts):
            part(number, parts)
    finally:
        _wait(tasks)
    for task in tasks:
        task.result()


def _wait(tasks: list[concurrent.futures.Future[None]]) -> None:
    """Returns when all have ended, Ctrl-C or not: until then they write to memory that must not go away."""
    interrupted = None
    while True:
        try:
            concurrent.futures.wait(tasks)
            break
        except KeyboardInterrupt as problem:
            interrupted = problem
    if interrupted is not None:
        raise interrupted


def parts_of(threads: Optional[int], nbytes: int) -> int:
    """Into how many parts a copy of so many bytes is cut."""
    if threads is None:
        return max(1, min(cpus(), nbytes // BYTES_A_THREAD)) if nbytes >= 2 * BYTES_A_THREAD else 1
    threads = operator.index(threads)
    if threads < 1:
        raise ValueError(f"threads is {threads}, at least 1 is needed")
    return min(threads, 1024)
