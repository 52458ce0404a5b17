/* Where a caller's structs lie: in the destination, in the source, in scratch memory, across the ends of each.
 *
 * A call reads its structs before it writes the first byte, and uses what it checked. So a struct may lie anywhere, and
 * a change by another thread makes at worst wrong bytes inside the two buffers. Four tests of that:
 *
 * - the same call with a struct in the buffers and with a copy of it elsewhere writes the same bytes, whatever the
 * place; lists of offsets, which may be of any length, are refused in the range of what is written;
 * - the pages of all structs become unreadable at the first write to the destination: no read may follow;
 * - a number changes as soon as it was read: a second read shows (x86-64 Linux, where a program can be stepped
 * through);
 * - random calls: placed [COUNT [SEED]].
 *
 * All of an arena between two unreadable pages is compared after each call. `placed table` prints the result for each
 * function, struct and place. POSIX; elsewhere the first and the last test alone. */
#define _GNU_SOURCE
#include <stddef.h>

#include "naive.h"
#ifndef _WIN32
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>
#endif
#if defined(__linux__) && defined(__x86_64__)
#define CAN_STEP
#include <ucontext.h>
#endif

enum {
  SLACK = 1 << 13,
  SIDE = 1 << 18,
  ARENA = 4 * SLACK + 3 * SIDE,
  STRUCTS = 8,
  STRUCT_BYTES = 4096,
  ROOM = 3 * STRUCT_BYTES
};

/* What is said of a struct or list. Options say where the machine lies, which is the next one, and where scratch memory
 * does; a side what it is of, which is the next one, and its runs, a list after that; the value of a fill is no
 * description; runs of a loop are written as well. */
typedef enum manner { COPIED, LIST, OPTIONS, SIDED, READ_LATER, WRITTEN } manner;

typedef struct described {
  const char *name;
  manner how;
  size_t bytes;
  unsigned char image[STRUCT_BYTES];
} described;

typedef struct situation {
  const char *function, *name;
  stride_status (*call)(const struct situation *s);
  size_t dst_bytes, src_bytes, scratch_bytes; /* 0: there is none */
  int in_place;                               /* the source is the destination */
  int may_refuse;                             /* what changes during a call may make it one that is refused */
  uint32_t part, parts;
  size_t count;
  described structs[STRUCTS];
  const void *at[STRUCTS];
  unsigned char *dst, *src, *scratch;
} situation;

static unsigned char *arena, *pages; /* `pages` hold the structs that lie in no buffer, ROOM bytes each */
static unsigned char before[ARENA], expected[ARENA];
static size_t page_bytes = 4096;

static uint64_t state = 88172645463325252u;

static uint64_t random_below(uint64_t limit) { return (next_number(&state) >> 11) % limit; }

/* A CPU with caches so small that what is large here leaves them. */
static const char small_cpu[] =
    "first=16384 second=32768 last=65536 stream_from=1 stream_late_from=1 stream_channels_from=1 "
    "stream_unaligned_from=1";

/* --- Situations --------------------------------------------------------------------------------------------------- */

static const stride_layout *layout_at(const situation *s, size_t k) { return (const stride_layout *)s->at[k]; }
static const stride_xla_shape *shape_at(const situation *s, size_t k) { return (const stride_xla_shape *)s->at[k]; }
/* Of structs of a manner one; NULL if there is none. */
static const void *nth(const situation *s, manner how, size_t number) {
  for (size_t k = 0; k < s->count; k++) {
    if (s->structs[k].how == how && number-- == 0) return s->at[k];
  }
  return NULL;
}
static const stride_side *side_at(const situation *s, size_t number) { return (const stride_side *)nth(s, SIDED, number); }
static const stride_copy_options *options_of(const situation *s) { return (const stride_copy_options *)nth(s, OPTIONS, 0); }
static const stride_plan *plan_at(const situation *s, size_t k) { return (const stride_plan *)s->at[k]; }
static const stride_copy_options *options_at(const situation *s, size_t k) {
  return (const stride_copy_options *)s->at[k];
}
static const int64_t *list_at(const situation *s, size_t k) { return (const int64_t *)s->at[k]; }

static situation begin(const char *function, const char *name, stride_status (*call)(const situation *s)) {
  return (situation){.function = function, .name = name, .call = call, .parts = 1};
}

/* Of both buffers. */
static void lengths(situation *s, uint64_t dst_bytes, uint64_t src_bytes) {
  s->dst_bytes = dst_bytes;
  s->src_bytes = src_bytes;
}

static void add(situation *s, const char *name, manner how, const void *from, size_t bytes) {
  described *d = &s->structs[s->count++];
  d->name = name;
  d->how = how;
  d->bytes = bytes;
  memset(d->image, POISON, sizeof d->image);
  memcpy(d->image, from, bytes);
}

/* Options of these flags, for that CPU. */
static stride_copy_options options_for(stride_machine *machine, uint32_t flags) {
  stride_copy_options options = STRIDE_COPY_OPTIONS_INIT;
  CHECK_OK(stride_machine_parse(small_cpu, strlen(small_cpu), machine, NULL));
  options.flags = flags;
  options.machine = machine;
  memset(options.fill, 0x5A, sizeof options.fill);
  return options;
}

/* A side of an object, with runs along one dimension if there are some. */
static void add_side(situation *s, stride_side side, const char *name, size_t bytes) {
  const stride_side_runs *along = &side.along[0];
  add(s, "side", SIDED, &side, sizeof side);
  add(s, name, COPIED, side.of, bytes);
  if (side.along_count) add(s, "runs", LIST, along->runs, along->count * sizeof *along->runs);
}

static void add_options(situation *s, uint32_t flags) {
  stride_machine machine;
  const stride_copy_options options = options_for(&machine, flags);
  add(s, "options", OPTIONS, &options, sizeof options);
  add(s, "machine", COPIED, &machine, sizeof machine);
}

static stride_status call_copy(const situation *s) {
  return stride_copy(layout_at(s, 0), s->dst, s->dst_bytes, layout_at(s, 1), s->src, s->src_bytes, options_at(s, 2),
                     NULL);
}
static stride_status call_half(const situation *s) { /* the source's layout is left out */
  return stride_copy(layout_at(s, 0), s->dst, s->dst_bytes, NULL, s->src, s->src_bytes, NULL, NULL);
}
static stride_status call_fill(const situation *s) {
  return stride_fill(layout_at(s, 0), s->dst, s->dst_bytes, s->at[1], NULL);
}
static stride_status call_compare(const situation *s) { /* its answer goes into the destination */
  return stride_compare(layout_at(s, 0), s->src, s->src_bytes, layout_at(s, 1), s->src, s->src_bytes,
                        (int64_t *)(void *)s->dst, NULL);
}
static stride_status call_sides(const situation *s) {
  return stride_copy_sides(side_at(s, 0), s->dst, s->dst_bytes, side_at(s, 1), s->src, s->src_bytes, options_of(s), NULL);
}
static stride_status call_execute(const situation *s) {
  return stride_plan_execute(plan_at(s, 0), s->dst, s->dst_bytes, s->src, s->src_bytes, NULL);
}
static stride_status call_part(const situation *s) {
  return stride_plan_execute_part(plan_at(s, 0), s->dst, s->dst_bytes, s->src, s->src_bytes, s->part, s->parts, NULL);
}
static stride_status call_execute_scratch(const situation *s) {
  return stride_plan_execute_scratch(plan_at(s, 0), s->dst, s->dst_bytes, s->src, s->src_bytes, s->scratch,
                                     s->scratch_bytes, NULL);
}
static stride_status call_batch(const situation *s) {
  return stride_plan_execute_batch(plan_at(s, 0), s->dst, s->dst_bytes, list_at(s, 1), s->src, s->src_bytes,
                                   list_at(s, 2), s->structs[1].bytes / 8, s->part, s->parts, NULL);
}
/* The output of these is the destination. */
static stride_status call_plan_init(const situation *s) {
  return stride_plan_init((stride_plan *)(void *)s->dst, layout_at(s, 0), layout_at(s, 1), options_at(s, 2), NULL);
}
static stride_status call_plan_init_sides(const situation *s) {
  return stride_plan_init_sides((stride_plan *)(void *)s->dst, side_at(s, 0), side_at(s, 1), options_of(s), NULL);
}
static stride_status call_regions(const situation *s) {
  uint64_t count;
  return stride_plan_regions(plan_at(s, 0), 1, s->dst_bytes / sizeof(stride_region), (stride_region *)(void *)s->dst,
                             &count, NULL);
}
static stride_status call_query(const situation *s) {
  stride_plan_facts *facts = (stride_plan_facts *)(void *)s->dst;
  return stride_plan_query(plan_at(s, 0), facts, NULL);
}
static stride_status call_describe(const situation *s) {
  uint64_t length;
  return stride_plan_describe(plan_at(s, 0), (char *)s->dst, s->dst_bytes, &length, NULL);
}
static stride_status call_format(const situation *s) {
  uint64_t length;
  return stride_layout_format(layout_at(s, 0), (char *)s->dst, s->dst_bytes, &length, NULL);
}
static stride_status call_format_shape(const situation *s) {
  uint64_t length;
  return stride_xla_shape_format(shape_at(s, 0), (char *)s->dst, s->dst_bytes, &length, NULL);
}
static stride_status call_permute(const situation *s) {
  return stride_layout_permute(layout_at(s, 0), 2, list_at(s, 1), (stride_layout *)(void *)s->dst, NULL);
}
static stride_status call_runs_next_many(const situation *s) {
  uint64_t found, elements;
  stride_runs *runs = (stride_runs *)(uintptr_t)s->at[0];
  return stride_runs_next_many(runs, 1, s->dst_bytes / 8, (int64_t *)(void *)s->dst, &found, &elements, NULL);
}
static stride_status call_runs_init(const situation *s) {
  return stride_runs_init((stride_runs *)(void *)s->dst, 1, layout_at(s, 0), NULL);
}

/* --- Before and after a call -------------------------------------------------------------------------------------- */

static void fill_arena(unsigned seed) {
  for (size_t k = 0; k < ARENA; k++) before[k] = (unsigned char)(k * 31 + (k >> 8) * 7 + seed);
}

/* Where a struct lies that lies in no buffer: it ends where its pages do. */
static unsigned char *elsewhere(situation *s, size_t k) {
  if (s->structs[k].how == READ_LATER) return s->structs[k].image; /* elements, not what is said of them */
  return pages + (k + 1) * ROOM - (s->structs[k].bytes + 15) / 16 * 16;
}

/* The struct's bytes are put there; options and sides say where others are. */
static void put(situation *s, size_t k, unsigned char *there) {
  if (s->structs[k].how == OPTIONS) {
    stride_copy_options options;
    memcpy(&options, s->structs[k].image, sizeof options);
    options.machine = (const stride_machine *)s->at[k + 1];
    options.scratch = s->scratch_bytes ? s->scratch : NULL;
    options.scratch_bytes = s->scratch_bytes;
    memcpy(s->structs[k].image, &options, sizeof options);
  }
  if (s->structs[k].how == SIDED) {
    stride_side side;
    memcpy(&side, s->structs[k].image, sizeof side);
    side.of = s->at[k + 1];
    if (side.along_count) side.along[0].runs = (const stride_index_run *)s->at[k + 2];
    memcpy(s->structs[k].image, &side, sizeof side);
  }
  if (there != s->structs[k].image) memcpy(there, s->structs[k].image, s->structs[k].bytes);
  s->at[k] = there;
}

static void put_elsewhere(situation *s) {
  for (size_t k = s->count; k-- > 0;) put(s, k, elsewhere(s, k));
}

static void name_struct(const situation *s, size_t k, const unsigned char *there) {
  fprintf(stderr, "%s (%s): %s at byte %ld of the destination, %ld of the source\n", s->function, s->name,
          s->structs[k].name, (long)(there - s->dst), (long)(there - s->src));
}

static size_t in_use; /* of the arena, in this situation */

/* The sides one after the other, each in pages of its own, with room for a struct between them. */
static void set_sides(situation *s) {
  const size_t page = page_bytes < SLACK ? page_bytes : SLACK;
  s->dst = arena + SLACK;
  s->src = s->in_place ? s->dst : s->dst + (s->dst_bytes + page - 1) / page * page + SLACK;
  s->scratch = s->src + (s->src_bytes + page - 1) / page * page + SLACK;
  in_use = (size_t)(s->scratch - arena) + (s->scratch_bytes + page - 1) / page * page + SLACK;
}

static long same_calls, refused_calls;
static int rarely; /* one place in eight: under an emulator, where no program can be stepped through either */

/* The call with struct k there, beside the one with a copy of it elsewhere. Whether it was refused. */
static int compare_place(situation *s, size_t k, unsigned char *there) {
  static unsigned char after[ARENA];
  put_elsewhere(s);
  memcpy(arena, before, in_use);
  put(s, k, there);
  for (size_t before_it = 1; before_it <= 2 && before_it <= k; before_it++) { /* what says where it is */
    const manner how = s->structs[k - before_it].how;
    if (how == OPTIONS || how == SIDED) put(s, k - before_it, elsewhere(s, k - before_it));
  }
  memcpy(expected, arena, in_use); /* what the arena holds before either call */
  const stride_status found = s->call(s);
  memcpy(after, arena, in_use);
  memcpy(arena, expected, in_use);
  put_elsewhere(s);
  const stride_status wanted = s->call(s);
  const int refused = s->structs[k].how == LIST && found == STRIDE_STATUS_OVERLAP && wanted != found;
  *(refused ? &refused_calls : &same_calls) += 1;
  if (refused && memcmp(after, expected, in_use) != 0) {
    name_struct(s, k, there);
    CHECK(!"a call that was refused wrote something");
  }
  if (!refused && (found != wanted || memcmp(after, arena, in_use) != 0)) {
    name_struct(s, k, there);
    CHECK_EQ(found, wanted);
    CHECK(memcmp(after, arena, in_use) == 0);
  }
  return refused;
}

/* Every struct at every place that matters: each multiple of 8 near both ends of a buffer, others in between. */
static void everywhere(situation *s, int print) {
  static const char *const names[] = {"destination", "source", "scratch"};
  set_sides(s);
  for (size_t k = 0; k < s->count; k++) {
    unsigned char *begins[3] = {s->dst, s->src, s->scratch};
    size_t lengths[3] = {s->dst_bytes, s->in_place ? 0 : s->src_bytes, s->scratch_bytes};
    if (s->structs[k].how == READ_LATER || s->structs[k].how == WRITTEN) continue;
    for (size_t side = 0; side < 3; side++) {
      const long bytes = (long)((s->structs[k].bytes + 7) / 8 * 8), length = (long)(lengths[side] / 8 * 8);
      long tried = 0, refused = 0, at;
      if (!lengths[side]) continue;
      for (at = -bytes; at <= length;
           at += at < 64 - bytes || (at > -64 && at < 64) || at >= length - bytes - 64 ? 8 : 8 * (45 + bytes / 64)) {
        if (rarely && at > 64 - bytes && random_below(8)) continue;
        tried++;
        refused += compare_place(s, k, begins[side] + at);
      }
      if (print) {
        printf("| %s | %s | %s | %s | %ld places: %s |\n", s->function, s->name, s->structs[k].name, names[side], tried,
               refused ? "refused where it is written, else as from elsewhere" : "as from elsewhere");
      }
    }
  }
}

/* --- Pages that go away, and words that change -------------------------------------------------------------------- */

#ifndef _WIN32
static volatile sig_atomic_t mode, later_reads; /* 0: any access that is refused ends the program */
static unsigned char *watched;
static size_t watched_bytes;
enum { VANISH = 1, CHANGE = 2 };

static void protect(void *from, size_t bytes, int how) {
  if (mprotect(from, bytes, how) != 0) _exit(3);
}

static int lies_in(const unsigned char *at, const unsigned char *from, size_t bytes) {
  return at >= from && at < from + bytes;
}

#ifdef CAN_STEP
enum { TRAP_FLAG = 0x100 };
static unsigned char *volatile last_read;
static volatile long reads;

static void on_step(int number, siginfo_t *info, void *context) {
  ucontext_t *at = (ucontext_t *)context;
  (void)number;
  (void)info;
  at->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
  if (last_read) { /* a little, and by megabytes: every number is four bytes or more */
    last_read[0] ^= 0x55;
    last_read[2] ^= 0x40;
  }
  last_read = NULL;
  protect(pages, STRUCTS * ROOM, PROT_NONE);
}
#endif

static void on_fault(int number, siginfo_t *info, void *context) {
  unsigned char *at = (unsigned char *)info->si_addr;
  (void)context;
  if (mode == VANISH && lies_in(at, watched, watched_bytes)) {
    protect(watched, watched_bytes, PROT_READ | PROT_WRITE);
    protect(pages, STRUCTS * ROOM, PROT_NONE);
    watched_bytes = 0;
    return;
  }
  if (mode == VANISH && lies_in(at, pages, STRUCTS * ROOM)) {
    protect(pages, STRUCTS * ROOM, PROT_READ | PROT_WRITE);
    later_reads++;
    return;
  }
#ifdef CAN_STEP
  if (mode == CHANGE && lies_in(at, pages, STRUCTS * ROOM)) {
    protect(pages, STRUCTS * ROOM, PROT_READ | PROT_WRITE);
    last_read = at;
    reads++;
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
    return;
  }
#endif
  {
    static const char text[] = "an access outside of what the call was given\n";
    if (write(2, text, sizeof text - 1) < 0) _exit(2);
  }
  (void)number;
  _exit(1);
}

static void name_pages(const situation *s, const char *how) {
  fprintf(stderr, "%s (%s): structs %s\n", s->function, s->name, how);
}

/* The destination's whole pages are written for the first time where the structs go away. */
static void vanishing(situation *s) {
  set_sides(s);
  put_elsewhere(s);
  for (size_t k = 0; k < s->count; k++) {
    if (s->structs[k].how == LIST || s->structs[k].how == WRITTEN)
      return; /* which are read while elements are written */
  }
  memcpy(arena, before, in_use);
  const stride_status wanted = s->call(s);
  memcpy(expected, arena, in_use);
  memcpy(arena, before, in_use);
  later_reads = 0;
  watched = s->dst - (size_t)((uintptr_t)s->dst % page_bytes);
  watched_bytes = (s->dst_bytes + page_bytes) / page_bytes * page_bytes;
  const size_t all = watched_bytes;
  protect(watched, all, PROT_READ);
  mode = VANISH;
  const stride_status found = s->call(s);
  mode = 0;
  protect(watched, all, PROT_READ | PROT_WRITE);
  protect(pages, STRUCTS * ROOM, PROT_READ | PROT_WRITE);
  if (later_reads || found != wanted || memcmp(arena, expected, in_use) != 0) {
    name_pages(s, "on pages that go away");
    CHECK_EQ(later_reads, 0);
    CHECK_EQ(found, wanted);
    CHECK(memcmp(arena, expected, in_use) == 0);
  } else {
    CHECK(found == wanted);
  }
}

/* Each number changes as soon as it was read. */
static void changing(situation *s) {
#ifdef CAN_STEP
  set_sides(s);
  put_elsewhere(s);
  memcpy(arena, before, in_use);
  const stride_status wanted = s->call(s);
  memcpy(expected, arena, in_use);
  memcpy(arena, before, in_use);
  put_elsewhere(s);
  mode = CHANGE;
  protect(pages, STRUCTS * ROOM, PROT_NONE);
  const stride_status found = s->call(s);
  mode = 0;
  protect(pages, STRUCTS * ROOM, PROT_READ | PROT_WRITE);
  if (s->may_refuse && (found != wanted || memcmp(arena, expected, in_use) != 0)) {
    /* Wrong bytes inside the destination at worst. */
    CHECK(memcmp(arena, before, (size_t)(s->dst - arena)) == 0);
    CHECK(memcmp(s->dst + s->dst_bytes, before + (s->dst - arena) + s->dst_bytes,
                 in_use - (size_t)(s->dst - arena) - s->dst_bytes) == 0);
    return;
  }
  if (found != wanted || memcmp(arena, expected, in_use) != 0) {
    name_pages(s, "of words that change");
    CHECK_EQ(found, wanted);
    CHECK(memcmp(arena, expected, in_use) == 0);
  }
#else
  (void)s;
#endif
}
#endif

/* Whether a step through the program is one: not under an emulator. */
static int can_step(void) {
#ifdef CAN_STEP
  volatile unsigned char *byte = pages;
  unsigned char first, second;
  *byte = 1;
  mode = CHANGE;
  protect(pages, STRUCTS * ROOM, PROT_NONE);
  first = *byte;
  second = *byte;
  mode = 0;
  protect(pages, STRUCTS * ROOM, PROT_READ | PROT_WRITE);
  return first == 1 && second == (1 ^ 0x55);
#else
  return 0;
#endif
}

static void make_arena(void) {
#ifdef _WIN32
  arena = heap(ARENA);
  pages = heap(STRUCTS * ROOM);
#else
  struct sigaction action;
  const int anonymous = MAP_PRIVATE | MAP_ANONYMOUS;
  unsigned char *map;
  page_bytes = (size_t)sysconf(_SC_PAGESIZE);
  map = (unsigned char *)mmap(NULL, ARENA + STRUCTS * ROOM + 3 * page_bytes, PROT_NONE, anonymous, -1, 0);
  if (map == MAP_FAILED) exit(1);
  arena = map + page_bytes;
  pages = arena + ARENA + page_bytes;
  protect(arena, ARENA, PROT_READ | PROT_WRITE);
  protect(pages, STRUCTS * ROOM, PROT_READ | PROT_WRITE);
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, NULL);
  sigaction(SIGBUS, &action, NULL);
#ifdef CAN_STEP
  action.sa_sigaction = on_step;
  sigaction(SIGTRAP, &action, NULL);
#endif
#endif
}

/* --- All situations ----------------------------------------------------------------------------------------------- */

typedef struct sides {
  const char *name;
  stride_layout dst, src;
  uint32_t flags;
} sides;

#define F32 STRIDE_DTYPE_F32
#define U8 STRIDE_DTYPE_U8

enum { COPIES = 14 };
static sides copies[COPIES];

static void make_copies(void) {
  size_t k = 0;
#define COPY(name_, dst_, src_, flags_) \
  (copies[k].name = (name_), copies[k].dst = (dst_), copies[k].src = (src_), copies[k++].flags = (flags_))
  COPY("rows", layout_of(U8, 0, 2, LIST(60, 100), LIST(130, 1)), layout_of(U8, 3, 2, LIST(60, 100), LIST(111, 1)), 0);
  COPY("run", layout_of(U8, 5, 1, LIST(7000), LIST(1)), layout_of(U8, 0, 1, LIST(7000), LIST(1)), 0);
  COPY("transpose", layout_of(F32, 0, 2, LIST(48, 40), LIST(40, 1)), layout_of(F32, 0, 2, LIST(48, 40), LIST(1, 48)),
       0);
  COPY("large transpose", layout_of(STRIDE_DTYPE_U16, 8, 2, LIST(256, 300), LIST(300, 1)),
       layout_of(STRIDE_DTYPE_U16, 0, 2, LIST(256, 300), LIST(1, 256)), 0);
  COPY("small transpose", layout_of(U8, 0, 2, LIST(16, 16), LIST(16, 1)),
       layout_of(U8, 0, 2, LIST(16, 16), LIST(1, 16)), 0);
  COPY("planes", layout_of(U8, 0, 3, LIST(3, 40, 60), LIST(2400, 60, 1)),
       layout_of(U8, 0, 3, LIST(3, 40, 60), LIST(1, 180, 3)), 0);
  COPY("pixels", layout_of(F32, 0, 3, LIST(20, 30, 3), LIST(90, 3, 1)),
       layout_of(F32, 0, 3, LIST(20, 30, 3), LIST(30, 1, 600)), 0);
  COPY("elements", layout_of(F32, 1, 2, LIST(30, 31), LIST(66, 2)), layout_of(F32, 0, 2, LIST(30, 31), LIST(3, 97)), 0);
  COPY("repeated", layout_of(F32, 0, 2, LIST(40, 50), LIST(50, 1)), layout_of(F32, 0, 2, LIST(40, 50), LIST(1, 0)), 0);
  COPY("reversed", layout_of(U8, 0, 2, LIST(60, 100), LIST(101, 1)),
       layout_of(U8, 7000, 2, LIST(60, 100), LIST(-110, -1)), 0);
  COPY("blocks", layout_of(U8, 0, 4, LIST(30, 30, 2, 4), LIST(240, 8, 4, 1)),
       layout_of(U8, 0, 4, LIST(30, 30, 2, 4), LIST(240, 8, 1, 2)), 0);
  COPY("nibbles", layout_of(STRIDE_DTYPE_U4, 1, 2, LIST(99, 101), LIST(103, 1)),
       layout_of(STRIDE_DTYPE_U4, 0, 2, LIST(99, 101), LIST(1, 99)), 0);
  COPY("filled", layout_of(U8, 64, 2, LIST(50, 70), LIST(120, 1)), layout_of(U8, 0, 2, LIST(50, 70), LIST(1, 51)),
       STRIDE_COPY_FILL_BUFFER);
  COPY("nothing", layout_of(F32, 0, 2, LIST(0, 4), LIST(0, 0)), layout_of(F32, 0, 2, LIST(0, 4), LIST(0, 0)), 0);
#undef COPY
  CHECK_EQ(k, COPIES);
}

static void both_layouts(situation *s, const sides *of) {
  add(s, "dst_layout", COPIED, &of->dst, sizeof of->dst);
  add(s, "src_layout", COPIED, &of->src, sizeof of->src);
  lengths(s, bytes_of(of->dst), bytes_of(of->src));
}

static void add_plan(situation *s, const sides *of, uint32_t flags) {
  stride_machine machine;
  const stride_copy_options options = options_for(&machine, flags);
  stride_plan plan;
  poison(&plan, sizeof plan);
  CHECK_OK(stride_plan_init(&plan, &of->dst, &of->src, &options, NULL));
  add(s, "plan", COPIED, &plan, sizeof plan);
  lengths(s, bytes_of(of->dst), bytes_of(of->src));
  s->may_refuse = 1; /* a small plan is looked at once to see whether it is one, and once more if not */
}

static void add_tiled_plan(situation *s, const char *dst, const char *src) {
  const stride_xla_shape to = shape_of(dst), from = shape_of(src);
  stride_plan plan;
  poison(&plan, sizeof plan);
  CHECK_OK(stride_plan_init_sides(&plan, SHAPE(&to), SHAPE(&from), NULL, NULL));
  add(s, "plan", COPIED, &plan, sizeof plan);
  lengths(s, shape_bytes(to), shape_bytes(from));
  s->may_refuse = 1;
}

/* Calls `then` with each situation. */
static void each_situation(void (*then)(situation *s)) {
  static const char *const tiled[][2] = {{"s64[3,200]{1,0:T(2,64)}", "s64[3,200]{0,1:T(8)}"},
                                         {"f32[37,45]{1,0:T(8,128)}", "f32[37,45]{0,1}"},
                                         {"u8[70,90]{0,1:T(3,2)(2,1)}", "u8[70,90]{1,0:T(8,32)(4,1)}"}};
  for (size_t k = 0; k < COPIES; k++) {
    const sides *of = &copies[k];
    situation s = begin("stride_copy", of->name, call_copy);
    both_layouts(&s, of);
    add_options(&s, of->flags);
    then(&s);
    s = begin("stride_plan_execute", of->name, call_execute);
    add_plan(&s, of, of->flags);
    then(&s);
    for (uint32_t part = 0; part < 3; part += 2) {
      s = begin("stride_plan_execute_part", of->name, call_part);
      add_plan(&s, of, of->flags);
      s.part = part;
      s.parts = 3;
      then(&s);
    }
    if (!of->flags && of->dst.sizes[0]) {
      const int64_t dst_offsets[4] = {(int64_t)bytes_of(of->dst), 0, 3 * (int64_t)bytes_of(of->dst) + 77,
                                      40 + 2 * (int64_t)bytes_of(of->dst)};
      const int64_t src_offsets[4] = {5, 4, 5, 0};
      for (uint32_t parts = 1; parts < 3; parts++) {
        s = begin("stride_plan_execute_batch", of->name, call_batch);
        add_plan(&s, of, 0);
        if (4 * s.dst_bytes + 77 > SIDE) continue;
        s.dst_bytes = 4 * s.dst_bytes + 77;
        s.src_bytes += 5;
        s.part = parts - 1;
        s.parts = parts;
        add(&s, "dst_offsets", LIST, dst_offsets, sizeof dst_offsets);
        add(&s, "src_offsets", LIST, src_offsets, sizeof src_offsets);
        then(&s);
      }
    }
    s = begin("stride_plan_init", of->name, call_plan_init);
    both_layouts(&s, of);
    add_options(&s, of->flags);
    lengths(&s, sizeof(stride_plan), 0);
    then(&s);
    s = begin("stride_layout_format", of->name, call_format);
    add(&s, "layout", COPIED, &of->dst, sizeof of->dst);
    s.dst_bytes = 200;
    then(&s);
    s = begin("stride_plan_describe", of->name, call_describe);
    add_plan(&s, of, of->flags);
    lengths(&s, 300, 0);
    then(&s);
    s = begin("stride_plan_query", of->name, call_query);
    add_plan(&s, of, of->flags);
    lengths(&s, sizeof(stride_plan_facts), 0);
    then(&s);
    s = begin("stride_plan_regions", of->name, call_regions);
    add_plan(&s, of, of->flags);
    lengths(&s, 40 * sizeof(stride_region), 0);
    then(&s);
    s = begin("stride_compare", of->name, call_compare);
    add(&s, "lhs_layout", COPIED, &of->src, sizeof of->src);
    add(&s, "rhs_layout", COPIED, &of->src, sizeof of->src);
    lengths(&s, 8, bytes_of(of->src));
    then(&s);
  }
  { /* inside one buffer: through scratch memory, and moved upward */
    const stride_layout rows = layout_of(F32, 1, 2, LIST(40, 44), LIST(44, 1));
    const sides transposed = {"transposed", rows, layout_of(F32, 0, 2, LIST(40, 44), LIST(1, 40)), STRIDE_COPY_OVERLAP};
    const sides moved = {"moved", rows, layout_of(F32, 0, 2, LIST(40, 44), LIST(44, 1)), STRIDE_COPY_OVERLAP};
    situation in_place[3];
    in_place[0] = begin("stride_copy", transposed.name, call_copy);
    both_layouts(&in_place[0], &transposed);
    add_options(&in_place[0], transposed.flags);
    in_place[1] = begin("stride_plan_execute_scratch", transposed.name, call_execute_scratch);
    add_plan(&in_place[1], &transposed, transposed.flags);
    in_place[2] = begin("stride_copy", moved.name, call_copy);
    both_layouts(&in_place[2], &moved);
    add_options(&in_place[2], moved.flags);
    for (size_t k = 0; k < COUNT(in_place); k++) {
      in_place[k].dst_bytes = in_place[k].src_bytes = 40 * 44 * 4 + 4;
      in_place[k].scratch_bytes = 40 * 44 * 4;
      in_place[k].in_place = 1;
      then(&in_place[k]);
    }
  }
  {
    const stride_layout grid = layout_of(F32, 0, 2, LIST(50, 20), LIST(40, 2)),
                        windows = layout_of(U8, 0, 2, LIST(2000, 60), LIST(3, 1));
    const float one = 1;
    situation s = begin("stride_fill", "elements", call_fill);
    add(&s, "dst_layout", COPIED, &grid, sizeof grid);
    add(&s, "value", READ_LATER, &one, sizeof one);
    s.dst_bytes = bytes_of(grid);
    then(&s);
    s = begin("stride_fill", "windows", call_fill);
    add(&s, "dst_layout", COPIED, &windows, sizeof windows);
    add(&s, "value", READ_LATER, &one, sizeof one);
    s.dst_bytes = bytes_of(windows);
    then(&s);
    s = begin("stride_copy", "a layout left out", call_half);
    add(&s, "dst_layout", COPIED, &grid, sizeof grid);
    lengths(&s, bytes_of(grid), 4000);
    then(&s);
    /* These move nothing: what changes meanwhile makes a wrong answer. */
    s = begin("stride_runs_init", "elements", call_runs_init);
    s.may_refuse = 1;
    add(&s, "in", COPIED, &grid, sizeof grid);
    s.dst_bytes = sizeof(stride_runs);
    then(&s);
    {
      stride_runs runs;
      poison(&runs, sizeof runs);
      CHECK_OK(stride_runs_init(&runs, 1, &grid, NULL));
      s = begin("stride_runs_next_many", "elements", call_runs_next_many);
      s.may_refuse = 1;
      add(&s, "runs", WRITTEN, &runs, sizeof runs);
      s.dst_bytes = 4 * 8;
      then(&s);
    }
    s = begin("stride_layout_permute", "elements", call_permute);
    s.may_refuse = 1;
    add(&s, "layout", COPIED, &grid, sizeof grid);
    add(&s, "axes", COPIED, LIST(1, 0), 16);
    s.dst_bytes = sizeof(stride_layout);
    then(&s);
  }
  for (size_t k = 0; k < COUNT(tiled); k++) {
    const stride_xla_shape to = shape_of(tiled[k][0]), from = shape_of(tiled[k][1]);
    situation s;
    for (uint32_t filled = 0; filled < 2; filled++) {
      s = begin("stride_copy_sides", filled ? "tiles, filled" : "tiles", call_sides);
      add_side(&s, *SHAPE(&to), "shape", sizeof to);
      add_side(&s, *SHAPE(&from), "shape", sizeof from);
      add_options(&s, filled ? STRIDE_COPY_FILL_BUFFER : 0);
      lengths(&s, shape_bytes(to), shape_bytes(from));
      then(&s);
    }
    s = begin("stride_plan_init_sides", "tiles", call_plan_init_sides);
    add_side(&s, *SHAPE(&to), "shape", sizeof to);
    add_side(&s, *SHAPE(&from), "shape", sizeof from);
    add_options(&s, 0);
    s.dst_bytes = sizeof(stride_plan);
    then(&s);
    s = begin("stride_xla_shape_format", "tiles", call_format_shape);
    add(&s, "shape", COPIED, &to, sizeof to);
    s.dst_bytes = 100;
    then(&s);
    for (uint32_t parts = 1; parts < 4; parts += 2) {
      s = begin("stride_plan_execute_part", "tiles", call_part);
      add_tiled_plan(&s, tiled[k][0], tiled[k][1]);
      s.part = parts / 2;
      s.parts = parts;
      then(&s);
    }
    s = begin("stride_plan_regions", "tiles", call_regions);
    add_tiled_plan(&s, tiled[k][0], tiled[k][1]);
    lengths(&s, 40 * sizeof(stride_region), 0);
    then(&s);
    s = begin("stride_plan_describe", "tiles", call_describe);
    add_tiled_plan(&s, tiled[k][0], tiled[k][1]);
    lengths(&s, 300, 0);
    then(&s);
  }
  { /* blocks on both sides */
    const int64_t sizes[2] = {70, 30};
    stride_blocked to, from;
    memset(&to, 0, sizeof to);
    memset(&from, 0, sizeof from);
    CHECK_OK(stride_blocked_parse("a/16 b/4 a%8 a/8%2 b%4", 22, STRIDE_DTYPE_S64, 2, sizes, &to, NULL));
    CHECK_OK(stride_blocked_parse("b/6 a b%6", 9, STRIDE_DTYPE_S64, 2, sizes, &from, NULL));
    for (uint32_t filled = 0; filled < 3; filled++) {
      const char *name = filled == 0 ? "blocks" : "blocks, filled";
      situation s = filled == 2 ? begin("stride_plan_init_sides", "blocks", call_plan_init_sides)
                                : begin("stride_copy_sides", name, call_sides);
      add_side(&s, *BLOCKED(&to), "blocked", sizeof to);
      add_side(&s, *BLOCKED(&from), "blocked", sizeof from);
      add_options(&s, filled == 1 ? STRIDE_COPY_FILL_BUFFER : 0);
      lengths(&s, filled == 2 ? sizeof(stride_plan) : 80 * 32 * 8, filled == 2 ? 0 : 70 * 30 * 8);
      then(&s);
    }
  }
  { /* channels in another order, in one pass and box by box; rows of the destination by a list */
    static const stride_index_run orders[3][4] = {{{2, 1, 1}, {1, 1, 1}, {0, 1, 1}, {-1, 0, 1}},
                                                  {{1, 0, 2}, {0, 1, 1}, {2, 1, 1}, {0, 0, 0}},
                                                  {{0, 1, 2}, {2, 0, 2}, {0, 0, 0}, {0, 0, 0}}};
    for (uint32_t k = 0; k < 6; k++) {
      const int64_t rows = k < 3 ? 50 : 3, gap = k == 1 ? 5 : 4;
      const stride_layout four = layout_of(k == 2 ? F32 : U8, 0, 3, LIST(rows, 60, 4), LIST(60 * gap, gap, 1));
      const stride_layout three = layout_of(k == 2 ? F32 : U8, 2, 3, LIST(rows, 60, 3), LIST(180, 3, 1));
      situation s = k % 2 ? begin("stride_plan_init_sides", "channels", call_plan_init_sides)
                          : begin("stride_copy_sides", "channels", call_sides);
      add_side(&s, *LAYOUT(&four), "layout", sizeof four);
      add_side(&s, *TAKING(LAYOUT(&three), 2, 4, orders[k % 3]), "layout", sizeof three);
      add_options(&s, k == 4 ? STRIDE_COPY_FILL_BUFFER : 0);
      s.may_refuse = 1; /* runs are read more than once */
      lengths(&s, k % 2 ? sizeof(stride_plan) : bytes_of(four), k % 2 ? 0 : bytes_of(three));
      then(&s);
    }
    for (uint32_t k = 0; k < 3; k++) {
      const stride_layout dst = layout_of(k == 1 ? STRIDE_DTYPE_U4 : U8, 1, 2, LIST(30, 44), LIST(60, 1));
      const stride_layout src = layout_of(k == 1 ? STRIDE_DTYPE_U4 : U8, 0, 2, LIST(30, 44), LIST(1, 50));
      const stride_index_run *const rows = RUNS({29, -1, 10}, {3, 2, 5}, {19, -4, 2}, {0, 1, 3}, {4, 2, 5}, {13, 1, 2}, {16, 1, 3});
      situation s = k < 2 ? begin("stride_copy_sides", "rows", call_sides)
                          : begin("stride_plan_init_sides", "rows", call_plan_init_sides);
      add_side(&s, *TAKING(LAYOUT(&dst), 0, 7, rows), "layout", sizeof dst);
      add_side(&s, *TAKING(LAYOUT(&src), 0, 2, RUNS({20, 1, 10}, {0, 1, 20})), "layout", sizeof src);
      s.may_refuse = 1;
      lengths(&s, k < 2 ? bytes_of(dst) : sizeof(stride_plan), k < 2 ? bytes_of(src) : 0);
      then(&s);
    }
    /* Ranges whose sizes cut each other. */
    for (uint32_t k = 0; k < 2; k++) {
      const stride_layout dst = layout_of(U8, 1, 2, LIST(30, 44), LIST(60, 1));
      const stride_layout src = layout_of(U8, 0, 2, LIST(44, 30), LIST(1, 50));
      situation s = k == 0 ? begin("stride_copy_sides", "cut", call_sides)
                           : begin("stride_plan_init_sides", "cut", call_plan_init_sides);
      add_side(&s, *NUMBERED(LAYOUT(&dst), 1, 1300), "layout", sizeof dst);
      add_side(&s, *NUMBERED(LAYOUT(&src), 2, 1300), "layout", sizeof src);
      add_options(&s, 0);
      lengths(&s, k ? sizeof(stride_plan) : bytes_of(dst), k ? 0 : bytes_of(src));
      then(&s);
    }
  }
  { /* a layout on the other side of tiles */
    const stride_layout rows = layout_of(STRIDE_DTYPE_S64, 0, 2, LIST(3, 200), LIST(200, 1));
    const stride_xla_shape tiles = shape_of("s64[3,200]{1,0:T(2,64)}");
    situation s = begin("stride_copy_sides", "tiles to a layout", call_sides);
    add_side(&s, *LAYOUT(&rows), "layout", sizeof rows);
    add_side(&s, *SHAPE(&tiles), "shape", sizeof tiles);
    lengths(&s, 8192, 8192);
    then(&s);
    s = begin("stride_copy_sides", "a layout to tiles", call_sides);
    add_side(&s, *SHAPE(&tiles), "shape", sizeof tiles);
    add_side(&s, *LAYOUT(&rows), "layout", sizeof rows);
    lengths(&s, 8192, 8192);
    then(&s);
  }
}

/* --- Tests -------------------------------------------------------------------------------------------------------- */

/* The two cases by which this was found: a layout at byte 64 of its own destination, which the copy makes of numbers
 * that lead 4 MiB away; and a source's layout inside a tiled destination. */
static void a_layout_inside_the_destination(void) {
  const stride_xla_shape tiles = shape_of("s64[3,200]{1,0:T(2,64)}");
  stride_layout rows = layout_of(STRIDE_DTYPE_S64, 0, 2, LIST(3, 200), LIST(200, 1));
  unsigned char *dst = arena + SLACK, *src = arena + 4 * SLACK;
  int64_t *numbers = (int64_t *)(void *)src;
  memcpy(arena, before, ARENA);
  for (size_t k = 0; k < 1024; k++) numbers[k] = 0x40000;
  memcpy(dst + 64, &rows, sizeof rows);
  memcpy(expected, arena, ARENA);
  CHECK_OK(stride_copy_sides(LAYOUT(dst + 64), dst, 8192, SHAPE(&tiles), src, 8192, NULL, NULL));
  for (size_t k = 0; k < 600; k++) CHECK_EQ(((int64_t *)(void *)dst)[k], 0x40000);
  CHECK(memcmp(dst + 4800, expected + SLACK + 4800, ARENA - SLACK - 4800) == 0);

  memcpy(arena, before, ARENA);
  for (size_t k = 0; k < 600; k++) numbers[k] = (int64_t)k + 1;
  memcpy(dst + 64, &rows, sizeof rows);
  CHECK_OK(stride_copy_sides(SHAPE(&tiles), dst, 8192, LAYOUT(dst + 64), src, 4800, NULL, NULL));
  for (int64_t k = 0; k < 600; k++) {
    int64_t at;
    CHECK_OK(stride_xla_linear_index(&tiles, 2, LIST(k / 200, k % 200), &at, NULL));
    CHECK_EQ(((int64_t *)(void *)dst)[at], k + 1);
  }
}

/* A list among the bytes that are written is named, with the copy that writes them; one in a gap between copies is
 * fine. */
static void lists_of_a_batch(void) {
  const stride_layout row = layout_of(STRIDE_DTYPE_S64, 0, 1, LIST(4), LIST(1));
  int64_t *words = (int64_t *)(void *)(arena + SLACK);
  const int64_t two[2] = {0, 64}, zeros[2] = {0, 0};
  stride_plan plan;
  stride_error record;
  memcpy(arena, before, ARENA);
  CHECK_OK(stride_plan_init(&plan, &row, &row, NULL, NULL));
#define BATCH(dst_list, src_list) \
  stride_plan_execute_batch(&plan, words, 96, dst_list, words + 100, 32, src_list, 2, 0, 1, &record)
  memcpy(words + 11, two, sizeof two); /* its first entry is the last that copy 1 writes */
  memcpy(expected, arena, ARENA);
  CHECK_FAILS(record, BATCH(words + 11, zeros), OVERLAP, DST_OFFSETS, -1, 1, 32);
  CHECK_EQ(record.detail, STRIDE_DETAIL_SHARED_LIST);
  memcpy(words + 3, zeros, sizeof zeros);
  memcpy(expected, arena, ARENA);
  CHECK_FAILS(record, BATCH(two, words + 3), OVERLAP, SRC_OFFSETS, -1, 0, 32);
  CHECK(memcmp(arena, expected, ARENA) == 0);
  memcpy(words + 12, two, sizeof two);
  memcpy(words + 5, zeros, sizeof zeros);
  CHECK_OK(BATCH(words + 12, words + 5));
#undef BATCH
}

/* A plan is read as far as word 0 says, whatever it claims to have after that: no word of one that is cut short lies
 * after it, where a page may end. (stride_plan_execute believes a small plan, which has 4096 bytes.) */
static void plans_that_are_cut_short(void) {
  const stride_xla_shape to = shape_of("u8[70,90]{0,1:T(3,2)(2,1)}"), from = shape_of("u8[70,90]{1,0:T(8,32)(4,1)}");
  long refused = 0, whole = 0;
  memcpy(arena, before, ARENA);
  for (size_t k = 0; k <= COPIES; k++) {
    stride_plan plan;
    poison(&plan, sizeof plan);
    if (k == COPIES) CHECK_OK(stride_plan_init_sides(&plan, SHAPE(&to), SHAPE(&from), NULL, NULL));
    if (k < COPIES) CHECK_OK(stride_plan_init(&plan, &copies[k].dst, &copies[k].src, NULL, NULL));
    const size_t used = plan.words[0] & 0xFFFF;
    for (size_t left = 12; left <= used; left++) {
      unsigned char *end = pages + STRUCTS * ROOM, *at = end - left * 8;
      const stride_plan *shorter = (const stride_plan *)(void *)at;
      const int64_t none[1] = {0};
      uint64_t length;
      memcpy(at, plan.words, left * 8);
      at[0] = (unsigned char)left;
      at[1] = (unsigned char)(left >> 8);
#define CUT(call)                                                                      \
  do {                                                                                 \
    const stride_status found = (call);                                                \
    CHECK_EQ(found, left == used ? STRIDE_STATUS_OK : STRIDE_STATUS_INVALID_ARGUMENT); \
    *(found ? &refused : &whole) += 1;                                                 \
  } while (0)
      const uint64_t room = copies[k % COPIES].flags ? 8192 : SIDE; /* what is filled whole */
      CUT(stride_plan_execute_part(shorter, arena + SLACK, room, arena + 2 * SLACK + SIDE, SIDE, 0, 2, NULL));
      CUT(stride_plan_describe(shorter, NULL, 0, &length, NULL));
      if (k < COPIES && !copies[k].flags)
        CUT(stride_plan_execute_batch(shorter, arena + SLACK, room, none, arena + 2 * SLACK + SIDE, SIDE, none, 1, 0, 1,
                                      NULL));
#undef CUT
      at[7] ^= 1; /* no plan: nothing after the first twelve words is read */
      CHECK_STATUS(stride_plan_execute((const stride_plan *)(void *)(end - 96), arena, ARENA, arena, ARENA, NULL),
                   INVALID_ARGUMENT);
    }
  }
  printf("%ld plans cut short, %ld whole ones\n", refused, whole);
  CHECK(refused > 500 && whole > 40);
}

static void compare_everywhere(situation *s) { everywhere(s, 0); }
static void print_everywhere(situation *s) { everywhere(s, 1); }

static void structs_anywhere(void) {
  each_situation(compare_everywhere);
  printf("%ld calls with a struct in a buffer: as from elsewhere; %ld refused\n", same_calls, refused_calls);
  CHECK(same_calls > 1000 && refused_calls > 50);
}

static void structs_that_vanish(void) {
#ifndef _WIN32
  const char *preloaded = getenv("LD_PRELOAD");
  if (preloaded && strstr(preloaded, "vgpreload")) {
    printf("skipped: pages that go away, valgrind has its own idea of them\n");
    return;
  }
  each_situation(vanishing);
#endif
}

static void words_that_change(void) {
#ifndef _WIN32
  if (!can_step()) {
    printf("skipped: words that change after they are read, this program cannot be stepped through\n");
    return;
  }
  each_situation(changing);
#ifdef CAN_STEP
  printf("%ld reads of structs, each followed by a change\n", (long)reads);
  CHECK(reads > 1000);
#endif
#endif
}

/* A layout of random sizes, of any strides in which distinct indices mean distinct elements. */
static stride_layout random_layout(uint32_t dtype, uint32_t rank, const int64_t *sizes) {
  int64_t strides[4] = {0, 0, 0, 0}, step = 1 + (int64_t)random_below(2), offset = (int64_t)random_below(9);
  uint32_t order[4] = {0, 1, 2, 3};
  for (uint32_t k = rank; k > 1; k--) {
    const uint32_t other = (uint32_t)random_below(k), last = order[k - 1];
    order[k - 1] = order[other];
    order[other] = last;
  }
  for (uint32_t k = 0; k < rank; k++) {
    const int negative = random_below(4) == 0;
    strides[order[k]] = negative ? -step : step;
    if (negative) offset += (sizes[order[k]] - 1) * step;
    step *= sizes[order[k]];
    step += (int64_t)random_below(4) * (int64_t)random_below(2);
  }
  return layout_of(dtype, offset, rank, sizes, strides);
}

/* One random call with one of its structs at a random place. */
static void random_call(void) {
  static const uint32_t dtypes[] = {
      U8, STRIDE_DTYPE_U16, F32, STRIDE_DTYPE_F64, STRIDE_DTYPE_BYTES | 3, STRIDE_DTYPE_U4};
  static situation s;
  sides of;
  int64_t sizes[4];
  const uint32_t rank = (uint32_t)random_below(5), dtype = dtypes[random_below(COUNT(dtypes))];
  for (uint32_t k = 0; k < rank; k++) sizes[k] = 1 + (int64_t)random_below(rank < 3 ? 40 : 9);
  of.name = "random";
  of.flags = random_below(4) ? 0 : STRIDE_COPY_FILL_BUFFER;
  of.dst = random_layout(dtype, rank, sizes);
  of.src = random_layout(dtype, rank, sizes);
  switch (random_below(6)) {
    case 0:
      s = begin("stride_copy", of.name, call_copy);
      both_layouts(&s, &of);
      add_options(&s, of.flags);
      break;
    case 1:
      s = begin("stride_plan_execute", of.name, call_execute);
      add_plan(&s, &of, of.flags);
      break;
    case 2:
      s = begin("stride_plan_execute_part", of.name, call_part);
      add_plan(&s, &of, of.flags);
      s.parts = 1 + (uint32_t)random_below(4);
      s.part = (uint32_t)random_below(s.parts);
      break;
    case 3: {
      stride_index_run list[40];
      const size_t count = rank ? (size_t)sizes[rank - 1] : 0;
      if (rank) sizes[rank - 1] = 1 + (int64_t)random_below(9);
      of.src = random_layout(dtype, rank, sizes);
      for (size_t k = 0; k < count; k++) {
        list[k].first = (int64_t)random_below((uint64_t)sizes[rank - 1] + 1) - 1;
        list[k].step = list[k].count = 1;
      }
      s = begin("stride_copy_sides", of.name, call_sides);
      add_side(&s, *LAYOUT(&of.dst), "layout", sizeof of.dst);
      add_side(&s, rank ? taking(*LAYOUT(&of.src), rank - 1, (uint32_t)count, list) : *LAYOUT(&of.src), "layout", sizeof of.src);
      add_options(&s, of.flags);
      lengths(&s, bytes_of(of.dst), bytes_of(of.src));
      break;
    }
    case 4:
      s = begin("stride_copy_sides", of.name, call_sides);
      add_side(&s, *NUMBERED(LAYOUT(&of.dst), 0, 7), "layout", sizeof of.dst);
      add_side(&s, *NUMBERED(LAYOUT(&of.src), 1, 7), "layout", sizeof of.src);
      add_options(&s, of.flags);
      lengths(&s, bytes_of(of.dst), bytes_of(of.src));
      break;
    default: {
      int64_t dst_offsets[5], src_offsets[5];
      const size_t count = 1 + random_below(5);
      s = begin("stride_plan_execute_batch", of.name, call_batch);
      add_plan(&s, &of, 0);
      for (size_t k = 0; k < count; k++) {
        dst_offsets[k] = (int64_t)(k * (s.dst_bytes + random_below(200)));
        src_offsets[k] = (int64_t)random_below(64);
      }
      s.dst_bytes = (uint64_t)dst_offsets[count - 1] + s.dst_bytes;
      s.src_bytes += 64;
      add(&s, "dst_offsets", LIST, dst_offsets, 8 * count);
      add(&s, "src_offsets", LIST, src_offsets, 8 * count);
    }
  }
  if (s.dst_bytes > SIDE || s.src_bytes > SIDE) return;
  if (s.dst_bytes < 8192 && random_below(2)) s.dst_bytes += random_below(4096);
  set_sides(&s);
  const size_t k = (size_t)random_below(s.count);
  unsigned char *side = random_below(3) ? s.dst : s.src;
  const size_t length = (side == s.dst ? s.dst_bytes : s.src_bytes) + s.structs[k].bytes;
  unsigned char *there = side - s.structs[k].bytes / 8 * 8 + random_below(length / 8 + 1) * 8;
  compare_place(&s, k, there);
}

static const test tests[] = {
    TEST(a_layout_inside_the_destination),
    TEST(lists_of_a_batch),
    TEST(plans_that_are_cut_short),
    TEST(structs_anywhere),
    TEST(structs_that_vanish),
    TEST(words_that_change),
};

static long number_of(const char *text) {
  long number = 0;
  while (*text >= '0' && *text <= '9') number = number * 10 + (*text++ - '0');
  return number;
}

int main(int count, char **arguments) {
  make_arena();
  fill_arena(1);
  make_copies();
  rarely = !can_step();
  if (count > 1 && strcmp(arguments[1], "table") == 0) {
    printf("| function | copy | struct | lies in | |\n|---|---|---|---|---|\n");
    each_situation(print_everywhere);
    return checks_failed != 0;
  }
  if (count > 1) {
    const long calls = number_of(arguments[1]);
    if (count > 2) state ^= (uint64_t)number_of(arguments[2]) * 0x9E3779B97F4A7C15u;
    for (long k = 0; k < calls; k++) random_call();
    printf("%ld random calls with structs in the buffers, %ld refused, %ld failures\n", same_calls + refused_calls,
           refused_calls, checks_failed);
    return checks_failed != 0;
  }
  for (int k = 0; k < 300; k++) random_call();
  return RUN(tests);
}
