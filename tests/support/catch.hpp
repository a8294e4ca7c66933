#pragma once

// Includes the installed version of Catch2, v2 or v3. Version 3 has several headers instead of one.
#ifdef BLOOMETRY_CATCH2_V3
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
