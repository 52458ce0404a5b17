// What ctypes does too slowly, or cannot do: stride.copy of two plain arrays, and capsules of DLPack.
//
// This file asks for no Python.h and links nothing. stride_native_bind, which ctypes calls once, gets the addresses of
// Python's functions and of libstride's. So one file serves every CPython of a platform, and is compiled for it without
// that platform's Python.
//
// What is used of Python has been its stable ABI since 3.11 (PEP 384): the functions of `python`, struct PyMethodDef,
// METH_FASTCALL and Py_buffer, which stride_py_buffer is. CPython 3.9 and 3.10, which change no more, have the same.
//
// The copy does what is certainly right, and answers True. In all other cases it has changed nothing and answers False:
// _copy.py, where the rules are, does the copy or raises. What two small arrays are costs ctypes ten times the copy.
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

// From 2 MiB on a copy has several threads, which _threads.py starts.
#define THREADED_BYTES (2 << 20)
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
  object *(*bool_of)(long);
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
  stride_status (*copy)(const stride_layout *, void *, uint64_t, const stride_layout *, const void *, uint64_t,
                        const stride_copy_options *, stride_error *);
} library;

struct side {
  stride_py_buffer view;
  stride_layout layout;
  char *base;
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

// An element for each index. With a format it is a number: plain bytes may be texts or records, which _copy.py
// compares. Without one the dtypes are known to be equal, and it is bytes.
static int read_elements(const stride_py_buffer *view, stride_layout *out) {
  if (view->format == NULL)
    return library.from_py_buffer(view, out, NULL) == STRIDE_STATUS_OK && out->rank == (uint32_t)view->ndim;
  if (read_known(view, out))
    return 1;
  if (library.from_py_buffer(view, out, NULL) != STRIDE_STATUS_OK || out->rank != (uint32_t)view->ndim ||
      out->dtype & STRIDE_DTYPE_BYTES)
    return 0;
  unsigned char letter = (unsigned char)view->format[0];
  if (letter < 128 && view->format[1] == 0 && out->dtype <= 0xFFFF)
    known[letter] = out->dtype << 16 | (uint32_t)view->itemsize;
  return 1;
}

// The layout of a buffer, counted from its lowest element.
static int read_side(struct side *side) {
  stride_layout *layout = &side->layout;
  if (!read_elements(&side->view, layout))
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

static int copied(struct side *dst, struct side *src) {
  if (!read_side(dst) || !read_side(src) || dst->layout.dtype != src->layout.dtype)
    return 0;
  if (!same_sizes(&dst->layout, &src->layout) &&
      library.broadcast_to(&src->layout, dst->layout.rank, dst->layout.sizes, &src->layout, NULL) != STRIDE_STATUS_OK)
    return 0;
  void *thread = dst->view.len < UNLOCKED_BYTES ? NULL : python.save_thread();
  stride_status status =
      library.copy(&dst->layout, dst->base, UINT64_MAX, &src->layout, src->base, UINT64_MAX, NULL, NULL);
  if (thread != NULL)
    python.restore_thread(thread);
  return status == STRIDE_STATUS_OK; // What shares memory is refused, and then copied by the long way round.
}

// NumPy exports no format of bf16 or dates. Two arrays of one dtype object are alike nevertheless.
static int have_one_dtype(object *dst, object *src) {
  object *one = python.attribute(dst, "dtype"), *other = python.attribute(src, "dtype");
  int alike = one != NULL && one == other && python.set_contains(dtypes, one) == 1;
  python.decref(one); // NULL is fine
  python.decref(other);
  return alike;
}

static int copied_by(object *to, object *of, int format) {
  struct side dst, src;
  int done = 0;
  if (python.get_buffer(to, &dst.view, PYBUF_STRIDES | PYBUF_WRITABLE | format) != 0)
    return 0;
  if (python.get_buffer(of, &src.view, PYBUF_STRIDES | format) == 0) {
    done = dst.view.len < THREADED_BYTES && copied(&dst, &src);
    python.release_buffer(&src.view);
  }
  python.release_buffer(&dst.view);
  return done;
}

// copy(dst, src) -> bool
static object *copy(object *self, object *const *arguments, ptrdiff_t count) {
  (void)self;
  int done = 0;
  if (count == 2 && is_plain(arguments[0]) && is_plain(arguments[1])) {
    done = copied_by(arguments[0], arguments[1], PYBUF_FORMAT);
    if (!done) {
      python.clear_error();
      done = have_one_dtype(arguments[0], arguments[1]) && copied_by(arguments[0], arguments[1], 0);
    }
  }
  if (!done)
    python.clear_error();
  return python.bool_of(done);
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

// Makes the function that copies. `of_python` and `of_library` are addresses, in the order of the structs above.
EXPORT object *stride_native_bind(void *const *of_python, void *const *of_library, object *its_classes,
                                  object *its_dtypes);
EXPORT object *stride_native_bind(void *const *of_python, void *const *of_library, object *its_classes,
                                  object *its_dtypes) {
  static struct method method = {"copy", copy, METH_FASTCALL, "copy(dst, src): whether it was done here."};
  for (unsigned k = 0; k < sizeof python / sizeof *of_python; k++)
    ((void **)&python)[k] = of_python[k];
  for (unsigned k = 0; k < sizeof library / sizeof *of_library; k++)
    ((void **)&library)[k] = of_library[k];
  python.incref(classes = its_classes);
  python.incref(dtypes = its_dtypes);
  return python.new_function(&method, NULL, NULL);
}
