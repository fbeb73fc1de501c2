// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/time/units.h"

#include <type_traits>

// A header of its own because moc does not read concepts.
namespace headroom::testing {

// What must not compile. Each of these was once somebody's bug: frames added to tokens, seconds given for
// samples.
template <class A, class B>
concept Addable = requires(A a, B b) {
    a + b;
};
template <class A, class B>
concept Subtractable = requires(A a, B b) {
    a - b;
};
template <class A, class B>
concept Comparable = requires(A a, B b) {
    a < b;
};
template <class A, class B>
concept Equatable = requires(A a, B b) {
    a == b;
};
template <class A, class B>
concept Multipliable = requires(A a, B b) {
    a* b;
};

template <class A, class B>
constexpr bool kMix = Addable<A, B> || Subtractable<A, B> || Comparable<A, B> || Equatable<A, B> ||
                      Multipliable<A, B> || std::is_convertible_v<A, B> || std::is_constructible_v<B, A>;

static_assert(!kMix<Seconds, Samples> && !kMix<Samples, Seconds>);
static_assert(!kMix<Seconds, Frames> && !kMix<Frames, Seconds>);
static_assert(!kMix<Seconds, Tokens> && !kMix<Tokens, Seconds>);
static_assert(!kMix<Samples, Frames> && !kMix<Frames, Samples>);
static_assert(!kMix<Samples, Tokens> && !kMix<Tokens, Samples>);
static_assert(!kMix<Frames, Tokens> && !kMix<Tokens, Frames>);
static_assert(!std::is_convertible_v<double, Seconds> && !std::is_convertible_v<Seconds, double>);
static_assert(!std::is_convertible_v<int, Tokens> && !std::is_convertible_v<Tokens, int>);
static_assert(!std::is_convertible_v<int, SampleRate>);
// The concepts can be true, so the lines above can fail.
static_assert(Addable<Seconds, Seconds> && Subtractable<Frames, Frames> && Comparable<Tokens, Tokens> &&
              Equatable<Samples, Samples> && Multipliable<Seconds, double>);

} // namespace headroom::testing
