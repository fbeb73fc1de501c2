// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Compiles a function for three levels of x86-64; the loader picks one. The program therefore runs on any
/// x86-64 and uses its vectors. Functions it calls must be HEADROOM_INLINE to be compiled along.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__)
#define HEADROOM_VECTOR_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define HEADROOM_VECTOR_CLONES
#endif
#define HEADROOM_INLINE inline __attribute__((always_inline))
