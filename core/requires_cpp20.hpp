#pragma once

/// The headers that other headers include first include this one, so that a compiler that is set to
/// an older C++ reports this once. The second line ends the compilation; without it g++ 12 reports
/// 500 further errors.
#if defined(__cplusplus) && __cplusplus <= 201703L
#error "bloometry needs C++20: compile with -std=c++20"
#include "stopped here: bloometry needs C++20"
#endif
