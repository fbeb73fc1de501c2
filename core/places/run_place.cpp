// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/places/run_place.h"

#include "core/errors/display_name.h"
#include "core/runs/run_folder.h"
#include "core/runs/strict_json.h"
#include "core/tensors/atomic_file.h"

#include <algorithm>
#include <array>

namespace headroom {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char* kRunPlaceFormat = "headroom/run-place";
constexpr std::array kContacts{RunPlace::Contact::Copying, RunPlace::Contact::Waiting,
                               RunPlace::Contact::Connected, RunPlace::Contact::Lost,
                               RunPlace::Contact::Ended};

/// Returns a number that is there and not negative, else −1.
double numberAt(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number() && found->get<double>() >= 0 ? found->get<double>() : -1;
}

fs::path reconnectFile(const fs::path& run) {
    return run / "reconnect";
}

} // namespace

const char* toText(RunPlace::Contact contact) {
    switch (contact) {
    case RunPlace::Contact::Copying:
        return "copying";
    case RunPlace::Contact::Waiting:
        return "waiting";
    case RunPlace::Contact::Connected:
        return "connected";
    case RunPlace::Contact::Lost:
        return "lost";
    case RunPlace::Contact::Ended:
        return "ended";
    }
    return "";
}

std::optional<RunPlace> readRunPlace(const fs::path& run) {
    const fs::path file = runPlaceFile(run);
    std::error_code ignored;
    if (!fs::exists(file, ignored))
        return std::nullopt;
    const std::string name = displayNameInFolder(file);
    const json document = readStrictObject(file, "runPlace.badJson");
    const auto text = [&](const char* key) {
        const auto found = document.find(key);
        if (found == document.end() || !found->is_string())
            throw Error("runPlace.badJson", name + ", " + key + ": this must be a text in quotes.",
                        {{"file", name}});
        return found->get<std::string>();
    };
    if (document.value("format", json()) != kRunPlaceFormat || document.value("version", json()) != 1)
        throw Error("runPlace.badJson", name + " is not the place of a run of version 1.", {{"file", name}});
    RunPlace place;
    place.place = placeFrom(document.value("place", json()), name);
    place.folder = text("folder");
    place.begun = document.value("begun", json()) == true;
    for (const auto& [key, value] : {std::pair("data", &place.data), std::pair("startFrom", &place.startFrom)})
        if (const json path = document.value(key, json()); path.is_string())
            *value = path.get<std::string>();
    if (const json device = document.value("device", json()); device.is_string())
        place.device = device.get<std::string>();
    if (const json ranks = document.value("ranks", json()); ranks.is_number_integer())
        place.ranks = ranks.get<int>();
    place.allCheckpoints = document.value("allCheckpoints", json()) == true;
    place.held = document.value("held", json()) == true;
    place.since = text("since");
    place.sentence = text("sentence");
    const std::string contact = text("contact");
    const auto known = std::find_if(kContacts.begin(), kContacts.end(),
                                    [&](RunPlace::Contact one) { return contact == toText(one); });
    if (known == kContacts.end())
        throw Error("runPlace.badJson", name + ", contact: unknown state “" + contact + "”.",
                    {{"file", name}});
    place.contact = *known;
    if (const json next = document.value("nextTry", json()); next.is_string())
        place.nextTry = next.get<std::string>();
    if (const json copy = document.value("copy", json()); copy.is_object())
        place.copy = {copy.value("what", json()).is_string() ? copy["what"].get<std::string>() : std::string(),
                      numberAt(copy, "share"), numberAt(copy, "bytesPerSecond"), numberAt(copy, "secondsLeft")};
    return place;
}

void takePathsHere(const RunPlace& place, RunInfo& info) {
    if (!place.data.empty())
        info.data = place.data;
    if (!info.startFrom.empty() && !place.startFrom.empty())
        info.startFrom = place.startFrom;
}

void writeRunPlace(const fs::path& run, const RunPlace& place) {
    nlohmann::ordered_json document;
    document["format"] = kRunPlaceFormat;
    document["version"] = 1;
    document["place"] = toJson(place.place);
    document["folder"] = place.folder;
    if (!place.data.empty())
        document["data"] = place.data;
    if (!place.startFrom.empty())
        document["startFrom"] = place.startFrom;
    document["begun"] = place.begun;
    if (place.held)
        document["held"] = true;
    if (!place.device.empty())
        document["device"] = place.device;
    if (place.ranks > 0)
        document["ranks"] = place.ranks;
    if (place.allCheckpoints)
        document["allCheckpoints"] = true;
    document["contact"] = toText(place.contact);
    document["since"] = place.since;
    document["sentence"] = validText(place.sentence);
    if (!place.nextTry.empty())
        document["nextTry"] = place.nextTry;
    if (place.copy) {
        document["copy"] = {{"what", validText(place.copy->what)}, {"share", place.copy->share}};
        if (place.copy->bytesPerSecond >= 0)
            document["copy"]["bytesPerSecond"] = place.copy->bytesPerSecond;
        if (place.copy->secondsLeft >= 0)
            document["copy"]["secondsLeft"] = place.copy->secondsLeft;
    }
    std::error_code ignored;
    fs::create_directories(run, ignored);
    const std::string text =
        document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
    writeAtomically(runPlaceFile(run), std::string_view(text), "run.unwritable");
}

void forgetRunPlace(const fs::path& run) {
    std::error_code ignored;
    for (const fs::path& file : {runPlaceFile(run), RunPaths{run}.control(), runScriptFile(run)})
        fs::remove(file, ignored);
    fs::remove(run, ignored); // only an empty folder goes
}

void askToReconnect(const fs::path& run) {
    writeAtomically(reconnectFile(run), std::string_view("{}\n"), "run.unwritable");
}

bool takeReconnect(const fs::path& run) {
    std::error_code ignored;
    return fs::remove(reconnectFile(run), ignored);
}

} // namespace headroom
