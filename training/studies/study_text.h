// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/statistics/statistics.h"
#include "core/studies/study.h"

#include <map>
#include <string>
#include <vector>

namespace headroom::training {

// What the tables of every kind share: captions, cells.

/// "demo (0a1b2c3d)": the name with the first eight digits of its weights' hash; "shim-8h4x2 (random
/// weights)".
std::string modelText(const StudyModel& model);
/// Tables tell models apart by their names, and models trained alike often have the same: names that occur
/// twice get the folder above ("run-3/best"), or their number ("best [2]") where that is the same too.
void makeNamesDiffer(std::vector<StudyModel>& models);
/// "built-in aligner, median error 25 ms, 52 utterances; not known by whom, 3 utterances"; empty where no
/// alignment says who made it (Measured::origins).
std::string originsText(const std::map<std::string, std::int64_t>& origins);
/// "n = 398 of 400 utterances drawn from 1,200 (must-c, tst; seed 1)."
std::string sampleText(const Study& study);
/// Utterances that were measured.
std::int64_t measuredUtterances(const Study& study);
/// "95 % intervals: bootstrap of the mean, 2,000 draws, 37 speakers as clusters." `clusters`: one per
/// utterance; counted are those of utterances that were measured. Fewer than two are no clusters
/// (estimateMean), and it says so.
std::string intervalText(const Study& study, const std::vector<int>& clusters);

/// A number as in a sentence: "0.75", "0.01".
std::string numberText(double value);
/// A column of texts.
StudyColumn textColumn(const std::string& key, const std::string& title);
/// Empty where `value` is NaN.
StudyCell cellOf(double value);
/// The columns mean, std, low, high and n, with `key` before them ("cl_mean"; none where it is empty) and
/// `title` above the first.
std::vector<StudyColumn> estimateColumns(const std::string& key, const std::string& title, int decimals);
/// The five cells for them. Unknown where n is 0.
std::vector<StudyCell> estimateCells(const MeanEstimate& estimate);
void append(std::vector<StudyColumn>& row, const std::vector<StudyColumn>& more);
void append(std::vector<StudyCell>& row, const std::vector<StudyCell>& more);

/// f64 array.
Tensor numbersOf(std::vector<std::int64_t> shape, const std::vector<double>& values);

} // namespace headroom::training
