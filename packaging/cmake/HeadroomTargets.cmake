# SPDX-License-Identifier: GPL-3.0-or-later
# The shapes of target in this project. The ctest `layering` checks who may link whom.

# Most of the compiler's time goes into headers, so several sources of one target are compiled as one ("unity" batches). Measured:
# three batches of eight take 33 s, one of 25 takes 25 s.
option(HEADROOM_UNITY "Compile the sources of a target in batches: a clean build takes a quarter of the time" ON)
set(HEADROOM_BATCH 25 CACHE STRING "The most sources in one batch; fewer compile faster after a change")

# headroom_batches(TARGET SOURCE…)
#   Puts the sources of a target into batches of nearly equal size, those of a folder side by side. A source with flags of its own
#   stays alone.
function(headroom_batches target)
  set(sources ${ARGN})
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(LENGTH sources count)
  math(EXPR batches "(${count} + ${HEADROOM_BATCH} - 1) / ${HEADROOM_BATCH}")
  set(index 0)
  foreach(source IN LISTS sources)
    math(EXPR batch "${index} * ${batches} / ${count}")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${target}_${batch}")
    math(EXPR index "${index} + 1")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${HEADROOM_UNITY} UNITY_BUILD_MODE GROUP)
  # In a batch a source is an included file: g++ takes its anonymous types for those of a header.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()

# What a library's sources include most is compiled once for all libraries of its kind (precompiled/plain.h, torch.h, qt.h),
# and once more, with Qt Test, for all test programs of a kind (tests_plain.h and so on), which are not optimised.
# A source with flags of its own reads the headers itself: it needs SKIP_PRECOMPILE_HEADERS.
option(HEADROOM_PRECOMPILE "Compile the most common headers once" ON)

# headroom_precompiled(KIND [library …])
#   Compiles precompiled/KIND.h with the headers of these libraries.
function(headroom_precompiled kind)
  if(HEADROOM_PRECOMPILE)
    set(folder "${CMAKE_SOURCE_DIR}/packaging/cmake/precompiled")
    add_library(headroom_precompiled_${kind} OBJECT "${folder}/empty.cpp")
    target_include_directories(headroom_precompiled_${kind} PRIVATE "${CMAKE_SOURCE_DIR}")
    target_link_libraries(headroom_precompiled_${kind} PRIVATE headroom_warnings ${ARGN})
    target_precompile_headers(headroom_precompiled_${kind} PRIVATE "${folder}/${kind}.h")
  endif()
endfunction()

# headroom_moc(TARGET)
#   Runs moc for this target without its folders of headers. Measured for a test that includes torch: 2.0 s with them, 0.01 s
#   without. A class that moc must know from another header (Q_INTERFACES) would need them; there is none.
function(headroom_moc target)
  set(moc "${CMAKE_BINARY_DIR}/moc-alone")
  get_target_property(HEADROOM_MOC Qt6::moc IMPORTED_LOCATION)
  configure_file("${CMAKE_SOURCE_DIR}/packaging/cmake/moc-alone.in" "${moc}" @ONLY
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  set_target_properties(${target} PROPERTIES AUTOMOC ON AUTOMOC_EXECUTABLE "${moc}")
endfunction()

# headroom_precompile_for(TARGET KIND)
#   Lets this target read precompiled/KIND.h, if it is built.
function(headroom_precompile_for target kind)
  if(HEADROOM_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM headroom_precompiled_${kind})
  endif()
endfunction()

# headroom_library(NAME [FOLDERS …] [EXCEPT x …] [SOURCES …] [LINKS …] [PRIVATE_LINKS …] [TORCH] [QT] [LIGHT])
#   A static library of every source in FOLDERS (without their sub-folders; default: this folder) and of SOURCES, which
#   the build makes, but not of EXCEPT. Every include is written from the top of the repository: "core/time/units.h".
#   TORCH: compiled in the pool of two. QT: moc and resources. LIGHT: nothing in it computes, so a release build uses -O1,
#   which takes a fifth less time.
function(headroom_library name)
  cmake_parse_arguments(arg "TORCH;QT;LIGHT" "" "FOLDERS;EXCEPT;SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  if(NOT arg_FOLDERS)
    set(arg_FOLDERS .)
  endif()
  set(sources ${arg_SOURCES})
  foreach(folder IN LISTS arg_FOLDERS)
    get_filename_component(folder "${folder}" ABSOLUTE)
    file(GLOB found CONFIGURE_DEPENDS "${folder}/*.cpp" "${folder}/*.h")
    foreach(source IN LISTS found)
      get_filename_component(stem "${source}" NAME_WE)
      if(NOT stem IN_LIST arg_EXCEPT)
        list(APPEND sources "${source}")
      endif()
    endforeach()
  endforeach()
  add_library(${name} STATIC ${sources})
  headroom_batches(${name} ${sources})
  target_include_directories(${name} PUBLIC "${CMAKE_SOURCE_DIR}")
  target_link_libraries(${name} PUBLIC ${arg_LINKS} PRIVATE headroom_warnings ${arg_PRIVATE_LINKS})
  if(arg_TORCH)
    set_property(TARGET ${name} PROPERTY JOB_POOL_COMPILE torch)
  endif()
  if(arg_QT)
    headroom_moc(${name})
    set_target_properties(${name} PROPERTIES AUTORCC ON)
  endif()
  if(arg_LIGHT)
    target_compile_options(${name} PRIVATE "$<$<CONFIG:Release>:-O1>")
  endif()
  if(arg_TORCH)
    headroom_precompile_for(${name} torch)
  elseif(arg_QT)
    headroom_precompile_for(${name} qt)
  else()
    headroom_precompile_for(${name} plain)
  endif()
endfunction()

# headroom_folders(RESULT FOLDER…)
#   Lists these folders and every folder below them that holds sources.
function(headroom_folders result)
  set(folders)
  foreach(top IN LISTS ARGN)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS "${top}/*.cpp")
    foreach(source IN LISTS found)
      get_filename_component(folder "${source}" DIRECTORY)
      list(APPEND folders "${folder}")
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES folders)
  set(${result} ${folders} PARENT_SCOPE)
endfunction()

# Tests are compiled more often than they run; what they test is optimised. At -O1 the compiler takes a third longer, and more than
# twice as long with sanitizers.
set(HEADROOM_TEST_OPTIONS -O0 -fPIC)

# headroom_precompiled_for_tests(KIND [library …])
#   Compiles precompiled/tests_KIND.h, for the folder that calls it, with the headers of KIND and of these libraries.
function(headroom_precompiled_for_tests kind)
  if(TARGET headroom_precompiled_${kind} AND NOT HEADROOM_SANITIZE)
    get_target_property(libraries headroom_precompiled_${kind} LINK_LIBRARIES)
    headroom_precompiled(tests_${kind} ${libraries} Qt6::Test ${ARGN})
    target_compile_options(headroom_precompiled_tests_${kind} PRIVATE ${HEADROOM_TEST_OPTIONS})
    if(kind STREQUAL "torch")
      target_compile_definitions(headroom_precompiled_tests_torch PRIVATE QT_NO_KEYWORDS)
    endif()
  endif()
endfunction()

# headroom_tests(NAME [FOLDERS …] [EXCEPT x_test …] [BY_HAND x_test …] [SOURCES …] [LINKS …] [LABELS …] [GUI] [TORCH] [TIMEOUT seconds]
#                [ENVIRONMENT …] [DEPENDS …])
#   One Qt Test program of every source in FOLDERS and below (default: this folder). Each x_test.cpp ends with
#   HEADROOM_TEST(Class) (tests/support/runner.h) and becomes a ctest named after its place, as core/time/clocks. GUI
#   tests run on the offscreen platform at scale 1. HEADROOM_SHARED_DATA, where it is set or ../shared/data exists, names
#   the recordings that are not part of this repository; tests that need them QSKIP with the reason.
function(headroom_tests name)
  cmake_parse_arguments(arg "GUI;TORCH" "TIMEOUT" "FOLDERS;EXCEPT;BY_HAND;SOURCES;LINKS;LABELS;ENVIRONMENT;DEPENDS" ${ARGN})
  if(NOT arg_FOLDERS)
    set(arg_FOLDERS .)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  set(sources ${arg_SOURCES})
  list(TRANSFORM sources PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  set(tests)
  foreach(folder IN LISTS arg_FOLDERS)
    get_filename_component(folder "${folder}" ABSOLUTE)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS "${folder}/*.cpp" "${folder}/*.h")
    foreach(source IN LISTS found)
      get_filename_component(stem "${source}" NAME_WE)
      if(stem IN_LIST arg_EXCEPT)
        continue()
      endif()
      list(APPEND sources "${source}")
      if(source MATCHES "_test\\.cpp$")
        list(APPEND tests "${source}")
      endif()
    endforeach()
  endforeach()
  add_executable(${name} "${CMAKE_SOURCE_DIR}/tests/support/runner.cpp" ${sources})
  headroom_batches(${name} ${sources})
  headroom_moc(${name})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  target_compile_definitions(${name} PRIVATE HEADROOM_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
    HEADROOM_BINARY_DIR="${CMAKE_BINARY_DIR}")
  target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}")
  target_compile_options(${name} PRIVATE ${HEADROOM_TEST_OPTIONS})
  if(HEADROOM_SANITIZE)
    target_compile_options(${name} PRIVATE -fno-sanitize=undefined) # which costs a quarter; what they test is watched
  endif()
  target_link_libraries(${name} PRIVATE headroom_warnings ${arg_LINKS} Qt6::Test)
  if(arg_GUI)
    target_compile_definitions(${name} PRIVATE HEADROOM_GUI_TESTS)
  endif()
  set(environment QT_QPA_PLATFORM=offscreen QT_SCALE_FACTOR=1 LC_ALL=C.UTF-8
    HEADROOM_PLACES=${CMAKE_BINARY_DIR}/tests/no-places.json ${arg_ENVIRONMENT})
  if(HEADROOM_SANITIZE)
  elseif(arg_TORCH)
    headroom_precompile_for(${name} tests_torch)
  elseif(arg_GUI)
    headroom_precompile_for(${name} tests_qt)
  else()
    headroom_precompile_for(${name} tests_plain)
  endif()
  if(arg_TORCH)
    set_property(TARGET ${name} PROPERTY JOB_POOL_COMPILE torch)
    # Torch has members named slots; the runner seeds torch.
    target_compile_definitions(${name} PRIVATE QT_NO_KEYWORDS HEADROOM_TORCH_TESTS)
    # As the worker sets it for itself: threads that spin starve the tests beside them.
    list(APPEND environment OMP_WAIT_POLICY=PASSIVE)
  endif()
  if(arg_DEPENDS)
    add_dependencies(${name} ${arg_DEPENDS})
  endif()
  foreach(source IN LISTS tests)
    file(RELATIVE_PATH test "${CMAKE_SOURCE_DIR}/tests" "${source}")
    string(REGEX REPLACE "_test\\.cpp$" "" test "${test}")
    get_filename_component(stem "${source}" NAME_WE)
    if(stem IN_LIST arg_BY_HAND) # compiled here; the caller makes its ctests
      continue()
    endif()
    add_test(NAME ${test} COMMAND ${name} ${stem})
    set_tests_properties(${test} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}" ENVIRONMENT "${environment}")
  endforeach()
endfunction()
