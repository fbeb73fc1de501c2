// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/work_at_place.h"

#include "core/errors/whole_path.h"
#include "core/places/run_place.h"
#include "core/runs/run_folder.h"
#include "core/runs/strict_json.h"
#include "core/studies/study.h"
#include "core/tensors/sha256.h"
#include "training/places/connection.h"
#include "training/processes/exit_status.h"
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

std::string textHash(const std::string& text) {
    return sha256OfBytes(std::as_bytes(std::span(text.data(), text.size()))).substr(0, 12);
}

/// A new folder there for the results of a folder here.
RunPlace newPlaceOf(const Place& place, const fs::path& out) {
    RunPlace where;
    where.place = place;
    char host[256] = {};
    ::gethostname(host, sizeof host - 1);
    where.folder = pathAt(place, "work/" + textHash(host + out.string()) + "-" + std::to_string(::getpid()) + utcNow().substr(17, 2));
    return where;
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
    return newPlaceOf(findPlace(readPlaces(placesFile()), work.place), out);
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
        m_evaluation.emplace(std::move(info), where.begun);
    }
    /// By the exit status there; what the documents there say has arrived before. `said`: the last line of its errors.
    void ended(const fs::path& out, int status, const std::string& place, const std::string& said) {
        if (!m_evaluation)
            return;
        if (status == 0)
            m_evaluation->finished();
        else if (readEvaluation(out).state == EvaluationInfo::State::Running)
            m_evaluation->failed(place + ": " +
                                 (status > kStatusOfSignal  ? "headroom-worker was ended by signal " + std::to_string(status - kStatusOfSignal) + "."
                                  : said.empty() ? "headroom-worker ended with status " + std::to_string(status) + "."
                                                 : said));
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

/// `line`: the last one so far, perhaps without its end; `text` goes on with it.
void keepLastLine(std::string& line, std::string_view text) {
    line += text;
    const auto last = line.find_last_not_of('\n');
    const auto before = last == std::string::npos ? last : line.rfind('\n', last);
    if (before != std::string::npos)
        line.erase(0, before + 1);
}

bool askedToStop(const PlacedWork& work, const fs::path& out) {
    return (terminationFlag().load() && !work.leaves) || studyWasAskedToStop(out) || requestOf(out) == RunRequest::Stop;
}

/// Returns the exit status there, or nullopt if the place could not be asked to stop.
std::optional<int> doThere(const PlacedWork& work, const CLI::App& command, RunPlace& where, const fs::path& out, Console& console,
                           std::string& said) {
    const std::function<bool()> stop = [&] { return askedToStop(work, out); };
    WorkCommand there;
    if (!where.begun) {
        where.since = utcNow();
        writeRunPlace(out, where);
        there = commandThere(command, where, out, [&] { return stop() || terminationFlag().load(); }, console);
    }
    there.resume = work.resume;
    WorkWatch::Hooks hooks;
    hooks.stop = stop;
    hooks.leave = [] { return terminationFlag().load(); };
    hooks.detach = [&] { return work.leaves && terminationFlag().load(); };
    hooks.note = [&](const std::string& sentence) { console.note(sentence); };
    const bool json = command.count("--json") > 0;
    hooks.output = [json](std::string_view text) {
        if (!json)
            std::cout << text << std::flush;
    };
    hooks.errors = [&said](std::string_view text) {
        std::cerr << text << std::flush;
        keepLastLine(said, text);
    };
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
    std::string said;
    for (bool found = where.begun && work.evaluation;; found = false) {
        try {
            status = doThere(work, command, where, out, console, said);
            break;
        } catch (const Error& error) {
            const bool ended = error.code() == "work.ended" || error.code() == "work.vanished";
            const bool wanted = (ended || error.code() == "copy.stopped") && askedToStop(work, out);
            if (work.evaluation && (ended || wanted)) // nothing of it can be used
                try {
                    clearThere(where);
                } catch (const Error& left) { // how it ended is said all the same
                    console.note(left.what());
                }
            if (error.code() == "work.vanished" && found && !wanted && !terminationFlag().load()) {
                console.note(error.what() + std::string(" It is begun again."));
                where = newPlaceOf(where.place, out);
                continue;
            }
            if (work.leaves && terminationFlag().load() && !ended && !wanted) { // the same command begins it, or finds it
                console.ended(terminationStatus());
                return;
            }
            claim.refused(error.what(), wanted);
            if (!ended || !terminationFlag().load())
                throw;
            console.note(error.what()); // a job that waited was taken back, as it was wanted
            console.ended(terminationStatus());
            return;
        }
    }
    if (!status) {
        console.note(work.leaves ? "The evaluation continues at " + where.place.name + ". Repeat the command to reconnect."
                                 : "The connection is lost, so the work at " + where.place.name +
                                       " could not be stopped and continues there. Repeat the command to reconnect.");
        console.ended(terminationStatus());
        return;
    }
    claim.ended(out, *status, where.place.name, said.substr(0, said.find('\n')));
    std::error_code ignored;
    fs::remove(StudyPaths{out}.control(), ignored);
    console.ended(terminationStatus() ? terminationStatus() : *status);
    if (command.count("--json") > 0 && fs::exists(out / work.document, ignored))
        console.document(readStrictObject(out / work.document, "output.unreadable"));
    // Nothing is left there but what was copied for other commands; a study that was stopped needs its folder.
    if (work.evaluation || (*status == 0 && !terminationFlag().load() && readStudy(out).state == RunState::Finished))
        clearThere(where);
}

} // namespace headroom::training
