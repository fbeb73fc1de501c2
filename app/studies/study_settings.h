// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/studies/study.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headroom::app {

/// One setting of a kind of study as the form shows it: key, type, range, default and words are those of the
/// worker's table (core/studies/settings.h); label, tooltip, step and the words' texts are the form's.
struct StudySetting {
    enum class Type { Whole, Wholes, Number, Words, Flag, Reference };
    std::string key;
    QString label, toolTip;
    Type type = Type::Number;
    double unset = 0, least = 0, most = 1; ///< Number, Whole; Flag: unset 0 or 1; Words: the default's index
    std::optional<double> start = {}; ///< Number, Whole: what the form begins with, where that is not the default of a terminal
    double step = 0.05;
    int decimals = 2;
    QString suffix = {};           ///< Number: what it is counted in, " × N"
    QString leastText = {};        ///< Whole, Number: what the field shows instead of `least`; empty: the number
    QStringList words, wordLabels; ///< Words: one text for each
    std::vector<std::int64_t> unsetWholes = {}; ///< Wholes
    /// The setting has an effect only while the setting `key` of the same kind has its default (or only while it has
    /// another value); otherwise the form disables it and says `reason`.
    struct Only {
        std::string key;
        bool isDefault = true;
        QString reason;
    };
    std::optional<Only> only = {}; ///< nothing: it always has an effect
    std::optional<bool> ofTexts = {}; ///< only for models that read text, or only for others; nothing: for all
};

/// The value of the setting phoneMap that stands for the map of the session; the form offers it for a corpus. The worker does
/// not know it.
inline constexpr const char* kSessionPhoneMap = "session";

/// What can be set of a kind, the most asked for first.
const std::vector<StudySetting>& studySettings(StudyKind kind);

/// "Windows": as it stands in lists and forms; and in one sentence what it measures.
QString kindTitle(StudyKind kind);
QString kindSentence(StudyKind kind);
/// How many recordings need an alignment with phones beside them at least; 0: none does.
int leastAligned(StudyKind kind);

} // namespace headroom::app
