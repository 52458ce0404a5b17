# find_package(stride 0.1 [COMPONENTS shared static]) defines
#
#   stride::stride    the shared library
#   stride::static    the archive
#
# each where its file is installed, and stride_INTERFACE_JSON, the path of stride.json, which has the headers as data.
# Without COMPONENTS one of the two must be. Every path is found from where this file lies, so the prefix may be moved;
# versions are those of the installed stride.h.

get_filename_component(_stride_here "${CMAKE_CURRENT_LIST_DIR}" REALPATH)

# From lib/cmake/stride. The installer writes other ways into these lines where the folders are others.
set(_stride_include "${_stride_here}/../../../include")
set(_stride_data "${_stride_here}/../../../share")
get_filename_component(_stride_include "${_stride_include}" ABSOLUTE)
get_filename_component(stride_INTERFACE_JSON "${_stride_data}/stride/stride.json" ABSOLUTE)

set(stride_FOUND TRUE)
if(NOT EXISTS "${_stride_include}/stride.h")
  set(stride_FOUND FALSE)
  set(stride_NOT_FOUND_MESSAGE "stride.h is not in ${_stride_include}")
  return()
endif()
file(STRINGS "${_stride_include}/stride.h" _stride_abi REGEX "^#define STRIDE_ABI_VERSION ")
string(REGEX REPLACE "[^0-9]*([0-9]+).*" "\\1" _stride_abi "${_stride_abi}")

# cargo-c installs this file into lib, whatever folder of lib the libraries go to.
set(_stride_lib "${_stride_here}/../..")
if(NOT EXISTS "${_stride_lib}/libstride.a" AND EXISTS "${_stride_lib}/${CMAKE_LIBRARY_ARCHITECTURE}/libstride.a")
  set(_stride_lib "${_stride_lib}/${CMAKE_LIBRARY_ARCHITECTURE}")
endif()
get_filename_component(_stride_lib "${_stride_lib}" ABSOLUTE)

set(_stride_file "${_stride_lib}/libstride.so.${_stride_abi}")
set(_stride_soname "libstride.so.${_stride_abi}")
set(_stride_archive "${_stride_lib}/libstride.a")
if(WIN32)
  get_filename_component(_stride_file "${_stride_lib}/../bin/stride.dll" ABSOLUTE)
  set(_stride_import "${_stride_lib}/libstride.dll.a")
  if(MSVC)
    set(_stride_import "${_stride_lib}/stride.lib")
    set(_stride_archive "${_stride_lib}/stride_static.lib")
  endif()
elseif(APPLE)
  set(_stride_file "${_stride_lib}/libstride.${_stride_abi}.dylib")
  set(_stride_soname "@rpath/libstride.${_stride_abi}.dylib")
endif()
set(stride_shared_FOUND FALSE)
if(EXISTS "${_stride_file}" AND (NOT WIN32 OR EXISTS "${_stride_import}"))
  set(stride_shared_FOUND TRUE)
  if(NOT TARGET stride::stride)
    add_library(stride::stride SHARED IMPORTED)
    set_target_properties(stride::stride PROPERTIES
      IMPORTED_LOCATION "${_stride_file}"
      INTERFACE_INCLUDE_DIRECTORIES "${_stride_include}")
    if(WIN32)
      set_target_properties(stride::stride PROPERTIES IMPORTED_IMPLIB "${_stride_import}")
    else()
      set_target_properties(stride::stride PROPERTIES IMPORTED_SONAME "${_stride_soname}")
    endif()
  endif()
endif()

set(stride_static_FOUND FALSE)
if(EXISTS "${_stride_archive}")
  set(stride_static_FOUND TRUE)
  if(NOT TARGET stride::static)
    add_library(stride::static STATIC IMPORTED)
    set_target_properties(stride::static PROPERTIES
      IMPORTED_LOCATION "${_stride_archive}"
      INTERFACE_COMPILE_DEFINITIONS STRIDE_STATIC
      INTERFACE_INCLUDE_DIRECTORIES "${_stride_include}")
  endif()
endif()

if(NOT stride_shared_FOUND AND NOT stride_static_FOUND)
  set(stride_FOUND FALSE)
  set(stride_NOT_FOUND_MESSAGE "there is neither ${_stride_file} nor ${_stride_archive}")
endif()
foreach(_stride_component IN LISTS stride_FIND_COMPONENTS)
  if(stride_FIND_REQUIRED_${_stride_component} AND NOT stride_${_stride_component}_FOUND)
    set(stride_FOUND FALSE)
    set(stride_NOT_FOUND_MESSAGE
      "component ${_stride_component} is not installed; libstride has the components shared and static")
  endif()
endforeach()
