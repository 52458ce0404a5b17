! libstride for Fortran: layouts of tensors, copies between them, plans on OpenMP's threads.
!
!   use stride
!   type(layout) :: image, view
!   image = layout(STRIDE_DTYPE_U8, [300_c_int64_t, 451_c_int64_t, 3_c_int64_t])
!   view = image%permute([2_c_int64_t, 0_c_int64_t, 1_c_int64_t])
!
! As in the C library, sizes stand outermost first and axes count from 0. layout_of_array describes an array as Fortran
! stores it. Each procedure ends with an optional `error`: without it, a failure stops the program with the library's
! sentence. The module stride_c, which comes along, has the library's constants, structs and some of its functions.
module stride
  use stride_c
  implicit none

  ! What the library says about a call that failed.
  type :: failure
    integer(c_int32_t) :: status = STRIDE_STATUS_OK
    character(:), allocatable :: name      ! such as OUT_OF_BOUNDS
    character(:), allocatable :: sentence  ! names the argument, the place and both numbers
  end type

  ! One side of a copy: a layout, seen plain, through runs of indices, or as a range.
  type :: side
    type(stride_layout) :: c
    integer(c_int64_t) :: range_first = 0, range_count = -1
    integer(c_int32_t), allocatable :: dimensions(:), counts(:)  ! of the runs along one after the other
    type(stride_index_run), allocatable :: list(:)
  contains
    procedure :: runs, range => numbered
  end type

  ! Says where each element of a tensor lies.
  type, extends(side) :: layout
  contains
    procedure :: crop, flip, permute, min_bytes, text
  end type
  interface layout
    procedure :: new_layout
  end interface

  ! A copy prepared once. It holds no address; threads may share it.
  type :: plan
    type(stride_plan) :: c
  contains
    ! call plan%execute(dst, src, parts, error)
    include 'execute.f90'
  end type
  interface plan
    procedure :: new_plan
  end interface

  ! call copy(dst_side, dst, src_side, src, error, fill, convert): two arrays of any type and rank, an element of dst's
  ! type, and a `conversion`, with which the layouts may have any dtypes
  interface copy
    include 'copy.f90'
  end interface

contains

  ! The library's version, such as 0.1.0.
  function library_version() result(text)
    character(:), allocatable :: text
    character(len=32) :: line
    integer(c_int32_t) :: number
    number = stride_version()
    write (line, '(i0, ".", i0, ".", i0)') number / 10000, mod(number / 100, 100), mod(number, 100)
    text = trim(line)
  end function

  ! Any strides, in elements; without: packed, that is row-major without gaps.
  function new_layout(dtype, sizes, strides, error) result(made)
    integer(c_int32_t), intent(in) :: dtype
    integer(c_int64_t), intent(in) :: sizes(:)
    integer(c_int64_t), intent(in), optional :: strides(:)
    type(failure), intent(out), optional :: error
    type(layout) :: made
    type(stride_error) :: record
    if (present(strides)) then
      if (differs(STRIDE_ARGUMENT_STRIDES, size(strides), size(sizes), error)) return
      call report(stride_layout_init(made%c, dtype, size(sizes, kind=c_int32_t), sizes, strides, record), record, error)
    else
      call report(stride_layout_init(made%c, dtype, size(sizes, kind=c_int32_t), sizes, error=record), record, error)
    end if
  end function

  ! An array of this shape as Fortran stores it: its first dimension is dimension 0 and varies fastest.
  function layout_of_array(dtype, sizes, error) result(made)
    integer(c_int32_t), intent(in) :: dtype
    integer, intent(in) :: sizes(:)
    type(failure), intent(out), optional :: error
    type(layout) :: made
    type(stride_error) :: record
    integer(c_int64_t) :: axis, fastest_first(size(sizes))
    fastest_first = [(axis, axis = 0, size(sizes) - 1)]
    call report(stride_layout_init_ordered(made%c, dtype, size(sizes, kind=c_int32_t), int(sizes, c_int64_t), &
      fastest_first, record), record, error)
  end function

  ! The box of these sizes that begins at `starts`.
  function crop(self, starts, sizes, error) result(view)
    class(layout), intent(in) :: self
    integer(c_int64_t), intent(in) :: starts(:), sizes(:)
    type(failure), intent(out), optional :: error
    type(layout) :: view
    type(stride_error) :: record
    if (differs(STRIDE_ARGUMENT_STARTS, size(starts), self%c%rank, error)) return
    if (differs(STRIDE_ARGUMENT_SIZES, size(sizes), self%c%rank, error)) return
    call report(stride_layout_crop(self%c, self%c%rank, starts, sizes, view%c, record), record, error)
  end function

  ! Mirrors these dimensions.
  function flip(self, axes, error) result(view)
    class(layout), intent(in) :: self
    integer(c_int64_t), intent(in) :: axes(:)
    type(failure), intent(out), optional :: error
    type(layout) :: view
    type(stride_error) :: record
    call report(stride_layout_flip(self%c, size(axes, kind=c_int32_t), axes, view%c, record), record, error)
  end function

  ! Dimension i of the view is dimension axes(i + 1).
  function permute(self, axes, error) result(view)
    class(layout), intent(in) :: self
    integer(c_int64_t), intent(in) :: axes(:)
    type(failure), intent(out), optional :: error
    type(layout) :: view
    type(stride_error) :: record
    call report(stride_layout_permute(self%c, size(axes, kind=c_int32_t), axes, view%c, record), record, error)
  end function

  ! The bytes that the array must have.
  function min_bytes(self, error) result(bytes)
    class(layout), intent(in) :: self
    type(failure), intent(out), optional :: error
    integer(c_int64_t) :: bytes
    type(stride_error) :: record
    call report(stride_layout_min_bytes(self%c, bytes, record), record, error)
  end function

  ! Such as f32[2,3] strides [3,1] offset 0.
  function text(self, error)
    class(layout), intent(in) :: self
    type(failure), intent(out), optional :: error
    character(:), allocatable :: text
    character(len=64 + 48 * min(self%c%rank, STRIDE_MAX_RANK), kind=c_char) :: line
    integer(c_int64_t) :: length
    type(stride_error) :: record
    length = 0
    call report(stride_layout_format(self%c, line, len(line, c_int64_t), length, record), record, error)
    text = line(:length)
  end function

  ! Indices along a dimension: first, first + step, ...; without `step` and `count` one. -1 of a source: the fill value.
  elemental function run(first, step, count)
    integer(c_int64_t), intent(in) :: first
    integer(c_int64_t), intent(in), optional :: step, count
    type(stride_index_run) :: run
    run = stride_index_run(first, 1, 1)
    if (present(step)) run%step = step
    if (present(count)) run%count = count
  end function

  ! Sees the indices along one more dimension through runs, one after the other.
  function runs(self, dimension, list) result(seen)
    class(side), intent(in) :: self
    integer, intent(in) :: dimension
    type(stride_index_run), intent(in) :: list(:)
    type(side) :: seen
    seen = same(self)
    seen%dimensions = [seen%dimensions, int(dimension, c_int32_t)]
    seen%counts = [seen%counts, size(list, kind=c_int32_t)]
    seen%list = [seen%list, list]
  end function

  ! Sees `count` elements from number `first` on in row-major order, as one dimension.
  function numbered(self, first, count, error) result(seen)
    class(side), intent(in) :: self
    integer(c_int64_t), intent(in) :: first, count
    type(failure), intent(out), optional :: error
    type(side) :: seen
    type(stride_side) :: tried
    type(stride_error) :: record
    seen = same(self)
    tried = given(seen)
    call report(stride_side_set_range(tried, first, count, record), record, error)
    seen%range_first = first
    seen%range_count = count
  end function

  ! A side alone, also of a layout, with lists that are there.
  function same(self) result(seen)
    class(side), intent(in) :: self
    type(side) :: seen
    seen%c = self%c
    seen%range_first = self%range_first
    seen%range_count = self%range_count
    allocate (seen%dimensions(0), seen%counts(0), seen%list(0))
    if (allocated(self%list)) then
      seen%dimensions = self%dimensions
      seen%counts = self%counts
      seen%list = self%list
    end if
  end function

  ! The side for C, with the addresses of the layout and the runs: `self` is a target until the call has returned.
  function given(self)
    class(side), intent(in), target :: self
    type(stride_side) :: given
    integer :: k, start
    type(stride_error) :: record
    call report(stride_side_init(given, STRIDE_SIDE_LAYOUT, c_loc(self%c), record), record)
    given%range_first = self%range_first
    given%range_count = self%range_count
    if (.not. allocated(self%list)) return
    given%along_count = size(self%counts)  ! more than there is room for is refused
    start = 1
    do k = 1, min(size(self%counts), size(given%along))
      given%along(k)%dimension = self%dimensions(k)
      given%along(k)%count = self%counts(k)
      if (self%counts(k) > 0) given%along(k)%runs = c_loc(self%list(start))
      start = start + self%counts(k)
    end do
  end function

  ! What becomes of each number: (x - subtract) * scale + add where any of these is given, or else the plain value.
  ! `flags` is a sum of STRIDE_CONVERT_...
  function conversion(subtract, scale, add, flags)
    real(c_double), intent(in), optional :: subtract, scale, add
    integer(c_int32_t), intent(in), optional :: flags
    type(stride_conversion) :: conversion
    integer(c_int32_t) :: ignored
    ignored = stride_conversion_init(conversion)  ! fails for null alone
    if (present(flags)) conversion%flags = flags
    if (present(subtract)) conversion%subtract = subtract
    if (present(scale)) conversion%scale = scale
    if (present(add)) conversion%add = add
    if (present(subtract) .or. present(scale) .or. present(add)) &
      conversion%flags = ior(conversion%flags, STRIDE_CONVERT_AFFINE)
  end function

  ! Options of a copy whose fill value has these bytes. `convert` is a target until the call has returned.
  function options(fill, convert)
    integer(c_int8_t), intent(in) :: fill(:)
    type(stride_conversion), intent(in), optional, target :: convert
    type(stride_copy_options) :: options
    options = stride_copy_options(int(c_sizeof(options), c_int32_t), 0, 0, 0, 0, 0, c_null_ptr, c_null_ptr, 0, &
                                  c_null_ptr)
    options%fill(:size(fill)) = fill
    if (present(convert)) options%conversion = c_loc(convert)
  end function

  ! Prepares what `copy` does; `fill` has the bytes of a fill value, up to 16.
  function new_plan(dst, src, error, fill, convert) result(made)
    class(side), intent(in), target :: dst, src
    type(failure), intent(out), optional :: error
    integer(c_int8_t), intent(in), optional :: fill(:)
    type(stride_conversion), intent(in), optional, target :: convert
    type(plan) :: made
    type(stride_error) :: record
    integer(c_int8_t) :: bytes(16)
    bytes = 0
    if (present(fill)) bytes(:min(size(fill), 16)) = fill(:min(size(fill), 16))
    call report(stride_plan_init_sides(made%c, given(dst), given(src), options(bytes, convert), record), record, error)
  end function

  include 'copies.f90'

  ! Runs a plan in parts, each on a thread of its own where OpenMP gives them; without `parts`, the whole on this one.
  subroutine execute_bytes(prepared, dst, dst_bytes, src, src_bytes, parts, error)
    type(stride_plan), intent(in) :: prepared
    type(c_ptr), intent(in) :: dst, src
    integer(c_int64_t), intent(in) :: dst_bytes, src_bytes
    integer, intent(in), optional :: parts
    type(failure), intent(out), optional :: error
    integer(c_int32_t) :: part, count
    integer(c_int32_t), allocatable :: statuses(:)
    type(stride_error), allocatable :: records(:)
    count = 1
    if (present(parts)) count = parts
    allocate (statuses(0:max(count, 1) - 1), records(0:max(count, 1) - 1))
    !$omp parallel do num_threads(size(statuses)) schedule(static, 1)
    do part = 0, size(statuses) - 1
      statuses(part) = stride_plan_execute_part(prepared, dst, dst_bytes, src, src_bytes, part, max(count, 0), &
        records(part))
    end do
    do part = 0, size(statuses) - 1
      call report(statuses(part), records(part), error)
      if (statuses(part) /= STRIDE_STATUS_OK) return
    end do
  end subroutine

  ! Makes a failure of a status that is not OK, or stops.
  subroutine report(status, record, error)
    integer(c_int32_t), intent(in) :: status
    type(stride_error), intent(in) :: record
    type(failure), intent(out), optional :: error
    type(failure) :: wrong
    character(len=512, kind=c_char) :: line
    integer(c_int64_t) :: length
    integer(c_int32_t) :: ignored
    if (status == STRIDE_STATUS_OK) return
    length = 0
    ignored = stride_error_format(record, line, len(line, c_int64_t), length)
    wrong%status = status
    wrong%name = status_name(status)
    wrong%sentence = line(:min(length, len(line, c_int64_t) - 1))
    if (.not. present(error)) error stop wrong%name // ': ' // wrong%sentence
    error = wrong
  end subroutine

  ! Whether a list, of which C takes the first one's number only, has another: the failure that C would give then.
  function differs(argument, given, needed, error)
    integer(c_int32_t), intent(in) :: argument, given, needed
    type(failure), intent(out), optional :: error
    logical :: differs
    differs = given /= needed
    if (differs) call report(STRIDE_STATUS_INVALID_RANK, stride_error(status=STRIDE_STATUS_INVALID_RANK, &
      argument=argument, dimension=-1, item=-1, position=-1, lhs=given, rhs=needed, &
      detail=STRIDE_DETAIL_COUNT, reserved=0), error)
  end function

  ! The word for a status.
  function status_name(status) result(name)
    integer(c_int32_t), intent(in) :: status
    character(:), allocatable :: name
    character(kind=c_char), pointer :: letters(:)
    integer :: k
    call c_f_pointer(stride_status_name(status), letters, [64])
    name = ''
    do k = 1, size(letters)
      if (letters(k) == c_null_char) exit
      name = name // letters(k)
    end do
  end function
end module
