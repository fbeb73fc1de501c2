// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/suggest_command.h"

#include "core/analysis/window_front.h"
#include "core/architecture/costs.h"
#include "core/architecture/edits.h"
#include "core/errors/count_text.h"
#include "core/studies/study.h"
#include "core/tensors/atomic_file.h"
#include "core/tensors/scratch_folder.h"
#include "models/networks/speech_model.h"
#include "training/studies/study_request.h"
#include "training/worker/suggest/limit.h"
#include "training/worker/termination.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

namespace headroom::training {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShownPoints = 15;
constexpr std::int64_t kEveryWindowTo = 101; ///< wider ones grow by a fiftieth

/// One layer's windows, narrowest first, and after them the layer as it is (0).
struct LayerWindows {
    std::vector<std::int64_t> windows;
    WindowChoices choices;
};

/// D(w) of the study by window: mean over utterances, [L][W].
struct Curves {
    std::vector<double> windows;
    std::vector<std::vector<double>> diagonality;
};

std::string macsText(double macs) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3f", macs / 1e9);
    return text;
}

std::string decimals(double value, int digits) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", digits, value);
    return text;
}

Study measure(const SuggestOptions& options, const fs::path& folder, Console& console) {
    StudyRequest request;
    request.kind = StudyKind::Windows;
    request.models = {options.model};
    request.data = options.data;
    request.split = options.split;
    request.task = options.task;
    request.utterances = options.utterances;
    request.seed = options.seed;
    request.out = folder;
    request.cache = options.cache;
    StudyListener listener;
    listener.progress = [&](const StudyProgress& progress) {
        console.progressAt(progress.done, progress.total, progress.stage);
    };
    listener.note = [&](const std::string& sentence) { console.note(sentence); };
    listener.problem = [&](const std::string& sentence) { console.problem(sentence); };
    listener.stop = [] { return terminationFlag().load(); };
    return runStudy(request, listener);
}

Curves readCurves(const fs::path& folder, std::size_t layers) {
    const StudyArrays arrays = readStudyArrays(folder);
    Curves curves{toDoubles(arrays.at("1.window_grid").view()), {}};
    const auto values = toDoubles(arrays.at("1.diagonality").view());
    for (std::size_t layer = 0; layer < layers; ++layer) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(layer * curves.windows.size());
        curves.diagonality.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(curves.windows.size()));
    }
    return curves;
}

/// How many utterances have which length in input frames.
std::map<std::int64_t, std::int64_t> lengths(const Study& study, const Architecture& architecture) {
    std::map<std::int64_t, std::int64_t> result;
    for (const StudyUtterance& utterance : study.utterances)
        if (utterance.error.empty()) {
            const auto samples = std::llround(utterance.seconds * kModelSampleRate.hertz());
            ++result[architecture.frontEnd.reads == InputKind::Text
                         ? utterance.tokens
                         : architecture.frontEnd.input().frameCount(Samples(samples)).value()];
        }
    return result;
}

/// The encoder's costs over the sample: of the attention by layer, and of everything.
struct SampleCosts {
    std::vector<double> attention;
    double all = 0;

    double attentionOfAll() const {
        double sum = 0;
        for (const double layer : attention)
            sum += layer;
        return sum;
    }
};

SampleCosts costsOf(const Architecture& architecture, const std::map<std::int64_t, std::int64_t>& lengths) {
    SampleCosts costs{std::vector<double>(architecture.encoder.layers.size()), 0};
    for (const auto& [frames, count] : lengths) {
        const EncoderCosts one = encoderCosts(architecture, frames);
        costs.all += static_cast<double>(count * one.macs);
        for (std::size_t layer = 0; layer < costs.attention.size(); ++layer)
            costs.attention[layer] += static_cast<double>(count * one.layers[layer].attentionMacs);
    }
    return costs;
}

/// Every layer's windows with their losses and costs. A layer without a window or without contributions stays
/// as it is.
std::vector<LayerWindows> layerWindows(const Architecture& architecture, const Curves& curves,
                                       const SampleCosts& now,
                                       const std::map<std::int64_t, std::int64_t>& lengths) {
    std::vector<LayerWindows> layers(architecture.encoder.layers.size());
    std::vector<bool> whole(layers.size());
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
        whole[layer] = !takesWindow(architecture.encoder.layers[layer].heads) ||
                       std::isnan(curves.diagonality[layer].front());
    double next = 1;
    for (std::size_t i = 0; i < curves.windows.size(); ++i) {
        const auto window = static_cast<std::int64_t>(curves.windows[i]);
        if (curves.windows[i] < next || window > kWidestWindow ||
            std::find(whole.begin(), whole.end(), false) == whole.end())
            continue;
        next = window < kEveryWindowTo ? 0 : curves.windows[i] * 1.02;
        Architecture narrowed = architecture;
        for (std::size_t layer = 0; layer < layers.size(); ++layer)
            if (!whole[layer])
                narrowed = setLayerWindow(std::move(narrowed), static_cast<int>(layer + 1),
                                          static_cast<int>(window));
        const SampleCosts costs = costsOf(narrowed, lengths);
        for (std::size_t layer = 0; layer < layers.size(); ++layer) {
            if (whole[layer])
                continue;
            whole[layer] = costs.attention[layer] >= now.attention[layer];
            if (whole[layer])
                continue; // this window and wider ones save nothing
            layers[layer].windows.push_back(window);
            layers[layer].choices.loss.push_back(std::max(0.0, 1 - curves.diagonality[layer][i]));
            layers[layer].choices.cost.push_back(costs.attention[layer]);
        }
    }
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        layers[layer].windows.push_back(0);
        layers[layer].choices.loss.push_back(0);
        layers[layer].choices.cost.push_back(now.attention[layer]);
    }
    return layers;
}

/// The point that keeps the limit. The front goes from the smallest loss to the smallest cost.
std::size_t chosen(const std::vector<WindowFrontPoint>& front, const SuggestionLimit& limit, double cost,
                   std::size_t layers) {
    if (limit.of == SuggestionLimit::Of::Loss) { // the first point loses nothing
        std::size_t last = 0;
        while (last + 1 < front.size() &&
               front[last + 1].loss / static_cast<double>(layers) <= limit.value + 1e-12)
            ++last;
        return last;
    }
    for (std::size_t point = 0; point < front.size(); ++point)
        if (front[point].cost <= limit.value * cost * (1 + 1e-12))
            return point;
    throw Error("suggest.limit", "No windows keep macs=" + decimals(limit.value, 3) +
                                     ": with the narrowest ones the attention still costs " +
                                     decimals(front.back().cost / cost, 3) +
                                     " of the model's. Choose a larger share.");
}

Architecture withChoices(Architecture architecture, const std::vector<LayerWindows>& layers,
                         const WindowFrontPoint& point) {
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
        if (const auto window = layers[layer].windows[point.choices[layer]]; window > 0)
            architecture = setLayerWindow(std::move(architecture), static_cast<int>(layer + 1),
                                          static_cast<int>(window));
    architecture.name += " (suggested windows)";
    return architecture;
}

nlohmann::json pointDocument(const WindowFrontPoint& point, const std::vector<LayerWindows>& layers,
                             const SampleCosts& now) {
    auto windows = nlohmann::json::array(), losses = nlohmann::json::array();
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        const auto window = layers[layer].windows[point.choices[layer]];
        windows.push_back(window > 0 ? nlohmann::json(window) : nlohmann::json(nullptr));
        losses.push_back(layers[layer].choices.loss[point.choices[layer]]);
    }
    const double attention = now.attentionOfAll();
    return {{"loss", point.loss / static_cast<double>(layers.size())},
            {"macs", point.cost / attention},
            {"encoderMacs", (now.all - attention + point.cost) / now.all},
            {"windows", windows},
            {"losses", losses}};
}

void printWindows(const nlohmann::json& document, Console& console) {
    const auto& front = document["front"];
    const auto taken = document["chosen"].get<std::size_t>();
    console.line("Windows of " + document["model"].get<std::string>() + ", " +
                 counted(document["utterances"].get<std::int64_t>(), "utterance") + ", " +
                 macsText(document["attentionMacs"].get<double>()) + " GMAC of attention, " +
                 macsText(document["encoderMacs"].get<double>()) + " of the whole encoder.");
    console.line("loss\tmacs\tencoder\twindows (–: as it is)");
    const std::size_t every = std::max<std::size_t>(1, (front.size() + kShownPoints - 1) / kShownPoints);
    for (std::size_t i = 0; i < front.size(); ++i) {
        if (i % every != 0 && i != taken && i + 1 != front.size())
            continue;
        const auto& point = front[i];
        std::string line = decimals(point["loss"].get<double>(), 4) + "\t" +
                           decimals(point["macs"].get<double>(), 3) + "\t" +
                           decimals(point["encoderMacs"].get<double>(), 3) + "\t";
        for (const auto& window : point["windows"])
            line += (window.is_null() ? "–" : std::to_string(window.get<std::int64_t>())) + std::string(" ");
        console.line(line + (i == taken ? "← suggested" : ""));
    }
}

} // namespace

void suggest(const SuggestOptions& options, Console& console) {
    catchTermination();
    const auto limit = SuggestionLimit::parse(options.limit).value();
    const Architecture architecture = models::SpeechModel::open(options.model)->info().architecture;
    std::optional<ScratchFolder> scratch;
    if (options.study.empty())
        scratch.emplace("headroom-suggest", "suggest.scratch", "Name another one with --study.");
    const fs::path folder = options.study.empty() ? scratch->path() / "windows" : options.study;
    const Study study = measure(options, folder, console);
    if (study.state == RunState::Stopped) {
        console.note("Stopped. Measurements are kept, and the same command continues.");
        console.ended(terminationStatus());
        return;
    }
    const Curves curves = readCurves(folder, architecture.encoder.layers.size());
    const auto sample = lengths(study, architecture);
    const SampleCosts now = costsOf(architecture, sample);
    const auto layers = layerWindows(architecture, curves, now, sample);
    if (std::all_of(layers.begin(), layers.end(),
                    [](const LayerWindows& layer) { return layer.windows.size() == 1; }))
        throw Error("suggest.noWindows",
                    "“" + options.model.string() +
                        "” has no layer whose attention takes a window and has contributions.");
    std::vector<WindowChoices> choices;
    for (const LayerWindows& layer : layers)
        choices.push_back(layer.choices);
    const auto front = windowFront(choices);
    const std::size_t point = chosen(front, limit, now.attentionOfAll(), layers.size());
    const Architecture suggested = withChoices(architecture, layers, front[point]);
    auto points = nlohmann::json::array();
    for (const WindowFrontPoint& one : front)
        points.push_back(pointDocument(one, layers, now));
    const nlohmann::json document{
        {"format", "headroom/suggestion"},
        {"version", 1},
        {"model", study.models.front().name},
        {"utterances", std::count_if(study.utterances.begin(), study.utterances.end(),
                                     [](const auto& one) { return one.error.empty(); })},
        {"limit", options.limit},
        {"attentionMacs", now.attentionOfAll()},
        {"encoderMacs", now.all},
        {"front", points},
        {"chosen", point},
        {"architecture", nlohmann::json::parse(canonicalText(suggested))}};
    printWindows(document, console);
    if (!options.out.empty()) {
        writeAtomically(options.out, canonicalText(suggested), "suggest.unwritable");
        console.line("The suggested architecture is in " + options.out.string() +
                     ". `evaluate --draft` and `study --draft` show what it does untrained.");
    }
    console.document(document);
}

} // namespace headroom::training
