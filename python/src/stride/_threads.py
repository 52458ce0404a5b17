"""The threads that the parts of a copy run on: started by the first copy that wants them, forgotten by a child."""

from __future__ import annotations

import _thread
import operator
import os
import queue
import threading
from collections.abc import Callable
from typing import Optional

#: Bytes for which a thread more is worth the handing over, some tens of microseconds in Python.
BYTES_A_THREAD = 1 << 20

# An interruption may raise an exception between any two lines of Python, so all that waits here is a lock or a queue of
# C's: `threading.Thread.start` and the pools of `concurrent.futures` can lose a lock of theirs to it, and hang then.
_lock = threading.Lock()
_jobs: queue.SimpleQueue[_Job] = queue.SimpleQueue()
_started = 0


def cpus() -> int:
    """The processors that this process may run on."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _serve(jobs: queue.SimpleQueue[_Job]) -> None:
    """What a thread does, until the process ends."""
    while True:
        job = jobs.get()
        job.help()
        del job


def _start(wanted: int) -> int:
    """How many of the threads wanted are there: at most one for each processor, whatever this process may use now, and
    fewer where no more can be started."""
    global _started
    wanted = min(wanted, max(1, os.cpu_count() or 1))
    with _lock:
        try:
            while _started < wanted:
                _thread.start_new_thread(_serve, (_jobs,))
                _started += 1
        except RuntimeError:
            pass
        return min(wanted, _started)


def _forget_threads() -> None:
    """A child has none of its parent's threads, and perhaps its lock."""
    global _jobs, _lock, _started
    _jobs, _lock, _started = queue.SimpleQueue(), threading.Lock(), 0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_threads)


class _Job:
    """The parts of a copy. Each thread takes the next part, until none is left or the job has ended. A thread that
    comes after the end takes none, since the memory may be gone."""

    __slots__ = ("_ended", "_lock", "_next", "_part", "_parts", "_problem", "_running")

    def __init__(self, part: Callable[[int, int], None], parts: int) -> None:
        self._part, self._parts, self._next, self._running = part, parts, 0, 0
        self._problem: Optional[BaseException] = None
        self._lock, self._ended = threading.Lock(), queue.SimpleQueue[None]()

    def _take(self) -> int:
        """The number of a part that nobody has; as many as there are: none is left."""
        with self._lock:
            number = self._next
            self._next = min(number + 1, self._parts)
            return number

    def _all(self) -> None:
        number = self._take()
        while number < self._parts:
            self._part(number, self._parts)
            number = self._take()

    def help(self) -> None:
        """What another thread does."""
        with self._lock:
            if self._next == self._parts:
                return
            self._running += 1
        try:
            self._all()
        except BaseException as problem:
            with self._lock:
                self._problem, self._next = problem, self._parts
        finally:
            with self._lock:
                self._running -= 1
            self._ended.put(None)

    def run(self) -> None:
        """What the caller does; when it returns or raises, whatever interrupts it, all have ended."""
        ended, interrupted = False, None
        try:
            for _ in range(_start(self._parts - 1)):
                _jobs.put(self)
            self._all()
        finally:
            while not ended:  # What interrupts it may come anywhere in `_end`.
                try:
                    self._end()
                    ended = True
                except BaseException as problem:
                    interrupted = problem
            if interrupted is not None:
                try:
                    raise interrupted
                finally:
                    interrupted = None
        if self._problem is not None:
            try:
                raise self._problem
            finally:
                self._problem = None

    def _end(self) -> None:
        """Nobody takes a part from now on; returns when nobody has one."""
        while True:
            with self._lock:
                self._next = self._parts
                if not self._running:
                    return
            try:
                self._ended.get(timeout=0.05)  # An interruption may lose one of these, so they only wake.
            except queue.Empty:
                pass


def each_part(part: Callable[[int, int], None], parts: int) -> None:
    """Runs all parts, some of them here, and returns when all have ended: until then they write to memory that must not
    go away."""
    _Job(part, parts).run()


def parts_of(threads: Optional[int], nbytes: int) -> int:
    """Into how many parts a copy of so many bytes is cut."""
    if threads is None:
        return max(1, min(cpus(), nbytes // BYTES_A_THREAD)) if nbytes >= 2 * BYTES_A_THREAD else 1
    threads = operator.index(threads)
    if threads < 1:
        raise ValueError(f"threads is {threads}, at least 1 is needed")
    return min(threads, 1024)
