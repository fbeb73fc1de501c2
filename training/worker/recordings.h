// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audio/audio_file.h"
#include "core/matrix/matrix.h"
#include "training/worker/console.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headroom::training {

/// The NAME of each recording's results: its stem; where stems collide, the whole file name. Nothing where
/// that is taken by an earlier recording too (a/x.wav and b/x.wav): it would be overwritten.
std::vector<std::optional<std::string>> resultNames(const std::vector<std::filesystem::path>& recordings);

/// The sentence for a recording without a name.
std::string nameTaken(const std::filesystem::path& recording);

/// A recording, or a part of it.
struct Part {
    std::vector<float> samples; ///< 16 kHz
    Seconds start;              ///< of the first sample, on the recording's axis
    std::vector<Warning> warnings;
};

/// Loads [from, to) of a recording. A part that ends after the recording is cut, with a warning; one that
/// begins after it throws Error "audio.noSuchPart". Throws as loadRecording does.
Part loadPart(const std::filesystem::path& file, std::optional<double> from = {},
              std::optional<double> to = {});

/// What a model sees: the filterbank after utterance CMVN, [frames, 80]. Throws Error "features.tooShort".
Matrix<float> modelFeatures(std::span<const float> samples);

/// The sentence of an error about `file`, whose name it may not contain (the model knows features, not
/// files).
std::string sentenceAbout(const std::filesystem::path& file, const Error& error);

/// What a command does with each of its recordings: returns its row of the document. `name` as resultNames
/// says it.
using RecordingWork =
    std::function<nlohmann::json(const std::filesystem::path& audio, const std::optional<std::string>& name)>;
/// The rows of all recordings, in their order, with progress. One that fails does not stop the others: its
/// sentence is a problem of the console, and its row is `failed` with `audio` and `error`. `named`: a
/// recording whose name is taken fails too.
nlohmann::json forEachRecording(const std::vector<std::filesystem::path>& audio, bool named, Console& console,
                                const nlohmann::json& failed, const RecordingWork& work);

/// loadPart, with its warnings as notes of the console.
Part loadNoted(const std::filesystem::path& file, Console& console, std::optional<double> from = {},
               std::optional<double> to = {});

/// Makes the folder where it is missing; throws Error "output.unwritable".
void makeFolder(const std::filesystem::path& folder);

} // namespace headroom::training
