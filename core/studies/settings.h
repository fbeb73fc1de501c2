// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/studies/study.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// One setting of a kind of study: the only place that knows its key, range, default and meaning. The worker
/// reads settings by this table, `headroom-worker study KIND --help` lists it, and the window's form is made
/// from it. A value.
struct StudySettingField {
    enum class Kind {
        Number, ///< a finite number, least … most
        Whole,  ///< a whole number, least … most
        Wholes, ///< a list of at least one of them; one number alone is taken as a list of one
        Flag,
        Word, ///< one of `words`
        Text, ///< any text; `words` are those with a meaning of their own
    };
    std::string_view key;
    Kind kind;
    nlohmann::json unset;                ///< the default
    double least = 0, most = 0;          ///< of Number, Whole and Wholes, both inclusive
    std::vector<std::string_view> words; ///< of Word and Text
    std::string_view meaning;            ///< one line, with the unit
    /// Flag only: where the setting `key` has this word, the default is true. Empty: `unset` always holds.
    struct When {
        std::string_view key, word;
    } trueWhen = {};
    std::string_view earlier = {}; ///< Word only: what the default was called in earlier versions; read as the default
};

/// The settings of a kind, in the order in which they are read. Thread-safe.
const std::vector<StudySettingField>& studySettingFields(StudyKind kind);
/// The field with that key, or null.
const StudySettingField* findStudySetting(StudyKind kind, std::string_view key);

/// Checks settings and fills in the defaults: the result holds every key of the kind, with the type of its
/// field. Throws Error "study.setting", naming the key and what is possible, for a value of another type or
/// out of range and for a key that the kind does not have. Thread-safe.
nlohmann::json readStudySettings(StudyKind kind, const nlohmann::json& given);

/// Renames what earlier versions called otherwise (StudySettingField::earlier). Leaves every other value. Thread-safe.
void renameEarlierWords(StudyKind kind, nlohmann::json& settings);

/// Adds one assignment, KEY=JSON, to `settings`. A value that is not JSON is taken as a text. Throws Error
/// "study.setting" if there is no “=”, or no key before it.
void setStudySetting(nlohmann::json& settings, const std::string& assignment);

/// What values are possible: "a number from 0 to 1", "one of “mean”, “pooled”".
std::string rangeText(const StudySettingField& field);
/// The default, as it would be written after `--set KEY=`; for a list without blanks.
std::string unsetText(const StudySettingField& field);
/// Every setting of a kind with its range, default and meaning, for a terminal; ends with a newline.
std::string studySettingsHelp(StudyKind kind);

} // namespace headroom
