// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/runs/recipe.h"

#include <cstdint>
#include <string>

namespace headroom {

// How `experiment --scale S` shrinks an experiment, the same for all of them; README.md states it for the user. S is in (0, 1];
// 1 changes nothing. Pure.

/// Multiplies width, feed-forward and convolutions by √S: the width becomes a multiple of 16 that its heads divide, at least 32;
/// layers, heads, kinds and windows stay. Nothing grows.
/// Families of published models (other inputs than log-mel, length adapters) keep their width: their weights fix it.
Architecture scaled(Architecture architecture, double scale);
/// Multiplies updates and schedule by S √S (at least 10 updates), the frames and utterances of an update by S. Validates five
/// times, never more often than every five updates, on at most four decoded utterances, and saves as many checkpoints as are averaged.
Recipe scaled(Recipe recipe, double scale);
/// The number of utterances that are kept of a split: S · n, at least 64 for training and 16 otherwise.
std::int64_t scaledUtterances(std::int64_t utterances, double scale, bool training);
/// Beams and tokens of a search: √S · n, rounded up.
int scaledSearch(int number, double scale);
/// The utterances of a study: S · n, at least 4.
int scaledSample(int utterances, double scale);

/// One sentence that says what was scaled, for the result; empty if nothing was.
std::string scaleSentence(double scale);

} // namespace headroom
