// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// A function marked so is compiled for three levels of x86-64, and the loader picks one: the program runs on
/// any x86-64 and uses the vectors it finds. What it calls must be HEADROOM_INLINE to be compiled along.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__)
#define HEADROOM_VECTOR_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define HEADROOM_VECTOR_CLONES
#endif
#define HEADROOM_INLINE inline __attribute__((always_inline))
