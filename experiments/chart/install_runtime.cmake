# Installs the chart runtime from the folder `modules` to `target` below the prefix. The runtime has three files, each
# made of many packages. The licences of all packages that these files may contain are installed too. `cmake --install`
# runs this script.
set(runtime vega/build/vega.min.js vega-lite/build/vega-lite.min.js vega-embed/build/vega-embed.min.js)
foreach(file IN LISTS runtime)
  if(NOT EXISTS ${modules}/${file})
    message(STATUS "The chart runtime is not installed, so reports will have no charts: ${modules}/${file} is missing "
      "(npm ci --ignore-scripts in experiments/chart)")
    return()
  endif()
endforeach()
file(GLOB licences RELATIVE ${modules} ${modules}/*/[Ll][Ii][Cc][Ee][Nn][SsCc][Ee]* ${modules}/*/node_modules/*/[Ll][Ii][Cc][Ee][Nn][SsCc][Ee]*)
# playwright-core is the browser of the tests; charts are drawn without it.
list(FILTER licences EXCLUDE REGEX "^playwright-core/")
foreach(file IN LISTS runtime licences)
  cmake_path(GET file PARENT_PATH folder)
  file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/${target}/${folder}" TYPE FILE FILES "${modules}/${file}")
endforeach()
