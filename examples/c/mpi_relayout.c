// mpi_relayout: an array in blocks of one dimension, a block on each rank, becomes its transpose in blocks of another.
//
//   mpicc -std=c99 -O2 mpi_relayout.c $(pkg-config --cflags --libs stride) -o mpi_relayout
//   mpirun -n 4 mpi_relayout [--sizes 4096,4096] [--gb N] [--axes 1,0] [--from 0] [--to 0] [--bytes 8] [--repeat 3]
//                            [--buffer MIB] [--ways LIST]
//
// --sizes: of the whole array, packed row-major; --gb makes it a square matrix of so many 10^9 bytes instead, rounded
// to what divides by the ranks. --from: the dimension that is in blocks at first. --axes: the order of the result's
// dimensions, as numpy.transpose. --to: the dimension of the result that is in blocks at last. --bytes: of an element.
// 8 GB on 4 ranks, which take 17 GB, and the same by one:
//
//   mpirun -n 4 mpi_relayout --gb 8 --ways local,regions,types,rounds
//   mpirun -n 1 mpi_relayout --gb 8 --ways local
//
// What rank s sends to rank d is a view: a crop of what s has, its dimensions permuted. It arrives in a crop of what d
// gets. The ways:
//
//   regions   MPI_Alltoallw. One plan from the view to the crop is a list of regions with both sides in the same order:
//             the sender makes its datatype of the source's side, the receiver of the destination's. Neither asks the
//             other one, since a list does not depend on the CPU.
//   types     MPI_Alltoallw with types by MPI alone: a subarray sent, nested vectors received.
//   rounds    stride_copy_sides packs ranges of views piece by piece into a small buffer; MPI_Alltoallv; the same unpacks.
//   plans     stride_plan_execute_batch packs all views in one call; MPI_Alltoallv of all; the same unpacks.
//   pack      MPI_Pack and MPI_Unpack of the types of `types`; MPI_Alltoallv of all.
//   local     no MPI: each rank transposes as many bytes in its own memory. What a copy takes at least.
//
// The first run of each way is compared with a formula, element by element. Times are of the slowest rank, the best of
// all runs; types and plans are made before. With `rounds` and `plans` what stays on a rank is one copy.

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>
#include <stride.h>

enum { MOST_DIMENSIONS = 8, MOST_REGIONS = 1 << 20 };

static const char *const WAYS[] = {"local", "regions", "types", "rounds", "plans", "pack"};
enum { LOCAL, REGIONS, TYPES, ROUNDS, PLANS, PACK, WAY_COUNT };

typedef struct job {
  int me, ranks;
  int64_t sizes[MOST_DIMENSIONS], axes[MOST_DIMENSIONS], gb, from, to, width, repeat, buffer;
  uint32_t dimensions;
  int wanted[WAY_COUNT];
  stride_layout src, dst;  // what each rank has and gets
  uint32_t cut;            // the dimension of dst along which the pieces of the senders lie
  uint64_t bytes, block_bytes;
  MPI_Datatype element, block;
  uint8_t *in, *out;
} job;

// Every rank comes here with the same sentence, so that all end alike.
static void give_up(const char *format, ...) {
  int me;
  va_list values;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (me == 0) {
    fputs("mpi_relayout: ", stderr);
    va_start(values, format);
    vfprintf(stderr, format, values);
    va_end(values);
    fputc('\n', stderr);
  }
  MPI_Finalize();
  exit(1);
}

// Of calls that all ranks make with the same layouts.
static void check(stride_status status, const stride_error *error, const char *about) {
  char sentence[256] = "";
  if (status == STRIDE_STATUS_OK) return;
  stride_error_format(error, sentence, sizeof sentence, NULL, NULL);
  give_up("%s: %s", about, sentence);
}

// Of copies, in the midst of an exchange.
static void check_copy(stride_status status, const stride_error *error) {
  char sentence[256] = "";
  if (status == STRIDE_STATUS_OK) return;
  stride_error_format(error, sentence, sizeof sentence, NULL, NULL);
  fprintf(stderr, "mpi_relayout: a copy: %s\n", sentence);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

// Bytes that are missing for `bytes` more on each rank, on the machine that lacks most; 0: there are enough. All ranks
// get the same answer.
static uint64_t bytes_missing(uint64_t bytes) {
  MPI_Comm machine;
  uint64_t wanted, available = UINT64_MAX, missing;
  char line[128];
  FILE *file = fopen("/proc/meminfo", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    uint64_t kib;
    if (sscanf(line, "MemAvailable: %" SCNu64, &kib) == 1) available = kib * 1024;
  }
  if (file != NULL) fclose(file);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  MPI_Allreduce(&bytes, &wanted, 1, MPI_UINT64_T, MPI_SUM, machine);
  MPI_Comm_free(&machine);
  wanted = wanted + wanted / 32;  // for buffers of MPI
  missing = wanted > available ? wanted - available : 0;
  MPI_Allreduce(MPI_IN_PLACE, &missing, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  return missing;
}

// Memory on every rank, or NULL on every rank.
static uint8_t *allocate(uint64_t bytes) {
  uint8_t *memory = bytes > SIZE_MAX ? NULL : malloc((size_t)(bytes > 0 ? bytes : 1));
  int all = memory != NULL;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (!all) free(memory);
  return all ? memory : NULL;
}

// --- Views -----------------------------------------------------------------------------------------------------------

// What a rank sends to rank d: a box of what it has, in the order of the result's dimensions.
static stride_layout outgoing(const job *of, int d) {
  int64_t starts[MOST_DIMENSIONS] = {0}, sizes[MOST_DIMENSIONS];
  const int64_t along = of->axes[of->to];
  stride_layout view;
  stride_error error;
  memcpy(sizes, of->src.sizes, of->dimensions * sizeof *sizes);
  sizes[along] /= of->ranks;
  starts[along] = d * sizes[along];
  check(stride_layout_crop(&of->src, of->dimensions, starts, sizes, &view, &error), &error, "view");
  check(stride_layout_permute(&view, of->dimensions, of->axes, &view, &error), &error, "view");
  return view;
}

// The place of what comes from rank s.
static stride_layout incoming(const job *of, int s) {
  int64_t starts[MOST_DIMENSIONS] = {0}, sizes[MOST_DIMENSIONS];
  stride_layout view;
  stride_error error;
  memcpy(sizes, of->dst.sizes, of->dimensions * sizeof *sizes);
  sizes[of->cut] /= of->ranks;
  starts[of->cut] = s * sizes[of->cut];
  check(stride_layout_crop(&of->dst, of->dimensions, starts, sizes, &view, &error), &error, "place");
  return view;
}

// --- Datatypes -------------------------------------------------------------------------------------------------------

// `count` times a type that begins every `pitch` bytes; the type that was is freed.
static MPI_Datatype repeated(MPI_Datatype type, uint64_t count, int64_t pitch) {
  MPI_Datatype out;
  MPI_Type_create_hvector((int)count, 1, (MPI_Aint)pitch, type, &out);
  MPI_Type_free(&type);
  return out;
}

// One side of a list of regions, which are all of one form: hvectors for the form, and the offsets of all.
static MPI_Datatype type_of_regions(const job *of, const stride_region *regions, uint64_t count, int of_dst) {
  const int64_t *pitches = of_dst ? regions->dst_pitches : regions->src_pitches;
  MPI_Datatype form, out;
  MPI_Aint *offsets = malloc((size_t)count * sizeof *offsets);
  if (offsets == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  for (uint64_t k = 0; k < count; k++) offsets[k] = (MPI_Aint)(of_dst ? regions[k].dst_offset : regions[k].src_offset);
  MPI_Type_contiguous((int)(regions->row_bytes / (uint64_t)of->width), of->element, &form);
  for (int k = 0; k < 2; k++) {
    if (regions->counts[k] > 1) form = repeated(form, regions->counts[k], pitches[k]);
  }
  MPI_Type_create_hindexed_block((int)count, 1, offsets, form, &out);
  MPI_Type_commit(&out);
  MPI_Type_free(&form);
  free(offsets);
  return out;
}

// The type of one side of the copy from rank s to rank d. NULL: the list is too long for a datatype.
static MPI_Datatype regions_type(const job *of, int s, int d, int of_dst, uint64_t *count) {
  const stride_layout to = incoming(of, s), from = outgoing(of, d);
  stride_region *regions;
  stride_plan plan;
  stride_error error;
  MPI_Datatype type;
  check(stride_plan_init(&plan, &to, &from, NULL, &error), &error, "plan");
  check(stride_plan_regions(&plan, 3, 0, NULL, count, &error), &error, "regions");
  if (*count > MOST_REGIONS || (regions = malloc((size_t)*count * sizeof *regions)) == NULL) return MPI_DATATYPE_NULL;
  check(stride_plan_regions(&plan, 3, *count, regions, count, &error), &error, "regions");
  if (regions->row_bytes / (uint64_t)of->width > INT_MAX || regions->counts[0] > INT_MAX ||
      regions->counts[1] > INT_MAX) {
    give_up("a region has more than %d rows or elements, which MPI's types do not count", INT_MAX);
  }
  type = type_of_regions(of, regions, *count, of_dst);
  free(regions);
  return type;
}

// By MPI alone: the box that is sent, in the order of the source's dimensions.
static MPI_Datatype subarray_type(const job *of, int d) {
  int sizes[MOST_DIMENSIONS], box[MOST_DIMENSIONS], starts[MOST_DIMENSIONS] = {0};
  const int64_t along = of->axes[of->to];
  MPI_Datatype out;
  for (uint32_t k = 0; k < of->dimensions; k++) box[k] = sizes[k] = (int)of->src.sizes[k];
  box[along] /= of->ranks;
  starts[along] = d * box[along];
  MPI_Type_create_subarray((int)of->dimensions, sizes, box, starts, MPI_ORDER_C, of->element, &out);
  MPI_Type_commit(&out);
  return out;
}

// By MPI alone: where it goes, in the order of the source's dimensions.
static MPI_Datatype transposed_type(const job *of, int s) {
  MPI_Aint offset = (MPI_Aint)(s * (of->dst.sizes[of->cut] / of->ranks) * of->dst.strides[of->cut] * of->width);
  MPI_Datatype nest, out;
  MPI_Type_dup(of->element, &nest);
  for (int64_t axis = (int64_t)of->dimensions - 1; axis >= 0; axis--) {
    uint32_t k = 0;
    while (of->axes[k] != axis) k++;
    const int64_t size = of->dst.sizes[k] / (k == of->cut ? of->ranks : 1);
    nest = repeated(nest, (uint64_t)size, of->dst.strides[k] * of->width);
  }
  MPI_Type_create_hindexed_block(1, 1, &offset, nest, &out);
  MPI_Type_commit(&out);
  MPI_Type_free(&nest);
  return out;
}

// --- The ways --------------------------------------------------------------------------------------------------------

// What a way needs, made once.
typedef struct tools {
  int *ones, *zeros, *others;  // counts: others is 0 for this rank
  int *displacements;
  MPI_Datatype *sends, *receives;
  stride_layout *views, *places;
  int64_t *view_offsets, *place_offsets, *packed_offsets;
  stride_plan packing, unpacking, staying;
  uint8_t *send, *receive;
  uint64_t round_elements;
} tools;

static void *list(size_t count, size_t bytes) {
  void *memory = calloc(count, bytes);
  if (memory == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  return memory;
}

static void copy_what_stays(const job *of, const tools *with) {
  stride_error error;
  check_copy(stride_plan_execute(&with->staying, of->out, of->bytes, of->in, of->bytes, &error), &error);
}

static void run_local(const job *of) {
  stride_layout view;
  stride_error error;
  check(stride_layout_permute(&of->src, of->dimensions, of->axes, &view, &error), &error, "view");
  check_copy(stride_copy(NULL, of->out, of->bytes, &view, of->in, of->bytes, NULL, &error), &error);
}

static void run_alltoallw(const job *of, const tools *with) {
  MPI_Alltoallw(of->in, with->ones, with->zeros, with->sends, of->out, with->ones, with->zeros, with->receives,
                MPI_COMM_WORLD);
}

// A range of a layout's elements, which the side refers to.
static stride_side range_of(const stride_layout *layout, int64_t first, uint64_t count) {
  stride_side side;
  stride_error error;
  check(stride_side_init(&side, STRIDE_SIDE_LAYOUT, layout, &error), &error, "side");
  check(stride_side_set_range(&side, first, (int64_t)count, &error), &error, "range");
  return side;
}

static void run_rounds(const job *of, const tools *with) {
  const uint64_t elements = of->block_bytes / (uint64_t)of->width;
  stride_error error;
  copy_what_stays(of, with);
  for (uint64_t first = 0; first < elements; first += with->round_elements) {
    const uint64_t count = elements - first < with->round_elements ? elements - first : with->round_elements;
    const uint64_t bytes = count * (uint64_t)of->width;
    MPI_Datatype piece;
    for (int d = 0; d < of->ranks; d++) {
      if (d == of->me) continue;
      const stride_side view = range_of(&with->views[d], (int64_t)first, count);
      check_copy(stride_copy_sides(NULL, with->send + (uint64_t)d * bytes, bytes, &view, of->in, of->bytes, NULL,
                                   &error), &error);
    }
    MPI_Type_contiguous((int)count, of->element, &piece);
    MPI_Type_commit(&piece);
    MPI_Alltoallv(with->send, with->others, with->displacements, piece, with->receive, with->others,
                  with->displacements, piece, MPI_COMM_WORLD);
    MPI_Type_free(&piece);
    for (int s = 0; s < of->ranks; s++) {
      if (s == of->me) continue;
      const stride_side place = range_of(&with->places[s], (int64_t)first, count);
      check_copy(stride_copy_sides(&place, of->out, of->bytes, NULL, with->receive + (uint64_t)s * bytes, bytes, NULL,
                                   &error), &error);
    }
  }
}

// The lists have one entry for each other rank.
static void run_plans(const job *of, const tools *with) {
  const uint64_t others = (uint64_t)of->ranks - 1;
  stride_error error;
  copy_what_stays(of, with);
  check_copy(stride_plan_execute_batch(&with->packing, with->send, of->bytes, with->packed_offsets, of->in, of->bytes,
                                       with->view_offsets, others, 0, 1, &error), &error);
  MPI_Alltoallv(with->send, with->others, with->displacements, of->block, with->receive, with->others,
                with->displacements, of->block, MPI_COMM_WORLD);
  check_copy(stride_plan_execute_batch(&with->unpacking, of->out, of->bytes, with->place_offsets, with->receive,
                                       of->bytes, with->packed_offsets, others, 0, 1, &error), &error);
}

static void run_pack(const job *of, const tools *with, MPI_Datatype packed) {
  const int bytes = (int)of->block_bytes;
  for (int d = 0; d < of->ranks; d++) {
    int position = 0;
    MPI_Pack(of->in, 1, with->sends[d], with->send + (uint64_t)d * of->block_bytes, bytes, &position, MPI_COMM_WORLD);
  }
  MPI_Alltoallv(with->send, with->ones, with->displacements, packed, with->receive, with->ones, with->displacements,
                packed, MPI_COMM_WORLD);
  for (int s = 0; s < of->ranks; s++) {
    int position = 0;
    MPI_Unpack(with->receive + (uint64_t)s * of->block_bytes, bytes, &position, of->out, 1, with->receives[s],
               MPI_COMM_WORLD);
  }
}

// --- The formula -----------------------------------------------------------------------------------------------------

// The element with this row-major number in the whole array.
static void set_value(uint8_t *at, uint64_t number, int64_t width) {
  const uint64_t value = ((number + 1) * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - 8 * width);
  memcpy(at, &value, (size_t)width);
}

// Walks a packed block of `sizes` in row-major order; element (i0, ...) of it has the number `base` + sum of i * steps.
// Fills the block, or counts the elements that differ.
static uint64_t walk(uint8_t *memory, uint32_t rank, const int64_t *sizes, const int64_t *steps, int64_t base,
                     int64_t width, int fill) {
  int64_t index[MOST_DIMENSIONS] = {0};
  uint64_t wrong = 0;
  for (uint32_t k = 0; k < rank; k++) {
    if (sizes[k] == 0) return 0;
  }
  for (;;) {
    for (int64_t i = 0; i < sizes[rank - 1]; i++, memory += width) {
      uint8_t value[8];
      set_value(fill ? memory : value, (uint64_t)(base + i * steps[rank - 1]), width);
      if (!fill) wrong += memcmp(value, memory, (size_t)width) != 0;
    }
    uint32_t k = rank - 1;
    while (k > 0 && ++index[k - 1] == sizes[k - 1]) {
      base -= (sizes[k - 1] - 1) * steps[k - 1];
      index[--k] = 0;
    }
    if (k == 0) return wrong;
    base += steps[k - 1];
  }
}

static uint64_t fill_or_compare(const job *of, int fill) {
  int64_t whole[MOST_DIMENSIONS], steps[MOST_DIMENSIONS], step = 1;
  for (uint32_t k = of->dimensions; k-- > 0; step *= of->sizes[k]) whole[k] = step;
  if (fill) {
    return walk(of->in, of->dimensions, of->src.sizes, whole, of->me * of->src.sizes[of->from] * whole[of->from],
                of->width, 1);
  }
  for (uint32_t k = 0; k < of->dimensions; k++) steps[k] = whole[of->axes[k]];
  return walk(of->out, of->dimensions, of->dst.sizes, steps, of->me * of->dst.sizes[of->to] * steps[of->to], of->width,
              0);
}

// --- The program -----------------------------------------------------------------------------------------------------

static int64_t number(const char *text, int64_t least, int64_t most) {
  char *end;
  const long long value = strtoll(text, &end, 10);
  if (end == text || *end != '\0') give_up("%s is no number", text);
  if (value < least || value > most) give_up("%s is not from %" PRId64 " to %" PRId64, text, least, most);
  return value;
}

static uint32_t numbers(const char *text, int64_t *out) {
  char copy[256];
  uint32_t count = 0;
  snprintf(copy, sizeof copy, "%s", text);
  for (char *word = strtok(copy, ","); word != NULL; word = strtok(NULL, ",")) {
    if (count == MOST_DIMENSIONS) give_up("%s has more than %d numbers", text, MOST_DIMENSIONS);
    out[count++] = number(word, 0, INT64_MAX);
  }
  return count;
}

static void choose_ways(const char *text, int *wanted) {
  char copy[256];
  memset(wanted, 0, WAY_COUNT * sizeof *wanted);
  snprintf(copy, sizeof copy, "%s", text);
  for (char *word = strtok(copy, ","); word != NULL; word = strtok(NULL, ",")) {
    int way = 0;
    while (way < WAY_COUNT && strcmp(word, WAYS[way]) != 0) way++;
    if (way == WAY_COUNT) give_up("--ways: '%s' is none of local, regions, types, rounds, plans, pack", word);
    wanted[way] = 1;
  }
}

static job read_arguments(int count, char **arguments) {
  job of = {0};
  uint32_t axes = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &of.me);
  MPI_Comm_size(MPI_COMM_WORLD, &of.ranks);
  of.dimensions = 2, of.sizes[0] = of.sizes[1] = 4096, of.width = 8, of.repeat = 3, of.buffer = 32;
  for (int way = 0; way < WAY_COUNT; way++) of.wanted[way] = 1;
  for (int k = 1; k < count; k += 2) {
    const char *name = arguments[k], *value = k + 1 < count ? arguments[k + 1] : "";
    if (strcmp(name, "--sizes") == 0) of.dimensions = numbers(value, of.sizes);
    else if (strcmp(name, "--axes") == 0) axes = numbers(value, of.axes);
    else if (strcmp(name, "--gb") == 0) of.gb = number(value, 1, 1000000);
    else if (strcmp(name, "--from") == 0) of.from = number(value, 0, MOST_DIMENSIONS);
    else if (strcmp(name, "--to") == 0) of.to = number(value, 0, MOST_DIMENSIONS);
    else if (strcmp(name, "--bytes") == 0) of.width = number(value, 1, 8);
    else if (strcmp(name, "--repeat") == 0) of.repeat = number(value, 1, 1000);
    else if (strcmp(name, "--buffer") == 0) of.buffer = number(value, 1, 1 << 20);
    else if (strcmp(name, "--ways") == 0) choose_ways(value, of.wanted);
    else give_up("'%s' is no option; the head of mpi_relayout.c lists them", name);
  }
  if (of.width != 1 && of.width != 2 && of.width != 4 && of.width != 8) give_up("elements have 1, 2, 4 or 8 bytes");
  if (of.gb > 0) {
    int64_t side = 1;
    while (side * side * of.width < of.gb * 1000000000) side += 1 + side / 100000;
    of.dimensions = 2;
    of.sizes[0] = of.sizes[1] = side / (64 * of.ranks) * 64 * of.ranks;
  }
  if (axes == 0) {
    for (uint32_t k = 0; k < of.dimensions; k++) of.axes[k] = of.dimensions - 1 - k;
  } else if (axes != of.dimensions) {
    give_up("--axes has %u numbers, the array %u dimensions", axes, of.dimensions);
  }
  if (of.from >= of.dimensions || of.to >= of.dimensions) {
    give_up("--from %" PRId64 ", --to %" PRId64 ": the array has %u dimensions", of.from, of.to, of.dimensions);
  }
  return of;
}

// The layouts of what each rank has and gets.
static void lay_out(job *of) {
  const uint32_t dtype = STRIDE_DTYPE_BYTES | (uint32_t)of->width;
  int64_t sizes[MOST_DIMENSIONS];
  stride_layout whole, result;
  stride_error error;
  check(stride_layout_init(&whole, dtype, of->dimensions, of->sizes, NULL, &error), &error, "--sizes");
  check(stride_layout_permute(&whole, of->dimensions, of->axes, &result, &error), &error, "--axes");
  const int64_t along = of->axes[of->to];
  if (along == of->from && of->ranks > 1) {
    give_up("dimension %" PRId64 " is in blocks at first and at last, so nothing moves between ranks", along);
  }
  if (of->sizes[of->from] % of->ranks != 0 || of->sizes[along] % of->ranks != 0) {
    give_up("sizes %" PRId64 " and %" PRId64 " of the dimensions in blocks do not both divide by %d ranks",
            of->sizes[of->from], of->sizes[along], of->ranks);
  }
  memcpy(sizes, of->sizes, sizeof sizes);
  sizes[of->from] /= of->ranks;
  check(stride_layout_init(&of->src, dtype, of->dimensions, sizes, NULL, &error), &error, "blocks");
  memcpy(sizes, result.sizes, of->dimensions * sizeof *sizes);
  sizes[of->to] /= of->ranks;
  check(stride_layout_init(&of->dst, dtype, of->dimensions, sizes, NULL, &error), &error, "blocks");
  while (of->axes[of->cut] != of->from) of->cut++;
  check(stride_layout_min_bytes(&of->src, &of->bytes, &error), &error, "blocks");
  of->block_bytes = of->bytes / (uint64_t)of->ranks;
  if (of->bytes == 0) give_up("the array has no elements");
  if (of->block_bytes / (uint64_t)of->width > INT_MAX) {
    give_up("a rank sends %" PRIu64 " elements to another one, MPI counts to %d: take more ranks",
            of->block_bytes / (uint64_t)of->width, INT_MAX);
  }
  for (uint32_t k = 0; k < of->dimensions; k++) {
    if (of->src.sizes[k] > INT_MAX) give_up("size %" PRId64 " is more than MPI's types count", of->src.sizes[k]);
  }
}

// Makes what a way needs. Returns NULL, or why it is left out.
static const char *prepare(const job *of, int way, tools *with) {
  static char reason[128];
  const size_t ranks = (size_t)of->ranks;
  uint64_t buffer = 0, count = 1;
  stride_error error;
  memset(with, 0, sizeof *with);
  with->ones = list(ranks, sizeof(int)), with->zeros = list(ranks, sizeof(int));
  with->others = list(ranks, sizeof(int)), with->displacements = list(ranks, sizeof(int));
  with->sends = list(ranks, sizeof(MPI_Datatype)), with->receives = list(ranks, sizeof(MPI_Datatype));
  with->views = list(ranks, sizeof(stride_layout)), with->places = list(ranks, sizeof(stride_layout));
  with->view_offsets = list(ranks, sizeof(int64_t)), with->place_offsets = list(ranks, sizeof(int64_t));
  with->packed_offsets = list(ranks, sizeof(int64_t));
  for (int r = 0, other = 0; r < of->ranks; r++) {
    with->ones[r] = 1, with->others[r] = r != of->me, with->displacements[r] = r;
    with->views[r] = outgoing(of, r), with->places[r] = incoming(of, r);
    with->sends[r] = with->receives[r] = MPI_DATATYPE_NULL;
    if (r == of->me) continue;
    with->view_offsets[other] = with->views[r].offset * of->width;
    with->place_offsets[other] = with->places[r].offset * of->width;
    with->packed_offsets[other++] = (int64_t)(of->block_bytes * (uint64_t)r);
  }
  if (way == REGIONS) {
    for (int r = 0; r < of->ranks; r++) {
      with->sends[r] = regions_type(of, of->me, r, 0, &count);
      with->receives[r] = regions_type(of, r, of->me, 1, &count);
      if (with->sends[r] == MPI_DATATYPE_NULL || with->receives[r] == MPI_DATATYPE_NULL) {
        snprintf(reason, sizeof reason, "%" PRIu64 " regions are too many for a datatype", count);
        return reason;
      }
    }
    if (of->me == 0) printf("regions: %" PRIu64 " between two ranks\n", count);
  }
  if (way == PACK && of->block_bytes > INT_MAX) return "MPI_Pack counts bytes as an int";
  if (way == TYPES || way == PACK) {
    for (int r = 0; r < of->ranks; r++) {
      with->sends[r] = subarray_type(of, r);
      with->receives[r] = transposed_type(of, r);
    }
  }
  if (way == ROUNDS || way == PLANS) {
    // Block 0 of both sides from its own first byte on; the lists have the offsets.
    stride_layout view = with->views[0], place = with->places[0];
    view.offset = place.offset = 0;
    check(stride_plan_init(&with->packing, NULL, &view, NULL, &error), &error, "packing");
    check(stride_plan_init(&with->unpacking, &place, NULL, NULL, &error), &error, "unpacking");
    check(stride_plan_init(&with->staying, &with->places[of->me], &with->views[of->me], NULL, &error), &error, "stay");
  }
  if (way == PLANS || way == PACK) buffer = of->bytes;
  if (way == ROUNDS) {
    // Whole rows of the result, where a round has one.
    const uint64_t row = (uint64_t)with->places[0].sizes[of->dimensions - 1];
    uint64_t elements = ((uint64_t)of->buffer << 20) / (uint64_t)of->ranks / (uint64_t)of->width;
    if (elements > row) elements = elements / row * row;
    with->round_elements = elements > 0 ? elements : 1;
    if (with->round_elements > of->block_bytes / (uint64_t)of->width) {
      with->round_elements = of->block_bytes / (uint64_t)of->width;
    }
    buffer = with->round_elements * (uint64_t)of->width * (uint64_t)of->ranks;
  }
  if (buffer > 0) {
    const uint64_t missing = bytes_missing(2 * buffer);
    if (missing == 0) with->send = allocate(buffer), with->receive = allocate(buffer);
    if (with->send == NULL || with->receive == NULL) {
      snprintf(reason, sizeof reason, "buffers of %" PRIu64 " bytes a rank: %" PRIu64 " bytes are missing", 2 * buffer,
               missing);
      return reason;
    }
  }
  return NULL;
}

static void put_away(const job *of, tools *with) {
  for (int r = 0; r < of->ranks; r++) {
    if (with->sends[r] != MPI_DATATYPE_NULL) MPI_Type_free(&with->sends[r]);
    if (with->receives[r] != MPI_DATATYPE_NULL) MPI_Type_free(&with->receives[r]);
  }
  free(with->ones), free(with->zeros), free(with->others), free(with->displacements), free(with->sends);
  free(with->receives), free(with->views), free(with->places), free(with->view_offsets), free(with->place_offsets);
  free(with->packed_offsets), free(with->send), free(with->receive);
}

// The best time of all runs, of the slowest rank in each; 0: a byte was wrong.
static double time_way(const job *of, int way, const tools *with) {
  double best = 0;
  MPI_Datatype packed = MPI_DATATYPE_NULL;
  if (way == PACK) {
    MPI_Type_contiguous((int)of->block_bytes, MPI_PACKED, &packed);
    MPI_Type_commit(&packed);
  }
  for (int64_t iteration = 0; iteration < of->repeat; iteration++) {
    double seconds;
    uint64_t wrong = 0;
    if (iteration == 0) memset(of->out, 0, (size_t)of->bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    seconds = MPI_Wtime();
    if (way == LOCAL) run_local(of);
    if (way == REGIONS || way == TYPES) run_alltoallw(of, with);
    if (way == ROUNDS) run_rounds(of, with);
    if (way == PLANS) run_plans(of, with);
    if (way == PACK) run_pack(of, with, packed);
    seconds = MPI_Wtime() - seconds;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (iteration == 0 && (way != LOCAL || of->ranks == 1)) wrong = fill_or_compare(of, 0);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (wrong != 0) {
      if (of->me == 0) fprintf(stderr, "mpi_relayout: %s: %" PRIu64 " elements are wrong\n", WAYS[way], wrong);
      return 0;
    }
    if (iteration == 0 || seconds < best) best = seconds;
  }
  if (packed != MPI_DATATYPE_NULL) MPI_Type_free(&packed);
  return best;
}

int main(int count, char **arguments) {
  double times[WAY_COUNT] = {0}, best = 0;
  int failed = 0;
  MPI_Init(&count, &arguments);
  job of = read_arguments(count, arguments);
  lay_out(&of);
  const uint64_t missing = bytes_missing(2 * of.bytes);
  if (missing > 0) {
    give_up("a rank needs %" PRIu64 " bytes for its two blocks: %" PRIu64 " are missing", 2 * of.bytes, missing);
  }
  of.in = allocate(of.bytes), of.out = allocate(of.bytes);
  if (of.in == NULL || of.out == NULL) give_up("there is no memory for two blocks of %" PRIu64 " bytes", of.bytes);
  MPI_Type_match_size(MPI_TYPECLASS_INTEGER, (int)of.width, &of.element);
  MPI_Type_contiguous((int)(of.block_bytes / (uint64_t)of.width), of.element, &of.block);
  MPI_Type_commit(&of.block);
  fill_or_compare(&of, 1);
  if (of.me == 0) {
    printf("%" PRIu64 " bytes on %d ranks, %" PRIu64 " from each to each\n", of.bytes * (uint64_t)of.ranks, of.ranks,
           of.block_bytes);
  }
  for (int way = 0; way < WAY_COUNT && !failed; way++) {
    tools with;
    if (!of.wanted[way]) continue;
    const char *reason = prepare(&of, way, &with);
    if (reason == NULL) {
      times[way] = time_way(&of, way, &with);
      failed = times[way] == 0;
      if (way != LOCAL && (best == 0 || times[way] < best)) best = times[way];
    } else if (of.me == 0) {
      printf("%s is left out: %s\n", WAYS[way], reason);
    }
    put_away(&of, &with);
  }
  if (of.me == 0 && !failed) {
    printf("%-8s %9s %7s %6s\n", "way", "seconds", "GB/s", "share");
    for (int way = 0; way < WAY_COUNT; way++) {
      if (times[way] == 0) continue;
      printf("%-8s %9.4f %7.2f %6.2f\n", WAYS[way], times[way], (double)of.bytes * of.ranks / times[way] / 1e9,
             best > 0 ? best / times[way] : 1.0);
    }
    printf("every element is where the formula has it\n");
  }
  free(of.in), free(of.out);
  MPI_Type_free(&of.block);
  MPI_Finalize();
  return failed;
}
