// Jobs that ctypes does too slowly or not at all: copies, takes, ranges, comparisons and fills of plain arrays, plans
// run on them, and capsules of DLPack.
//
// This file asks for no Python.h and links nothing. stride_native_bind, which ctypes calls once, gets the addresses of
// Python's functions and of libstride's. So one file serves every CPython of a platform, and is compiled for it without
// that platform's Python.
//
// It uses Python's stable ABI since 3.11 (PEP 384): the functions of `python`, struct PyMethodDef, METH_FASTCALL and
// Py_buffer, which stride_py_buffer is. CPython 3.9 and 3.10, which change no more, have the same.
//
// Each function does what is certainly right, and says so. In all other cases it has changed nothing, and the caller in
// Python, where the rules are, does the job or raises. What two small arrays are costs ctypes ten times the copy.
//
// A capsule may be collected while an exception is on its way, and a tensor after Python has ended: Python code must
// not run then, so what frees them stands here.

#include "stride.h"
#include "stride_interop.h"

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

// A PyObject is never looked into.
typedef void object;

#define PYBUF_WRITABLE 0x01
#define PYBUF_FORMAT 0x04
#define PYBUF_STRIDES 0x18
#define METH_FASTCALL 0x80

// From 32 MiB on a copy may have several threads, which _threads.py starts.
#define THREADED_BYTES (32 << 20)
// Releasing the GIL and taking it again costs at most 0.1 us without contention; copying this many bytes takes longer.
#define UNLOCKED_BYTES (32 << 10)
// Runs of a take that lie on the stack.
#define FEW_RUNS 64

typedef object *fastcall(object *self, object *const *arguments, ptrdiff_t count);

struct method {
  const char *name;
  fastcall *function;
  int flags;
  const char *doc;
};

// The order is that of _native.py. A state of the GIL is an enum.
static struct {
  int (*get_buffer)(object *, stride_py_buffer *, int);
  void (*release_buffer)(stride_py_buffer *);
  object *(*class_of)(object *);
  int (*set_contains)(object *set, object *key);
  void (*decref)(object *);
  void (*clear_error)(void);
  void *(*save_thread)(void);
  void (*restore_thread)(void *);
  object *(*number_of)(long);
  void *(*address_of)(object *number);
  object *(*new_function)(struct method *, object *self, object *module);
  void (*incref)(object *);
  int (*is_initialized)(void);
  int (*gil_ensure)(void);
  void (*gil_release)(int);
  object *(*new_capsule)(void *, const char *name, void (*destructor)(object *));
  int (*is_capsule)(object *, const char *name);
  void *(*capsule_pointer)(object *, const char *name);
  object *(*attribute)(object *, const char *name);
  long long (*to_number)(object *);
  object *(*error)(void);
  ptrdiff_t (*length)(object *sequence);
  object *(*item)(object *sequence, ptrdiff_t);
  void *(*new_memory)(size_t);
  void (*free_memory)(void *);
} python;

// Sets that _native.py holds: classes that are what their buffer says, as a masked array is not; dtypes of NumPy whose
// elements may be copied as bytes; lists and tuples. And None.
static object *classes, *dtypes, *lists, *none_object;

static struct {
  stride_status (*from_py_buffer)(const stride_py_buffer *, stride_layout *, stride_error *);
  stride_status (*rebase)(const stride_layout *, stride_layout *, int64_t *, stride_error *);
  stride_status (*broadcast_to)(const stride_layout *, uint32_t, const int64_t *, stride_layout *, stride_error *);
  stride_status (*bytes)(const stride_layout *, stride_layout *, stride_error *);
  stride_status (*copy)(const stride_layout *, void *, uint64_t, const stride_layout *, const void *, uint64_t,
                        const stride_copy_options *, stride_error *);
  stride_status (*compare)(const stride_layout *, const void *, uint64_t, const stride_layout *, const void *, uint64_t,
                           int64_t *, stride_error *);
  stride_status (*fill)(const stride_layout *, void *, uint64_t, const void *, stride_error *);
  stride_status (*execute)(const stride_plan *, void *, uint64_t, const void *, uint64_t, stride_error *);
  stride_status (*copy_sides)(const stride_side *, void *, uint64_t, const stride_side *, const void *, uint64_t,
                              const stride_copy_options *, stride_error *);
} library;

struct side {
  stride_py_buffer view;
  stride_layout layout;
  char *base;
  uint32_t item; // Of elements at any byte their dtype; the layout is that of their bytes. 0: `layout` has it.
};

static int is_of(object *set, object *x) {
  object *its = python.class_of(x);
  int known = python.set_contains(set, its);
  python.decref(its);
  return known == 1;
}

static int is_plain(object *x) { return is_of(classes, x); }

// What elements are whose format is this one letter, once they have been met: dtype << 16 | bytes, in one word, since
// threads may write it at the same time. The library takes as long for a layout as for the copy of it.
static uint32_t known[128];

// As stride_layout_from_py_buffer does it, where the letter is known; 0 where it is not, or the strides are no whole
// number of elements.
static int read_known(const stride_py_buffer *view, stride_layout *out) {
  unsigned char letter = (unsigned char)view->format[0];
  uint32_t element = letter < 128 && view->format[1] == 0 ? known[letter] : 0;
  ptrdiff_t itemsize = element & 0xFFFF;
  if (element == 0 || view->itemsize != itemsize || view->ndim > STRIDE_MAX_RANK)
    return 0;
  out->dtype = element >> 16;
  out->rank = (uint32_t)view->ndim;
  out->offset = 0;
  for (int k = 0; k < view->ndim; k++) {
    out->sizes[k] = view->shape[k];
    out->strides[k] = view->strides[k] / itemsize;
    if (out->strides[k] * itemsize != view->strides[k])
      return 0;
  }
  return 1;
}

// The dtype of an item of a buffer, wherever it lies; 0: none.
static uint32_t dtype_of_item(const stride_py_buffer *view) {
  stride_py_buffer item = {.format = view->format, .itemsize = view->itemsize, .len = view->itemsize};
  stride_layout layout;
  if (library.from_py_buffer(&item, &layout, NULL) != STRIDE_STATUS_OK || layout.rank != 0)
    return 0;
  return layout.dtype;
}

// An element for each index; of elements at any byte, their bytes. With a format it is a number: plain bytes may be
// texts or records, which _copy.py compares. Without one the dtypes are known to be equal, and it is bytes.
static int read_elements(struct side *side) {
  const stride_py_buffer *view = &side->view;
  stride_layout *out = &side->layout;
  side->item = 0;
  if (view->format == NULL)
    return library.from_py_buffer(view, out, NULL) == STRIDE_STATUS_OK && out->rank == (uint32_t)view->ndim;
  if (read_known(view, out))
    return 1;
  if (library.from_py_buffer(view, out, NULL) != STRIDE_STATUS_OK || out->dtype & STRIDE_DTYPE_BYTES)
    return 0;
  if (out->rank != (uint32_t)view->ndim) {
    side->item = dtype_of_item(view);
    return out->rank == (uint32_t)view->ndim + 1 && side->item != 0 && !(side->item & STRIDE_DTYPE_BYTES);
  }
  unsigned char letter = (unsigned char)view->format[0];
  if (letter < 128 && view->format[1] == 0 && out->dtype <= 0xFFFF)
    known[letter] = out->dtype << 16 | (uint32_t)view->itemsize;
  return 1;
}

// The layout of a buffer, counted from its lowest element.
static int read_side(struct side *side) {
  stride_layout *layout = &side->layout;
  if (!read_elements(side))
    return 0;
  side->base = side->view.buf;
  for (uint32_t k = 0; k < layout->rank; k++) {
    if (layout->strides[k] < 0) {
      int64_t shift; // in bytes
      if (library.rebase(layout, layout, &shift, NULL) != STRIDE_STATUS_OK)
        return 0;
      side->base += shift;
      break;
    }
  }
  return 1;
}

static int same_sizes(const stride_layout *one, const stride_layout *other) {
  if (one->rank != other->rank)
    return 0;
  for (uint32_t k = 0; k < one->rank; k++) {
    if (one->sizes[k] != other->sizes[k])
      return 0;
  }
  return 1;
}

// The bytes of an element as one dimension more, upward in the order of this machine, whatever theirs is.
static int as_bytes(struct side *side) {
  uint32_t rank = side->layout.rank;
  return side->item || (library.bytes(&side->layout, &side->layout, NULL) == STRIDE_STATUS_OK &&
                        side->layout.rank == rank + 1); // A complex number has its parts apart.
}

// Both sides as elements of one kind. Their dtypes are equal but for the bits of `may_differ`.
static int read_both(struct side *one, struct side *other, uint32_t may_differ) {
  if (!read_side(one) || !read_side(other))
    return 0;
  uint32_t dtype = one->item ? one->item : one->layout.dtype, its = other->item ? other->item : other->layout.dtype;
  if (dtype != its && (dtype & STRIDE_DTYPE_BYTES || (dtype ^ its) & ~may_differ))
    return 0;
  return (!one->item && !other->item) || (as_bytes(one) && as_bytes(other));
}

// Longer jobs run without the GIL.
static void *begin(int64_t bytes) { return bytes < UNLOCKED_BYTES ? NULL : python.save_thread(); }

static void end(void *thread) {
  if (thread != NULL)
    python.restore_thread(thread);
}

// These answer 0 where the job was not done here.
enum { NOT_DONE, DONE, EQUAL = DONE, DIFFERENT };

static int copied(struct side *dst, struct side *src, const void *none) {
  (void)none;
  if (dst->view.len >= THREADED_BYTES || !read_both(dst, src, STRIDE_DTYPE_SWAPPED))
    return NOT_DONE;
  if (!same_sizes(&dst->layout, &src->layout) &&
      library.broadcast_to(&src->layout, dst->layout.rank, dst->layout.sizes, &src->layout, NULL) != STRIDE_STATUS_OK)
    return NOT_DONE;
  void *thread = begin(dst->view.len);
  stride_status status =
      library.copy(&dst->layout, dst->base, UINT64_MAX, &src->layout, src->base, UINT64_MAX, NULL, NULL);
  end(thread);
  return status == STRIDE_STATUS_OK; // What shares memory is refused, and then copied by the long way round.
}

static int compared(struct side *lhs, struct side *rhs, const void *none) {
  (void)none;
  if (!read_both(lhs, rhs, 0))
    return NOT_DONE;
  if (!same_sizes(&lhs->layout, &rhs->layout))
    return DIFFERENT;
  int64_t first;
  void *thread = begin(lhs->view.len);
  stride_status status = library.compare(&lhs->layout, lhs->base, UINT64_MAX, &rhs->layout, rhs->base, UINT64_MAX,
                                         &first, NULL);
  end(thread);
  return status != STRIDE_STATUS_OK ? NOT_DONE : first < 0 ? EQUAL : DIFFERENT;
}

// A plan and what its sides must be: layouts that begin at their lowest element, and how many bytes before it the plan
// counts from. _native.py has the same struct.
struct prepared {
  const stride_plan *plan;
  const stride_layout *layouts[2];
  int64_t shifts[2];
};

static int is_byte(uint32_t dtype) {
  return dtype == STRIDE_DTYPE_U8 || dtype == STRIDE_DTYPE_S8 || dtype == STRIDE_DTYPE_PRED;
}

// The address of a side of the plan, and its bytes: plain bytes, or elements that lie as its layout says.
static int placed(struct side *side, const struct prepared *by, int which, char **base, uint64_t *bytes) {
  const stride_layout *layout = &side->layout, *wanted = by->layouts[which];
  if (!read_side(side))
    return 0;
  if (layout->rank == 1 && is_byte(layout->dtype) && (layout->strides[0] == 1 || layout->sizes[0] < 2)) {
    *base = side->base;
    *bytes = (uint64_t)side->view.len;
    return 1;
  }
  if (layout->dtype != wanted->dtype || layout->offset != wanted->offset || !same_sizes(layout, wanted))
    return 0;
  for (uint32_t k = 0; k < layout->rank; k++) {
    if (layout->strides[k] != wanted->strides[k] && layout->sizes[k] != 1)
      return 0;
  }
  *base = side->base - by->shifts[which];
  *bytes = UINT64_MAX;
  return 1;
}

static int executed(struct side *dst, struct side *src, const void *prepared) {
  const struct prepared *by = prepared;
  char *to, *of;
  uint64_t to_bytes, of_bytes;
  if (by == NULL || !placed(dst, by, 0, &to, &to_bytes) || !placed(src, by, 1, &of, &of_bytes))
    return NOT_DONE;
  void *thread = begin(dst->view.len);
  stride_status status = library.execute(by->plan, to, to_bytes, of, of_bytes, NULL);
  end(thread);
  return status == STRIDE_STATUS_OK;
}

// NumPy exports no format of bf16 or dates. Two arrays of one dtype object are alike nevertheless.
static int have_one_dtype(object *dst, object *src) {
  object *one = python.attribute(dst, "dtype"), *other = python.attribute(src, "dtype");
  int alike = one != NULL && one == other && python.set_contains(dtypes, one) == 1;
  python.decref(one); // NULL is fine
  python.decref(other);
  return alike;
}

// Calls with the buffers of two objects. `flags`: how the first one is asked for.
static int with_both(int (*then)(struct side *, struct side *, const void *), const void *with, object *first,
                     object *second, int flags, int format) {
  struct side one, other;
  int answer = NOT_DONE;
  if (python.get_buffer(first, &one.view, PYBUF_STRIDES | flags | format) != 0)
    return NOT_DONE;
  if (python.get_buffer(second, &other.view, PYBUF_STRIDES | format) == 0) {
    answer = then(&one, &other, with);
    python.release_buffer(&other.view);
  }
  python.release_buffer(&one.view);
  return answer;
}

static object *answered(int done) {
  if (!done)
    python.clear_error();
  return python.number_of(done);
}

// Calls with both, of one dtype if not of one format.
static int with_alike(int (*then)(struct side *, struct side *, const void *), const void *with, object *dst,
                      object *src) {
  if (!is_plain(dst) || !is_plain(src))
    return NOT_DONE;
  int done = with_both(then, with, dst, src, PYBUF_WRITABLE, PYBUF_FORMAT);
  if (!done) {
    python.clear_error();
    if (have_one_dtype(dst, src))
      done = with_both(then, with, dst, src, PYBUF_WRITABLE, 0);
  }
  return done;
}

// copy(dst, src)
static object *copy(object *self, object *const *arguments, ptrdiff_t count) {
  (void)self;
  return answered(count == 2 ? with_alike(copied, NULL, arguments[0], arguments[1]) : NOT_DONE);
}

// A number, unless it is none.
static int read_number(object *x, int64_t *out) {
  *out = python.to_number(x);
  return *out != -1 || python.error() == NULL;
}

static stride_side side_of(const stride_layout *of) {
  stride_side side = {.struct_size = sizeof side, .kind = STRIDE_SIDE_LAYOUT, .range_count = -1, .of = of};
  return side;
}

static int copied_sides(const struct side *dst, const stride_side *to, const struct side *src, const stride_side *from,
                        const stride_copy_options *options) {
  void *thread = begin(dst->view.len);
  stride_status status = library.copy_sides(to, dst->base, UINT64_MAX, from, src->base, UINT64_MAX, options, NULL);
  end(thread);
  return status == STRIDE_STATUS_OK;
}

struct range {
  int64_t dst_first, src_first, count; // -1: all that are left, of both as many
};

static int64_t elements(const stride_layout *of) {
  int64_t all = 1;
  for (uint32_t k = 0; k < of->rank; k++)
    all *= of->sizes[k]; // there is memory for them
  return all;
}

static int copied_range(struct side *dst, struct side *src, const void *with) {
  struct range by = *(const struct range *)with;
  if (dst->view.len >= THREADED_BYTES || !read_both(dst, src, STRIDE_DTYPE_SWAPPED) || dst->item || src->item)
    return NOT_DONE;
  if (by.count < 0) {
    by.count = elements(&dst->layout) - by.dst_first;
    if (by.count != elements(&src->layout) - by.src_first)
      return NOT_DONE;
  }
  stride_side to = side_of(&dst->layout), from = side_of(&src->layout);
  to.range_first = by.dst_first, to.range_count = by.count;
  from.range_first = by.src_first, from.range_count = by.count;
  return by.count >= 0 && copied_sides(dst, &to, src, &from, NULL);
}

// copy_range(dst, src, count or None, dst_first, src_first)
static object *copy_range(object *self, object *const *arguments, ptrdiff_t count) {
  (void)self;
  struct range by = {0, 0, -1};
  if (count != 5 || (arguments[2] != none_object && (!read_number(arguments[2], &by.count) || by.count < 0)) ||
      !read_number(arguments[3], &by.dst_first) || !read_number(arguments[4], &by.src_first))
    return answered(NOT_DONE);
  return answered(with_alike(copied_range, &by, arguments[0], arguments[1]));
}

struct picks {
  object *indices;
  int64_t axis;
  const stride_py_buffer *fill; // NULL: zeros
};

// As many items of a list as runs; None is the fill value.
static int read_items(object *list, int64_t size, uint32_t count, stride_index_run *out) {
  if (python.length(list) != (ptrdiff_t)count)
    return 0;
  for (uint32_t k = 0; k < count; k++) {
    object *item = python.item(list, k);
    int64_t index = 0;
    int is_none = item == none_object, known = item != NULL && (is_none || read_number(item, &index));
    python.decref(item); // NULL is fine
    index += index < 0 ? size : 0;
    if (!known || (!is_none && (index < 0 || index >= size)))
      return 0;
    out[k].first = is_none ? -1 : index;
    out[k].step = out[k].count = 1;
  }
  return 1;
}

// An array of indices as runs.
static int read_numbers(object *array, int64_t size, uint32_t count, stride_index_run *out) {
  stride_py_buffer view;
  if (!is_plain(array) || python.get_buffer(array, &view, PYBUF_STRIDES | PYBUF_FORMAT) != 0)
    return 0;
  stride_layout layout;
  int known = library.from_py_buffer(&view, &layout, NULL) == STRIDE_STATUS_OK && layout.dtype == STRIDE_DTYPE_S64 &&
              layout.rank == 1 && layout.sizes[0] == count && (layout.strides[0] == 1 || count < 2);
  const int64_t *numbers = view.buf;
  int outside = 0;
  for (uint32_t k = 0; known && k < count; k++) {
    int64_t index = numbers[k];
    index += index < 0 ? size : 0;
    outside |= (uint64_t)index >= (uint64_t)size;
    out[k].first = index;
    out[k].step = out[k].count = 1;
  }
  python.release_buffer(&view);
  return known && !outside;
}

static int taken(struct side *dst, struct side *src, const void *with) {
  const struct picks *by = with;
  if (dst->view.len >= THREADED_BYTES || !read_both(dst, src, STRIDE_DTYPE_SWAPPED) || dst->item || src->item)
    return NOT_DONE;
  const stride_layout *to = &dst->layout, *of = &src->layout;
  int64_t axis = by->axis + (by->axis < 0 ? of->rank : 0);
  if (to->rank != of->rank || axis < 0 || axis >= of->rank || to->sizes[axis] > UINT32_MAX)
    return NOT_DONE;
  stride_copy_options options = {.struct_size = sizeof options};
  if (by->fill != NULL) {
    ptrdiff_t bytes = by->fill->len;
    if (bytes < 1 || bytes > 16 || (bytes != 1 && bytes != src->view.itemsize))
      return NOT_DONE;
    for (int k = 0; k < 16; k++)
      options.fill[k] = ((const uint8_t *)by->fill->buf)[k % bytes];
  }
  int64_t size = of->sizes[axis];
  uint32_t count = (uint32_t)to->sizes[axis];
  stride_index_run few[FEW_RUNS], *runs = count <= FEW_RUNS ? few : python.new_memory(count * sizeof *runs);
  int done = NOT_DONE;
  if (runs != NULL && (is_of(lists, by->indices) ? read_items(by->indices, size, count, runs)
                                                 : read_numbers(by->indices, size, count, runs))) {
    stride_side whole = side_of(to), picked = side_of(of);
    picked.along_count = 1;
    picked.along[0] = (stride_side_runs){.runs = runs, .dimension = (uint32_t)axis, .count = count};
    done = copied_sides(dst, &whole, src, &picked, &options);
  }
  if (runs != few)
    python.free_memory(runs); // NULL is fine
  return done;
}

// take(out, x, axis, indices, bytes of an element for None, or None)
static object *take(object *self, object *const *arguments, ptrdiff_t count) {
  (void)self;
  struct picks by;
  stride_py_buffer fill;
  if (count != 5 || !read_number(arguments[2], &by.axis))
    return answered(NOT_DONE);
  by.indices = arguments[3];
  by.fill = arguments[4] == none_object ? NULL : &fill;
  if (by.fill != NULL && python.get_buffer(arguments[4], &fill, 0) != 0)
    return answered(NOT_DONE);
  int done = with_alike(taken, &by, arguments[0], arguments[1]);
  if (by.fill != NULL)
    python.release_buffer(&fill);
  return answered(done);
}

// compare(lhs, rhs)
static object *compare(object *self, object *const *arguments, ptrdiff_t count) {
  (void)self;
  int done = NOT_DONE;
  if (count == 2 && is_plain(arguments[0]) && is_plain(arguments[1]))
    done = with_both(compared, NULL, arguments[0], arguments[1], 0, PYBUF_FORMAT);
  return answered(done);
}

// fill(dst, bytes of an element)
static object *fill(object *self, object *const *arguments, ptrdiff_t count) {
  (void)self;
  int done = NOT_DONE;
  struct side dst;
  stride_py_buffer value;
  if (count == 2 && is_plain(arguments[0]) &&
      python.get_buffer(arguments[0], &dst.view, PYBUF_STRIDES | PYBUF_WRITABLE | PYBUF_FORMAT) == 0) {
    if (python.get_buffer(arguments[1], &value, 0) == 0) {
      if (read_side(&dst) && !dst.item && value.len == dst.view.itemsize) {
        void *thread = begin(dst.view.len);
        done = library.fill(&dst.layout, dst.base, UINT64_MAX, value.buf, NULL) == STRIDE_STATUS_OK;
        end(thread);
      }
      python.release_buffer(&value);
    }
    python.release_buffer(&dst.view);
  }
  return answered(done);
}

// A layout and the memory that it is of. _native.py has the same struct.
struct seen {
  stride_layout layout;
  uint64_t base;
  uint64_t readonly;
};

// look(address of a struct seen, x): x keeps its memory where it is for as long as it lives, as arrays of NumPy do.
static object *look(object *self, object *const *arguments, ptrdiff_t count) {
  (void)self;
  int done = NOT_DONE;
  struct side side;
  struct seen *seen = count == 2 ? python.address_of(arguments[0]) : NULL;
  if (seen != NULL && is_plain(arguments[1]) &&
      python.get_buffer(arguments[1], &side.view, PYBUF_STRIDES | PYBUF_FORMAT) == 0) {
    if (read_side(&side) && !side.item) {
      const stride_layout *from = &side.layout;
      stride_layout *to = &seen->layout;
      to->dtype = from->dtype;
      to->rank = from->rank;
      to->offset = from->offset;
      for (uint32_t k = 0; k < from->rank; k++) {
        to->sizes[k] = from->sizes[k];
        to->strides[k] = from->strides[k];
      }
      seen->base = (uint64_t)(uintptr_t)side.base;
      seen->readonly = side.view.readonly != 0;
      done = DONE;
    }
    python.release_buffer(&side.view);
  }
  return answered(done);
}

// execute(address of a struct prepared, dst, src)
static object *execute(object *self, object *const *arguments, ptrdiff_t count) {
  (void)self;
  int done = NOT_DONE;
  if (count == 3 && is_plain(arguments[1]) && is_plain(arguments[2]))
    done = with_both(executed, python.address_of(arguments[0]), arguments[1], arguments[2], PYBUF_WRITABLE,
                     PYBUF_FORMAT);
  return answered(done);
}

// DLManagedTensor, before DLPack 1.0.
struct managed {
  stride_dl_tensor tensor;
  void *manager_ctx;
  void *deleter;
};

typedef stride_dl_managed_tensor_versioned managed_versioned;

#define NAME "dltensor"
#define NAME_VERSIONED "dltensor_versioned"

// `keeper` is a Python object that holds the struct, its lists and the memory.
static void release(object *keeper) {
  if (!python.is_initialized())
    return;
  int state = python.gil_ensure(); // A consumer calls from any thread.
  python.decref(keeper);
  python.gil_release(state);
}

static void delete_managed(struct managed *managed) { release(managed->manager_ctx); }

static void delete_versioned(managed_versioned *managed) { release(managed->manager_ctx); }

// A consumer renames the capsule whose tensor it has taken.
static void free_capsule(object *capsule) {
  if (python.is_capsule(capsule, NAME))
    delete_managed(python.capsule_pointer(capsule, NAME));
  else if (python.is_capsule(capsule, NAME_VERSIONED))
    delete_versioned(python.capsule_pointer(capsule, NAME_VERSIONED));
}

// The capsule of a tensor whose struct is complete but for what frees it.
EXPORT object *stride_native_capsule(void *managed, int versioned, object *keeper);
EXPORT object *stride_native_capsule(void *managed, int versioned, object *keeper) {
  if (versioned) {
    ((managed_versioned *)managed)->manager_ctx = keeper;
    ((managed_versioned *)managed)->deleter = (void *)(intptr_t)delete_versioned;
  } else {
    ((struct managed *)managed)->manager_ctx = keeper;
    ((struct managed *)managed)->deleter = (void *)(intptr_t)delete_managed;
  }
  object *capsule = python.new_capsule(managed, versioned ? NAME_VERSIONED : NAME, free_capsule);
  if (capsule != NULL)
    python.incref(keeper);
  return capsule;
}

// `of_python` and `of_library` are addresses, in the order of the structs above.
EXPORT void stride_native_bind(void *const *of_python, void *const *of_library, object *const *objects);
EXPORT void stride_native_bind(void *const *of_python, void *const *of_library, object *const *objects) {
  for (unsigned k = 0; k < sizeof python / sizeof *of_python; k++)
    ((void **)&python)[k] = of_python[k];
  for (unsigned k = 0; k < sizeof library / sizeof *of_library; k++)
    ((void **)&library)[k] = of_library[k];
  python.incref(classes = objects[0]);
  python.incref(dtypes = objects[1]);
  python.incref(lists = objects[2]);
  python.incref(none_object = objects[3]);
}

// A function for Python, by its number in _native.py.
EXPORT object *stride_native_function(int number);
EXPORT object *stride_native_function(int number) {
  static struct method methods[] = {
      {"copy", copy, METH_FASTCALL, "copy(dst, src): 1 if it was done here, else 0."},
      {"compare", compare, METH_FASTCALL, "compare(lhs, rhs): 1 equal, 2 different, 0 if it was not done here."},
      {"fill", fill, METH_FASTCALL, "fill(dst, value): 1 if it was done here, else 0."},
      {"look", look, METH_FASTCALL, "look(seen, x): 1 if it was done here, else 0."},
      {"execute", execute, METH_FASTCALL, "execute(prepared, dst, src): 1 if it was done here, else 0."},
      {"take", take, METH_FASTCALL, "take(out, x, axis, indices, fill): 1 if it was done here, else 0."},
      {"copy_range", copy_range, METH_FASTCALL,
       "copy_range(dst, src, count, dst_first, src_first): 1 if it was done here, else 0."},
  };
  return python.new_function(&methods[number], NULL, NULL);
}
