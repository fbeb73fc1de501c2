// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/display_name.h"
#include "core/places/place.h"
#include "core/runs/strict_json.h"
#include "core/tensors/atomic_file.h"

#include <cstdlib>
#include <set>

namespace headroom {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char* kPlacesFormat = "headroom/places";
constexpr const char* kUnwritablePlaces = "places.unwritable";

/// Reads one key into a value of the same type. A key that is missing keeps the default.
struct PlaceReader {
    const json& object;
    const std::string& name;

    [[noreturn]] void refuse(const char* key, const char* kind) const {
        throw Error("place.value", name + ", " + key + ": this must be " + kind + ".",
                    {{"file", name}, {"key", key}});
    }
    void operator()(const char* key, std::string& text) const {
        if (const auto found = object.find(key); found != object.end()) {
            if (!found->is_string())
                refuse(key, "a text in quotes");
            text = found->get<std::string>();
        }
    }
    void operator()(const char* key, int& number) const {
        if (const auto found = object.find(key); found != object.end()) {
            if (!found->is_number_integer() || found->get<std::int64_t>() != int(found->get<std::int64_t>()))
                refuse(key, "a whole number");
            number = found->get<int>();
        }
    }
    void operator()(const char* key, std::vector<std::string>& texts) const {
        if (const auto found = object.find(key); found != object.end()) {
            if (!found->is_array())
                refuse(key, "a list of texts");
            texts.clear();
            for (const json& one : *found) {
                if (!one.is_string())
                    refuse(key, "a list of texts");
                texts.push_back(one.get<std::string>());
            }
        }
    }
    void onlyKeys(const std::set<std::string>& known) const {
        if (!object.is_object())
            throw Error("place.value", name + " is not an object.", {{"file", name}});
        for (const auto& [key, value] : object.items())
            if (!known.count(key))
                throw Error("place.value", name + ", " + key + ": there is no such key in a place.",
                            {{"file", name}, {"key", key}});
    }
};

fs::path environmentPath(const char* variable) {
    const char* value = std::getenv(variable);
    return value && *value ? fs::path(value) : fs::path();
}

} // namespace

nlohmann::ordered_json toJson(const Place& place) {
    nlohmann::ordered_json object;
    object["name"] = place.name;
    object["kind"] = toText(place.kind);
    object["host"] = place.host;
    object["folder"] = place.folder;
    object["worker"] = place.worker;
    if (place.device != Place().device) // older versions know no such key
        object["device"] = place.device;
    if (place.kind == Place::Kind::Slurm)
        object["slurm"] = {{"partition", place.slurm.partition}, {"gpus", place.slurm.gpus},
                           {"nodes", place.slurm.nodes},         {"time", place.slurm.time},
                           {"account", place.slurm.account},     {"lines", place.slurm.lines}};
    return object;
}

Place placeFrom(const json& object, const std::string& name) {
    const PlaceReader read{object, name};
    read.onlyKeys({"name", "kind", "host", "folder", "worker", "device", "slurm"});
    Place place;
    std::string kind = "ssh";
    read("name", place.name);
    read("kind", kind);
    read("host", place.host);
    read("folder", place.folder);
    read("worker", place.worker);
    read("device", place.device);
    if (kind != "ssh" && kind != "slurm")
        throw Error("place.value", name + ", kind: “" + kind + "” is neither ssh nor slurm.",
                    {{"file", name}});
    place.kind = kind == "slurm" ? Place::Kind::Slurm : Place::Kind::Ssh;
    if (const auto slurm = object.find("slurm"); slurm != object.end()) {
        const std::string part = name + ", slurm";
        const PlaceReader inner{*slurm, part};
        inner.onlyKeys({"partition", "gpus", "nodes", "time", "account", "lines"});
        inner("partition", place.slurm.partition);
        inner("gpus", place.slurm.gpus);
        inner("nodes", place.slurm.nodes);
        inner("time", place.slurm.time);
        inner("account", place.slurm.account);
        inner("lines", place.slurm.lines);
    }
    checkPlace(place);
    return place;
}

fs::path placesFile() {
    if (const fs::path chosen = environmentPath("HEADROOM_PLACES"); !chosen.empty())
        return chosen;
    fs::path configuration = environmentPath("XDG_CONFIG_HOME");
    if (configuration.empty())
        configuration = environmentPath("HOME") / ".config";
    return configuration / "headroom" / "places.json";
}

std::vector<Place> readPlaces(const fs::path& file) {
    std::error_code ignored;
    if (!fs::exists(file, ignored))
        return {};
    const std::string name = displayName(file);
    const json document = readStrictObject(file, "places.badJson");
    if (document.value("format", json()) != kPlacesFormat || document.value("version", json()) != 1)
        throw Error("places.badJson", file.string() + " is not a list of places of version 1.",
                    {{"file", file.string()}});
    const auto list = document.find("places");
    if (list == document.end() || !list->is_array())
        throw Error("places.badJson", file.string() + " has no list “places”.", {{"file", file.string()}});
    std::vector<Place> places;
    std::set<std::string> names;
    for (const json& one : *list) {
        places.push_back(placeFrom(one, name + ", place " + std::to_string(places.size() + 1)));
        if (!names.insert(places.back().name).second)
            throw Error("places.badJson", name + " has two places named “" + places.back().name + "”.",
                        {{"file", name}});
    }
    return places;
}

void writePlaces(const fs::path& file, const std::vector<Place>& places) {
    nlohmann::ordered_json document;
    document["format"] = kPlacesFormat;
    document["version"] = 1;
    document["places"] = nlohmann::ordered_json::array();
    for (const Place& place : places)
        document["places"].push_back(toJson(place));
    std::error_code problem;
    fs::create_directories(file.parent_path(), problem);
    const std::string text =
        document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
    writeAtomically(file, std::string_view(text), kUnwritablePlaces);
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write, problem);
}

} // namespace headroom
