# Installs from the folder `modules` to `target`, below the prefix, the chart runtime: three files, each made of many packages, and the
# licence of every package that may be part of them. Run by `cmake --install`.
set(runtime vega/build/vega.min.js vega-lite/build/vega-lite.min.js vega-embed/build/vega-embed.min.js)
foreach(file IN LISTS runtime)
  if(NOT EXISTS ${modules}/${file})
    message(STATUS "The chart runtime is not installed, so reports will have no charts: ${modules}/${file} is missing "
      "(npm ci --ignore-scripts in experiments/chart)")
    return()
  endif()
endforeach()
file(GLOB licences RELATIVE ${modules} ${modules}/*/[Ll][Ii][Cc][Ee][Nn][SsCc][Ee]* ${modules}/*/node_modules/*/[Ll][Ii][Cc][Ee][Nn][SsCc][Ee]*)
# The browser of the tests draws no chart.
list(FILTER licences EXCLUDE REGEX "^playwright-core/")
foreach(file IN LISTS runtime licences)
  cmake_path(GET file PARENT_PATH folder)
  file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/${target}/${folder}" TYPE FILE FILES "${modules}/${file}")
endforeach()
