# SPDX-License-Identifier: GPL-3.0-or-later
# nvcc 13 as HEADROOM_NVCC, and the folder of its headers as HEADROOM_CUDA_INCLUDE. Looked for, in this order: $CUDACXX, the
# search path, $CUDA_PATH, /usr/local/cuda, what packaging/set-up --cuda unpacked into ${XDG_CACHE_HOME:-~/.cache}/headroom.
# CMake's own language CUDA wants a toolkit that links programs; the wheels hold a compiler, and a library needs no more.

set(_cache "$ENV{HOME}/.cache")
if(DEFINED ENV{XDG_CACHE_HOME})
  set(_cache "$ENV{XDG_CACHE_HOME}")
endif()
set(_candidates "$ENV{CUDACXX}")
find_program(_nvcc_in_path nvcc NO_CACHE)
list(APPEND _candidates "${_nvcc_in_path}" "$ENV{CUDA_PATH}/bin/nvcc" /usr/local/cuda/bin/nvcc
  "${_cache}/headroom/cuda-13.0/nvidia/cu13/bin/nvcc")
unset(HEADROOM_NVCC CACHE)
foreach(_nvcc IN LISTS _candidates)
  if(_nvcc AND EXISTS "${_nvcc}" AND NOT HEADROOM_NVCC)
    execute_process(COMMAND "${_nvcc}" --version OUTPUT_VARIABLE _said ERROR_QUIET)
    get_filename_component(_real "${_nvcc}" REALPATH)
    get_filename_component(_top "${_real}/../.." ABSOLUTE)
    if(_said MATCHES "release 13\\." AND EXISTS "${_top}/include/cuda_runtime_api.h")
      set(HEADROOM_NVCC "${_real}" CACHE INTERNAL "")
      set(HEADROOM_CUDA_INCLUDE "${_top}/include" CACHE INTERNAL "")
    else()
      message(STATUS "${_nvcc} is not an nvcc 13 with its headers: passed over")
    endif()
  endif()
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(HeadroomCuda REQUIRED_VARS HEADROOM_NVCC HEADROOM_CUDA_INCLUDE
  REASON_FAILURE_MESSAGE "run packaging/set-up --cuda, or set CUDACXX")
