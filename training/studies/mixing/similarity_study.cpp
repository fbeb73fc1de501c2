// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/phones.h"
#include "core/analysis/mixing.h"
#include "core/errors/count_text.h"
#include "core/studies/notes.h"
#include "core/studies/settings.h"
#include "training/studies/mixing/similarity.h"
#include "training/studies/study_text.h"
#include "training/studies/study_work.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace headroom::training {

namespace {

enum class Places { Tokens, Phones, Words };

/// Which tokens make one row of the states; empty: none (an interval without a token).
struct PlaceSpan {
    std::int64_t first = 0, end = 0;
};

/// `most` tokens, evenly spread, or the tokens of each phone or word of the alignment; a pause is neither.
std::vector<PlaceSpan> placesOf(const StudyInput& input, Places places, std::int64_t most, const TokenClock& clock,
                                std::int64_t tokens) {
    std::vector<PlaceSpan> spans;
    if (places == Places::Tokens) {
        const std::int64_t count = std::min(most, tokens);
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t token = (2 * i + 1) * tokens / (2 * count);
            spans.push_back({token, token + 1});
        }
        return spans;
    }
    if (!input.alignment)
        throw Error("study.alignment", "The utterance has no alignment.");
    const auto& intervals = places == Places::Phones ? input.alignment->phones : input.alignment->words;
    for (const Interval& interval : intervals) {
        if (isSilence(interval.label))
            continue;
        PlaceSpan span; // the same rows in every model, whatever its clock
        for (std::int64_t token = 0; token < tokens; ++token) {
            const Seconds centre = clock.centre(Tokens(token));
            if (centre < interval.start || !(centre < interval.end))
                continue;
            span.first = span.end == 0 ? token : span.first;
            span.end = token + 1;
        }
        spans.push_back(span);
    }
    if (spans.empty())
        throw Error("study.alignment", std::string("Its alignment has no ") +
                                           (places == Places::Phones ? "phones." : "words."));
    return spans;
}

/// The mean states at the places, appended; NaN for a place without a token.
void appendMeans(const Matrix<float>& states, const std::vector<PlaceSpan>& spans, std::vector<float>& rows) {
    for (const PlaceSpan& span : spans)
        for (std::size_t d = 0; d < states.columns(); ++d) {
            double sum = 0;
            for (std::int64_t token = span.first; token < span.end; ++token)
                sum += static_cast<double>(states(static_cast<std::size_t>(token), d));
            rows.push_back(span.end > span.first
                               ? static_cast<float>(sum / static_cast<double>(span.end - span.first))
                               : std::numeric_limits<float>::quiet_NaN());
        }
}

/// Linear CKA and PWCCA between the layers of one model, and of several.
class SimilarityStudy final : public StudyWork {
public:
    explicit SimilarityStudy(const nlohmann::json& given)
        : m_settings(readStudySettings(StudyKind::Similarity, given)) {
        const std::string places = m_settings.at("places").get<std::string>();
        m_places = places == "tokens" ? Places::Tokens : places == "phones" ? Places::Phones : Places::Words;
        m_most = m_settings.at("perUtterance").get<std::int64_t>();
    }

    nlohmann::json settings() const override { return m_settings; }
    bool needsWeights() const override { return true; }
    bool needsAlignment() const override { return m_places != Places::Tokens; }
    bool needsPhones() const override { return m_places == Places::Phones; }
    /// Phones and words are the same places whatever the tokens are.
    bool mixesFrontEnds() const override { return m_places != Places::Tokens; }
    std::string insteadOfMixing() const override {
        return "Compare them at phones or words (--set places=phones), or study them separately.";
    }
    std::string measurementKey() const override {
        if (m_places == Places::Tokens) // under the name that tokens had in the first version
            return "similarity/1 places=\"frames\" perUtterance=" + std::to_string(m_most);
        return "similarity/3 places=" + m_settings.at("places").dump();
    }

    Measurement measure(LayerSource& source, const StudyInput& input,
                        const models::CancelFlag& cancel) const override {
        models::AnalysisOptions options;
        options.keepContributions = options.explain = options.headProfiles = false;
        options.keepStates = true;
        options.checkedRows = 0;
        std::vector<float> rows, layers;
        std::optional<std::vector<PlaceSpan>> spans;
        const auto spansFor = [&](std::size_t tokens) -> const std::vector<PlaceSpan>& {
            if (!spans)
                spans = placesOf(input, m_places, m_most, source.clock(), static_cast<std::int64_t>(tokens));
            return *spans;
        };
        std::int64_t count = 1;
        const auto whole = source.analyse(
            input, options,
            [&](models::LayerAnalysis&& layer) {
                appendMeans(layer.state, spansFor(layer.state.rows()), layers);
                ++count;
            },
            &cancel);
        appendMeans(whole.input, spansFor(whole.input.rows()), rows);
        rows.insert(rows.end(), layers.begin(), layers.end());
        Measurement measurement;
        measurement["states"] =
            Tensor::of<float>({count, static_cast<std::int64_t>(spans->size()),
                               static_cast<std::int64_t>(whole.input.columns())},
                              rows);
        return measurement;
    }

    StudyResults summarise(const Study& study, std::vector<ModelMeasurements>&& measured,
                           std::span<const std::unique_ptr<LayerSource>>, const Progress& progress,
                           const models::CancelFlag& cancel) const override {
        std::vector<std::vector<Representation>> all; // [model][layer]
        const std::vector<std::vector<bool>> used = placesInAll(measured);
        std::int64_t layers = 0, done = 0;
        for (const ModelMeasurements& one : measured)
            layers += one.model.layers + 1;
        const auto step = [&](const std::string& stage, StepsLeft left) {
            if (cancel)
                throw models::Cancelled();
            progress(++done, layers + layers * layers, stage, left);
        };
        for (ModelMeasurements& one : measured) {
            all.emplace_back();
            for (int layer = 0; layer <= one.model.layers; ++layer) {
                all.back().push_back(Representation(statesAt(one, layer, used).view()));
                step("Preparing layer " + std::to_string(layer) + " of " + one.model.name,
                     StepsLeft::Unlike); // a layer is prepared once and then compared with all
            }
            one.utterances.clear();
        }
        StudyResults results;
        const std::string leftOut = leftOutText(used, all.front().front().places());
        StudyTable table = emptyTable(study, all.front().front().places(), leftOut);
        for (std::size_t a = 0; a < all.size(); ++a)
            for (std::size_t b = 0; b < all.size(); ++b) {
                std::vector<double> cka, pwcca;
                for (std::size_t i = 0; i < all[a].size(); ++i)
                    for (std::size_t j = 0; j < all[b].size(); ++j) {
                        cka.push_back(linearCka(all[a][i], all[b][j]));
                        pwcca.push_back(projectionWeightedCca(all[a][i], all[b][j]));
                        table.rows.push_back({study.models[a].name, static_cast<double>(i), study.models[b].name,
                                              static_cast<double>(j), cellOf(cka.back()), cellOf(pwcca.back())});
                        step("Comparing layer " + std::to_string(i) + " of " + study.models[a].name, StepsLeft::Alike);
                    }
                const std::string name = std::to_string(a + 1) + "." + std::to_string(b + 1) + ".";
                const std::vector<std::int64_t> shape{static_cast<std::int64_t>(all[a].size()),
                                                      static_cast<std::int64_t>(all[b].size())};
                results.arrays[name + "cka"] = numbersOf(shape, cka);
                results.arrays[name + "pwcca"] = numbersOf(shape, pwcca);
            }
        const std::int64_t places = all.front().front().places();
        if (!leftOut.empty())
            results.notes.push_back(leftOut);
        std::vector<std::string> tooWide;
        for (std::size_t model = 0; model < all.size(); ++model)
            if (const std::string wide = tooWideText(all[model], places); !wide.empty())
                tooWide.push_back(study.models[model].name + ": " + wide);
        if (!tooWide.empty())
            tooWide.emplace_back("PWCCA needs many more places than dimensions: measure more utterances.");
        results.notes.insert(results.notes.end(), tooWide.begin(), tooWide.end());
        for (const std::string& note : merged(tooWide, study.models)) // the table goes into papers alone
            table.caption += " " + note;
        results.tables.push_back(std::move(table));
        return results;
    }

private:
    /// That the states of a model have too many dimensions for these places; empty: they have not.
    static std::string tooWideText(const std::vector<Representation>& layers, std::int64_t places) {
        std::int64_t widest = 0;
        for (const Representation& layer : layers) // what n places span says nothing of more than n − 1 dimensions
            widest = std::max(widest, layer.dimension() < places - 1 ? layer.dimension() : layer.width());
        if (places >= 5 * widest)
            return {};
        return std::string("PWCCA is ") + (places - 1 <= widest ? "always 1" : "too high") + ", because there are only " +
               counted(places, "place") + " for states of " + counted(widest, "dimension") + ".";
    }

    static std::size_t placeCount(const Measurement& measurement) {
        return measurement.empty() ? 0 : static_cast<std::size_t>(measurement.at("states").shape.at(1));
    }

    /// The places of each utterance that have a token in every model.
    static std::vector<std::vector<bool>> placesInAll(const std::vector<ModelMeasurements>& measured) {
        std::vector<std::vector<bool>> used;
        for (std::size_t u = 0; u < measured.front().utterances.size(); ++u) {
            used.emplace_back(placeCount(measured.front().utterances[u]), true);
            for (const ModelMeasurements& one : measured) {
                if (one.utterances[u].empty())
                    continue;
                const Tensor& states = one.utterances[u].at("states");
                const auto values = toFloats(states.view());
                const auto width = static_cast<std::size_t>(states.shape.at(2));
                for (std::size_t place = 0; place < used.back().size(); ++place)
                    if (std::isnan(values.at(place * width)))
                        used.back()[place] = false;
            }
        }
        return used;
    }

    static Matrix<float> statesAt(const ModelMeasurements& model, int layer,
                                  const std::vector<std::vector<bool>>& used) {
        std::vector<float> rows;
        std::size_t width = 1, count = 0;
        for (std::size_t u = 0; u < model.utterances.size(); ++u) {
            if (model.utterances[u].empty())
                continue;
            const Tensor& states = model.utterances[u].at("states");
            const auto values = toFloats(states.view());
            width = static_cast<std::size_t>(states.shape.at(2));
            for (std::size_t place = 0; place < used[u].size(); ++place) {
                if (!used[u][place])
                    continue;
                const auto first = values.begin() + static_cast<std::ptrdiff_t>(
                                                        (static_cast<std::size_t>(layer) * used[u].size() + place) *
                                                        width);
                rows.insert(rows.end(), first, first + static_cast<std::ptrdiff_t>(width));
                ++count;
            }
        }
        if (count < 2)
            throw Error("study.tooFew", "A similarity needs at least two places, and this sample has fewer.");
        return {count, width, std::move(rows)};
    }

    /// Of the phones or words; empty: every model has a token in each.
    std::string leftOutText(const std::vector<std::vector<bool>>& used, std::int64_t places) const {
        std::int64_t known = 0;
        for (const auto& one : used)
            known += static_cast<std::int64_t>(one.size());
        if (known <= places)
            return {};
        const bool isOne = known - places == 1;
        return counted(known - places, m_places == Places::Phones ? "phone" : "word") + " of " + grouped(known) + (isOne ? " is" : " are") +
               " left out: at least one model has no token in " + (isOne ? "it" : "them") +
               ", so the numbers depend on which models are compared.";
    }

    StudyTable emptyTable(const Study& study, std::int64_t places, const std::string& leftOut) const {
        std::string caption =
            "Similarity of the states of two layers (layer 0: the input of layer 1) at " +
            counted(places, m_places == Places::Tokens ? "token" : m_places == Places::Phones ? "phone" : "word") +
            (m_places == Places::Tokens ? std::string() : ", mean of their tokens; silences are left out") +
            ". " + leftOut + (leftOut.empty() ? "" : " ") + "Linear CKA (Kornblith et al. 2019); projection-weighted CCA, weighted by the first (Morcos et al. "
            "2018). ";
        for (const StudyModel& model : study.models)
            caption += modelText(model) + "; ";
        return {"similarity",
                "Similarity of layers",
                caption + sampleText(study),
                {{"first", "First", "", 0, true},
                 {"first_layer", "Layer", "", 0, false},
                 {"second", "Second", "", 0, true},
                 {"second_layer", "Layer", "", 0, false},
                 {"cka", "CKA", "", 3, false},
                 {"pwcca", "PWCCA", "", 3, false}},
                {}};
    }

    nlohmann::json m_settings;
    Places m_places = Places::Tokens;
    std::int64_t m_most = 50;
};

} // namespace

std::unique_ptr<StudyWork> similarityStudy(const nlohmann::json& settings) {
    return std::make_unique<SimilarityStudy>(settings);
}

} // namespace headroom::training
