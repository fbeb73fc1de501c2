// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studies/open_study.h"
#include "app/workspaces/analyse/heads/layer_metrics.h"
#include "widgets/phone_matrix/phone_matrix_view.h"

#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace headroom::app {

/// Which layers of a model PAR is the mean of. A value.
struct LayerRange {
    enum class Kind { One, LowerHalf, UpperHalf, All };
    Kind kind = Kind::One;
    int layer = 1; ///< One: from 1
    bool operator==(const LayerRange&) const = default;
    /// From 1, of `layers`; halves as in a study (lastOfLowerHalf).
    std::pair<int, int> in(int layers) const;
};

/// Which map of PAR is looked at.
struct PhoneChoice {
    LayerRange layers;
    int head = 0; ///< from 1; 0: mean of the heads
    bool operator==(const PhoneChoice&) const = default;
};

/// PAR of every head, wherever it comes from. A value that shares what is large.
struct PhoneContent {
    QString model;
    int layers = 0, heads = 0;
    int utterances = 1;  ///< that were measured; 1: live
    bool pooled = false; ///< of a study: all pairs of tokens count alike, not utterances
    /// Live: null layers were not read.
    std::vector<std::shared_ptr<const LayerMetrics>> metrics;
    /// Of a study: [L, H, 36, 36].
    std::shared_ptr<const OpenStudy::Numbers> par;
    Matrix<std::int32_t> counts;               ///< of a study
    std::vector<double> coverage, accumulated; ///< of a study, per layer; empty where not measured
    std::vector<double> coverageInterval, accumulatedInterval; ///< their 95 % intervals, [L, 2]
    QString reference;                                         ///< the name of a model, or of a study

    bool isStudy() const { return par != nullptr; }
    /// PAR of one head of one layer, both from 1; empty where unknown.
    Matrix<double> head(int layer, int head) const;
    /// What the choice shows; an empty map where a layer of it is missing.
    widgets::PhoneRelation map(const PhoneChoice& choice) const;
    /// Layers of the choice that are not known, from 1.
    std::vector<int> missing(const PhoneChoice& choice) const;
    /// The head (layer and head from 1) of the choice whose PAR is largest in a cell; nothing where none has
    /// any.
    std::optional<std::pair<int, int>> strongest(const PhoneChoice& choice, widgets::PhonePair cell) const;
};

/// `number` from 1; an empty one (layers 0) where the study has no such arrays.
PhoneContent studyPhoneContent(const OpenStudyPtr& study, int number);

/// All defined pairs as rows: attending, attended, PAR, utterances.
StudyTable phonePairsTable(const widgets::PhoneRelation& map, const QString& title, const QString& caption);

} // namespace headroom::app
