# add_layer([THEORY] [COLD] [SOURCES file...] [LEFT folder...] [PUBLIC library...] [PRIVATE library...])
#
# Creates the target of the folder whose CMakeLists.txt calls add_layer, for example bloometry_core_hash for core/hash.
# The target is a static library, or an INTERFACE library if the folder has only headers. With THEORY, add_layer creates
# the folder's second target, such as bloometry_variants_standard_theory, for sources that need bloometry::theory. The
# second target is not created if bloometry::theory is not built. In LEFT, the name of this target is
# variants/standard_theory.
#
# COLD compiles the sources at -O1 in release builds, which needs a third less compile time than -O3. COLD is for folders
# that read configs, write files, draw or print, and do not process keys one by one. With COLD, `report` needs 12 to 25 %
# more time (1.7 instead of 1.3 s for 3,969 points), and `verify` at most 10 % more.
#
# LEFT names the folders that the calling folder includes. The targets of these folders must exist already, so that
# targets do not link to the right. Folders are added in the order of core/README.md. The global property
# BLOOMETRY_LAYERS contains the names of all folders in the order of their creation. tests/layers compares the links of
# the targets with the order in core/README.md and with the includes of the sources.
function(add_layer)
  cmake_parse_arguments(PARSE_ARGV 0 layer "THEORY;COLD" "" "SOURCES;LEFT;PUBLIC;PRIVATE")
  if(layer_THEORY AND NOT BLOOMETRY_BUILD_THEORY)
    return()
  endif()
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE name)
  if(layer_THEORY)
    string(APPEND name _theory)
  endif()
  if(NOT name STREQUAL core)
    list(PREPEND layer_LEFT core)
  endif()
  string(MAKE_C_IDENTIFIER bloometry_${name} target)
  if(layer_SOURCES)
    set(links PUBLIC)
    add_library(${target} STATIC ${layer_SOURCES})
    target_link_libraries(${target} PRIVATE bloometry_options ${layer_PRIVATE})
    if(layer_COLD)
      target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
  else()
    set(links INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  target_link_libraries(${target} ${links} ${layer_PUBLIC})
  foreach(left IN LISTS layer_LEFT)
    string(MAKE_C_IDENTIFIER bloometry_${left} neighbour)
    if(NOT TARGET ${neighbour})
      message(FATAL_ERROR "${name} links to ${left}, which is not to its left: no folder of that name was added before")
    endif()
    target_link_libraries(${target} ${links} ${neighbour})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY BLOOMETRY_LAYERS ${name})
endfunction()
