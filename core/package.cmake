# Installation of the libraries by `cmake --install` and `cpack -G DEB`. Each public name, such as bloometry::filters,
# becomes one static library of existing objects, its headers, a target for find_package and a file for pkg-config. The
# rules for the program's files are in the folders that contain the files: experiments/cli, experiments/chart,
# experiments/report.
#
# Headers are installed in include/bloometry, which is in the include path of consumers. Projects that install
# bloometry, and projects that add it as a folder, therefore include the same names, such as "core/handle/keyed.hpp".
# Consumers inherit only C++20 from the compiler flags of bloometry.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/bloometry)
set(include_folder ${CMAKE_INSTALL_INCLUDEDIR}/bloometry)

# Appends a target to the named list, followed by all targets of folders (core/layer.cmake) to which the target links.
function(append_layers target list)
  if(NOT TARGET ${target} OR target IN_LIST ${list})
    return()
  endif()
  if(target MATCHES "^bloometry_(core|variants)")
    list(APPEND ${list} ${target})
  endif()
  get_target_property(links ${target} INTERFACE_LINK_LIBRARIES)
  foreach(link IN LISTS links)
    append_layers("${link}" ${list})
  endforeach()
  set(${list} "${${list}}" PARENT_SCOPE)
endfunction()

# install_component(NAME DESCRIPTION text [TARGETS target...] [NEEDS component...] [REQUIRES package...])
#
# The library consists of the folders of TARGETS (default bloometry_NAME), without the folders of the components in
# NEEDS. REQUIRES names packages of pkg-config.
function(install_component name)
  cmake_parse_arguments(PARSE_ARGV 1 component "" "DESCRIPTION" "TARGETS;NEEDS;REQUIRES")
  if(NOT component_TARGETS)
    set(component_TARGETS bloometry_${name})
  endif()
  set(layers)
  foreach(target IN LISTS component_TARGETS)
    append_layers(${target} layers)
  endforeach()
  list(REMOVE_ITEM layers ${packaged_layers})
  set(packaged_layers ${packaged_layers} ${layers} PARENT_SCOPE)

  set(objects)
  foreach(layer IN LISTS layers)
    get_target_property(type ${layer} TYPE)
    if(type STREQUAL STATIC_LIBRARY)
      list(APPEND objects $<TARGET_OBJECTS:${layer}>)
    endif()
    get_target_property(folder ${layer} SOURCE_DIR)
    file(GLOB headers CONFIGURE_DEPENDS ${folder}/*.hpp)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    install(FILES ${headers} DESTINATION ${include_folder}/${folder} COMPONENT development)
  endforeach()

  set(library bloometry_${name}_package)
  add_library(${library} STATIC ${objects})
  set_target_properties(${library} PROPERTIES
    EXPORT_NAME ${name} OUTPUT_NAME bloometry_${name} LINKER_LANGUAGE CXX ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  target_compile_features(${library} INTERFACE cxx_std_20)
  target_include_directories(${library} INTERFACE $<INSTALL_INTERFACE:${include_folder}>)
  set(requires ${component_REQUIRES})
  foreach(needed IN LISTS component_NEEDS)
    target_link_libraries(${library} INTERFACE bloometry_${needed}_package)
    list(APPEND requires "bloometry-${needed} = ${PROJECT_VERSION}")
  endforeach()
  install(TARGETS ${library} EXPORT bloometry_${name}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  install(EXPORT bloometry_${name} FILE bloometry-${name}.cmake NAMESPACE bloometry::
    DESTINATION ${package_folder} COMPONENT development)

  # Paths are relative to the .pc file, so that the installed folder can be moved and may have a space in its name.
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_INCLUDEDIR BASE_DIRECTORY ${CMAKE_INSTALL_LIBDIR}/pkgconfig OUTPUT_VARIABLE include_from_file)
  list(JOIN requires ", " requires)
  configure_file(core/package.pc.in bloometry-${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/bloometry-${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endfunction()

set(components filters)
install_component(filters DESCRIPTION "Bloom filters behind one interface")
if(BLOOMETRY_BUILD_THEORY)
  list(APPEND components theory)
  install_component(theory NEEDS filters DESCRIPTION "Rates, sizing and statistics of Bloom filters")
endif()
list(APPEND components foreign)
install_component(foreign NEEDS filters DESCRIPTION "Bloom filters of other programs")
if(BLOOMETRY_BUILD_REDIS)
  list(APPEND components redis)
  install_component(redis NEEDS filters foreign REQUIRES hiredis DESCRIPTION "Bloom filters in Redis")
endif()

configure_package_config_file(core/package-config.cmake.in bloometry-config.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(bloometry-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/bloometry-config.cmake ${PROJECT_BINARY_DIR}/bloometry-config-version.cmake
  DESTINATION ${package_folder} COMPONENT development)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

if(PROJECT_IS_TOP_LEVEL)
  set(CPACK_PACKAGE_CONTACT "The bloometry authors")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Bloom filters, measured against exact theory")
  set(CPACK_PACKAGE_DESCRIPTION "A C++20 library of Bloom filters with the exact false-positive rate of each, and a program that\n\
measures false-positive rates and says whether they agree with theory.")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_STRIP_FILES ON)
  set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION math)
  # Headers include xxhash.h; `report --export` draws with node and rsvg-convert.
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS libxxhash-dev)
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS "nodejs, librsvg2-bin, libhiredis-dev")
  find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
  if(DPKG_SHLIBDEPS)
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  endif()
  include(CPack)
endif()
