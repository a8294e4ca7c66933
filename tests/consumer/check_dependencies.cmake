# Fails if main.cpp or a source of bloometry::filters includes a header of bloometry::theory, or of a library other than
# xxHash. The caller sets COMPILER, ROOT, XXHASH_INCLUDE_DIR and SOURCES (separated by |).
string(REPLACE "|" ";" sources "${SOURCES}")
list(APPEND sources ${ROOT}/tests/consumer/main.cpp)
set(foreign "boost/|[Ee]igen|nlohmann|CLI/|CLI11|catch|hiredis|benchmark/|/fmt/|core/(study_hash|statistics|theory)/|_theory[.]hpp")

# headers_of(RESULT source...): lists the sources and all headers that they include, each once.
function(headers_of result)
  list(TRANSFORM ARGN PREPEND "-include;" OUTPUT_VARIABLE includes)
  execute_process(
    COMMAND ${COMPILER} -std=c++20 -M -I${ROOT} -I${XXHASH_INCLUDE_DIR} ${includes} -x c++ /dev/null
    OUTPUT_VARIABLE rule RESULT_VARIABLE status ERROR_VARIABLE errors)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "cannot list the headers of ${ARGN}: ${errors}")
  endif()
  string(REGEX MATCHALL "[^ \n\\]+" files "${rule}")
  set(${result} ${files} PARENT_SCOPE)
endfunction()

# One list for all sources needs a tenth of the time of a list per source.
headers_of(headers ${sources})
list(LENGTH sources num_sources)
list(LENGTH headers num_headers)
if(num_sources LESS 25 OR num_headers LESS 200)
  message(FATAL_ERROR "only ${num_headers} headers of ${num_sources} sources listed: the list was not read")
endif()
list(FILTER headers INCLUDE REGEX "${foreign}")
if(headers)
  foreach(source IN LISTS sources)
    headers_of(found ${source})
    list(FILTER found INCLUDE REGEX "${foreign}")
    if(found)
      message(FATAL_ERROR "${source} includes ${found}: bloometry::filters needs xxHash only")
    endif()
  endforeach()
  message(FATAL_ERROR "a source includes ${headers}: bloometry::filters needs xxHash only")
endif()
message(STATUS "${num_headers} headers of ${num_sources} sources, none of another library")
