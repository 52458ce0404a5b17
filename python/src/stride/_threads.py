"""The threads that the parts of a copy run on: started by the first copy that wants them, forgotten by a child."""

from __future__ import annotations

import _thread
import operator
import os
import queue
import threading
from collections.abc import Callable, Iterator
from typing import Optional

#: A copy of fewer bytes, or on fewer processors, has one thread by default: two threads that share one
#: memory lose more often than they win (docs/PYTHON.md). native.c has the same number of bytes.
THREADED_BYTES = 32 << 20
THREADED_CPUS = 4
#: Bytes for which a thread more is worth the handing over, some tens of microseconds in Python.
BYTES_A_THREAD = 1 << 20

# A signal's handler may raise an exception between any two lines of the main thread, and take what a line had in its
# hand with it. So this thread holds no lock that another one waits for, and nothing that it may lose is counted. (A
# `with` of a lock is no help: Python 3.9 and 3.14 may raise inside it. `threading.Thread.start` and the pools of
# `concurrent.futures` lose locks, and hang then.)
_starting = threading.Lock()
_jobs: queue.SimpleQueue[_Job] = queue.SimpleQueue()
_started = 0


def cpus() -> int:
    """The processors that this process may run on."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _serve(jobs: queue.SimpleQueue[_Job]) -> None:
    """The loop of a thread, until the process ends."""
    while True:
        job = jobs.get()
        job.help()
        del job


def _start(wanted: int) -> int:
    """Starts threads, and returns how many of the wanted ones there are: at most one for each processor, whatever
    this process may use now, and fewer where no more can be started."""
    global _started
    wanted = min(wanted, os.cpu_count() or 1)
    if _starting.acquire(blocking=False):  # Whoever has it starts them, perhaps a line that a signal interrupted.
        try:
            while _started < wanted:
                _thread.start_new_thread(_serve, (_jobs,))
                _started += 1
        except RuntimeError:
            pass
        finally:
            _starting.release()
    return min(wanted, _started)


def _forget_threads() -> None:
    """A child has none of its parent's threads, and perhaps its lock."""
    global _jobs, _starting, _started
    _jobs, _starting, _started = queue.SimpleQueue(), threading.Lock(), 0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_threads)


class _Job:
    """The parts of a copy. Each thread takes the next part, until none is left or the job has ended. A thread that
    comes after the end takes none, since the memory may be gone."""

    __slots__ = ("_began", "_ended", "_left", "_part", "_parts", "_pid", "_problem", "_wakes")

    def __init__(self, part: Callable[[int, int], None], parts: int) -> None:
        self._part, self._parts, self._pid = part, parts, os.getpid()
        self._problem: Optional[BaseException] = None
        #: The numbers of the parts that no thread has taken.
        self._left: queue.SimpleQueue[int] = queue.SimpleQueue()
        #: An entry for each thread that may take parts, and for each that takes none any more.
        self._began: list[None] = []
        self._ended: list[None] = []
        self._wakes: queue.SimpleQueue[None] = queue.SimpleQueue()

    def _taken(self) -> Iterator[int]:
        """Takes one part after the other."""
        while True:
            try:
                yield self._left.get_nowait()
            except queue.Empty:
                return

    def _all(self) -> None:
        for number in self._taken():
            self._part(number, self._parts)

    def _stop(self) -> None:
        """Takes all parts, so that no thread begins another one."""
        for _ in self._taken():
            pass

    def help(self) -> None:
        """The share of another thread; no signal interrupts it."""
        self._began.append(None)
        try:
            self._all()
        except BaseException as problem:
            self._problem = problem
            self._stop()
        finally:
            self._ended.append(None)
            self._wakes.put(None)

    def run(self) -> None:
        """The share of the caller; when it returns or raises, whatever interrupts it, all have ended."""
        ended, interrupted = False, None
        try:
            for number in range(self._parts):
                self._left.put(number)
            for _ in range(_start(self._parts - 1)):
                _jobs.put(self)
            self._all()
        finally:
            # What interrupts it may come anywhere in `_end`, and two signals at once between the tries.
            while not ended:
                try:
                    while not ended:
                        try:
                            self._end()
                            ended = True
                        except BaseException as problem:
                            interrupted = problem
                except BaseException as problem:
                    interrupted = problem
            if interrupted is not None:
                try:
                    raise interrupted
                finally:
                    interrupted = None
        if self._problem is not None:
            raise self._problem

    def forget(self) -> None:
        """Lets go of what a thread raised, whose traceback has this job."""
        self._problem = None

    def _end(self) -> None:
        """Waits until no thread has a part, and none begins another one. (A child that a handler forked has no such
        threads.)"""
        self._stop()
        while self._pid == os.getpid():
            ended = len(self._ended)  # Before those that began, of which none may be left out.
            if ended == len(self._began):
                return
            try:
                self._wakes.get(timeout=0.05)  # An interruption may lose one of these, so they only wake.
            except queue.Empty:
                pass


def each_part(part: Callable[[int, int], None], parts: int) -> None:
    """Runs all parts, some of them here, and returns when all have ended: until then they write to memory that must not
    go away."""
    job = _Job(part, parts)
    try:
        job.run()
    finally:
        job.forget()


def parts_of(threads: Optional[int], nbytes: int) -> int:
    """Into how many parts a copy of so many bytes is cut."""
    if threads is None:
        if nbytes < THREADED_BYTES or cpus() < THREADED_CPUS:
            return 1
        return min(cpus(), nbytes // BYTES_A_THREAD)
    threads = operator.index(threads)
    if threads < 1:
        raise ValueError(f"threads is {threads}, at least 1 is needed")
    return min(threads, 1024)
