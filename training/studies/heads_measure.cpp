// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/heads_measure.h"

#include "core/analysis/head_metrics.h"
#include "core/errors/count_text.h"
#include "core/statistics/undefined.h"
#include "training/data/spec_augment.h"
#include "training/studies/input.h"
#include "training/studies/phone_labels.h"
#include "training/studies/study_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::training {

namespace {

/// The numbers of all heads of an utterance while the layers come in.
class HeadRows {
public:
    HeadRows(const StudyModel& model, std::int64_t tokens)
        : m_layers(model.layers)
        , m_heads(model.heads)
        , m_tokens(tokens) {
        const auto cells = static_cast<std::size_t>(m_layers * m_heads);
        for (std::vector<double>* numbers : {&m_cad, &m_entropy, &m_distance, &m_maximum, &m_silence})
            numbers->assign(cells, kUndefined);
        m_curve.assign(cells * kCurveNodes, kUndefined);
        m_pair.assign(cells * 3, kUndefined);
        m_relevance.assign(cells * static_cast<std::size_t>(tokens), std::numeric_limits<float>::quiet_NaN());
    }

    void add(const models::LayerAnalysis& layer, const std::optional<SpokenTokens>& spoken,
             std::span<const bool> silent) {
        const auto heads = std::min<std::size_t>(layer.attention.size(), static_cast<std::size_t>(m_heads));
        for (std::size_t head = 0; head < heads; ++head)
            addHead(layer.attention[head], cell(layer.layer, head), spoken, silent);
        addRelevance(layer);
    }

    Measurement take() && {
        Measurement result;
        const std::vector<std::int64_t> shape{m_layers, m_heads};
        result.insert_or_assign("cad", numbersOf(shape, m_cad));
        result.insert_or_assign("entropy", numbersOf(shape, m_entropy));
        result.insert_or_assign("mean_distance", numbersOf(shape, m_distance));
        result.insert_or_assign("maximum", numbersOf(shape, m_maximum));
        result.insert_or_assign("silence_share", numbersOf(shape, m_silence));
        result.insert_or_assign("curve", numbersOf({m_layers, m_heads, kCurveNodes}, m_curve));
        result.insert_or_assign("pair", numbersOf({m_layers, m_heads, 3}, m_pair));
        result.insert_or_assign("relevance", Tensor::of<float>({m_layers, m_tokens, m_heads}, m_relevance));
        return result;
    }

private:
    std::size_t cell(int layer, std::size_t head) const {
        return static_cast<std::size_t>((layer - 1) * m_heads) + head;
    }

    void addHead(const Matrix<float>& map, std::size_t at, const std::optional<SpokenTokens>& spoken,
                 std::span<const bool> silent) {
        if (map.empty())
            return;
        const MapKeys keys = map.rows() == map.columns() ? MapKeys::AllTokens : MapKeys::Compressed;
        const HeadMetrics metrics = headMetrics(map.view(), keys, silent, spoken ? &*spoken : nullptr);
        m_entropy[at] = metrics.statistics.entropy;
        m_distance[at] = metrics.statistics.meanDistance;
        m_maximum[at] = metrics.statistics.maximum;
        m_silence[at] = metrics.statistics.onSilence;
        if (std::isnan(metrics.cad))
            return;
        m_cad[at] = metrics.cad;
        std::copy(metrics.curve.begin(), metrics.curve.end(),
                  m_curve.begin() + static_cast<std::ptrdiff_t>(at * kCurveNodes));
        addPair(map, at, spoken);
    }

    /// Among the tokens that CAD is of.
    void addPair(const Matrix<float>& map, std::size_t at, const std::optional<SpokenTokens>& spoken) {
        double* pair = m_pair.data() + at * 3;
        pair[2] = 0;
        const std::size_t size = spoken ? spoken->tokens.size() : map.rows();
        const auto token = [&](std::size_t k) {
            return spoken ? static_cast<std::size_t>(spoken->tokens[k]) : k;
        };
        for (std::size_t row = 0; row < size; ++row)
            for (std::size_t column = 0; column < size; ++column)
                if (const std::size_t i = token(row), j = token(column);
                    i != j && static_cast<double>(map(i, j)) > pair[2]) {
                    pair[0] = static_cast<double>(i);
                    pair[1] = static_cast<double>(j);
                    pair[2] = static_cast<double>(map(i, j));
                }
        if (pair[2] <= 0)
            pair[2] = kUndefined;
    }

    void addRelevance(const models::LayerAnalysis& layer) {
        const Matrix<float>& relevance = layer.headRelevance;
        const auto heads = static_cast<std::size_t>(m_heads);
        const auto first =
            static_cast<std::size_t>(layer.layer - 1) * static_cast<std::size_t>(m_tokens) * heads;
        for (std::size_t token = 0; token < relevance.rows(); ++token)
            for (std::size_t head = 0; head < std::min(relevance.columns(), heads); ++head)
                m_relevance[first + token * heads + head] = relevance(token, head);
    }

    std::int64_t m_layers, m_heads, m_tokens;
    std::vector<double> m_cad, m_entropy, m_distance, m_maximum, m_silence, m_curve, m_pair;
    std::vector<float> m_relevance;
};

/// fairseq's "LibriSpeech basic" masks; the same for a recording whatever the study.
void augment(Matrix<float>& features, const std::string& hash) {
    const std::uint64_t digits = std::stoull(hash.substr(0, 15), nullptr, 16);
    Random random = randomFor(digits, Purpose::Augmentation);
    const auto masks = drawMasks(Recipe::Augmentation(), static_cast<std::int64_t>(features.rows()),
                                 static_cast<std::int64_t>(features.columns()), random);
    applyMasks(masks, features.view());
}

} // namespace

Measurement measureHeads(LayerSource& source, const StudyInput& given, const HeadsMeasuring& how,
                         const models::CancelFlag& cancel) {
    StudyInput changed;
    if (how.augment) {
        changed = given;
        augment(changed.features, given.document->hash);
    }
    const StudyInput& input = how.augment ? changed : given;
    const std::int64_t tokens = source.tokens(input);
    std::optional<SpokenTokens> spoken;
    SilentTokens silent;
    if (how.removeSilence || (input.alignment && hasPhones(*input.alignment))) {
        const PhoneLabels labels = phoneLabels(input, how.phones, source.clock(), tokens);
        if (how.removeSilence) {
            spoken = spokenTokens(labels.classes);
            if (spoken->size() < 2)
                throw Error("study.noSpeech", "Its alignment leaves " + counted(static_cast<std::int64_t>(spoken->size()), "token") +
                                                  " of speech: a head's CAD needs two.");
        }
        silent = SilentTokens(labels.classes);
    }
    models::AnalysisOptions options;
    options.keepAttention = true;
    options.keepContributions = options.contributions = options.headProfiles = options.errors = options.keepOutput = false;
    options.checkedRows = 0;
    options.relevanceNorm = how.relevanceNorm;
    HeadRows rows(source.model(), tokens);
    source.analyse(
        input, options, [&](models::LayerAnalysis&& layer) { rows.add(layer, spoken, silent.span()); }, &cancel);
    return std::move(rows).take();
}

} // namespace headroom::training
