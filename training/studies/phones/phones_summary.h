// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/phone_attention.h"
#include "core/matrix/matrix.h"
#include "core/statistics/bootstrap.h"
#include "core/studies/places.h"
#include "training/studies/phones/phones_measure.h"

#include <array>
#include <vector>

namespace headroom::training {

inline constexpr std::size_t kPhones = kPhoneClasses.size();

/// How utterances are combined into one map. Shim et al. 2022 say “averaged through the corpora”.
enum class PhoneMode {
    Mean,  ///< mean of the utterances where the pair is defined
    Pooled ///< the same, weighted by the pairs of tokens of an utterance: sums over the whole corpus
};

/// One model's maps over a corpus.
class PhoneSummary {
public:
    /// `places`: how many are kept per cell.
    PhoneSummary(const StudyModel& model, PhoneMode mode, std::size_t utterances, std::int64_t places);
    /// Adds the measurement of utterance number `utterance`. Failed ones are not added.
    void add(int utterance, const Measurement& measurement);

    std::int64_t layers() const { return m_layers; }
    std::int64_t heads() const { return m_heads; }
    /// [36, 36], NaN where undefined. Layers and heads from 0.
    Matrix<double> head(std::int64_t layer, std::int64_t head) const;
    /// Returns the mean over all heads of layers first … last; each cell over the heads that define it.
    Matrix<double> layersTogether(std::int64_t first, std::int64_t last) const;
    Matrix<double> layer(std::int64_t layer) const { return layersTogether(layer, layer); }
    /// From 0.
    std::int64_t lastOfLowerHalf() const { return headroom::lastOfLowerHalf(m_layers); }
    const Matrix<std::int32_t>& counts() const { return m_counts; }
    /// Tokens of a class over all utterances, and the number of utterances that have it.
    const std::array<std::int64_t, kPhones>& tokens() const { return m_tokens; }
    const std::array<std::int64_t, kPhones>& utterances() const { return m_utterances; }
    /// Returns one number per utterance: the mean of the defined diagonal cells of a head, or of all heads of
    /// layers first … last. NaN if no cell is defined.
    std::vector<double> samePhone(std::int64_t layer, std::int64_t head) const;
    std::vector<double> samePhoneOfLayers(std::int64_t first, std::int64_t last) const;
    const std::vector<bool>& present() const { return m_present; }
    const PlaceSet& places() const { return m_places; }

    /// Coverage of each layer, and of the mean of layers 1 … l, with intervals over `resampled` utterances.
    struct Coverage {
        std::vector<double> own, accumulated;
        std::vector<Interval95> ownInterval, accumulatedInterval;
    };
    Coverage coverage(const Matrix<double>& reference, int largest,
                      const std::vector<std::vector<int>>& resampled) const;

private:
    /// The layers of one utterance, averaged over heads: the bootstrap averages these again.
    struct UtteranceLayers {
        std::vector<int> classes;
        std::vector<float> weights; ///< [P, P]
        std::vector<float> par;     ///< [L, P, P]
    };
    std::vector<Matrix<double>> drawnLayers(const std::vector<int>& counts) const;

    StudyModel m_model;
    PhoneMode m_mode;
    std::int64_t m_layers, m_heads;
    std::vector<PhoneAttentionMean> m_means; ///< [L, H]
    Matrix<std::int32_t> m_counts;
    std::array<std::int64_t, kPhones> m_tokens{}, m_utterances{};
    std::vector<double> m_samePhone; ///< [L, H, U]
    std::vector<bool> m_present;
    std::vector<UtteranceLayers> m_utteranceLayers; ///< [U]
    PlaceSet m_places;
};

} // namespace headroom::training
