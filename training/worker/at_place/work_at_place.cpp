// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/work_at_place.h"

#include "core/places/run_place.h"
#include "core/runs/run_folder.h"
#include "core/runs/strict_json.h"
#include "core/studies/study.h"
#include "core/tensors/sha256.h"
#include "training/places/connection.h"
#include "training/studies/study_claim.h"
#include "training/worker/at_place/work_inputs.h"
#include "training/worker/evaluation_watch.h"
#include "training/worker/termination.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <unistd.h>

namespace headroom::training {

namespace {

namespace fs = std::filesystem;

std::string hashOf(const std::string& text) {
    return sha256OfBytes(std::as_bytes(std::span(text.data(), text.size()))).substr(0, 12);
}

/// Where the results of the folder are computed: as it says itself, else at the place that was named.
RunPlace placeOfWork(const PlacedWork& work, const fs::path& out) {
    if (auto known = readRunPlace(out)) {
        const bool goesOn = known->contact != RunPlace::Contact::Ended;
        if (goesOn && !work.place.empty() && known->begun && work.place != known->place.name)
            throw Error("work.otherPlace", out.string() + " is computed at " + known->place.name + ", not at " + work.place + ".");
        if ((goesOn && known->begun) || work.resume)
            return *known;
    }
    if (work.place.empty())
        throw Error("place.unknown", out.string() + " does not say where it was computed.");
    RunPlace place;
    place.place = findPlace(readPlaces(placesFile()), work.place);
    char host[256] = {};
    ::gethostname(host, sizeof host - 1);
    place.folder = pathAt(place.place, "work/" + hashOf(host + out.string()) + "-" + std::to_string(::getpid()) + utcNow().substr(17, 2));
    return place;
}

/// What its folder says here while the command is done elsewhere: that a process works on it, and of an evaluation how it ended.
class WorkClaim {
public:
    WorkClaim(const PlacedWork& work, const fs::path& out, const RunPlace& where) {
        if (!work.evaluation) {
            m_study.emplace(out);
            std::error_code ignored;
            fs::remove(StudyPaths{out}.control(), ignored); // from an earlier life
            return;
        }
        EvaluationInfo info;
        info.folder = out;
        info.request = *work.evaluation;
        info.request.device = work.deviceIsNamed ? info.request.device : deviceOfProcess(where.place);
        m_evaluation.emplace(std::move(info));
    }
    /// By the exit status there; what the documents there say has arrived before.
    void ended(const fs::path& out, int status) {
        if (!m_evaluation)
            return;
        if (status == 0)
            m_evaluation->finished();
        else if (readEvaluation(out).state == EvaluationInfo::State::Running)
            m_evaluation->failed("headroom-worker ended with status " + std::to_string(status) + " there.");
        clearRequest(out);
    }
    /// Nothing was, or will be, computed there.
    void refused(const std::string& sentence, bool wanted) {
        if (m_evaluation)
            wanted ? m_evaluation->stopped() : m_evaluation->failed(sentence);
    }

private:
    std::optional<StudyClaim> m_study;
    std::optional<EvaluationWatch> m_evaluation;
};

bool askedToStop(const fs::path& out) {
    return terminationFlag().load() || studyWasAskedToStop(out) || requestOf(out) == RunRequest::Stop;
}

/// Returns the exit status there, or nullopt if the place could not be asked to stop.
std::optional<int> doThere(const PlacedWork& work, const CLI::App& command, RunPlace& where, const fs::path& out, Console& console) {
    const std::function<bool()> stop = [&] { return askedToStop(out); };
    WorkCommand there;
    if (!where.begun) {
        where.since = utcNow();
        writeRunPlace(out, where);
        there = commandThere(command, where, out, stop, console);
    }
    there.resume = work.resume;
    WorkWatch::Hooks hooks;
    hooks.stop = stop;
    hooks.leave = [] { return terminationFlag().load(); };
    hooks.note = [&](const std::string& sentence) { console.note(sentence); };
    const bool json = command.count("--json") > 0;
    hooks.output = [json](std::string_view text) {
        if (!json)
            std::cout << text << std::flush;
    };
    hooks.errors = [](std::string_view text) { std::cerr << text << std::flush; };
    return WorkWatch(out, where, hooks).watch(there);
}

} // namespace

bool isAtPlace(const PlacedWork& work) {
    if (!work.place.empty())
        return work.place != kThisMachine;
    try {
        const auto known = readRunPlace(wholePath(work.out));
        return known && (work.resume || known->contact != RunPlace::Contact::Ended);
    } catch (const Error&) {
        return true; // workAtPlace() says what is wrong with it
    }
}

void workAtPlace(const PlacedWork& work, const CLI::App& command, Console& console) {
    const fs::path out = wholePath(work.out);
    RunPlace where = placeOfWork(work, out);
    catchTermination();
    WorkClaim claim(work, out, where);
    std::optional<int> status;
    try {
        status = doThere(work, command, where, out, console);
    } catch (const Error& error) {
        const bool wanted = (error.code() == "work.ended" || error.code() == "copy.stopped") && askedToStop(out);
        claim.refused(error.what(), wanted);
        if (error.code() != "work.ended" || !terminationFlag().load())
            throw;
        console.note(error.what()); // a job that waited was taken back, as it was wanted
        console.ended(terminationStatus());
        return;
    }
    if (!status) {
        console.note("The connection is lost, so the work at " + where.place.name +
                     " could not be stopped and continues there. Repeat the command to reconnect.");
        console.ended(terminationStatus());
        return;
    }
    claim.ended(out, *status);
    std::error_code ignored;
    fs::remove(StudyPaths{out}.control(), ignored);
    console.ended(terminationStatus() ? terminationStatus() : *status);
    if (command.count("--json") > 0 && fs::exists(out / work.document, ignored))
        console.document(readStrictObject(out / work.document, "output.unreadable"));
    // Nothing is left there but what was copied for other commands; a study that was stopped needs its folder.
    if (*status == 0 && !terminationFlag().load() && (work.evaluation || readStudy(out).state == RunState::Finished))
        runAt(where.place, {"rm", "-rf", "--", where.folder});
}

} // namespace headroom::training
