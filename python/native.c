// What ctypes does too slowly, or cannot do: copies, comparisons and fills of plain arrays, plans run on them, and
// capsules of DLPack.
//
// This file asks for no Python.h and links nothing. stride_native_bind, which ctypes calls once, gets the addresses of
// Python's functions and of libstride's. So one file serves every CPython of a platform, and is compiled for it without
// that platform's Python.
//
// What is used of Python has been its stable ABI since 3.11 (PEP 384): the functions of `python`, struct PyMethodDef,
// METH_FASTCALL and Py_buffer, which stride_py_buffer is. CPython 3.9 and 3.10, which change no more, have the same.
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
} python;

// Two sets that _native.py holds: classes that are what their buffer says, as a masked array is not; dtypes of NumPy
// whose elements may be copied as bytes.
static object *classes, *dtypes;

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
} library;

struct side {
  stride_py_buffer view;
  stride_layout layout;
  char *base;
  uint32_t item; // Of elements at any byte their dtype; the layout is that of their bytes. 0: `layout` has it.
};

static int is_plain(object *x) {
  object *its = python.class_of(x);
  int known = python.set_contains(classes, its);
  python.decref(its);
  return known == 1;
}

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

// What takes longer is done without the GIL.
static void *begin(int64_t bytes) { return bytes < UNLOCKED_BYTES ? NULL : python.save_thread(); }

static void end(void *thread) {
  if (thread != NULL)
    python.restore_thread(thread);
}

// What these answer is 0 where it was not done here.
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

// Where a side of the plan is, and how many bytes there are: plain bytes, or elements that lie as its layout says.
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

// copy(dst, src)
static object *copy(object *self, object *const *arguments, ptrdiff_t count) {
  (void)self;
  int done = NOT_DONE;
  if (count == 2 && is_plain(arguments[0]) && is_plain(arguments[1])) {
    done = with_both(copied, NULL, arguments[0], arguments[1], PYBUF_WRITABLE, PYBUF_FORMAT);
    if (!done) {
      python.clear_error();
      if (have_one_dtype(arguments[0], arguments[1]))
        done = with_both(copied, NULL, arguments[0], arguments[1], PYBUF_WRITABLE, 0);
    }
  }
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
EXPORT void stride_native_bind(void *const *of_python, void *const *of_library, object *its_classes,
                               object *its_dtypes);
EXPORT void stride_native_bind(void *const *of_python, void *const *of_library, object *its_classes,
                               object *its_dtypes) {
  for (unsigned k = 0; k < sizeof python / sizeof *of_python; k++)
    ((void **)&python)[k] = of_python[k];
  for (unsigned k = 0; k < sizeof library / sizeof *of_library; k++)
    ((void **)&library)[k] = of_library[k];
  python.incref(classes = its_classes);
  python.incref(dtypes = its_dtypes);
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
  };
  return python.new_function(&methods[number], NULL, NULL);
}
