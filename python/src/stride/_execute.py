"""Plans and copies between addresses, by one thread or several. Sides that share bytes take what scratch they need."""

from __future__ import annotations

import ctypes
from typing import Optional

from . import _raw
from ._library import UNBOUNDED, call, failure, lib, address_of
from ._threads import each_part, parts_of


def execute(plan: _raw.Plan, dst: int, dst_bytes: int, src: int, src_bytes: int, parts: int,
            conversion: Optional[_raw.Conversion] = None) -> None:
    """Runs a plan; its sides may share bytes if it was made so. A conversion has the lists that the plan needs."""
    lists = (conversion.subtracts, conversion.scales, conversion.adds, conversion.value_count) if conversion else ()
    run = lib.stride_plan_execute_values if conversion else lib.stride_plan_execute_part

    def part(number: int, count: int) -> None:
        call(run, plan, dst, dst_bytes, src, src_bytes, *lists, number, count)

    if parts > 1:
        each_part(part, parts)
        return
    record = _raw.Error()
    status = lib.stride_plan_execute(plan, dst, dst_bytes, src, src_bytes, record)
    if status == _raw.STATUS_SCRATCH_NEEDED:
        scratch = bytearray(record.lhs)
        call(lib.stride_plan_execute_scratch, plan, dst, dst_bytes, src, src_bytes, address_of(scratch), record.lhs)
    elif status:
        raise failure(record)


def copy_layouts(dst: _raw.Layout, dst_base: int, src: _raw.Layout, src_base: int, nbytes: int,
                 threads: Optional[int] = None, conversion: Optional[_raw.Conversion] = None) -> None:
    """One copy of equal shapes, of so many bytes; the sides may share some. Without a conversion dtypes are equal."""
    record, options = _raw.Error(), None
    if conversion:
        options = _raw.CopyOptions(struct_size=ctypes.sizeof(_raw.CopyOptions), conversion=ctypes.pointer(conversion))
    parts = 1 if threads == 1 else parts_of(threads, nbytes)
    if parts > 1:
        plan = _raw.Plan()
        status = lib.stride_plan_init(plan, dst, src, options, record)
        if status == 0:
            try:
                execute(plan, dst_base, UNBOUNDED, src_base, UNBOUNDED, parts, conversion)
                return
            except ValueError as problem:
                status = getattr(problem, "status", 0)
                if status not in (_raw.STATUS_OVERLAP, _raw.STATUS_UNDECIDED):
                    raise
    else:
        status = lib.stride_copy(dst, dst_base, UNBOUNDED, src, src_base, UNBOUNDED, options, record)
        if status == 0:
            return
    # Whether sides share bytes is found before anything is written.
    if status in (_raw.STATUS_OVERLAP, _raw.STATUS_UNDECIDED):
        options = options or _raw.CopyOptions(struct_size=ctypes.sizeof(_raw.CopyOptions))
        options.flags = _raw.COPY_OVERLAP
        status = lib.stride_copy(dst, dst_base, UNBOUNDED, src, src_base, UNBOUNDED, options, record)
        if status == _raw.STATUS_SCRATCH_NEEDED:
            scratch = bytearray(record.lhs)
            options.scratch, options.scratch_bytes = address_of(scratch), record.lhs
            status = lib.stride_copy(dst, dst_base, UNBOUNDED, src, src_base, UNBOUNDED, options, record)
    if status:
        raise failure(record)


def copy_sides(dst: _raw.Side, dst_place: tuple[int, int], src: _raw.Side, src_place: tuple[int, int],
               options: Optional[_raw.CopyOptions], nbytes: int, threads: Optional[int]) -> None:
    """One copy between sides that share nothing, of so many bytes."""
    parts = 1 if threads == 1 else parts_of(threads, nbytes)
    if parts > 1:
        plan, record = _raw.Plan(), _raw.Error()
        status = lib.stride_plan_init_sides(plan, dst, src, options, record)
        if status == 0:
            execute(plan, *dst_place, *src_place, parts)
            return
        if record.detail != _raw.DETAIL_PLAN_SIZE:  # More runs than a plan can hold are left to one thread.
            raise failure(record)
    call(lib.stride_copy_sides, dst, *dst_place, src, *src_place, options)
