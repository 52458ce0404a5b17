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

  ! Says where each element of a tensor lies.
  type :: layout
    type(stride_layout) :: c
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
    procedure, private :: execute_int8, execute_int16, execute_int32, execute_int64
    procedure, private :: execute_real32, execute_real64, execute_complex32, execute_complex64
    ! call plan%execute(dst, src, parts, error)
    generic :: execute => execute_int8, execute_int16, execute_int32, execute_int64
    generic :: execute => execute_real32, execute_real64, execute_complex32, execute_complex64
  end type
  interface plan
    procedure :: new_plan
  end interface

  ! call copy(dst_layout, dst, src_layout, src, error): two arrays of one type and any rank
  interface copy
    procedure :: copy_int8, copy_int16, copy_int32, copy_int64
    procedure :: copy_real32, copy_real64, copy_complex32, copy_complex64
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

  ! Prepares what `copy` does.
  function new_plan(dst, src, error) result(made)
    type(layout), intent(in) :: dst, src
    type(failure), intent(out), optional :: error
    type(plan) :: made
    type(stride_error) :: record
    call report(stride_plan_init(made%c, dst%c, src%c, error=record), record, error)
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
