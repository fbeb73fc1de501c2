# SPDX-License-Identifier: GPL-3.0-or-later
# LibTorch as one imported target, LibTorch::LibTorch: the CPU libraries and two include folders.
#
# Looked for, in this order: -DHEADROOM_LIBTORCH=DIR; an importable Python torch of this version; what packaging/set-up
# unpacked into ${XDG_CACHE_HOME:-~/.cache}/headroom. The wheel's own find_package(Torch) demands a CUDA toolkit even
# for a CPU build, so it is not used.

set(_headroom_torch_version 2.11.0)
set(_candidates)
if(HEADROOM_LIBTORCH)
  list(APPEND _candidates "${HEADROOM_LIBTORCH}" "${HEADROOM_LIBTORCH}/torch")
else()
  execute_process(
    COMMAND python3 -c "import importlib.util as u; s = u.find_spec('torch'); print(s.submodule_search_locations[0] if s else '')"
    OUTPUT_VARIABLE _python_torch OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(_python_torch)
    list(APPEND _candidates "${_python_torch}")
  endif()
  if(DEFINED ENV{XDG_CACHE_HOME})
    list(APPEND _candidates "$ENV{XDG_CACHE_HOME}/headroom/libtorch-${_headroom_torch_version}/torch")
  endif()
  list(APPEND _candidates "$ENV{HOME}/.cache/headroom/libtorch-${_headroom_torch_version}/torch")
endif()

foreach(_dir IN LISTS _candidates)
  if(EXISTS "${_dir}/lib/libtorch_cpu.so" AND EXISTS "${_dir}/include/torch/headeronly/version.h")
    file(STRINGS "${_dir}/include/torch/headeronly/version.h" _numbers REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) ")
    string(REGEX MATCHALL " [0-9]+" _parts "${_numbers}")
    list(JOIN _parts "." _version)
    string(REPLACE " " "" _version "${_version}")
    if(_version VERSION_GREATER_EQUAL 2.11 AND _version VERSION_LESS 2.12)
      set(LibTorch_DIR_FOUND "${_dir}")
      set(LibTorch_VERSION "${_version}")
      break()
    else()
      message(STATUS "LibTorch in ${_dir} is ${_version}, 2.11 is needed: passed over")
    endif()
  endif()
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch REQUIRED_VARS LibTorch_DIR_FOUND VERSION_VAR LibTorch_VERSION
  REASON_FAILURE_MESSAGE "run packaging/set-up, or give -DHEADROOM_LIBTORCH=DIR")

if(LibTorch_FOUND AND NOT TARGET LibTorch::LibTorch)
  add_library(LibTorch::LibTorch INTERFACE IMPORTED)
  # SYSTEM: torch's headers are not ours to warn about.
  target_include_directories(LibTorch::LibTorch SYSTEM INTERFACE
    "${LibTorch_DIR_FOUND}/include" "${LibTorch_DIR_FOUND}/include/torch/csrc/api/include")
  target_link_libraries(LibTorch::LibTorch INTERFACE
    "${LibTorch_DIR_FOUND}/lib/libtorch_cpu.so" "${LibTorch_DIR_FOUND}/lib/libc10.so")
  target_link_options(LibTorch::LibTorch INTERFACE "-Wl,-rpath,${LibTorch_DIR_FOUND}/lib")
endif()
