// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/phone_map.h"
#include "training/studies/study_work.h"

#include <string>
#include <vector>

namespace headroom::training {

/// What is said at the tokens of an utterance, for the kinds that need it.
struct PhoneLabels {
    std::vector<int> classes;   ///< one per token: 0 … 35, kSilenceClass, kUnknownPhone
    LabelCounts unknown;        ///< labels that are no phone, with the tokens that they hold
    std::int64_t uncovered = 0; ///< tokens behind the alignment's last interval
};

/// Labels as `map` reads them. Throws Error "study.noPhones" where the alignment has no tier of phones.
PhoneLabels phoneLabels(const StudyInput& input, const PhoneMap& map, const TokenClock& clock,
                        std::int64_t tokens);

/// The names along every axis of 36 phones, or of 37 with silence, in results.npz: u8 [P, 3], ASCII, padded with 0.
Tensor phoneNames(int classes);

/// Adds "unknown" (u8, lines "LABEL\tTOKENS") and "uncovered" (i64 [1]) to a measurement.
void storeRemarks(const PhoneLabels& labels, Measurement& measurement);
/// One sentence each about labels that were left out, and about alignments that end before their recording.
std::vector<std::string> remarksOn(const std::vector<Measurement>& utterances, double tokenStep);

/// The phone map of a kind, from its settings `phoneMap` ("auto", the name of one that comes along, or a
/// file, whose path is made absolute) and `phoneMapFingerprint`, which the study writes itself. Reading
/// throws what phoneMapOf() throws, and Error "study.changedMap" where the file says something other than
/// when the study began.
class StudyPhoneMap {
public:
    /// `settings`: as readStudySettings() gives them.
    explicit StudyPhoneMap(const nlohmann::json& settings);
    /// "auto" is decided by the sample.
    void decide(const Study& study);
    void keepIn(nlohmann::json& settings) const;
    const PhoneMap& map() const { return m_map; }

private:
    std::string m_name = "auto";
    bool m_decided = false;
    PhoneMap m_map;
};

/// The map that a setting names: one that comes along, or a file. "auto", not decided yet, is ARPABET. Throws
/// what PhoneMap throws.
PhoneMap phoneMapOf(const std::string& setting);
/// What "auto" means for a sample: the corpus' own map (its file), else the name of the one that comes along
/// and fits the labels of its alignments best. Other settings stay as they are. Blocks: reads the alignments.
std::string decidedPhoneMap(const std::string& setting, const Study& study);
/// For the cache's key: changes whenever the map says something else.
std::string fingerprint(const PhoneMap& map);

/// A map that is a file is kept in the study's folder as phones.tsv, because the file may change or go. Other settings
/// keep nothing. Throws Error "study.otherFolder" where another phones.tsv is there, and "phones.unwritable".
void keepPhoneMap(const std::filesystem::path& study, const nlohmann::json& settings);
/// In the settings of a study that goes on: the kept map instead of a file that is gone.
void findKeptPhoneMap(const std::filesystem::path& study, nlohmann::json& settings);

} // namespace headroom::training
