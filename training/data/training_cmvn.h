// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/features/kaldi_cmvn.h"
#include "training/data/examples.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headroom::training {

/// Returns mean and deviation of each of the `columns` of kaldiFeatures over all frames of the examples. Reads
/// every recording, on `threads` threads; the result does not depend on their number. Throws the errors of
/// loading, which name the utterance.
GlobalCmvn cmvnOf(const std::vector<Example>& examples, int columns, std::int64_t threads);

/// The file of Kaldi's global statistics in a corpus: D/cmvn.ark.
std::filesystem::path cmvnFileOf(const std::filesystem::path& corpus);

/// Returns the statistics in cmvnFileOf(corpus); `nullopt` if there is no such file. Throws what readKaldiCmvn throws, and
/// Error "train.cmvn" for statistics of another number of columns.
std::optional<KaldiCmvn> storedCmvn(const std::filesystem::path& corpus, int columns);

/// Copies cmvn.ark of a Kaldi folder or of a corpus of ours, or of its only subfolder train… that has one, to where storedCmvn
/// finds it. Returns the sentence for the user, empty if there is none. Statistics that cannot be read are not taken, and the sentence says why.
std::string takeKaldiCmvn(const std::filesystem::path& from, const std::filesystem::path& corpus);

} // namespace headroom::training
