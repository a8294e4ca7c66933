# Headers that moved in version 0.2. A program that includes the old path gets the new header, and the compiler prints
# the new path. Version 0.3 removes this file.
#
# moved_headers(OLD_FOLDER NEW_FOLDER name...): forwards OLD_FOLDER/name.hpp to NEW_FOLDER/name.hpp.
set(moved_folder ${PROJECT_BINARY_DIR}/moved)

function(moved_header old new)
  file(CONFIGURE OUTPUT ${moved_folder}/${old} @ONLY CONTENT [[
#pragma once
#pragma message("@old@ is now @new@; version 0.3 removes the old path")
#include "@new@"
]])
endfunction()

function(moved_headers old_folder new_folder)
  foreach(name IN LISTS ARGN)
    moved_header(${old_folder}/${name}.hpp ${new_folder}/${name}.hpp)
  endforeach()
endfunction()

moved_headers(core/filter core/contract
  compatible filter filter_spec filter_state operation params set_estimates size_axis variant_description)
moved_headers(core/handle core/any_filter any_filter filter_file keyed make_variant_info variant_info)
moved_headers(core/key core/hash key_range key_view)
moved_headers(core/block core/probe lane_bits split_block_bits)
moved_headers(core/block core/integer_batch integer_kernels)
moved_headers(core/block core/lane_stage lane_stage)
moved_headers(core/block variants/standard remix_insert)
moved_header(core/store/nibbles.hpp core/store/nibble_counters.hpp)
if(BLOOMETRY_BUILD_THEORY)
  moved_headers(core/random core/statistics draws seed_sequence)
endif()

target_include_directories(bloometry_filters INTERFACE $<BUILD_INTERFACE:${moved_folder}>)
if(BLOOMETRY_INSTALL)
  install(DIRECTORY ${moved_folder}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/bloometry COMPONENT development)
endif()
