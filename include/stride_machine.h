// stride_machine.h: libstride 0.1.0. Generated from src/ffi by cbindgen 0.29.4: `make header`.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// CPUs as copies see them, for measurements of your own, and for plans of a CPU that is not at hand. Programs need none
// of this: a copy without a machine is planned for the CPU that runs it. The rules for all functions stand in stride.h,
// which includes this header at its end.
//
// I want to ...                                         Function
//   know which instruction set copies use here            stride_cpu_level
//   plan for another CPU                                  stride_machine_parse; stride_copy_options.machine
//   print the description of this one                     stride_machine_init, stride_machine_format
//
// Sections: Machines.

#ifndef STRIDE_MACHINE_H
#define STRIDE_MACHINE_H

#include "stride.h"

#ifdef __cplusplus
extern "C" {
#endif

// =================================================================================================
//
// Machines
//
// A machine describes a CPU to copies: its instruction set, its caches, and the sizes above which prefetches and
// non-temporal stores pay. Without one, plans are made for the CPU that runs this, from what it says of itself and
// from measurements of its kind. Pass another one (`stride_copy_options.machine`) to use your own measurements
// (`make tune` prints them), or to look at the plans of a CPU that is not at hand. A machine changes the speed of a
// copy, never its result; a plan for instructions that this CPU lacks runs portable code.
//
// Example: options for plans of a laptop with 8 MiB of cache.
//
//   stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
//   stride_machine laptop;
//   assert(stride_machine_parse("level=avx2 last=8388608", 23, &laptop, NULL) == STRIDE_STATUS_OK);
//   options.machine = &laptop;

/// A CPU as copies see it. All sizes are bytes. Begin with `stride_machine_init` or `stride_machine_parse`.
struct stride_machine {
  /// sizeof(stride_machine).
  uint32_t struct_size;
  /// STRIDE_CPU_LEVEL_...: the instruction set. A level of another architecture than the library's counts as
  /// STRIDE_CPU_LEVEL_SCALAR, one that the library was built without as the highest below it.
  uint32_t cpu_level;
  /// L1 data cache of one core.
  uint64_t first_cache_bytes;
  /// L2 cache of one core.
  uint64_t second_cache_bytes;
  /// Last-level cache: the part of it that one core may expect.
  uint64_t last_cache_bytes;
  /// Opaque: measured sizes, set by `stride_machine_parse`; zero: by a rule, from the caches. Their meaning belongs
  /// to this version of the library; the text of `stride_machine_format` names them.
  uint64_t measured[10];
};

/// The highest STRIDE_CPU_LEVEL_... that this CPU and this library have. Levels of one architecture are ordered: a CPU
/// also runs those below its own. Never fails.
STRIDE_API uint32_t stride_cpu_level(void);

/// The machine of the CPU that runs this. Its last cache counts as 64 MiB at most, since other cores use it too.
///
/// Returns: NULL_POINTER; nothing else can go wrong.
STRIDE_API stride_status stride_machine_init(stride_machine *out);

/// Reads `name=value` words, as `stride_machine_format` writes them, in any order and on any lines. `#` begins a
/// comment that ends with its line. Words that are missing are as on this CPU. After `level`, `first`, `second` and
/// `last` come measured sizes: above each, copies of one kind write past the caches, or prefetch (`make tune` prints
/// them; 0: by a rule). Their names may change with the library.
///
/// Arrays: text[length].
///
/// Returns: PARSE with the byte.
STRIDE_API stride_status stride_machine_parse(const char *text, uint64_t length, stride_machine *out,
                                              stride_error *error);

/// Writes a machine as one line, such as "level=avx2 first=32768 second=524288 last=33554432 stream_from=0 ...".
///
/// Arrays: buffer[capacity], length or NULL.
///
/// Returns: INVALID_ARGUMENT for the struct.
STRIDE_API stride_status stride_machine_format(const stride_machine *machine, char *buffer, uint64_t capacity,
                                               uint64_t *length, stride_error *error);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // STRIDE_MACHINE_H
