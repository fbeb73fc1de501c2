// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/phones/phones_measure.h"

#include "core/analysis/strongest_pairs.h"
#include "core/errors/count_text.h"
#include "core/errors/display_name.h"
#include "core/statistics/undefined.h"
#include "training/studies/phone_labels.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::training {

namespace {

/// Sorted, each once.
std::vector<int> classesOf(const SpokenTokens& spoken) {
    std::vector<int> classes = spoken.classes;
    std::sort(classes.begin(), classes.end());
    classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
    return classes;
}

/// The cells of all heads while the layers come in.
struct PairCells {
    std::vector<float> par, value;
    std::vector<std::uint16_t> query, key;

    void addUndefined(std::size_t count) {
        par.insert(par.end(), count, kUndefined);
        value.insert(value.end(), count, kUndefined);
        query.insert(query.end(), count, 0);
        key.insert(key.end(), count, 0);
    }
    void add(MatrixView<const float> map, const SpokenTokens& spoken, const std::vector<int>& classes) {
        const Matrix<double> whole = phoneAttention(map, spoken);
        const Matrix<TokenPair> pairs = strongestPairs(map, spoken, classes);
        for (std::size_t p = 0; p < classes.size(); ++p)
            for (std::size_t q = 0; q < classes.size(); ++q) {
                par.push_back(static_cast<float>(
                    whole(static_cast<std::size_t>(classes[p]), static_cast<std::size_t>(classes[q]))));
                value.push_back(static_cast<float>(pairs(p, q).ofUniform));
                query.push_back(static_cast<std::uint16_t>(pairs(p, q).query));
                key.push_back(static_cast<std::uint16_t>(pairs(p, q).key));
            }
    }
};

} // namespace

Measurement measurePhones(LayerSource& source, const StudyInput& input, const PhoneMap& map,
                          const models::CancelFlag* cancel) {
    SpokenTokens spoken;
    std::vector<int> classes;
    PhoneLabels labels;
    const auto listen = [&](std::int64_t tokens) {
        if (tokens > std::numeric_limits<std::uint16_t>::max())
            throw Error("study.tooLong", validText(input.document->id) + " has " + counted(tokens, "token") +
                                             ", and a study of phones takes at most 65,535.");
        labels = phoneLabels(input, map, source.clock(), tokens);
        spoken = spokenTokens(labels.classes);
        classes = classesOf(spoken);
        if (classes.empty())
            throw Error("study.noSpeech",
                        "There is no speech in " + validText(input.document->id) + ": no token has a phone.");
    };

    models::AnalysisOptions options;
    options.keepContributions = options.explain = options.headProfiles = false;
    options.keepAttention = true;
    options.checkedRows = 0;
    const auto heads = static_cast<std::size_t>(source.model().heads);
    std::int64_t layers = 0;
    PairCells cells;
    source.analyse(
        input, options,
        [&](models::LayerAnalysis&& layer) {
            if (layers++ == 0)
                listen(layer.queries);
            const std::size_t count = classes.size() * classes.size();
            for (const Matrix<float>& head : layer.attention)
                if (head.rows() == head.columns() && head.rows() == labels.classes.size())
                    cells.add(head, spoken, classes);
                else
                    cells.addUndefined(count);
            cells.addUndefined((heads - std::min(heads, layer.attention.size())) * count);
        },
        cancel);

    const auto number = [](std::size_t value) { return static_cast<std::int64_t>(value); };
    const std::int64_t p = number(classes.size()), h = number(heads);
    std::vector<int> tokens(classes.size()), partnered(classes.size());
    for (std::size_t c = 0; c < classes.size(); ++c)
        for (std::size_t i = 0; i < spoken.classes.size(); ++i) {
            if (spoken.classes[i] != classes[c])
                continue;
            ++tokens[c];
            bool other = false;
            for (std::size_t j = 0; j < spoken.classes.size() && !other; ++j)
                other = spoken.classes[j] == classes[c] && spoken.runs[j] != spoken.runs[i];
            partnered[c] += other ? 1 : 0;
        }
    const std::vector<std::int64_t> shape{layers, h, p, p};
    Measurement measurement;
    measurement["layout"] = Tensor::of<std::int64_t>({4}, std::vector{layers, h, p, spoken.size()});
    measurement["classes"] = Tensor::of<std::int32_t>({p}, classes);
    measurement["tokens"] = Tensor::of<std::int32_t>({p}, tokens);
    measurement["partnered"] = Tensor::of<std::int32_t>({p}, partnered);
    measurement["par"] = Tensor::of<float>(shape, cells.par);
    measurement["value"] = Tensor::of<float>(shape, cells.value);
    measurement["query"] = Tensor::of<std::uint16_t>(shape, cells.query);
    measurement["key"] = Tensor::of<std::uint16_t>(shape, cells.key);
    storeRemarks(labels, measurement);
    return measurement;
}

namespace {

std::vector<int> wholeNumbers(const Tensor& tensor) {
    const std::vector<double> values = toDoubles(tensor.view());
    return {values.begin(), values.end()};
}

} // namespace

PhoneMeasurement::PhoneMeasurement(const Measurement& measurement)
    : m_classes(wholeNumbers(measurement.at("classes")))
    , m_tokens(wholeNumbers(measurement.at("tokens")))
    , m_partnered(wholeNumbers(measurement.at("partnered")))
    , m_par(toFloats(measurement.at("par").view()))
    , m_value(toFloats(measurement.at("value").view()))
    , m_query(reinterpret_cast<const std::uint16_t*>(measurement.at("query").bytes.data()))
    , m_key(reinterpret_cast<const std::uint16_t*>(measurement.at("key").bytes.data())) {
    const std::vector<int> layout = wholeNumbers(measurement.at("layout"));
    m_layers = layout.at(0);
    m_heads = layout.at(1);
    m_spoken = layout.at(3);
}

StrongestPair PhoneMeasurement::pair(std::int64_t layer, std::int64_t head, std::size_t row,
                                     std::size_t column) const {
    const std::size_t at = offset(layer, head, row, column);
    return {m_query[at], m_key[at], m_value[at]};
}

double PhoneMeasurement::samePhone(std::int64_t layer, std::int64_t head) const {
    double sum = 0;
    int defined = 0;
    for (std::size_t c = 0; c < m_classes.size(); ++c) {
        const float value = par(layer, head, c, c);
        if (std::isnan(value))
            continue;
        sum += static_cast<double>(value);
        ++defined;
    }
    return defined > 0 ? sum / defined : kUndefined;
}

} // namespace headroom::training
