// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/count_text.h"
#include "core/studies/notes.h"
#include "core/studies/settings.h"
#include "core/studies/study_json.h"
#include "training/figures/files.h"
#include "training/figures/study_figures.h"
#include "training/studies/study_request.h"
#include "training/worker/commands.h"
#include "training/worker/termination.h"

#include <chrono>
#include <cstdio>

namespace headroom::training {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostColumns = 12;

StudyRequest studyRequestOf(const StudyOptions& options) {
    StudyRequest request;
    request.out = options.out.empty() ? options.resumed : options.out;
    request.cache = options.cache;
    request.threads = options.threads;
    request.resume = options.resume;
    if (options.resume)
        return request;
    request.kind = studyKind(options.kind);
    request.models = options.models;
    request.names = options.names;
    request.draft = options.draft;
    request.maps = options.maps;
    request.data = options.data;
    request.audio = options.audio;
    request.alignments = options.alignments;
    request.ids = options.ids;
    request.texts = options.texts;
    request.split = options.split;
    request.task = options.task;
    request.utterances = options.utterances;
    request.seed = options.seed;
    for (const std::string& assignment : options.set)
        setStudySetting(request.settings, assignment);
    return request;
}

std::string timeText(double seconds) {
    char text[64];
    if (seconds < 60)
        std::snprintf(text, sizeof text, "%.0f s left", seconds);
    else if (seconds < 3600)
        std::snprintf(text, sizeof text, "%.0f min left", seconds / 60);
    else
        std::snprintf(text, sizeof text, "%.1f h left", seconds / 3600);
    return text;
}

/// Progress as the console takes it: a bar as often as it comes, lines every few seconds.
class Shown {
public:
    explicit Shown(Console& console) : m_console(console) {}
    void operator()(const StudyProgress& progress) {
        const auto now = std::chrono::steady_clock::now();
        const bool isNew = progress.stage != m_stage || progress.done == progress.total;
        if (!m_console.isTerminal() && !isNew && now - m_last < std::chrono::seconds(5))
            return;
        if (progress.done == m_done && !isNew)
            return;
        m_last = now;
        m_stage = progress.stage;
        m_done = progress.done;
        std::string text = progress.stage;
        if (progress.cached > 0)
            text += ", " + grouped(progress.cached) + " known";
        if (progress.secondsLeft > 0)
            text += ", " + timeText(progress.secondsLeft);
        m_console.progressAt(progress.done, progress.total, text);
    }

private:
    Console& m_console;
    std::chrono::steady_clock::time_point m_last;
    std::string m_stage;
    std::int64_t m_done = -1;
};

void say(const Study& study, const fs::path& folder, Console& console) {
    for (const std::string& note : allNotes(study))
        console.note(note);
    for (const StudyTable& table : study.tables) {
        console.line(table.title);
        if (table.columns.size() > kMostColumns) { // no terminal is so wide
            console.line("in " + (StudyPaths{folder}.tables() / (table.name + ".csv")).string());
            console.line("");
            continue;
        }
        std::string heads;
        for (const StudyColumn& column : table.columns)
            heads += (heads.empty() ? "" : "\t") + headText(column);
        console.line(heads);
        for (const auto& row : table.rows) {
            std::string line;
            for (std::size_t i = 0; i < row.size(); ++i)
                line += (i ? "\t" : "") + shownText(table.columns[i], row[i]);
            console.line(line);
        }
        console.line("");
    }
    console.line("The study is in " + folder.string() + ".");
}

} // namespace

std::string deviceOfStudy(const StudyOptions& options) {
    std::string device = options.device;
    if (device.empty() && options.resume)
        try {
            device = readStudy(options.out.empty() ? options.resumed : options.out).device;
        } catch (const Error&) {
            device.clear(); // the command itself says what is wrong
        }
    return device.empty() ? "cpu" : device;
}

void study(const StudyOptions& options, Console& console) {
    const StudyRequest request = studyRequestOf(options);
    catchTermination();
    Shown shown(console);
    StudyListener listener;
    listener.progress = [&](const StudyProgress& progress) { shown(progress); };
    listener.note = [&](const std::string& sentence) { console.note(sentence); };
    listener.problem = [&](const std::string& sentence) { console.problem(sentence); };
    listener.stop = [] { return terminationFlag().load(); };
    const Study result = runStudy(request, listener);
    if (result.state == RunState::Stopped) {
        console.note("Stopped. Measurements are kept. To continue: --resume " + request.out.string() + ".");
        console.ended(terminationStatus()); // 0 where control.json asked for it
    } else {
        say(result, request.out, console);
    }
    if (result.state == RunState::Finished && options.figures) {
        if (const auto remark = figures::fontRemark(); !remark.empty())
            console.note(remark);
        console.line(counted(static_cast<std::int64_t>(drawStudy(request.out).size()), "file") +
                     " of figures in " + StudyPaths{request.out}.figures().string() + ".");
    }
    console.document(studyDocument(result));
}

} // namespace headroom::training
