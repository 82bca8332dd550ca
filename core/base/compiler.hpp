// SPDX-License-Identifier: Apache-2.0
// What GCC and Clang have beyond the standard, and what takes its place elsewhere (MSVC).
//
// TERTIUM_STANDARD_ONLY leaves it out everywhere, so that a Linux machine can compile and
// test what MSVC compiles.
#pragma once

#if defined(__GNUC__) && !defined(TERTIUM_STANDARD_ONLY)
#define TERTIUM_VECTORS 1  // __attribute__((vector_size(...))) and operators on them
#define TERTIUM_INLINE_LAMBDA __attribute__((always_inline))
#define TERTIUM_INLINE inline __attribute__((always_inline))
#define TERTIUM_PREFETCH(address) __builtin_prefetch(address)
#else
#define TERTIUM_INLINE_LAMBDA
#define TERTIUM_INLINE inline
#define TERTIUM_PREFETCH(address) static_cast<void>(address)
#endif
