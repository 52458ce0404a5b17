#!/usr/bin/env python3
"""The copies of photo.c by NumPy: prints the seconds of each, the best of many. Without NumPy it prints nothing, and
photo says that NumPy was not timed.

    photo_numpy.py INPUT.ppm
"""

import re
import sys
import time

try:
    import numpy
except ImportError:
    sys.exit(0)

PICTURES, CROP, RUNS = 16, 224, 150

with open(sys.argv[1], "rb") as file:
    content = file.read()
header = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", content)
width, height = int(header[1]), int(header[2])
picture = numpy.frombuffer(content, "u1", offset=header.end()).reshape(1, height, width, 3)
whole = numpy.repeat(picture, PICTURES, 0).transpose(0, 3, 1, 2)
top, left = (height - CROP) // 2, (width - CROP) // 2
mirrored = whole[:, :, top:top + CROP, left:left + CROP][..., ::-1]

planes = numpy.zeros(mirrored.shape, "u1")
padded = numpy.zeros((PICTURES, 3, CROP, 256), "u1")
columns = numpy.zeros((PICTURES, CROP, CROP, 3), "u1").transpose(0, 3, 2, 1)  # the channel is fastest in each picture
whole_planes = numpy.zeros(whole.shape, "u1")


def directml():
    padded.fill(0)
    numpy.copyto(padded[..., :CROP], mirrored)


for copy in (lambda: numpy.copyto(planes, mirrored), directml, lambda: numpy.copyto(columns, mirrored),
             lambda: numpy.copyto(whole_planes, whole)):
    best = float("inf")
    for _ in range(RUNS):
        start = time.perf_counter()
        copy()
        best = min(best, time.perf_counter() - start)
    print(f"{best:.9f}")
