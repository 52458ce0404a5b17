<?php
// stride.cdef in PHP, as it stands: a copy, a constant by its name, and a sentence.
//
//   php -d ffi.enable=1 declarations.php LIBRARY DECLARATIONS
$stride = FFI::cdef(file_get_contents($argv[2]), $argv[1]);

function hold(bool $true, string $what): void {
    if (!$true) {
        fwrite(STDERR, "php: $what\n");
        exit(1);
    }
}

$sizes = $stride->new("int64_t[4]");
foreach ([1, 3, 1, 2] as $k => $size) {
    $sizes[$k] = $size;
}
$planes = $stride->new("stride_layout");
$pixels = $stride->new("stride_layout");
$why = $stride->new("stride_error");
$stride->stride_layout_init(FFI::addr($planes), $stride->STRIDE_DTYPE_F32, 4, $sizes, null, null);
$stride->stride_layout_init_channels_last(FFI::addr($pixels), $stride->STRIDE_DTYPE_F32, 4, $sizes, null);
$src = $stride->new("float[6]");
$dst = $stride->new("float[6]");
foreach ([1, 10, 100, 2, 20, 200] as $k => $value) {
    $src[$k] = $value;
}
$copy = fn(int $bytes): int => $stride->stride_copy(
    FFI::addr($planes), $dst, $bytes, FFI::addr($pixels), $src, 24, null, FFI::addr($why));
hold($copy(24) === $stride->STRIDE_STATUS_OK, "the copy");
hold($dst[1] === 2.0 && $dst[2] === 10.0 && $dst[5] === 200.0, "what was copied");

hold($copy(23) === $stride->STRIDE_STATUS_OUT_OF_BOUNDS, "a buffer that is too short");
$sentence = $stride->new("char[200]");
$stride->stride_error_format(FFI::addr($why), $sentence, 200, null, null);
$text = FFI::string($sentence);
hold($text === "dst_bytes: 24 bytes are needed, but the buffer has 23", $text);
print "php: stride.cdef, a copy, a sentence\n";
