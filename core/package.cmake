# Installation of the libraries by `cmake --install` and `cpack -G DEB`. Each component is a static
# library, its headers, a target for find_package and a file for pkg-config. The rules for the program's files are in the
# folders that contain the files: experiments/cli, experiments/chart, experiments/report.
#
# Headers are installed in include/bloometry, which is in the include path of consumers. Projects that install
# bloometry, and projects that add it as a folder, therefore include the same names, such as "core/any_filter/keyed.hpp".
# Consumers inherit only C++20 from the compiler flags of bloometry.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/bloometry)
set(include_folder ${CMAKE_INSTALL_INCLUDEDIR}/bloometry)

# install_component(NAME DESCRIPTION text [NEEDS component...] [REQUIRES package...])
#
# Installs the target bloometry_NAME and the headers of its folders, without those of the components in NEEDS. REQUIRES
# names packages of pkg-config.
function(install_component name)
  cmake_parse_arguments(PARSE_ARGV 1 component "" "DESCRIPTION" "NEEDS;REQUIRES")
  get_target_property(folders bloometry_${name} BLOOMETRY_FOLDERS)
  list(REMOVE_DUPLICATES folders)
  list(REMOVE_ITEM folders ${packaged_folders})
  set(packaged_folders ${packaged_folders} ${folders} PARENT_SCOPE)
  foreach(folder IN LISTS folders)
    file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.hpp)
    install(FILES ${headers} DESTINATION ${include_folder}/${folder} COMPONENT development)
  endforeach()

  set_target_properties(bloometry_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(bloometry_${name} INTERFACE $<INSTALL_INTERFACE:${include_folder}>)
  install(TARGETS bloometry_${name} EXPORT bloometry_${name}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  install(EXPORT bloometry_${name} FILE bloometry-${name}.cmake NAMESPACE bloometry::
    DESTINATION ${package_folder} COMPONENT development)

  set(requires ${component_REQUIRES})
  foreach(needed IN LISTS component_NEEDS)
    list(APPEND requires "bloometry-${needed} = ${PROJECT_VERSION}")
  endforeach()
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
