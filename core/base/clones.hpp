// SPDX-License-Identifier: Apache-2.0
// Copies of a function for newer processors, chosen when the library is loaded.
//
// Only GCC with glibc has them on x86-64; elsewhere there is one function. Wider
// vectors do not change results: sums are written lane by lane.
#pragma once

#include <cstddef>  // defines __GLIBC__, if it is there

#include "base/compiler.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__GLIBC__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(TERTIUM_STANDARD_ONLY)
#define TERTIUM_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define TERTIUM_CLONES
#endif

// What a copied function calls must become part of it: declare it TERTIUM_INLINE.
