// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/studies/study.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace headroom::app {

/// One setting of a kind of study as the form shows it. The same keys, ranges and defaults as the worker's
/// (`headroom-worker study KIND --help`), which has the last word.
struct StudySetting {
    enum class Type { Whole, Number, Words, Flag, Reference };
    std::string key;
    QString label, toolTip;
    Type type = Type::Number;
    double unset = 0, least = 0, most = 1; ///< Number, Whole; Flag: unset 0 or 1
    double step = 0.05;
    int decimals = 2;
    QStringList words, wordLabels; ///< Words: the first is the default
};

/// What can be set of a kind, the most asked for first.
const std::vector<StudySetting>& studySettings(StudyKind kind);

/// "Windows": as it stands in lists and forms; and in one sentence what it measures.
QString kindTitle(StudyKind kind);
QString kindSentence(StudyKind kind);
/// Whether it needs alignments with phones beside the recordings.
bool needsPhones(StudyKind kind);
const std::vector<StudyKind>& studyKinds();

} // namespace headroom::app
