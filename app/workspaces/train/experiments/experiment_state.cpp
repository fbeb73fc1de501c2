// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/experiments/experiment_state.h"

#include "app/documents/items/paths.h"
#include "app/jobs/worker_command.h"
#include "app/jobs/worker_location.h"
#include "app/parts/number_text.h"
#include "app/places/contact_text.h"
#include "app/runs/run_reading.h"
#include "core/experiments/result_table.h"
#include "core/runs/strict_json.h"
#include "widgets/look/number_text.h"
#include "widgets/look/translate.h"

#include <QProcess>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <set>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

using StepState = StepProgress::State;
constexpr std::size_t kLogTail = 4096;
constexpr double kLeastP = 0.001; // as in table.md

QString stepKindWord(ExperimentStep::Kind kind) {
    switch (kind) {
    case ExperimentStep::Kind::Train:
        return tr("run");
    case ExperimentStep::Kind::Average:
        return tr("mean of checkpoints");
    case ExperimentStep::Kind::Study:
        return tr("study");
    case ExperimentStep::Kind::Decode:
        return tr("decoding");
    }
    return {};
}

QString stepStateWord(StepState state) {
    switch (state) {
    case StepState::Waiting:
        return tr("waiting");
    case StepState::Running:
        return tr("running");
    case StepState::Broken:
        return tr("to be continued");
    case StepState::Finished:
        return tr("finished");
    case StepState::Failed:
        return tr("failed");
    }
    return {};
}

/// Of a step that goes on: how the contact with its place stands, with its age.
QString contactOfStep(const PlannedStep& planned, const ExperimentPaths& paths) {
    const PlacedThing thing = planned.step.kind == ExperimentStep::Kind::Train   ? PlacedThing::Run
                              : planned.step.kind == ExperimentStep::Kind::Study ? PlacedThing::Study
                                                                                 : PlacedThing::Evaluation;
    try {
        const auto place = readRunPlace(paths.result(planned));
        return place && place->contact != RunPlace::Contact::Ended ? contactText(*place, thing) : QString();
    } catch (const Error& mistake) {
        return QString::fromUtf8(mistake.what());
    }
}

/// How a process ended whose log ends so.
QString endOf(const QString& line) {
    static const QRegularExpression atWork(QStringLiteral("^(Step )?\\d+ of \\d+\\b"));
    return line.startsWith(QLatin1String("Stopped. Finished steps are kept")) ? tr("It was stopped. Continue resumes it.")
           : atWork.match(line).hasMatch() ? tr("It ended unexpectedly. Continue resumes it.")
                                           : line;
}

/// What the process said last of a step: it begins it, or has to wait. A step that is quick, or has just begun, shows nothing in its
/// folder yet.
void followLog(const ExperimentPlan& plan, const QString& log, const QString& last, ExperimentState& state) {
    static const QRegularExpression begins(QStringLiteral("(?:^|\n)Step \\d+ of \\d+: (\\S+) \\("));
    static const QRegularExpression waits(QStringLiteral("^(\\S+) waits: the queue .* computes on this machine\\.$"));
    if (const auto waiting = waits.match(last); waiting.hasMatch()) {
        state.waitsForTurn = waiting.captured(1);
        return;
    }
    QString name;
    for (auto step = begins.globalMatch(log); step.hasNext();)
        name = step.next().captured(1);
    for (std::size_t i = 0; i < plan.steps.size(); ++i)
        if (StepState& stands = state.steps[i].state;
            plan.steps[i].id == name.toStdString() && (stands == StepState::Waiting || stands == StepState::Broken))
            stands = StepState::Running;
}

/// Sets `work`, `missing` and `hasData`. Corpora that cannot be read are named, and the published sizes count.
void countWork(const ExperimentPlan& plan, const fs::path& data, ExperimentForecast& found) {
    const bool needsCorpora = !plan.experiment.corpora.empty();
    found.hasData = !needsCorpora;
    if (needsCorpora && !data.empty())
        try {
            const ExperimentCorpora corpora(plan, normalised(data));
            const std::string missing = joinedSentences(corpora.missing());
            found.work = workOf(plan, &corpora);
            found.hasData = corpora.hasAny();
            found.missing = QString::fromStdString(missing);
            return;
        } catch (const Error& mistake) {
            found.missing = QString::fromUtf8(mistake.what());
        }
    found.work = workOf(plan, nullptr);
}

std::string oursOf(const nlohmann::json& cell, int decimals) {
    const auto number = [&](const char* key) -> QString {
        const auto found = cell.find(key);
        return found != cell.end() && found->is_number() ? widgets::numberText(found->get<double>(), decimals) : QString();
    };
    const auto ours = cell.find("ours");
    QString text = ours != cell.end() && ours->is_string() ? QString::fromStdString(ours->get<std::string>()) : number("ours");
    if (text.isEmpty())
        return "–";
    if (const QString deviation = number("std"); !deviation.isEmpty())
        text += QStringLiteral(" ± ") + deviation;
    if (const auto test = cell.find("test"); test != cell.end() && test->is_object() && test->contains("p") && (*test)["p"].is_number())
        text += (*test)["p"].get<double>() < kLeastP ? tr(" (p < %1)").arg(widgets::numberText(kLeastP, 3))
                                                     : tr(" (p = %1)").arg(widgets::numberText((*test)["p"].get<double>(), 3));
    return text.toStdString();
}

std::string printedOf(const nlohmann::json& cell) {
    const auto text = [&](const char* key) {
        const auto found = cell.find(key);
        return found != cell.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    const std::string printed = text("printed"), deviation = text("printedStd");
    return printed.empty() ? "–" : deviation.empty() ? printed : printed + " ± " + deviation;
}

/// Whether the paper has a number in this column.
bool isPrinted(const nlohmann::json& rows, const std::string& column) {
    return std::ranges::any_of(rows, [&](const nlohmann::json& row) {
        const auto cell = row.at("cells").find(column);
        return cell != row.at("cells").end() && cell->is_object() && printedOf(*cell) != "–";
    });
}

} // namespace

std::vector<ListedExperiment> listExperiments(const fs::path& resources) {
    std::vector<ListedExperiment> list;
    for (const fs::path& file : experimentFiles(resources))
        try {
            list.push_back({file, readExperiment(file), {}});
        } catch (const Error& mistake) {
            list.push_back({file, {}, QString::fromUtf8(mistake.what())});
        }
    return list;
}

ExperimentForecast forecast(const ListedExperiment& experiment, const ExperimentOptions& options, const fs::path& resources,
                            const TrainingTime& time) {
    ExperimentForecast found;
    auto plan = std::make_shared<ExperimentPlan>(
        planExperiment(experiment.document, options.seeds.value_or(experiment.document.seeds), options.scale,
                       {resources, experiment.file.parent_path()}));
    countWork(*plan, options.data, found);
    double seconds = 0;
    bool known = true;
    for (const ExperimentWork::Training& training : found.work.trainings) {
        const auto estimate = time && known ? time(*training.step, training.work) : std::nullopt;
        known = estimate.has_value();
        seconds += estimate.value_or(0);
    }
    if (known && !found.work.trainings.empty())
        found.seconds = seconds;
    found.plan = std::move(plan);
    return found;
}

ExperimentState stateOf(const ExperimentPlan& plan, const fs::path& folder, bool withRecord) {
    const ExperimentPaths paths{folder};
    ExperimentState state;
    std::error_code ignored;
    state.begun = fs::exists(paths.experiment(), ignored);
    if (state.begun && withRecord)
        try {
            state.record = readExperimentRecord(folder);
        } catch (const Error&) {
            // The command says what is wrong with it.
        }
    state.runs = FileLock::isLocked(paths.lock());
    for (const PlannedStep& planned : plan.steps) {
        state.steps.push_back(state.begun ? progressOf(planned, paths) : StepProgress());
        const StepState stands = state.steps.back().state;
        const bool goesOn = state.runs && stands != StepState::Finished && stands != StepState::Failed;
        state.contacts.push_back(goesOn ? contactOfStep(planned, paths) : QString());
    }
    if (fs::exists(paths.table(".json"), ignored))
        try {
            state.result = resultTable(paths.table(".json"), state.notes);
        } catch (const Error& mistake) {
            state.notes = QString::fromUtf8(mistake.what());
        }
    QString log = QString::fromStdString(tailOf(experimentLog(folder), kLogTail)).trimmed();
    const QString last = log.section(QLatin1Char('\n'), -1).trimmed();
    if (state.runs)
        followLog(plan, log, last, state);
    state.said = endOf(last);
    return state;
}

int unfinishedSteps(const ExperimentForecast& forecast, const ExperimentState& state) {
    int count = 0;
    for (std::size_t i = 0; i < state.steps.size(); ++i)
        count += state.steps[i].state != StepState::Finished && !forecast.work.leftOut.contains(forecast.plan->steps[i].id);
    return count;
}

QString stepsText(const ExperimentForecast& forecast, const ExperimentState& state) {
    if (forecast.plan->steps.empty())
        return state.result ? tr("The table is finished.") : tr("No run, study or decoding is needed.");
    const auto finished = std::ranges::count(state.steps, StepState::Finished, &StepProgress::state);
    const auto failed = std::ranges::count(state.steps, StepState::Failed, &StepProgress::state);
    const auto all = finished + unfinishedSteps(forecast, state);
    QString text = (all == 1        ? tr("%1 of %2 step is finished.")
                    : finished == 1 ? tr("%1 of %2 steps is finished.")
                                    : tr("%1 of %2 steps are finished."))
                       .arg(thousands(finished), thousands(all));
    if (failed > 0)
        text += QLatin1Char(' ') + (failed == 1 ? tr("1 step failed. Continue retries it.")
                                                : tr("%1 steps failed. Continue retries them.").arg(thousands(failed)));
    return text;
}

StudyTable stepTable(const ExperimentForecast& forecast, const ExperimentState& state) {
    const ExperimentPlan& plan = *forecast.plan;
    StudyTable table;
    table.name = "steps";
    table.title = tr("Steps").toStdString();
    table.columns = {{"step", tr("Step").toStdString(), "", 0, true},
                     {"kind", tr("Kind").toStdString(), "", 0, true},
                     {"state", tr("State").toStdString(), "", 0, true},
                     {"done", tr("Done").toStdString(), "", 0, false},
                     {"total", tr("Of").toStdString(), "", 0, false},
                     {"error", tr("Remark").toStdString(), "", 0, true}};
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        const PlannedStep& planned = plan.steps[i];
        const StepProgress progress = i < state.steps.size() ? state.steps[i] : StepProgress();
        const QString contact = i < state.contacts.size() ? state.contacts[i] : QString();
        const std::int64_t total =
            progress.total > 0 || planned.step.kind != ExperimentStep::Kind::Train ? progress.total : planned.recipe.length.maxUpdates;
        const auto without = forecast.work.leftOut.find(planned.id);
        const bool leftOut = without != forecast.work.leftOut.end() && progress.state == StepState::Waiting;
        const bool early = planned.step.kind == ExperimentStep::Kind::Train && progress.state == StepState::Finished && progress.done < total;
        const std::string remark = leftOut                   ? without->second
                                   : !progress.error.empty() ? progress.error
                                   : early                   ? tr("Its recipe ended it before the last update.").toStdString()
                                                             : contact.toStdString();
        table.rows.push_back({planned.id, stepKindWord(planned.step.kind).toStdString(),
                              (leftOut ? tr("left out") : stepStateWord(progress.state)).toStdString(),
                              progress.done > 0 ? StudyCell(static_cast<double>(progress.done)) : StudyCell(),
                              total > 0 ? StudyCell(static_cast<double>(total)) : StudyCell(),
                              remark});
    }
    return table;
}

StudyTable resultTable(const fs::path& file, QString& notes) {
    const nlohmann::json document = readStrictObject(file, "experiment.badJson");
    StudyTable table;
    try {
        table.name = "experiment";
        table.title = document.at("title").get<std::string>();
        for (const auto& label : document.at("labels"))
            table.columns.push_back({label.get<std::string>(), label.get<std::string>(), "", 0, true});
        for (const auto& column : document.at("columns")) {
            const auto key = column.at("key").get<std::string>(), title = column.at("title").get<std::string>();
            if (isPrinted(document.at("rows"), key))
                table.columns.push_back({key + "-printed", tr("%1, paper").arg(QString::fromStdString(title)).toStdString(), "", 0, true});
            table.columns.push_back({key, tr("%1, ours").arg(QString::fromStdString(title)).toStdString(), "", 0, true});
        }
        for (const auto& row : document.at("rows")) {
            std::vector<StudyCell> cells;
            for (const auto& label : row.at("labels"))
                cells.emplace_back(label.get<std::string>());
            for (const auto& column : document.at("columns")) {
                const auto key = column.at("key").get<std::string>();
                const auto found = row.at("cells").find(key);
                const bool empty = found == row.at("cells").end() || !found->is_object();
                if (isPrinted(document.at("rows"), key))
                    cells.emplace_back(empty ? std::string() : printedOf(*found));
                cells.emplace_back(empty ? std::string() : oursOf(*found, column.at("decimals").get<int>()));
            }
            table.rows.push_back(std::move(cells));
        }
        markTextColumns(table, document.at("labels").size());
        QStringList sentences;
        for (const auto& note : document.at("notes"))
            sentences << QString::fromStdString(note.get<std::string>());
        notes = sentences.join(QLatin1Char(' '));
    } catch (const nlohmann::json::exception&) {
        throw Error("experiment.badJson", file.string() + " is not the table of an experiment.", {{"file", file.string()}});
    }
    return table;
}

fs::path experimentLog(const fs::path& folder) {
    return folder / "log.txt";
}

QString startExperiment(const ExperimentOptions& options) {
    const WorkerLocation worker = findWorker();
    if (worker.program.isEmpty())
        return worker.sentence;
    std::error_code problem;
    fs::create_directories(options.out, problem);
    if (problem)
        return tr("%1 could not be created: %2.").arg(toQString(options.out), QString::fromStdString(problem.message()));
    QProcess process;
    process.setProgram(worker.program);
    process.setArguments(processArguments(arguments(options)));
    process.setWorkingDirectory(toQString(options.out));
    process.setStandardInputFile(QProcess::nullDevice());
    process.setStandardOutputFile(QProcess::nullDevice());
    process.setStandardErrorFile(toQString(experimentLog(options.out)), QIODevice::Append);
    if (!process.startDetached()) // in a session of its own: it outlives the window
        return tr("%1 could not be started: %2.").arg(worker.program, process.errorString());
    return {};
}

} // namespace headroom::app
