// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/statistics/statistics.h"
#include "core/studies/study.h"

#include <map>
#include <string>
#include <vector>

namespace headroom::training {

// Captions and cells that the tables of all kinds share.

/// "demo (0a1b2c3d)": the name and the first eight digits of the hash of the weights; "shim-8h4x2 (random
/// weights)".
std::string modelText(const StudyModel& model);
/// Makes the names of models unique, because tables identify models by name: names that occur twice get the
/// folder above ("run-3/best"), or a number ("best [2]") if the folders are the same too.
void makeNamesDiffer(std::vector<StudyModel>& models);
/// "built-in aligner, median error 25 ms, 52 utterances; not known by whom, 3 utterances"; empty if no
/// alignment says who made it (Measured::origins).
std::string originsText(const std::map<std::string, std::int64_t>& origins);
/// "n = 398 of 400 utterances drawn from 1,200 (must-c, tst; seed 1)."
std::string sampleText(const Study& study);
/// Returns the number of measured utterances.
std::int64_t measuredUtterances(const Study& study);
/// "95 % intervals: bootstrap of the mean, 2,000 draws, 37 speakers as clusters." `clusters`: one per
/// utterance (speakerClusters); only those of measured utterances count. Empty: utterances are drawn.
std::string intervalText(const Study& study, const std::vector<int>& clusters);

/// Says in the caption why some numbers of the table have no interval or no p: only one speaker has them.
void explainMissing(const Study& study, StudyTable& table);

/// Formats a number for a sentence, with the minus of all numbers: "0.75", "−2.0", "1e−5".
std::string numberText(double value);
/// Returns a column of texts.
StudyColumn textColumn(const std::string& key, const std::string& title);
/// Returns an empty cell if `value` is NaN.
StudyCell cellOf(double value);
/// Returns the columns mean, std, low, high and n, with `key` as prefix ("cl_mean"; no prefix if empty) and
/// `title` above the first.
std::vector<StudyColumn> estimateColumns(const std::string& key, const std::string& title, int decimals,
                                         const std::string& unit = "");
/// Returns the five cells for these columns. Unknown if n is 0.
std::vector<StudyCell> estimateCells(const MeanEstimate& estimate);
void append(std::vector<StudyColumn>& row, const std::vector<StudyColumn>& more);
void append(std::vector<StudyCell>& row, const std::vector<StudyCell>& more);

/// Returns an f64 array.
Tensor numbersOf(std::vector<std::int64_t> shape, const std::vector<double>& values);

} // namespace headroom::training
