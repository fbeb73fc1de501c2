// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audio/audio_file.h"
#include "training/worker/console.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headroom::training {

/// Returns the NAME of each recording's results: its stem, or its whole file name if stems collide. `nullopt`
/// if an earlier recording has that name too (a/x.wav and b/x.wav), because it would be overwritten.
std::vector<std::optional<std::string>> resultNames(const std::vector<std::filesystem::path>& recordings);

/// Returns the message for a recording without a name.
std::string nameTaken(const std::filesystem::path& recording);

/// A recording, or a part of it.
struct Part {
    std::vector<float> samples; ///< 16 kHz
    Seconds start;              ///< of the first sample, on the recording's axis
    std::vector<Warning> warnings;
};

/// Loads [from, to) of a recording. A part that ends after the recording is clipped, with a warning; one that
/// starts after it throws Error "audio.noSuchPart". Throws like loadRecording.
Part loadPart(const std::filesystem::path& file, std::optional<double> from = {},
              std::optional<double> to = {});

/// Returns the message of an error about `file`, whose name it may lack (models know features, not files).
std::string sentenceAbout(const std::filesystem::path& file, const Error& error);

/// What a command does with each recording: returns its row of the document. `name`: as in resultNames.
using RecordingWork =
    std::function<nlohmann::json(const std::filesystem::path& audio, const std::optional<std::string>& name)>;
/// Returns the rows of all recordings in order, with progress. A failed recording does not stop the others:
/// its message is reported on the console, and its row is `failed` with `audio` and `error`. `named`: a
/// recording whose name is taken fails too.
nlohmann::json forEachRecording(const std::vector<std::filesystem::path>& audio, bool named, Console& console,
                                const nlohmann::json& failed, const RecordingWork& work);

/// Returns the sentences of a text file (UTF-8, plain or gzip), one a line, without blanks at their ends; lines may be
/// empty. Throws Error "corpus.…" as LineReader (core/corpus/kinds/text_lines.h).
std::vector<std::string> sentencesIn(const std::filesystem::path& file);

/// Calls loadPart and prints its warnings as notes.
Part loadNoted(const std::filesystem::path& file, Console& console, std::optional<double> from = {},
               std::optional<double> to = {});

/// Returns a corpus by its whole path, as runs keep it. Throws Error "corpus.missing", which names it as it was given.
std::string wholeCorpus(const std::filesystem::path& data);

/// Creates the folder if missing; throws Error "output.unwritable".
void makeFolder(const std::filesystem::path& folder);

} // namespace headroom::training
