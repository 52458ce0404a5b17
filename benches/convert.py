#!/usr/bin/env python3
"""Copies that convert, beside memcpy of as many destination bytes, the plain copy of the wider side's elements, and
what people use today: `make bench-convert`.

A figure is the other one's time over that of a prepared plan of this library, above 1 where this library is faster. All
ways alternate, one thread, and the shortest time of each counts; once with warm caches, and once with both sides
flushed before each call. Both sides begin 16 bytes after a line, as malloc gives large blocks.

  memcpy   of as many bytes as the destination has
  plain    the copy without a conversion, of the elements of the wider side
  naive    the loops of casts.h, compiled with -O3 -march=native (NAIVE_CFLAGS)
  others   numpy, torch, cv2 (blobFromImages), torchvision (to_tensor, normalize), onnxruntime (DequantizeLinear), as
           far as they are installed; those that make a new array take that time too

    --milliseconds N  for each case, warm and cold
    --cases PATTERN   a regular expression for the case
"""
import argparse
import ctypes
import math
import os
import re
import sys
import time

import compare
from compare import CWay, PythonWay, address_of, cv2, numpy, packed, torch

try:
    import torchvision.transforms.functional as torchvision
except ImportError:
    torchvision = None
try:
    import onnx
    import onnxruntime
except ImportError:
    onnxruntime = None

PLACE = compare.PAGE + 16
# Numbers of stride.h, bytes, and what the others call them.
DTYPES = {"pred": (1, 1, "bool"), "s8": (2, 1, "int8"), "s32": (4, 4, "int32"), "s64": (5, 8, "int64"),
          "u8": (6, 1, "uint8"), "f16": (10, 2, "float16"), "f32": (11, 4, "float32"), "bf16": (16, 2, "bfloat16")}


class Conversion(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("flags", ctypes.c_uint32), ("subtract", ctypes.c_double),
                ("scale", ctypes.c_double), ("add", ctypes.c_double), ("values", ctypes.c_void_p),
                ("subtracts", ctypes.c_void_p), ("scales", ctypes.c_void_p), ("adds", ctypes.c_void_p),
                ("value_count", ctypes.c_uint64)]


class Options(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("flags", ctypes.c_uint32), ("cpu_level", ctypes.c_uint32),
                ("reserved", ctypes.c_uint32), ("overlap_budget", ctypes.c_uint64), ("fill", ctypes.c_uint8 * 16),
                ("machine", ctypes.c_void_p), ("scratch", ctypes.c_void_p), ("scratch_bytes", ctypes.c_uint64),
                ("conversion", ctypes.c_void_p)]


class Loops(ctypes.Structure):
    _fields_ = [("counts", ctypes.c_int64 * 4), ("to", ctypes.c_int64 * 4), ("from_", ctypes.c_int64 * 4),
                ("step", ctypes.c_int64)]


class Case:
    """The sizes of the destination, which is packed, and the axes of the source, which is packed in their order."""

    def __init__(self, dst, src, name, sizes, axes=None, affine=False, by_first=False):
        self.dst_dtype, self.src_dtype, self.sizes, self.affine, self.by_first = dst, src, sizes, affine, by_first
        self.axes = axes or list(range(len(sizes)))  # dimension i of the source in memory is dimension axes[i] here
        self.memory_sizes = [sizes[axis] for axis in self.axes]
        self.dst, self.src = packed(sizes), [0] * len(sizes)
        for axis, stride in zip(self.axes, packed(self.memory_sizes)):
            self.src[axis] = stride
        self.count = math.prod(sizes)
        self.name = f"{src} -> {dst} {name}"
        self.bytes = self.count * DTYPES[dst][1]
        self.most = self.count * max(DTYPES[dst][1], DTYPES[src][1])


def cases():
    for name, (n, h, w) in (("16x224x224", (16, 224, 224)), ("1080p", (1, 1080, 1920)), ("4K", (1, 2160, 3840))):
        yield Case("f32", "u8", f"HWC to NCHW {name}, normalised", [n, 3, h, w], [0, 2, 3, 1], affine=True)
    for to in ("bf16", "f16"):
        for power in (12, 16, 20, 24):
            yield Case(to, "f32", f"2^{power}", [1 << power])
        for size in (256, 1000, 4096):
            yield Case(to, "f32", f"{size}x{size} transposed", [size, size], [1, 0])
    yield Case("f32", "s8", "512x4096, a scale for each row", [512, 4096], affine=True, by_first=True)
    yield Case("f32", "s8", "4096x4096, a scale for each row", [4096, 4096], affine=True, by_first=True)
    for power in (12, 16, 20, 24):
        yield Case("s32", "s64", f"2^{power}", [1 << power])
    yield Case("s32", "f32", "2048x2048 transposed", [2048, 2048], [1, 0])
    yield Case("f16", "f32", "2048x2048 transposed", [2048, 2048], [1, 0])
    yield Case("f32", "u8", "HWC to NCHW 8x224x224, by value", [8, 3, 224, 224], [0, 2, 3, 1])
    yield Case("bf16", "f32", "8x16x128x64 of 8x128x16x64", [8, 16, 128, 64], [0, 2, 1, 3])
    yield Case("f32", "pred", "8x16x128x64 of 8x128x16x64", [8, 16, 128, 64], [0, 2, 1, 3])


SUBTRACT, SCALE = 110.0, 1 / 58


class Bench(compare.Bench):
    def sides(self, case, converts):
        """Layouts of both sides; without a conversion both have the wider dtype."""
        dtypes = [case.dst_dtype, case.src_dtype]
        if not converts:
            dtypes = [max(dtypes, key=lambda dtype: DTYPES[dtype][1])] * 2
        layouts = []
        for dtype, strides in zip(dtypes, (case.dst, case.src)):
            layout = compare.Layout(DTYPES[dtype][0], len(case.sizes))
            layout.sizes[:len(case.sizes)], layout.strides[:len(case.sizes)] = case.sizes, strides
            layouts.append(layout)
        return layouts, [case.count * DTYPES[dtype][1] for dtype in dtypes]

    def way(self, case, converts, numbers):
        """A plan; with lists a call, which takes them from its options."""
        layouts, counts = self.sides(case, converts)
        dst, src = self.dst.address + PLACE, self.src.address + PLACE
        options = Options(ctypes.sizeof(Options))
        how = Conversion(ctypes.sizeof(Conversion), int(case.affine), SUBTRACT, SCALE)
        values = compare.Layout(DTYPES["f32"][0], len(case.sizes))
        if converts:
            options.conversion = ctypes.addressof(how)
        if case.by_first:
            values.sizes[:len(case.sizes)], values.strides[0] = case.sizes, 1
            how.values, how.value_count = ctypes.addressof(values), case.sizes[0]
            how.subtracts = how.scales = ctypes.addressof(numbers)
            copy = address_of(self.stride, "stride_copy")
            made = CWay(self.harness, copy, layouts[0], dst, counts[0], layouts[1], src, counts[1], options, 0)
        else:
            plan = (ctypes.c_uint64 * 512)()
            status = self.stride.stride_plan_init(plan, *map(ctypes.byref, layouts), ctypes.byref(options), None)
            assert status == 0, case.name
            execute = address_of(self.stride, "stride_plan_execute")
            made = CWay(self.harness, execute, plan, dst, counts[0], src, counts[1], 0)
        made.kept += (how, values, options, numbers)
        return made

    def naive(self, case, numbers):
        name = f"compare_cast_{case.src_dtype}_{case.dst_dtype}" + ("_affine" if case.affine else "")
        if not hasattr(self.harness, name):
            return {}
        # The first loop stays the first, and the last the last.
        middle = [None] * (4 - len(case.sizes))
        order = [0, *middle, *range(1, len(case.sizes))] if case.by_first else [*middle, *range(len(case.sizes))]
        loops = Loops(step=int(case.by_first))
        for k, axis in enumerate(order):
            loops.counts[k] = 1 if axis is None else case.sizes[axis]
            loops.to[k], loops.from_[k] = (0 if axis is None else of[axis] for of in (case.dst, case.src))
        subtracts, scales = (numbers, numbers) if case.by_first else (
            (ctypes.c_float * 1)(SUBTRACT), (ctypes.c_float * 1)(SCALE))
        dst, src = self.dst.address + PLACE, self.src.address + PLACE
        return {"naive": CWay(self.harness, address_of(self.harness, name), dst, src, loops, subtracts, scales)}

    def ways(self, case):
        numbers = (ctypes.c_float * case.sizes[0])(*([0.5] * case.sizes[0]))
        dst, src = self.dst.address + PLACE, self.src.address + PLACE
        memcpy = CWay(self.harness, address_of(ctypes.CDLL(None), "memcpy"), dst, src, case.bytes)
        ways = {"memcpy": memcpy, "plain": self.way(case, False, numbers), "ours": self.way(case, True, numbers)}
        ways |= self.naive(case, numbers)
        python = others(case, self.dst, self.src) if numpy else {}
        return ways | {name: PythonWay(function) for name, function in python.items()}

    def cold(self, ways, case, milliseconds):
        best, begin, rounds = dict.fromkeys(ways, math.inf), time.perf_counter(), 0
        while rounds < 3 or (time.perf_counter() - begin) * 1e3 < milliseconds:
            for name, way in ways.items():
                for side in (self.dst, self.src):
                    most = ctypes.c_uint64(PLACE + case.most)
                    if self.harness.compare_flush(ctypes.c_void_p(side.address), most):
                        sys.exit("cold: this CPU has no instruction that flushes a line")
                at = time.perf_counter_ns()
                way.once()
                best[name] = min(best[name], time.perf_counter_ns() - at)
            rounds += 1
        return best


def others(case, dst, src):
    """What people call, by name."""
    def array(side, dtype, sizes):
        return numpy.frombuffer(side.bytes, DTYPES[dtype][2], math.prod(sizes), PLACE).reshape(sizes)

    found = {}
    memory = array(src, case.src_dtype, case.memory_sizes)
    x = memory.transpose([case.axes.index(axis) for axis in range(len(case.axes))])
    to = array(dst, case.dst_dtype, case.sizes) if case.dst_dtype != "bf16" else None
    less, scale = numpy.float32(SUBTRACT), numpy.float32(SCALE)
    if case.by_first:
        less = scale = numpy.full([case.sizes[0]] + [1] * (len(case.sizes) - 1), 0.5, "f")
    if case.affine:
        found["numpy"] = lambda: numpy.multiply(numpy.subtract(x, less, out=to, dtype="f"), scale, out=to)
    elif to is not None:
        found["numpy"] = lambda: numpy.copyto(to, x, casting="unsafe")
    if torch:
        dtype = getattr(torch, DTYPES[case.dst_dtype][2])
        y = torch.from_numpy(x)
        out = torch.frombuffer(dst.bytes, dtype=dtype, count=case.count, offset=PLACE).reshape(case.sizes)
        a, b = (torch.as_tensor(of) for of in (less, scale))
        packed_in_order = torch.contiguous_format
        if case.affine:
            found["torch"] = lambda: y.to(dtype, memory_format=packed_in_order).sub_(a).mul_(b)
        else:
            found["torch"] = lambda: out.copy_(y)
            found["torch in two steps"] = lambda: y.contiguous().to(dtype)
    if case.affine and len(case.sizes) == 4:
        images = list(memory)
        if cv2:
            found["cv2"] = lambda: cv2.dnn.blobFromImages(images, SCALE, mean=(SUBTRACT,) * 3)
        if torchvision:
            means, deviations = [SUBTRACT / 255] * 3, [1 / (255 * SCALE)] * 3
            one = lambda image: torchvision.normalize(torchvision.to_tensor(image), means, deviations)
            found["torchvision"] = (lambda: one(images[0])) if len(images) == 1 else (
                lambda: torch.stack([one(image) for image in images]))
    if case.by_first and onnxruntime:
        helper, kinds = onnx.helper, onnx.TensorProto
        constant = lambda name, kind, value: helper.make_tensor(name, kind, case.sizes[:1], [value] * case.sizes[0])
        graph = helper.make_graph(
            [helper.make_node("DequantizeLinear", ["x", "s", "z"], ["y"], axis=0)], "g",
            [helper.make_tensor_value_info("x", kinds.INT8, case.sizes)],
            [helper.make_tensor_value_info("y", kinds.FLOAT, case.sizes)],
            [constant("s", kinds.FLOAT, 0.5), constant("z", kinds.INT8, 1)])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)
        asked = onnxruntime.SessionOptions()
        asked.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(model.SerializeToString(), asked, providers=["CPUExecutionProvider"])
        found["onnxruntime"] = lambda: session.run(None, {"x": x})
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--lib", required=True)
    parser.add_argument("--harness", required=True)
    parser.add_argument("--milliseconds", type=float, default=300)
    parser.add_argument("--cases", default="")
    parser.set_defaults(list=None, peers=None)  # of compare.py
    options = parser.parse_args()
    bench = Bench(options)
    chosen = [case for case in cases() if re.search(options.cases, case.name)]
    bench.reserve((2 * PLACE + max(case.most for case in chosen) + (1 << 21)) >> 21 << 21)
    modules = [f"{module.__name__} {module.__version__}" for module in (numpy, torch, cv2, onnxruntime) if module]
    commit = compare.first_line(["git", "describe", "--always", "--dirty"])
    print(f"# {time.strftime('%Y-%m-%d')}, {compare.cpu()}, commit {commit}, {', '.join(modules)}")
    print("# the others' times over ours: above 1 this library is faster")
    for case in chosen:
        ways = bench.ways(case)
        columns = []
        for how, best in (("warm", bench.shortest(ways, options.milliseconds)),
                          ("cold", bench.cold(ways, case, options.milliseconds))):
            ours = best["ours"]
            columns.append(f"{how} {ours / 1e3:8.1f} us" + "".join(
                f", {name} {best[name] / ours:.2f}" for name in ways if name != "ours"))
        print(f"{case.name:52} {';  '.join(columns)}", flush=True)


if __name__ == "__main__":
    main()
