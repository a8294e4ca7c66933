#pragma once

/// Reports once that the compiler is set to an older version than C++20. The headers that other
/// headers include first therefore include core/requires_cpp20.hpp. The second directive ends the
/// compilation; without the second directive, g++ 12 reports 500 further errors.
#if defined(__cplusplus) && __cplusplus <= 201703L
#error "bloometry needs C++20: compile with -std=c++20"
#include "stopped here: bloometry needs C++20"
#endif
