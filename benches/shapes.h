// Random copies: shapes, strides, elements and places that belong to a seed and a number. The including file has
// bench.h.

enum { MAX_RANK = 6, MAX_WIDTH = 40 };
#define SIDE_BYTES ((int64_t)48 << 20)

// ---------------------------------------------------------------------------------------------------------------------
// Random numbers, one state per problem.

static uint64_t state;

static uint64_t next(void) { return next_number(&state); }

static int64_t below(int64_t limit) { return (int64_t)(next() % (uint64_t)limit); }
static int one_in(int64_t n) { return below(n) == 0; }
static double unit(void) { return (double)(next() >> 11) / 9007199254740992.0; }

static void shuffle(int *list, int count) {
  for (int k = count - 1; k > 0; k--) {
    int other = (int)below(k + 1), kept = list[k];
    list[k] = list[other];
    list[other] = kept;
  }
}

// 2^x, and the number of octaves between two powers, without libm.
static double octave(double x) {
  int whole = (int)x;
  double part = x - whole, power = (double)((uint64_t)1 << whole);
  return power * (1 + part * (0.6957 + part * (0.2251 + part * 0.0792)));
}

// ---------------------------------------------------------------------------------------------------------------------
// Problems.

enum kind { ROWS, PERMUTE, SHORT, STEP, REVERSE, BROADCAST, MIXED, KINDS };
static const char *const kind_names[KINDS] = {"rows", "permute", "short axes", "step", "reverse", "broadcast", "mixed"};
enum side { SRC, DST, BOTH, SIDES };
static const char *const side_names[SIDES] = {"source", "destination", "both"};

typedef struct problem {
  int number;
  enum kind kind;
  enum side side;  // which side is not packed in row-major order
  int rank, width;
  int64_t sizes[MAX_RANK], strides[2][MAX_RANK];  // of [SRC] and [DST], in elements
  int64_t offsets[2], extents[2];                 // elements before the base pointer's, elements in all
  int64_t placement[2];                           // bytes from the start of a page to the buffer
  int64_t bytes;
} problem;

static void draw_sizes(problem *p, int64_t elements) {
  double weights[MAX_RANK], sum = 0, octaves = 0;
  int64_t left = elements;
  int shorts = p->kind == SHORT || (p->kind == MIXED && one_in(3)) ? 1 + (int)below(p->rank > 2 ? p->rank - 1 : 1) : 0;
  if (shorts > 3) shorts = 3;
  int round = (int)below(4);
  for (int d = 0; d < p->rank; d++) {
    weights[d] = 0.2 + unit();
    if (d >= p->rank - shorts) {  // the innermost ones; permutations take them elsewhere
      p->sizes[d] = 1 + below(8);
      left = left / p->sizes[d] > 0 ? left / p->sizes[d] : 1;
    } else {
      sum += weights[d];
    }
  }
  for (int64_t n = left; n > 1; n /= 2) octaves += n < 4 ? (double)n / 2 - 0.5 : 1;
  for (int d = 0; d < p->rank - shorts; d++) {
    int64_t size = (int64_t)(octave(octaves * weights[d] / sum) + 0.5);
    if (round == 0) {  // a power of two
      int64_t power = 1;
      while (power * 3 / 2 < size) power *= 2;
      size = power;
    } else if (round == 1 && size > 24) {
      size = size / 8 * 8;
    }
    p->sizes[d] = size > 0 ? size : 1;
  }
}

static void draw_strides(problem *p, int which) {
  int strided = p->side == BOTH || p->side == (enum side)which;
  int mixed = p->kind == MIXED, order[MAX_RANK];  // fastest first
  for (int d = 0; d < p->rank; d++) order[d] = p->rank - 1 - d;
  int permuted = p->kind == PERMUTE || p->kind == SHORT || (mixed && one_in(2)) || (p->kind > SHORT && one_in(4));
  if (strided && permuted) shuffle(order, p->rank);
  int padded = strided && (p->kind == ROWS || (mixed && one_in(2)) || one_in(4));
  int stepped = strided && (p->kind == STEP || (mixed && one_in(3))) ? (one_in(3) ? (int)below(p->rank) : 0) : -1;
  int pad_at = padded ? (int)below(p->rank > 1 ? p->rank - 1 : 1) : -1;
  int64_t step = 1;
  for (int k = 0; k < p->rank; k++) {
    int d = order[k];
    if (k == stepped) step *= (int64_t[]){2, 2, 3, 5}[below(4)];
    p->strides[which][d] = step;
    step *= p->sizes[d];
    if (k == pad_at || (padded && one_in(4))) {
      int64_t line = 64 / p->width > 0 ? 64 / p->width : 1;
      switch (below(4)) {
        case 0: step += 1 + below(3); break;
        case 1: step += 1 + below(40); break;
        case 2: step += line - step % line; break;
        default: step += below(2) ? step : 1 + step / 3; break;
      }
    }
  }
  if (strided && (p->kind == REVERSE || (mixed && one_in(3)))) {
    int inner = order[0], any = order[below(p->rank)];
    if (!one_in(3)) p->strides[which][inner] *= -1;
    if (p->strides[which][any] > 0 && (p->strides[which][inner] > 0 || one_in(3))) p->strides[which][any] *= -1;
  }
  if (which == SRC && (p->kind == BROADCAST || (mixed && one_in(5)))) {
    p->strides[which][one_in(2) ? order[0] : order[below(p->rank)]] = 0;
    if (one_in(3)) p->strides[which][below(p->rank)] = 0;
  }
  p->offsets[which] = 0;
  p->extents[which] = 1;
  for (int d = 0; d < p->rank; d++) {
    int64_t reach = (p->sizes[d] - 1) * p->strides[which][d];
    if (reach < 0) p->offsets[which] -= reach;
    p->extents[which] += reach < 0 ? -reach : reach;
  }
}

static problem draw(uint64_t seed, int number) {
  static const int widths[] = {4, 4, 4, 4, 4, 1, 1, 1, 2, 2, 2, 8, 8, 8, 16, 16, 3, 3, 6, 12, 12, 5, 7, 10, 20, 24, 32, 40};
  problem p = {.number = number};
  state = seed * 0xD1342543DE82EF95u + (uint64_t)number * 0x2545F4914F6CDD1Du;
  do {
    p.kind = (enum kind)below(KINDS);
    p.side = (enum side)below(SIDES);
    if (p.kind == BROADCAST && p.side == DST) p.side = BOTH;
    p.width = widths[below((int64_t)(sizeof widths / sizeof *widths))];
    p.rank = 1 + (int)below(MAX_RANK);
    if (p.rank == 1 && (p.kind == ROWS || p.kind == PERMUTE || p.kind == SHORT)) p.rank = 2 + (int)below(3);
    int part = (int)below(20);  // two in twenty below 64 bytes, one above 4 MiB
    double octaves = part < 2 ? 3 + 3 * unit() : part < 3 ? 22 + 2 * unit() : 6 + 16 * unit();
    int64_t elements = (int64_t)octave(octaves) / p.width;
    draw_sizes(&p, elements > 0 ? elements : 1);
    draw_strides(&p, SRC);
    draw_strides(&p, DST);
    p.bytes = p.width;
    for (int d = 0; d < p.rank; d++) p.bytes *= p.sizes[d];
    for (int which = 0; which < 2; which++) {
      int64_t aligned = one_in(2) ? 64 : one_in(2) ? (p.width & -p.width) : 1;
      p.placement[which] = below(4096) / aligned * aligned;
    }
  } while (p.bytes == p.width || p.bytes > (int64_t)20 << 20 || p.extents[SRC] * p.width > SIDE_BYTES ||
           p.extents[DST] * p.width > SIDE_BYTES);
  return p;
}
