! photo: the centre of a photograph, mirrored, as planes, with rows of 256 bytes, and back; as pixels for a screen;
! a piece; as numbers for a network.
!
!   photo chelsea.ppm
program photo
  use stride
  implicit none
  integer, parameter :: i8 = c_int64_t, threads = 4
  integer(c_int8_t), allocatable :: pixels(:), planes(:), padded(:), back(:), bgra(:), piece(:)
  real(c_float), allocatable :: numbers(:)
  integer(i8) :: height, width
  type(layout) :: picture, centre, view, packed, rows, screen
  type(plan) :: padding
  type(failure) :: error

  call read_ppm(height, width, pixels)
  print '(2a)', 'libstride ', library_version()

  ! Views move nothing: only the numbers change that say where a byte lies.
  picture = layout(STRIDE_DTYPE_U8, [height, width, 3_i8])
  centre = picture%crop([38_i8, 113_i8, 0_i8], [224_i8, 224_i8, 3_i8])
  view = centre%flip([1_i8])
  view = view%permute([2_i8, 0_i8, 1_i8])
  print '(2a)', 'view ', view%text()

  packed = layout(STRIDE_DTYPE_U8, [3_i8, 224_i8, 224_i8])
  allocate (planes(packed%min_bytes()))
  call copy(packed, planes, view, pixels)
  print '(a, i0, 2a)', 'planes: ', size(planes), ' bytes, adler32 ', adler32(planes)

  rows = layout(STRIDE_DTYPE_U8, [3_i8, 224_i8, 224_i8], [57344_i8, 256_i8, 1_i8])
  allocate (padded(rows%min_bytes()), source=0_c_int8_t)
  padding = plan(rows, packed)
  call padding%execute(padded, planes, threads)
  print '(3(a, i0), 2a)', 'rows of 256 bytes: ', size(padded), ' bytes, ', threads, ' parts on ', threads, &
    ' threads, adler32 ', adler32(padded)

  allocate (back(size(planes)))
  call copy(packed, back, rows, padded)
  print '(2a)', 'brought back: adler32 ', adler32(back)

  ! As a screen takes them: blue, green, red, and a fourth channel that the photograph lacks, which is the fill value.
  screen = layout(STRIDE_DTYPE_U8, [224_i8, 224_i8, 4_i8])
  screen = screen%permute([2_i8, 0_i8, 1_i8])
  allocate (bgra(screen%min_bytes()))
  call copy(screen, bgra, view%runs(0, run([2_i8, 1_i8, 0_i8, -1_i8])), pixels, fill=-1_c_int8_t)
  print '(a, i0, 2a)', 'BGRA pixels: ', size(bgra), ' bytes, adler32 ', adler32(bgra)

  ! The second piece of the planes, through a buffer that is smaller than they are.
  allocate (piece(65536))
  call copy(layout(STRIDE_DTYPE_U8, [65536_i8]), piece, view%range(65536_i8, 65536_i8), pixels)
  print '(a, i0, 2a)', 'one piece: ', size(piece), ' bytes, adler32 ', adler32(piece)

  ! As a network takes them: planes of f32 between -1 and 1.
  allocate (numbers(3 * 224 * 224))
  call copy(layout(STRIDE_DTYPE_F32, [3_i8, 224_i8, 224_i8]), numbers, view, pixels, &
    convert=conversion(subtract=127.5_c_double, scale=1 / 128._c_double))
  print '(a, i0, 2a)', 'normalised planes: ', 4 * size(numbers), ' bytes of f32, adler32 ', &
    adler32(transfer(numbers, [0_c_int8_t]))

  call copy(packed, planes(:size(planes) - 1), view, pixels, error)
  if (error%status == STRIDE_STATUS_OUT_OF_BOUNDS) print '(3a)', error%name, ': ', error%sentence
  view = centre%permute([2_i8, 0_i8], error)
  if (error%status == STRIDE_STATUS_INVALID_RANK) print '(3a)', error%name, ': ', error%sentence

contains

  ! A binary PPM without comments: "P6", width, height and 255, one white space after each, then pixels.
  subroutine read_ppm(height, width, pixels)
    integer(i8), intent(out) :: height, width
    integer(c_int8_t), allocatable, intent(out) :: pixels(:)
    character(len=4096) :: path
    character(len=16) :: words(4)
    character :: letter
    integer :: file, word, length, position, bytes
    if (command_argument_count() /= 1) error stop 'usage: photo PICTURE.ppm'
    call get_command_argument(1, path)
    open (newunit=file, file=trim(path), access='stream', form='unformatted', action='read', status='old')
    words = ''
    do word = 1, 4
      do length = 1, 16
        read (file) letter
        if (letter <= ' ') exit
        words(word)(length:length) = letter
      end do
    end do
    if (words(1) /= 'P6' .or. words(4) /= '255') error stop 'this is no P6 picture of bytes'
    read (words(2), *) width
    read (words(3), *) height
    inquire (file, pos=position, size=bytes)
    allocate (pixels(bytes - position + 1))
    read (file) pixels
    close (file)
  end subroutine

  ! The checksum of zlib, as eight digits.
  function adler32(bytes) result(digits)
    integer(c_int8_t), intent(in) :: bytes(:)
    character(len=8) :: digits
    integer(i8) :: low, high
    integer :: k, digit
    low = 1
    high = 0
    do k = 1, size(bytes)
      low = mod(low + iand(int(bytes(k), i8), 255_i8), 65521_i8)
      high = mod(high + low, 65521_i8)
    end do
    do k = 1, 8
      digit = int(ibits(ior(shiftl(high, 16), low), 32 - 4 * k, 4))
      digits(k:k) = '0123456789abcdef'(digit + 1:digit + 1)
    end do
  end function
end program
