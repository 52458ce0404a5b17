# Is the installed libstride the one that find_package asks for? Its version is that of the installed stride.h. A version
# is compatible if it is no older than the one asked for, with the same major number; before 1.0, where a minor version may
# break the interface, with the same minor number as well (docs/ABI.md). A range is taken by its two ends.

get_filename_component(_stride_here "${CMAKE_CURRENT_LIST_DIR}" REALPATH)

# From lib/cmake/stride. The installer writes another way into this line where the folders are others.
set(_stride_include "${_stride_here}/../../../include")

set(PACKAGE_VERSION "")
if(EXISTS "${_stride_include}/stride.h")
  foreach(_stride_part IN ITEMS MAJOR MINOR PATCH)
    file(STRINGS "${_stride_include}/stride.h" _stride_${_stride_part} REGEX "^#define STRIDE_VERSION_${_stride_part} ")
    string(REGEX REPLACE "[^0-9]*([0-9]+).*" "\\1" _stride_${_stride_part} "${_stride_${_stride_part}}")
  endforeach()
  set(PACKAGE_VERSION "${_stride_MAJOR}.${_stride_MINOR}.${_stride_PATCH}")
endif()

set(PACKAGE_VERSION_EXACT FALSE)
set(PACKAGE_VERSION_COMPATIBLE FALSE)
if(PACKAGE_VERSION STREQUAL "")
  set(PACKAGE_VERSION "unknown")
elseif(PACKAGE_FIND_VERSION_RANGE)
  if(PACKAGE_VERSION VERSION_GREATER_EQUAL PACKAGE_FIND_VERSION_MIN
      AND (PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION_MAX
        OR (PACKAGE_FIND_VERSION_RANGE_MAX STREQUAL "INCLUDE"
          AND PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION_MAX)))
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
  endif()
elseif(NOT PACKAGE_FIND_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
elseif(PACKAGE_VERSION VERSION_GREATER_EQUAL PACKAGE_FIND_VERSION AND PACKAGE_FIND_VERSION_MAJOR EQUAL _stride_MAJOR)
  # `find_package(stride 0)` names no minor number.
  if(_stride_MAJOR GREATER 0 OR PACKAGE_FIND_VERSION_COUNT LESS 2 OR PACKAGE_FIND_VERSION_MINOR EQUAL _stride_MINOR)
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
  endif()
  if(PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()
