# SPDX-License-Identifier: GPL-3.0-or-later
# The two shapes of target in this house. The rule of who may link whom is checked by the ctest `layering`.

# headroom_library(NAME SOURCES … LINKS … [TORCH] [QT])
#   A static library. Every include is written from the top of the repository: "core/time/units.h".
#   TORCH: compiled in the pool of two. QT: moc and resources.
function(headroom_library name)
  cmake_parse_arguments(arg "TORCH;QT" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_include_directories(${name} PUBLIC "${CMAKE_SOURCE_DIR}")
  target_link_libraries(${name} PUBLIC ${arg_LINKS} PRIVATE headroom_warnings ${arg_PRIVATE_LINKS})
  if(arg_TORCH)
    set_property(TARGET ${name} PROPERTY JOB_POOL_COMPILE torch)
  endif()
  if(arg_QT)
    set_target_properties(${name} PROPERTIES AUTOMOC ON AUTORCC ON)
  endif()
endfunction()

# headroom_test(NAME SOURCES … LINKS … [LABELS …] [GUI] [TORCH] [TIMEOUT seconds])
#   A Qt Test executable and its ctest. GUI tests run on the offscreen platform at scale 1.
#   HEADROOM_SHARED_DATA, where it is set or ../shared/data exists, names the recordings and golden results that
#   are not part of this repository; tests that need them QSKIP with the reason.
function(headroom_test name)
  cmake_parse_arguments(arg "GUI;TORCH" "TIMEOUT" "SOURCES;LINKS;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}")
  # Without Qt's lower-case keywords, `slots` and `signals` stay free for torch's own headers.
  target_compile_definitions(${name} PRIVATE HEADROOM_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
    HEADROOM_BINARY_DIR="${CMAKE_BINARY_DIR}")
  target_link_libraries(${name} PRIVATE headroom_warnings ${arg_LINKS} Qt6::Test)
  if(arg_TORCH)
    set_property(TARGET ${name} PROPERTY JOB_POOL_COMPILE torch)
    target_compile_definitions(${name} PRIVATE QT_NO_KEYWORDS)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set(environment QT_QPA_PLATFORM=offscreen QT_SCALE_FACTOR=1 LC_ALL=C.UTF-8)
  if(arg_TORCH) # as the worker sets it for itself: threads that spin starve the tests beside them
    list(APPEND environment OMP_WAIT_POLICY=PASSIVE)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}"
    ENVIRONMENT "${environment}")
endfunction()
