// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headroom::training {

/// Absolute differences between start times, in milliseconds.
struct BoundaryErrors {
    std::int64_t count = 0;
    double median = 0, ninetieth = 0;  ///< NaN if there are none
    double within20 = 0, within50 = 0; ///< shares, 0 … 1
};

/// Differences between the aligner and existing alignments of the same recordings.
struct MeasuredErrors {
    std::string set;       ///< "LibriSpeech sample"
    std::string reference; ///< source of the alignments: "PocketSphinx", "MFA", "espeak-ng's own times"
    bool real = false;     ///< real speech, not synthetic
    std::string date;      ///< 2026-11-21
    std::int64_t utterances = 0;
    BoundaryErrors phones, words;
};

/// aligner.json: the settings with which a phone model aligns, and its measured accuracy. Schema: README.md.
struct AlignerRecord {
    std::string name;                ///< "Headroom's built-in aligner 1"
    std::vector<std::string> labels; ///< by column of the model's output, from column firstLabel on
    int firstLabel = 4;
    int silence = 0;               ///< index into labels
    double priorWeight = 0;        ///< α: scores are log p − α · log prior
    std::vector<double> logPriors; ///< per label, natural logarithms; from the training data
    double doubtfulBelow = 0;      ///< mean log-probability of a phone; below it the text may not match
    std::vector<MeasuredErrors> measured;

    /// The first entry with real speech, shown wherever an alignment of this model is used. Null: none.
    const MeasuredErrors* shown() const;
    /// Returns "built-in aligner, median error 23 ms on real speech (LibriSpeech sample)", or that it was not
    /// measured.
    std::string origin() const;
};

/// Throws Error "aligner.missing", "aligner.badRecord", "aligner.newer", which name file and key.
AlignerRecord readAlignerRecord(const std::filesystem::path& file);
std::string alignerRecordText(const AlignerRecord& record);

} // namespace headroom::training
