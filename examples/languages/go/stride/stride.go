// Package stride calls libstride: it says where the elements of a tensor lie, and copies them from layout to layout.
package stride

// #cgo pkg-config: stride
// #include <stride.h>
//
// // Sides come by value: each holds Go pointers, and cgo forbids these in Go memory whose address C is given. Options
// // do too, and get the address of a conversion here.
// static stride_side *given(stride_side *side) { return side->kind != 0 ? side : NULL; }
//
// static stride_status copy_sides(stride_side dst_side, void *dst, uint64_t dst_bytes, stride_side src_side,
//                                 const void *src, uint64_t src_bytes, stride_copy_options options,
//                                 const stride_conversion *conversion, stride_error *error) {
//   options.conversion = conversion;
//   return stride_copy_sides(given(&dst_side), dst, dst_bytes, given(&src_side), src, src_bytes, &options, error);
// }
//
// static stride_status plan_init_sides(stride_plan *out, stride_side dst_side, stride_side src_side,
//                                      stride_copy_options options, const stride_conversion *conversion,
//                                      stride_error *error) {
//   options.conversion = conversion;
//   return stride_plan_init_sides(out, given(&dst_side), given(&src_side), &options, error);
// }
import "C"

import (
	"fmt"
	"sync"
	"unsafe"
)

// Version is the library's, as "0.1.0".
func Version() string {
	v := C.stride_version()
	return fmt.Sprintf("%d.%d.%d", v/10000, v/100%100, v%100)
}

// A Dtype is the type of an element: one of the constants, or of ParseDtype.
type Dtype uint32

// The types that Go has, and two that networks use. ParseDtype makes the others.
const (
	Pred Dtype = C.STRIDE_DTYPE_PRED
	S8   Dtype = C.STRIDE_DTYPE_S8
	S16  Dtype = C.STRIDE_DTYPE_S16
	S32  Dtype = C.STRIDE_DTYPE_S32
	S64  Dtype = C.STRIDE_DTYPE_S64
	U8   Dtype = C.STRIDE_DTYPE_U8
	U16  Dtype = C.STRIDE_DTYPE_U16
	U32  Dtype = C.STRIDE_DTYPE_U32
	U64  Dtype = C.STRIDE_DTYPE_U64
	F16  Dtype = C.STRIDE_DTYPE_F16
	BF16 Dtype = C.STRIDE_DTYPE_BF16
	F32  Dtype = C.STRIDE_DTYPE_F32
	F64  Dtype = C.STRIDE_DTYPE_F64
	C64  Dtype = C.STRIDE_DTYPE_C64
	C128 Dtype = C.STRIDE_DTYPE_C128
)

// ParseDtype takes a name such as "f8e5m2", "bytes12" or "f32:swapped".
func ParseDtype(name string) (Dtype, error) {
	text := []byte(name)
	var out C.uint32_t
	var e C.stride_error
	status := C.stride_dtype_parse((*C.char)(first(text)), C.uint64_t(len(text)), &out, &e)
	return Dtype(out), check(status, &e)
}

// A Status says which rule was broken. errors.Is(err, stride.OutOfBounds) asks for one.
type Status int32

// The statuses of layouts, copies and plans.
const (
	InvalidArgument  Status = C.STRIDE_STATUS_INVALID_ARGUMENT
	InvalidDtype     Status = C.STRIDE_STATUS_INVALID_DTYPE
	InvalidRank      Status = C.STRIDE_STATUS_INVALID_RANK
	InvalidSize      Status = C.STRIDE_STATUS_INVALID_SIZE
	InvalidStride    Status = C.STRIDE_STATUS_INVALID_STRIDE
	InvalidAxes      Status = C.STRIDE_STATUS_INVALID_AXES
	IndexOutOfRange  Status = C.STRIDE_STATUS_INDEX_OUT_OF_RANGE
	Overflow         Status = C.STRIDE_STATUS_OVERFLOW
	ShapeMismatch    Status = C.STRIDE_STATUS_SHAPE_MISMATCH
	DtypeMismatch    Status = C.STRIDE_STATUS_DTYPE_MISMATCH
	OutOfBounds      Status = C.STRIDE_STATUS_OUT_OF_BOUNDS
	Overlap          Status = C.STRIDE_STATUS_OVERLAP
	Parse            Status = C.STRIDE_STATUS_PARSE
	Unsupported      Status = C.STRIDE_STATUS_UNSUPPORTED
	NotRepresentable Status = C.STRIDE_STATUS_NOT_REPRESENTABLE
	Undecided        Status = C.STRIDE_STATUS_UNDECIDED
)

// Error is the library's word for the status, such as "OUT_OF_BOUNDS".
func (s Status) Error() string { return C.GoString(C.stride_status_name(C.stride_status(s))) }

// An Error is what the library says about a call that failed.
type Error struct {
	Status   Status
	Sentence string // names the argument, the place and both numbers
}

func (e *Error) Error() string { return e.Status.Error() + ": " + e.Sentence }

func (e *Error) Unwrap() error { return e.Status }

func check(status C.stride_status, e *C.stride_error) error {
	if status == C.STRIDE_STATUS_OK {
		return nil
	}
	var text [512]C.char
	C.stride_error_format(e, &text[0], C.uint64_t(len(text)), nil, nil)
	return &Error{Status(status), C.GoString(&text[0])}
}

// sameCount is for lists of which C takes one number only: the error that C would give if it took two.
func sameCount(argument C.uint32_t, given, needed int) error {
	if given == needed {
		return nil
	}
	return check(C.STRIDE_STATUS_INVALID_RANK, &C.stride_error{
		status: C.STRIDE_STATUS_INVALID_RANK, argument: argument, dimension: -1, item: -1,
		position: 1<<64 - 1, lhs: C.int64_t(given), rhs: C.int64_t(needed), detail: C.STRIDE_DETAIL_COUNT,
	})
}

// first is the address of a list's first entry, nil if it has none. C keeps no address beyond the call.
func first[T any](list []T) unsafe.Pointer {
	if len(list) == 0 {
		return nil
	}
	return unsafe.Pointer(&list[0])
}

func entries(list []int64) (C.uint32_t, *C.int64_t) {
	return C.uint32_t(len(list)), (*C.int64_t)(first(list))
}

// A Layout says where each element of a tensor lies. It never changes, so goroutines may share it.
type Layout struct{ c C.stride_layout }

// Packed is row-major without gaps.
func Packed(dtype Dtype, sizes ...int64) (*Layout, error) { return Strided(dtype, sizes, nil) }

// Strided has any strides, in elements; nil: packed.
func Strided(dtype Dtype, sizes, strides []int64) (*Layout, error) {
	if strides != nil {
		if err := sameCount(C.STRIDE_ARGUMENT_STRIDES, len(strides), len(sizes)); err != nil {
			return nil, err
		}
	}
	rank, s := entries(sizes)
	_, t := entries(strides)
	return made(func(out *C.stride_layout, e *C.stride_error) C.stride_status {
		return C.stride_layout_init(out, C.uint32_t(dtype), rank, s, t, e)
	})
}

// Crop is the box of sizes that begins at starts.
func (l *Layout) Crop(starts, sizes []int64) (*Layout, error) {
	rank, s := entries(starts)
	_, t := entries(sizes)
	if err := sameCount(C.STRIDE_ARGUMENT_STARTS, len(starts), int(l.c.rank)); err != nil {
		return nil, err
	}
	if err := sameCount(C.STRIDE_ARGUMENT_SIZES, len(sizes), int(l.c.rank)); err != nil {
		return nil, err
	}
	return made(func(out *C.stride_layout, e *C.stride_error) C.stride_status {
		return C.stride_layout_crop(&l.c, rank, s, t, out, e)
	})
}

// Flip mirrors these dimensions.
func (l *Layout) Flip(axes ...int64) (*Layout, error) {
	count, a := entries(axes)
	return made(func(out *C.stride_layout, e *C.stride_error) C.stride_status {
		return C.stride_layout_flip(&l.c, count, a, out, e)
	})
}

// Permute makes dimension axes[i] the dimension i.
func (l *Layout) Permute(axes ...int64) (*Layout, error) {
	rank, a := entries(axes)
	return made(func(out *C.stride_layout, e *C.stride_error) C.stride_status {
		return C.stride_layout_permute(&l.c, rank, a, out, e)
	})
}

func made(call func(*C.stride_layout, *C.stride_error) C.stride_status) (*Layout, error) {
	var out Layout
	var e C.stride_error
	if err := check(call(&out.c, &e), &e); err != nil {
		return nil, err
	}
	return &out, nil
}

// MinBytes is what the buffer must have.
func (l *Layout) MinBytes() (int, error) {
	var out C.uint64_t
	var e C.stride_error
	err := check(C.stride_layout_min_bytes(&l.c, &out, &e), &e)
	return int(out), err
}

// String is such as "f32[2,3] strides [3,1] offset 0".
func (l *Layout) String() string {
	text := make([]C.char, 64+48*int(l.c.rank))
	C.stride_layout_format(&l.c, &text[0], C.uint64_t(len(text)), nil, nil)
	return C.GoString(&text[0])
}

// An Element is a Go type without pointers, so C may have the address of a slice of it.
type Element interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 |
		~float32 | ~float64 | ~complex64 | ~complex128
}

// bytesOf always has room for one byte, so that calls may say &bytes[:1][0]: of an argument in this form, cgo checks
// that the slice holds no Go pointers, not whatever the slice is a part of.
func bytesOf[T Element](memory []T) []byte {
	if len(memory) == 0 {
		return make([]byte, 0, 1)
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&memory[0])), len(memory)*int(unsafe.Sizeof(memory[0])))
}

// A Side is one side of a copy: a *Layout, seen plain, or what its Runs and Range make. It never changes.
type Side interface {
	// Runs sees the indices along one more dimension through runs, one after the other.
	Runs(dimension int, runs ...Run) Side
	// Range sees count elements from number first on in row-major order, as one dimension.
	Range(first, count int64) (Side, error)
	side() C.stride_side
}

// A Run is Count indices, First, First + Step, and so on. First -1 of a source is the fill value.
type Run struct{ First, Step, Count int64 }

// List has a run for each index.
func List(indices ...int64) []Run {
	runs := make([]Run, len(indices))
	for k, index := range indices {
		runs[k] = Run{index, 1, 1}
	}
	return runs
}

type seen C.stride_side

func (s seen) side() C.stride_side { return C.stride_side(s) }

func (s seen) Runs(dimension int, runs ...Run) Side {
	list := make([]C.stride_index_run, len(runs))
	for k, run := range runs {
		list[k] = C.stride_index_run{first: C.int64_t(run.First), step: C.int64_t(run.Step), count: C.int64_t(run.Count)}
	}
	// Not by stride_side_set_runs: C must not write a Go pointer. More than C has room for, Copy refuses.
	if k := int(s.along_count); k < len(s.along) {
		s.along[k] = C.stride_side_runs{
			runs: (*C.stride_index_run)(first(list)), dimension: C.uint32_t(dimension), count: C.uint32_t(len(list)),
		}
	}
	s.along_count++
	return s
}

func (s seen) Range(first, count int64) (Side, error) {
	ranged := C.stride_side{struct_size: C.sizeof_stride_side, kind: C.STRIDE_SIDE_LAYOUT}
	var e C.stride_error
	err := check(C.stride_side_set_range(&ranged, C.int64_t(first), C.int64_t(count), &e), &e)
	s.range_first, s.range_count = ranged.range_first, ranged.range_count
	return s, err
}

func (l *Layout) side() C.stride_side {
	if l == nil {
		return C.stride_side{}
	}
	return C.stride_side{struct_size: C.sizeof_stride_side, kind: C.STRIDE_SIDE_LAYOUT, range_count: -1,
		of: unsafe.Pointer(&l.c)}
}

// Runs is as Side says.
func (l *Layout) Runs(dimension int, runs ...Run) Side {
	return seen(l.side()).Runs(dimension, runs...)
}

// Range is as Side says.
func (l *Layout) Range(first, count int64) (Side, error) { return seen(l.side()).Range(first, count) }

func orPacked(side Side) C.stride_side {
	if side == nil {
		return C.stride_side{}
	}
	return side.side()
}

// options holds the bytes of a fill value, of which C has up to 16.
func options(fill []byte) C.stride_copy_options {
	o := C.stride_copy_options{struct_size: C.sizeof_stride_copy_options}
	for k := 0; k < len(fill) && k < len(o.fill); k++ {
		o.fill[k] = C.uint8_t(fill[k])
	}
	return o
}

// Copy moves every element of src to the element of dst with the same index. One side may be nil: it is packed. fill
// has the bytes of the fill value.
func Copy[D, S Element](dstSide Side, dst []D, srcSide Side, src []S, fill ...byte) error {
	return copyBytes(orPacked(dstSide), bytesOf(dst), orPacked(srcSide), bytesOf(src), options(fill), nil)
}

// ConvertFlags say how a conversion computes. They are joined by |.
type ConvertFlags uint32

// The flags of conversions. Divide and AddLast are for Affine.
const (
	Divide   ConvertFlags = C.STRIDE_CONVERT_DIVIDE   // / scale
	Nearest  ConvertFlags = C.STRIDE_CONVERT_NEAREST  // floats become the nearest integer
	Saturate ConvertFlags = C.STRIDE_CONVERT_SATURATE // integers that do not fit become the nearest that does
	Finite   ConvertFlags = C.STRIDE_CONVERT_FINITE   // floats that do not fit become the largest finite number
	AddLast  ConvertFlags = C.STRIDE_CONVERT_ADD_LAST // add joins after rounding to an integer
)

// A Conversion says what becomes of each number. Conversion{} asks for the plain value.
type Conversion struct{ c C.stride_conversion }

// Affine asks for (x - subtract) * scale + add.
func Affine(subtract, scale, add float64) Conversion {
	return Conversion{C.stride_conversion{flags: C.STRIDE_CONVERT_AFFINE, subtract: C.double(subtract),
		scale: C.double(scale), add: C.double(add)}}
}

// With has these flags too.
func (c Conversion) With(flags ConvertFlags) Conversion {
	c.c.flags |= C.uint32_t(flags)
	return c
}

func (c Conversion) given() *C.stride_conversion {
	c.c.struct_size = C.sizeof_stride_conversion
	return &c.c
}

// Convert is Copy between any dtypes: each number becomes what the conversion says.
func Convert[D, S Element](dstSide Side, dst []D, srcSide Side, src []S, conversion Conversion, fill ...byte) error {
	return copyBytes(orPacked(dstSide), bytesOf(dst), orPacked(srcSide), bytesOf(src), options(fill), conversion.given())
}

func copyBytes(dstSide C.stride_side, dst []byte, srcSide C.stride_side, src []byte, o C.stride_copy_options,
	conversion *C.stride_conversion) error {
	var e C.stride_error
	return check(C.copy_sides(dstSide, unsafe.Pointer(&dst[:1][0]), C.uint64_t(len(dst)),
		srcSide, unsafe.Pointer(&src[:1][0]), C.uint64_t(len(src)), o, conversion, &e), &e)
}

// A Plan is a copy prepared once. It holds no address; goroutines may share it.
type Plan struct{ c C.stride_plan }

// NewPlan prepares what Copy does.
func NewPlan(dst, src Side, fill ...byte) (*Plan, error) {
	return newPlan(orPacked(dst), orPacked(src), options(fill), nil)
}

// NewConvertPlan prepares what Convert does.
func NewConvertPlan(dst, src Side, conversion Conversion, fill ...byte) (*Plan, error) {
	return newPlan(orPacked(dst), orPacked(src), options(fill), conversion.given())
}

func newPlan(dst, src C.stride_side, o C.stride_copy_options, conversion *C.stride_conversion) (*Plan, error) {
	var out Plan
	var e C.stride_error
	if err := check(C.plan_init_sides(&out.c, dst, src, o, conversion, &e), &e); err != nil {
		return nil, err
	}
	return &out, nil
}

// Execute runs a plan in parts, each on a goroutine of its own; 1 part is the whole on this one. On failure it gives
// the error of the first part that failed, when all have ended.
func Execute[D, S Element](plan *Plan, dst []D, src []S, parts int) error {
	return plan.execute(bytesOf(dst), bytesOf(src), parts)
}

func (p *Plan) execute(dst, src []byte, parts int) error {
	if parts < 1 {
		return p.executePart(dst, src, 0, 0) // the library's error
	}
	errs := make([]error, parts)
	var group sync.WaitGroup
	for part := 1; part < parts; part++ {
		group.Add(1)
		go func(part int) {
			defer group.Done()
			errs[part] = p.executePart(dst, src, part, parts)
		}(part)
	}
	errs[0] = p.executePart(dst, src, 0, parts)
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *Plan) executePart(dst, src []byte, part, parts int) error {
	var e C.stride_error
	return check(C.stride_plan_execute_part(&p.c, unsafe.Pointer(&dst[:1][0]), C.uint64_t(len(dst)),
		unsafe.Pointer(&src[:1][0]), C.uint64_t(len(src)), C.uint32_t(part), C.uint32_t(parts), &e), &e)
}
