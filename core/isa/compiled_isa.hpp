#pragma once

// The instruction set for which the including source is compiled, for example with -mavx2 or
// -march=native.
//
// BLOOMETRY_COMPILED_ISA is an inline namespace of the types whose functions depend on the
// instruction set. The types are the memory policies, which are part of every filter's type, and
// the types of core/block with functions for a single key. A filter in a source compiled for AVX2
// therefore has another type than the same filter in a portable source. Each type has its own copy
// of every function. If both sources used the same type, the linker would keep one copy of each,
// and the portable source could run instructions that the processor lacks.
//
// In a source compiled for a newer instruction set, functions for a single key ignore BLOOMETRY_ISA
// (core/isa/isa.hpp).
#if defined(__x86_64__) && defined(__AVX512F__) && defined(__AVX512DQ__) && \
    defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__BMI2__)
#define BLOOMETRY_COMPILED_FOR_AVX512
#define BLOOMETRY_COMPILED_ISA isa_avx512
#elif defined(__x86_64__) && defined(__AVX2__)
#define BLOOMETRY_COMPILED_FOR_AVX2
#define BLOOMETRY_COMPILED_ISA isa_avx2
#elif defined(__x86_64__) && defined(__AVX__)
#define BLOOMETRY_COMPILED_ISA isa_avx
#else
#define BLOOMETRY_COMPILED_ISA isa_baseline
#endif
