// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/studies/places.h"
#include "core/studies/study.h"

#include <QString>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headroom::app {

/// A finished study as the window holds it: read once, off the window's thread, then immutable and shared.
/// Its places are read when somebody asks for them (StudyEvidence::requestPlaces).
struct OpenStudy {
    /// One array of results.npz as numbers; empty `values` where the study has none of that name.
    struct Numbers {
        std::vector<std::int64_t> shape;
        std::vector<double> values; ///< row-major; NaN: undefined
        bool isEmpty() const { return values.empty(); }
        /// The element at an index as long as `shape`; NaN outside.
        double at(std::initializer_list<std::int64_t> index) const;
    };

    std::filesystem::path folder; ///< absolute
    Study document;
    StudyArrays arrays;

    int modelCount() const { return static_cast<int>(document.models.size()); }
    int modelWith(const std::string& weightsHash) const; ///< from 1; 0: none, or the hash is empty
    /// `model` from 1, `name` without the model's number: numbers(1, "statistic") is `1.statistic`. Converts
    /// on each call: keep what is drawn.
    Numbers numbers(int model, const std::string& name) const;
    /// Null where there is none.
    const Tensor* array(int model, const std::string& name) const;
    const StudyTable* table(const std::string& name) const; ///< null where there is none
    int measuredCount() const;                              ///< utterances that were measured
    /// " (2 of 400 could not be measured)"; empty where all were.
    QString failedText() const;
    QString failures() const; ///< the utterances that could not be measured and why, one a line
    /// "windows, 400 utterances": what the evidence chooser says behind the name.
    QString summary() const;
    QString name() const; ///< studyName()
};
using OpenStudyPtr = std::shared_ptr<const OpenStudy>;

/// Reads document and arrays, without the places. Blocks; any thread. Throws Error as readStudy() and
/// readStudyArrays() do, and "study.unfinished" for one without results.
OpenStudyPtr openStudy(const std::filesystem::path& folder);

/// The number whose places are asked for: what the places panel lists, and what is looked at when one of them
/// is opened.
struct PlacesQuery {
    OpenStudyPtr study;
    int model = 1;                   ///< from 1, in the study
    std::string set;                 ///< "layer", "head", "cell", "confused" (core/studies/README.md); empty: the number has no places
    std::vector<std::int64_t> index; ///< from 0, into the set's extents
    QString title;                   ///< what was clicked: "Layer 2, head 3: IH → IY"
    QString valueTitle;              ///< what the places are ordered by: "× uniform", "contribution"
    int layer = 0;                   ///< from 1: becomes the current layer; 0: stays
    int head = 0;                    ///< from 1: becomes the map's source; 0: the contributions
    bool ofAttention = false;        ///< head 0: the mean of the heads instead
    QString whyNone{};               ///< what is said where the number has no places; empty: nothing is known of it
    /// Where a recording lies that is open, and its alignment (empty: none).
    struct Opened {
        std::filesystem::path audio, alignment;
    };
    std::map<std::string, Opened> opened{}; ///< by StudyUtterance::hash: a recording that moved after the study is found here
};

} // namespace headroom::app
