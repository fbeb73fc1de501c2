// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/features/model_input.h"
#include "core/matrix/matrix.h"
#include "core/audio/audio_name.h"
#include "training/data/examples.h"

#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>

namespace headroom::training {

/// Computes what a model is trained on and evaluated with, [frames, features]: modelFeatures without the rows that no
/// token of the recording looks at. Throws the errors of modelFeatures. Thread-safe.
Matrix<float> batchFeatures(std::span<const float> samples, const ModelInput& input);

/// Reads stored features (core/corpus/feature_archive.h) as batchFeatures would compute them: after CMVN. Throws Error
/// "data.features" if `input` is not made of so many Kaldi mel bins, and the errors of reading.
Matrix<float> storedFeatures(const AudioName& name, const ModelInput& input);

/// What a model reads of each recording, [frames, features], computed once and kept in memory as long as there
/// is room; of parallel text the tokens of the source, [tokens, 1]. Thread-safe.
class FeatureCache {
public:
    explicit FeatureCache(std::int64_t megabytes, const ModelInput& input = {})
        : m_input(input)
        , m_room(megabytes * 1'000'000) {}
    const ModelInput& input() const { return m_input; }

    /// Throws Error, which names the utterance: the errors of loadRecording and the filterbank, and
    /// "data.frames" if the corpus states a different length (two frames of rounding are tolerated).
    std::shared_ptr<const Matrix<float>> features(const Example& example);

private:
    const ModelInput m_input;
    std::mutex m_mutex;
    std::int64_t m_room;
    std::unordered_map<std::string, std::shared_ptr<const Matrix<float>>> m_kept; ///< by path
};

} // namespace headroom::training
