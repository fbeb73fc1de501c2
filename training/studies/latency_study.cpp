// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/count_text.h"
#include "core/statistics/bootstrap.h"
#include "core/statistics/quantiles.h"
#include "core/studies/busy_machine.h"
#include "core/studies/settings.h"
#include "training/devices/devices.h"
#include "training/studies/latency_rounds.h"
#include "training/studies/study_text.h"
#include "training/studies/study_work.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace headroom::training {

namespace {

constexpr double kMilliseconds = 1e3;
constexpr int kRatioDraws = 2000;
constexpr double kRestless = 0.1; // of the median, between the quartiles

StudyColumn number(const char* key, const char* title, const char* unit, int decimals) {
    return {key, title, unit, decimals, false};
}

std::vector<double> totals(const std::vector<models::EncoderTimes>& times) {
    std::vector<double> values;
    for (const models::EncoderTimes& one : times)
        values.push_back(one.total * kMilliseconds);
    return values;
}

template <class Of>
double medianOf(const std::vector<models::EncoderTimes>& times, Of of) {
    std::vector<double> values;
    for (const models::EncoderTimes& one : times)
        values.push_back(of(one));
    return median(std::move(values));
}

template <class Of>
double milliseconds(const std::vector<models::EncoderTimes>& times, Of of) {
    return medianOf(times, of) * kMilliseconds;
}

/// How many times as fast as the first model: the median of the rounds' ratios, with its interval.
struct SpeedUp {
    double ratio = 1;
    Interval95 interval;
    double p = 1;
    std::string test;
};

SpeedUp speedUp(const std::vector<double>& first, const std::vector<double>& own, std::uint64_t seed) {
    std::vector<double> ratios, logFirst, logOwn;
    for (std::size_t r = 0; r < own.size(); ++r) {
        ratios.push_back(first[r] / own[r]);
        logFirst.push_back(std::log(first[r]));
        logOwn.push_back(std::log(own[r]));
    }
    SpeedUp result;
    result.ratio = median(ratios);
    std::vector<double> drawn;
    for (const std::vector<int>& counts :
         resampledCounts(std::vector<bool>(ratios.size(), true), {}, seed, kRatioDraws)) {
        std::vector<double> sample;
        for (std::size_t r = 0; r < ratios.size(); ++r)
            sample.insert(sample.end(), static_cast<std::size_t>(counts[r]), ratios[r]);
        drawn.push_back(median(std::move(sample)));
    }
    result.interval = interval95(std::move(drawn));
    const PairedTest test = pairedTest(logFirst, logOwn, {}, seed);
    result.p = test.p;
    result.test = test.name;
    return result;
}

/// What attention costs on this machine, by length; Shim et al. 2022, Table 3's form.
class LatencyStudy final : public StudyWork {
public:
    explicit LatencyStudy(const nlohmann::json& given)
        : m_settings(readStudySettings(StudyKind::Latency, given)) {
        m_plan.lengths = m_settings.at("lengths").get<std::vector<std::int64_t>>();
        m_plan.warmUp = m_settings.at("warmUp").get<int>();
        m_plan.repeats = m_settings.at("repeats").get<int>();
        m_plan.threads = m_settings.at("threads").get<int>();
    }

    nlohmann::json settings() const override { return m_settings; }
    std::string measurementKey() const override { return "latency/1"; }
    bool needsWeights() const override { return true; }
    bool measures() const override { return false; }
    bool mixesFrontEnds() const override { return true; }
    bool takesDrawnWeights() const override { return true; }
    Measurement measure(LayerSource&, const StudyInput&, const models::CancelFlag&) const override {
        return {};
    }

    void keepIn(const std::filesystem::path& study) override { m_folder = study; }

    StudyResults summarise(const Study& study, std::vector<ModelMeasurements>&&,
                           std::span<const std::unique_ptr<LayerSource>> sources, const Progress& progress,
                           const models::CancelFlag& cancel) const override {
        std::vector<models::SpeechModel*> models;
        for (const auto& source : sources)
            models.push_back(source->speechModel());
        LatencyPlan plan = m_plan;
        plan.seed = study.seed;
        StudyResults results;
        const std::vector<LatencyTimes> times = timeAll(models, plan, study, progress, cancel, results.notes);
        for (std::size_t m = 0; m < times.size(); ++m)
            store(std::to_string(m + 1) + ".", times[m], results.arrays);
        results.tables = {byLength(study, models, times), byLayer(study, times)};
        for (const StudyModel& model : study.models)
            if (model.weightsHash.empty())
                results.notes.push_back(model.name +
                                        " is only an architecture; its weights are random, from seed " +
                                        std::to_string(study.seed) + ". Times do not depend on weights.");
        noteRestlessness(times, results.notes);
        return results;
    }

private:
    /// Continues where an earlier sitting stopped.
    std::vector<LatencyTimes> timeAll(std::span<models::SpeechModel* const> models, const LatencyPlan& plan, const Study& study,
                                      const Progress& progress, const models::CancelFlag& cancel, std::vector<std::string>& notes) const {
        LatencyRounds rounds(m_folder, study, m_settings);
        std::string note;
        std::vector<LatencyTimes> times = rounds.find(note);
        if (!note.empty())
            notes.push_back(note);
        try {
            timeEncoders(
                models, plan, [&](std::int64_t done, std::int64_t total) { progress(done, total, "Timing the encoders", StepsLeft::Alike); }, &cancel, times,
                [&] { rounds.keep(times, false); });
        } catch (const models::Cancelled&) {
            rounds.keep(times, true);
            throw;
        }
        if (rounds.sittings() > 1)
            notes.push_back("Timed in " + std::to_string(rounds.sittings()) + " sittings, each with its own passes to warm up.");
        return times;
    }

    static std::string quoted(const StudyModel& model) { return "“" + model.name + "”"; } // a name may contain commas

    std::string conditions(const Study& study) const {
        std::string names;
        for (const StudyModel& model : study.models)
            names += (names.empty() ? "" : "; ") + quoted(model) + " (" +
                     (model.weightsHash.empty() ? "random weights" : model.weightsHash.substr(0, 8)) + "; " + model.architecture + ")";
        return "Batch size 1 in float32 on " + processorName() + ", " +
               counted(m_plan.threads, "thread") + "; " + std::to_string(m_plan.warmUp) +
               (m_plan.warmUp == 1 ? " pass" : " passes") + " to warm up, medians of " +
               std::to_string(m_plan.repeats) + ". Models: " + names + ".";
    }

    /// Times that spread widely say more about the machine than about the model.
    void noteRestlessness(const std::vector<LatencyTimes>& times, std::vector<std::string>& notes) const {
        double widest = 0;
        std::int64_t wide = 0, all = 0;
        for (const LatencyTimes& model : times)
            for (const std::vector<models::EncoderTimes>& at : model) {
                const FiveNumbers spread = fiveNumbers(totals(at));
                const double width = (spread.upper - spread.lower) / spread.median;
                widest = std::max(widest, width);
                wide += width > kRestless ? 1 : 0;
                ++all;
            }
        if (wide == 0)
            return;
        char text[200];
        std::snprintf(
            text, sizeof text,
            "%s: the quartiles of %s of %s rows are more than %.0f %% of their "
            "median apart, at most %.0f %%. Measure again when nothing else is running.",
            kBusyMachine, grouped(wide).c_str(), grouped(all).c_str(), 100 * kRestless, 100 * widest);
        notes.emplace_back(text);
    }

    void store(const std::string& name, const LatencyTimes& times, StudyArrays& arrays) const {
        const auto lengths = static_cast<std::int64_t>(times.size());
        const auto layers = static_cast<std::int64_t>(times.front().front().layers.size());
        const std::int64_t repeats = m_plan.repeats;
        std::vector<double> parts, byLayer, frontEnd;
        const auto append = [](std::vector<double>& to, const std::vector<models::EncoderTimes>& from,
                               const auto& of) {
            for (const models::EncoderTimes& one : from)
                to.push_back(of(one) * kMilliseconds);
        };
        for (const auto& at : times) {
            append(parts, at, [](const models::EncoderTimes& one) { return one.attentionTotal(); });
            append(parts, at, [](const models::EncoderTimes& one) { return one.rest(); });
            append(parts, at, [](const models::EncoderTimes& one) { return one.total; });
            append(frontEnd, at, [](const models::EncoderTimes& one) { return one.frontEnd; });
            for (std::size_t l = 0; l < static_cast<std::size_t>(layers); ++l) {
                append(byLayer, at, [l](const models::EncoderTimes& one) { return one.attention[l]; });
                append(byLayer, at,
                       [l](const models::EncoderTimes& one) { return one.layers[l] - one.attention[l]; });
            }
        }
        arrays[name + "lengths"] = Tensor::of<std::int64_t>({lengths}, m_plan.lengths);
        arrays[name + "milliseconds"] = numbersOf({lengths, 3, repeats}, parts);
        arrays[name + "layer_milliseconds"] = numbersOf({lengths, layers, 2, repeats}, byLayer);
        arrays[name + "front_end_milliseconds"] = numbersOf({lengths, repeats}, frontEnd);
    }

    StudyTable byLength(const Study& study, const std::vector<models::SpeechModel*>& models,
                        const std::vector<LatencyTimes>& times) const {
        StudyTable table{"latency", "Latency of the encoder", "", {}, {}};
        table.columns = {{"model", "Model", "", 0, true},
                         number("tokens", "Tokens", "", 0),
                         number("seconds", "Speech", "s", 2),
                         number("attention", "Attention", "ms", 3),
                         number("rest", "Rest", "ms", 3),
                         number("total", "Total", "ms", 3),
                         number("total_lower_quartile", "Quartiles", "ms", 3),
                         number("total_upper_quartile", "to", "ms", 3),
                         number("total_least", "Least", "ms", 3),
                         number("total_most", "Most", "ms", 3),
                         number("share", "Attention", "%", 1),
                         number("n", "n", "", 0)};
        const bool several = times.size() > 1;
        if (several)
            append(table.columns, {number("speedup", "Speed-up", "", 2),
                                   number("speedup_low", "95 % from", "", 2),
                                   number("speedup_high", "to", "", 2),
                                   number("p", "p", "", 4),
                                   {"test", "Test", "", 0, true}});
        for (std::size_t m = 0; m < times.size(); ++m)
            for (std::size_t l = 0; l < m_plan.lengths.size(); ++l) {
                const std::vector<models::EncoderTimes>& here = times[m][l];
                const std::vector<double> own = totals(here);
                const FiveNumbers total = fiveNumbers(own);
                const double share = medianOf(
                    here, [](const models::EncoderTimes& one) { return one.attentionTotal() / one.total; });
                const Architecture::FrontEnd& frontEnd = models[m]->info().architecture.frontEnd;
                const FrameClock clock = frontEnd.input().clock();
                const auto frames = static_cast<double>(framesFor(*models[m], m_plan.lengths[l]));
                StudyCell speech; // tokens of a text have no duration
                if (frontEnd.reads != InputKind::Text)
                    speech = clock.step().value() * (frames - 1) + clock.length().value();
                table.rows.push_back(
                    {study.models[m].name, static_cast<double>(m_plan.lengths[l]), speech,
                     milliseconds(here, [](const models::EncoderTimes& one) { return one.attentionTotal(); }),
                     milliseconds(here, [](const models::EncoderTimes& one) { return one.rest(); }),
                     total.median, total.lower, total.upper, total.least, total.most, 100 * share,
                     static_cast<double>(own.size())});
                if (!several)
                    continue;
                if (m == 0) {
                    append(table.rows.back(), {1.0, {}, {}, {}, {}});
                    continue;
                }
                const SpeedUp found = speedUp(totals(times[0][l]), own, study.seed);
                append(table.rows.back(),
                       {found.ratio, found.interval.low, found.interval.high, found.p, found.test});
            }
        table.caption = "Time of the encoder and of its self-attention (norm, projections, maps, mixing, "
                        "residual), as in "
                        "Shim et al. 2022, Table 3. In each pass, attention and rest add up to the total; their "
                        "medians need "
                        "not. " +
                        conditions(study);
        if (several)
            table.caption +=
                " Speed-up: the time of " + quoted(study.models[0]) +
                " divided by that of the model in the same round, as the median over the rounds. Its 95 % interval comes from a "
                "bootstrap of the rounds. The test named in the row compares the logarithms of the times.";
        return table;
    }

    StudyTable byLayer(const Study& study, const std::vector<LatencyTimes>& times) const {
        StudyTable table{"latency-layers",
                         "Latency by layer",
                         "Time of each layer: its self-attention block, and the rest of the layer. The front "
                         "end and the last LayerNorm belong to no layer. " +
                             conditions(study),
                         {{"model", "Model", "", 0, true},
                          number("tokens", "Tokens", "", 0),
                          number("layer", "Layer", "", 0),
                          number("attention", "Attention", "ms", 3),
                          number("rest", "Rest", "ms", 3),
                          number("total", "Total", "ms", 3),
                          number("share", "Attention", "%", 1)},
                         {}};
        for (std::size_t m = 0; m < times.size(); ++m)
            for (std::size_t l = 0; l < m_plan.lengths.size(); ++l) {
                const std::vector<models::EncoderTimes>& here = times[m][l];
                for (std::size_t layer = 0; layer < here.front().layers.size(); ++layer) {
                    const auto attention = [&](const models::EncoderTimes& one) {
                        return one.attention[layer];
                    };
                    const auto whole = [&](const models::EncoderTimes& one) { return one.layers[layer]; };
                    const double share = medianOf(
                        here, [&](const models::EncoderTimes& one) { return attention(one) / whole(one); });
                    table.rows.push_back({study.models[m].name, static_cast<double>(m_plan.lengths[l]),
                                          static_cast<double>(layer + 1), milliseconds(here, attention),
                                          milliseconds(here,
                                                       [&](const models::EncoderTimes& one) {
                                                           return whole(one) - attention(one);
                                                       }),
                                          milliseconds(here, whole), 100 * share});
                }
            }
        return table;
    }

    nlohmann::json m_settings;
    LatencyPlan m_plan;
    std::filesystem::path m_folder; ///< of the study; empty: nothing is kept
};

} // namespace

std::unique_ptr<StudyWork> latencyStudy(const nlohmann::json& settings) {
    return std::make_unique<LatencyStudy>(settings);
}

} // namespace headroom::training
