// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/run_reading.h"

#include "app/documents/paths.h"
#include "core/statistics/undefined.h"

#include <cmath>

namespace headroom::app {

using nlohmann::json;
using widgets::RunItem;

namespace {

/// One function walks over every field, for writing and for reading.
template <typename Visit>
void visitFields(RunItem& item, Visit visit) {
    RunInfo& info = item.info;
    visit("id", info.id);
    visit("error", info.error);
    visit("created", info.created);
    visit("started", info.started);
    visit("ended", info.ended);
    visit("host", info.host);
    visit("version", info.version);
    visit("libtorch", info.libtorch);
    visit("process", info.process);
    visit("seed", info.seed);
    visit("parent", info.parent);
    visit("startFrom", info.startFrom);
    visit("data", info.data);
    visit("precision", info.decided.precision);
    visit("device", info.decided.device);
    visit("dataHash", info.decided.dataHash);
    visit("threads", info.decided.threads);
    visit("ranks", info.decided.ranks);
    visit("wantedRanks", info.decided.wantedRanks);
    visit("gpus", info.gpus);
    visit("note", info.note);
    visit("saved", info.update);
    visit("maxUpdates", info.maxUpdates);
    visit("resumed", info.resumed);
    visit("earlierSeconds", info.earlierSeconds);
    visit("best", info.best);
    visit("name", item.name);
    visit("given", item.given);
    visit("recipe", item.recipe);
    visit("task", item.task);
    visit("dataName", item.data);
    visit("group", item.group);
    visit("parameters", item.parameters);
    visit("macShare", item.macShare);
    visit("loss", item.loss);
    visit("framesPerSecond", item.framesPerSecond);
    visit("secondsLeft", item.secondsLeft);
    visit("update", item.update);
    visit("hasModel", item.hasModel);
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
    template <typename Value>
    void operator()(const char* key, const Value& value) const {
        document[key] = value;
    }
};

struct Reader {
    const json& document;
    void operator()(const char* key, QString& value) const {
        value = QString::fromStdString(document.at(key).get<std::string>());
    }
    void operator()(const char* key, double& value) const {
        value = document.at(key).is_number() ? document.at(key).get<double>() : kUndefined;
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
    document["state"] = int(item.info.state);
    return QByteArray::fromStdString(document.dump(-1, ' ', false, json::error_handler_t::replace));
}

bool itemFromText(const QByteArray& text, RunItem& item) {
    try {
        const json document = json::parse(text.begin(), text.end());
        visitFields(item, Reader{document});
        item.info.state = RunState(document.at("state").get<int>());
        if (item.group.isEmpty())
            return false; // an index of another version, which had runs without one
        return true;
    } catch (const json::exception&) {
        return false; // an index of another version: the folder is read again
    }
}

} // namespace headroom::app
