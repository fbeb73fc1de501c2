// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/data/feature_cache.h"

#include "core/audio/audio_file.h"
#include "core/corpus/feature_archive.h"
#include "core/errors/count_text.h"
#include "core/features/kaldi_pitch.h"

#include <cstdlib>

namespace headroom::training {

Matrix<float> batchFeatures(std::span<const float> samples, const ModelInput& input) {
    if (input.kind == InputKind::KaldiLogMel) {
        thread_local LogMelFilterbank filterbank;
        return normalisedKaldiFeatures(filterbank, samples, input);
    }
    Matrix<float> made = modelFeatures(samples, input);
    // Nothing is to be learnt from rows that no token of the recording looks at.
    const auto rows = static_cast<std::size_t>(input.validRows(made));
    made.values().resize(rows * made.columns());
    return Matrix<float>(rows, made.columns(), std::move(made.values()));
}

Matrix<float> storedFeatures(const AudioName& name, const ModelInput& input) {
    Matrix<float> features = readArchivedFeatures(name);
    const auto refuse = [&](const std::string& reads) {
        throw Error("data.features",
                    name.path().filename().string() + " has " + std::to_string(features.columns()) +
                        " features in a frame, and the model reads " + reads + ".",
                    {{"file", name.file.string()}});
    };
    if (input.kind != InputKind::KaldiLogMel)
        refuse("another input, which needs the recordings");
    if (features.columns() != static_cast<std::size_t>(input.features))
        refuse(std::to_string(input.features));
    if (input.cmvn)
        applyGlobalCmvn(features, *input.cmvn);
    else
        applyUtteranceCmvn(features);
    return features;
}

std::shared_ptr<const Matrix<float>> FeatureCache::features(const Example& example) {
    if (m_input.kind == InputKind::Text)
        return std::make_shared<Matrix<float>>(textFeatures(example.source));
    const std::string key = example.audio.string();
    {
        const std::lock_guard guard(m_mutex);
        if (const auto found = m_kept.find(key); found != m_kept.end())
            return found->second;
    }
    std::shared_ptr<Matrix<float>> made;
    std::int64_t frames = 0; // of 10 ms, as the corpus counts them
    try {
        if (const AudioName name = audioName(example.audio); name.holdsFeatures()) {
            made = std::make_shared<Matrix<float>>(storedFeatures(name, m_input));
            frames = static_cast<std::int64_t>(made->rows());
        } else {
            const Recording recording = loadRecording(example.audio);
            const Samples samples(static_cast<std::int64_t>(recording.samples.size()));
            frames = FrameClock().frameCount(samples, kModelSampleRate).value();
            made = std::make_shared<Matrix<float>>(batchFeatures(recording.samples, m_input));
        }
    } catch (const Error& error) {
        throw Error(error.code(), "Utterance " + example.id + ": " + error.what(), error.values());
    }
    constexpr std::int64_t kRounding = 2;
    if (std::abs(frames - example.frames) > kRounding)
        throw Error("data.frames",
                    "Utterance " + example.id + ": the corpus states " + grouped(example.frames) +
                        " frames, but " + example.audio.string() + " has " + grouped(frames) + ".",
                    {{"id", example.id}, {"promised", example.frames}, {"found", frames}});
    const auto bytes = static_cast<std::int64_t>(made->values().size() * sizeof(float));
    const std::lock_guard guard(m_mutex);
    if (bytes <= m_room && m_kept.try_emplace(key, made).second)
        m_room -= bytes;
    return made;
}

} // namespace headroom::training
