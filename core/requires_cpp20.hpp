#pragma once

/// Included by the headers that others reach first, so that a compiler that is set to an older C++
/// says so once. The second line ends the compilation: without it g++ 12 goes on for 500 errors.
#if defined(__cplusplus) && __cplusplus <= 201703L
#error "bloometry needs C++20: compile with -std=c++20"
#include "stopped here: bloometry needs C++20"
#endif
