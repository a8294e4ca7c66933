# The targets of the libraries and of the program. Each target has the sources of many folders, and each folder adds its
# own sources to a target. tests/layers checks by the includes that folders depend only on folders to their left.

# Headers of the standard library that most sources include. Users of the libraries do not get these headers, and the
# tests in tests/consumer and tests/install compile without them. Two targets own the precompiled header, because g++
# compiles a source with the optimisation level of the header.
set(precompiled_headers
  <algorithm> <array> <bit> <charconv> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <optional> <set>
  <span> <sstream> <stdexcept> <string> <string_view> <system_error> <tuple> <utility> <vector>)

# With a precompiled header, g++ 12 warns of an overflow in `"text" + std::string` that cannot occur.
set(precompiled_options $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)

# precompile(NAME option...): creates the target NAME, which owns a precompiled header and compiles it with the options.
function(precompile name)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/precompiled.cpp CONTENT "")
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/generated/precompiled.cpp)
  target_link_libraries(${name} PRIVATE bloometry_options)
  target_compile_options(${name} PRIVATE ${precompiled_options} ${ARGN})
  target_precompile_headers(${name} PRIVATE ${precompiled_headers})
endfunction()

# -O1 in release builds needs a third less compile time than -O3. This is for folders that read configs, write files,
# draw or print, and do not process keys one by one. With it, `report` needs 12 to 25 % more time (1.7 instead of 1.3 s
# for 3,969 points), and `verify` at most 10 % more.
set(cold_options $<$<CONFIG:Release>:-O1>)
precompile(bloometry_precompiled)
precompile(bloometry_precompiled_cold ${cold_options})

# add_target(NAME [TYPE type] [COLD]): creates a target to which folders add their sources. TYPE is STATIC (default) or
# OBJECT. COLD compiles the sources with cold_options.
function(add_target name)
  cmake_parse_arguments(PARSE_ARGV 1 target "COLD" "TYPE" "")
  if(NOT target_TYPE)
    set(target_TYPE STATIC)
  endif()
  add_library(${name} ${target_TYPE})
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:bloometry_options>)
  target_compile_options(${name} PRIVATE ${precompiled_options})
  set_target_properties(${name} PROPERTIES UNITY_BUILD_MODE GROUP)
  if(target_COLD)
    target_compile_options(${name} PRIVATE ${cold_options})
    target_precompile_headers(${name} REUSE_FROM bloometry_precompiled_cold)
  else()
    target_precompile_headers(${name} REUSE_FROM bloometry_precompiled)
  endif()
endfunction()

# add_component(NAME): creates the target of an installed library, with the public name bloometry::NAME.
function(add_component name)
  add_target(bloometry_${name})
  add_library(bloometry::${name} ALIAS bloometry_${name})
endfunction()

# add_folder(TARGET [UNIT name] [source...]): adds the sources of the calling folder to the target, if the target
# is built. A unity build compiles the sources of a target with the same UNIT together (default: the
# sources of one call). Unnamed namespaces of one unit must not use a name twice.
#
# add_folder(TARGET SEPARATE source...): the sources are compiled one by one, without the precompiled header. They may
# have compile options of their own.
function(add_folder target)
  cmake_parse_arguments(PARSE_ARGV 1 folder "SEPARATE" "UNIT" "")
  if(NOT TARGET ${target})
    return()
  endif()
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE name)
  set_property(TARGET ${target} APPEND PROPERTY BLOOMETRY_FOLDERS ${name})
  set(sources ${folder_UNPARSED_ARGUMENTS})
  if(NOT sources)
    return()
  endif()
  target_sources(${target} PRIVATE ${sources})
  if(folder_SEPARATE)
    set_source_files_properties(${sources} TARGET_DIRECTORY ${target} PROPERTIES
      SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
    return()
  endif()
  if(NOT folder_UNIT)
    string(MAKE_C_IDENTIFIER ${name} folder_UNIT)
  endif()
  set_source_files_properties(${sources} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${folder_UNIT})
endfunction()

# The options of sources for AVX-512. g++ 12 warns about undefined vectors in its own headers (GCC bug 105593).
set(avx512_options
  -mavx512f -mavx512dq -mavx512bw -mavx512vl -mavx2 -mbmi2 -maes -Wno-uninitialized -Wno-maybe-uninitialized)
