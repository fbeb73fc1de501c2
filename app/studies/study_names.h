// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studies/study_item.h"

#include <utility>
#include <vector>

namespace headroom::app {

struct OpenStudy;

/// What a person calls a study. A folder that somebody named keeps its name. One that was named for them
/// (studyFolderName) is called by what was measured: "Windows of demo".
QString studyName(const std::filesystem::path& folder, StudyKind kind, const QStringList& models);

/// What a file of its results is called by: its folder's name. Beside the name of one of its models (`ofOneModel`) without the models'
/// names that a folder was given for them, but with the second in which it was begun: "2026-11-21T10-31-05_windows".
QString studyInFileName(const OpenStudy& study, bool ofOneModel);

/// Names of models in a row; with semicolons where a name contains a comma itself ("demo, layers 4–8 changed").
QString modelList(const QStringList& models);
/// "“Windows of demo” of 2026-11-21 10:31:05", for captions, where no list tells studies of the same name apart. A study
/// that somebody named has no time: "“probe-1”".
QString citedStudy(const OpenStudy& study);
/// "Study “probe-1”, model demo.": whose numbers a tab shows, the model counted from 1.
QString whoseNumbers(const OpenStudy& study, int model);
/// "The latency of demo was measured." of times that nobody named, as Measure in Cost takes them; "The study “probe-1” has finished."
QString finishedSentence(const StudyItem& study);
/// "units: words"; a setting that has no value is its title alone.
QString settingText(const std::pair<QString, QString>& setting);
/// "2026-11-21T10:31:05Z" → "2026-11-21 10:31:05"; empty stays empty.
QString studyTime(const QString& utc);

/// Sets StudyItem::apart: where studies share a name, each is followed by what differs of corpus, split, number of
/// utterances and settings, or by the time it was begun, or by the folder that it lies in.
void tellApart(std::vector<StudyItem>& studies);

} // namespace headroom::app
