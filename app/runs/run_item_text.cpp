// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/run_reading.h"

#include "app/documents/items/paths.h"
#include "core/runs/recipe.h"
#include "core/statistics/undefined.h"

#include <cmath>

namespace headroom::app {

using nlohmann::json;
using widgets::RunItem;

namespace {

constexpr int kFormat = 1; // to be raised when a field gets another meaning; a new field is noticed by its missing key

/// Names every field, so that none that is added to RunInfo is forgotten: the count of a structured binding must fit.
template <typename Visit>
void visitInfo(RunInfo& info, Visit visit) {
    auto& [id, state, error, created, started, ended, host, version, libtorch, process, seed, parent, startFrom, data, decided, gpus,
           note, update, maxUpdates, resumed, earlierSeconds, predictedBytes, peakBytes, best] = info;
    auto& [precision, device, dataHash, threads, ranks, wantedRanks] = decided;
    visit("id", id);
    visit("state", state);
    visit("error", error);
    visit("created", created);
    visit("started", started);
    visit("ended", ended);
    visit("host", host);
    visit("version", version);
    visit("libtorch", libtorch);
    visit("process", process);
    visit("seed", seed);
    visit("parent", parent);
    visit("startFrom", startFrom);
    visit("data", data);
    visit("precision", precision);
    visit("device", device);
    visit("dataHash", dataHash);
    visit("threads", threads);
    visit("ranks", ranks);
    visit("wantedRanks", wantedRanks);
    visit("gpus", gpus);
    visit("note", note);
    visit("saved", update);
    visit("maxUpdates", maxUpdates);
    visit("resumed", resumed);
    visit("earlierSeconds", earlierSeconds);
    visit("predictedBytes", predictedBytes);
    visit("peakBytes", peakBytes);
    visit("best", best);
}

/// One function walks over every field, for writing and for reading.
template <typename Visit>
void visitFields(RunItem& item, Visit visit) {
    visitInfo(item.info, visit);
    visit("name", item.name);
    visit("given", item.given);
    visit("called", item.called);
    visit("recipe", item.recipe);
    visit("values", item.values);
    visit("task", item.task);
    visit("dataName", item.data);
    visit("devSplit", item.devSplit);
    visit("trainSplit", item.trainSplit);
    visit("decoded", item.decoded);
    visit("lossMeasure", item.lossMeasure);
    visit("group", item.group);
    visit("heads", item.heads);
    visit("parameters", item.parameters);
    visit("macShare", item.macShare);
    visit("loss", item.loss);
    visit("framesPerSecond", item.framesPerSecond);
    visit("secondsLeft", item.secondsLeft);
    visit("update", item.update);
    visit("hasModel", item.hasModel);
    visit("weights", item.weights);
    visit("place", item.place);
    visit("lost", item.lost);
    visit("waits", item.waits);
    visit("waited", item.waited);
    visit("hasScript", item.hasScript);
    visit("contact", item.contact);
    visit("isPaused", item.isPaused);
}

struct Writer {
    json& document;
    void operator()(const char* key, const QString& value) const { document[key] = value.toStdString(); }
    void operator()(const char* key, double value) const {
        document[key] = std::isfinite(value) ? json(value) : json();
    }
    void operator()(const char* key, RunState value) const { document[key] = int(value); }
    void operator()(const char* key, const std::shared_ptr<const Recipe>& value) const { document[key] = value ? canonicalText(*value) : std::string(); }
    template <typename Value>
    void operator()(const char* key, const Value& value) const {
        document[key] = value;
    }
};

struct Reader {
    const json& document;
    KnownRecipes& recipes;
    void operator()(const char* key, QString& value) const {
        value = QString::fromStdString(document.at(key).get<std::string>());
    }
    void operator()(const char* key, double& value) const {
        value = document.at(key).is_number() ? document.at(key).get<double>() : kUndefined;
    }
    void operator()(const char* key, RunState& value) const { value = RunState(document.at(key).get<int>()); }
    void operator()(const char* key, std::shared_ptr<const Recipe>& value) const {
        const auto text = document.at(key).get<std::string>();
        value = recipes[text];
        if (!value && !text.empty())
            value = recipes[text] = std::make_shared<const Recipe>(parseRecipe(text, key));
    }
    template <typename Value>
    void operator()(const char* key, Value& value) const {
        value = document.at(key).get<Value>();
    }
};

} // namespace

QByteArray itemText(const RunItem& item) {
    json document;
    RunItem copy = item;
    visitFields(copy, Writer{document});
    document["format"] = kFormat;
    return QByteArray::fromStdString(document.dump(-1, ' ', false, json::error_handler_t::replace));
}

bool itemFromText(const QByteArray& text, RunItem& item, KnownRecipes& recipes) {
    try {
        const json document = json::parse(text.begin(), text.end());
        if (document.at("format") != kFormat)
            return false;
        visitFields(item, Reader{document, recipes});
        return true;
    } catch (const std::exception&) {
        return false; // an index of another version: the folder is read again
    }
}

} // namespace headroom::app
