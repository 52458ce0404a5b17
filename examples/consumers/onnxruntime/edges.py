#!/usr/bin/env python3
"""A photograph into ONNX Runtime and its result back, both laid out by libstride.

    edges.py PHOTO.ppm

A PPM file holds pixels, HWC; the model wants planes, NCHW, of a fixed size. What the photograph does not fill becomes
grey, as detectors want. ONNX Runtime reads the buffer that libstride wrote, and writes one that libstride reads: the
planes of edges become pixels again. NumPy prepares the same input, and the program compares all results.

The program makes the model: pixels to floats, a convolution that finds edges in each channel, and a ReLU.
"""

import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

import stride

SIDE, GREY = 224, 114
TOP, LEFT = 150, 100  # of the box in the photograph, which has only 150 of its rows


def edges_model():
    """u8 planes in, f32 planes of edges out."""
    kernel = np.array([[-1, -1, -1], [-1, 8, -1], [-1, -1, -1]], np.float32) / 8
    weights = np.broadcast_to(kernel, (3, 1, 3, 3))
    shape = [1, 3, SIDE, SIDE]
    graph = helper.make_graph(
        [helper.make_node("Cast", ["picture"], ["floats"], to=TensorProto.FLOAT),
         helper.make_node("Conv", ["floats", "weights"], ["differences"], group=3, pads=[1, 1, 1, 1]),
         helper.make_node("Relu", ["differences"], ["edges"])],
        "edges",
        [helper.make_tensor_value_info("picture", TensorProto.UINT8, shape)],
        [helper.make_tensor_value_info("edges", TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(np.ascontiguousarray(weights), "weights")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model)
    return model.SerializeToString()


def read_ppm(path):
    """Rows of pixels of three bytes. Comments in the header are not supported."""
    with open(path, "rb") as file:
        magic, width, height, largest = file.readline(), *file.readline().split(), file.readline()
        if magic != b"P6\n" or largest != b"255\n":
            sys.exit(f"{path}: not a binary PPM picture of one byte a channel")
        pixels = np.frombuffer(file.read(), np.uint8)
    if pixels.size != int(width) * int(height) * 3:
        sys.exit(f"{path}: {pixels.size} bytes of pixels, {int(width) * int(height) * 3} are needed")
    return pixels.reshape(int(height), int(width), 3)


def lay_out(photo, picture):
    """Copies the box of the photograph into the corner of `picture`, pixels to planes, and makes the rest grey."""
    rows, columns = min(SIDE, photo.shape[0] - TOP), min(SIDE, photo.shape[1] - LEFT)
    box = stride.Layout.of(photo).crop([TOP, LEFT, 0], [rows, columns, 3])
    corner = stride.Layout.of(picture).crop([0, 0, 0, 0], [1, 3, rows, columns])
    plan = stride.Plan(corner, box.permute(2, 0, 1).expand_dims(0), fill=bytes([GREY]))
    plan.execute(picture.ravel(), photo.ravel())


def as_pixels(planes, pixels):
    """NCHW floats back to HWC."""
    stride.copy(pixels, stride.array(planes).squeeze(0).permute(1, 2, 0))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    photo = read_ppm(sys.argv[1])
    session = onnxruntime.InferenceSession(edges_model(), providers=["CPUExecutionProvider"])

    # ONNX Runtime works in our memory: nothing is copied between libstride and it.
    picture, planes = np.empty((1, 3, SIDE, SIDE), np.uint8), np.empty((1, 3, SIDE, SIDE), np.float32)
    lay_out(photo, picture)
    binding = session.io_binding()
    binding.bind_input("picture", "cpu", 0, np.uint8, picture.shape, picture.ctypes.data)
    binding.bind_output("edges", "cpu", 0, np.float32, planes.shape, planes.ctypes.data)
    session.run_with_iobinding(binding)
    edges = np.empty((SIDE, SIDE, 3), np.float32)
    as_pixels(planes, edges)

    box = photo[TOP:TOP + SIDE, LEFT:LEFT + SIDE]
    prepared = np.full((1, 3, SIDE, SIDE), GREY, np.uint8)
    prepared[0, :, :box.shape[0], :box.shape[1]] = box.transpose(2, 0, 1)
    expected = session.run(None, {"picture": prepared})[0]
    assert (picture == prepared).all(), "the picture is not what NumPy prepares"
    assert (planes == expected).all(), "ONNX Runtime answers otherwise"
    assert (edges == expected[0].transpose(1, 2, 0)).all(), "the pixels are not the planes"
    assert edges.max() > 50 and (edges[box.shape[0] + 2:-1, 2:-2] == 0).all(), "these are no edges"

    try:
        stride.Layout.of(photo).crop([TOP, LEFT, 0], [SIDE, SIDE, 3])
    except ValueError as error:
        print("  refused:", error)
    else:
        raise AssertionError("a box outside the photograph was not refused")
    print(f"onnxruntime {onnxruntime.__version__}: {box.shape[0]} x {box.shape[1]} pixels in {SIDE} x {SIDE},",
          "input and output are NumPy's")


main()
