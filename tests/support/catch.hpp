#pragma once

// Includes Catch2 v2 or v3, whichever is found. Version 3 divided the single header.
#ifdef BLOOMETRY_CATCH2_V3
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
