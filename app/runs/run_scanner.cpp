// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/run_scanner.h"

#include "app/documents/items/paths.h"
#include "app/runs/evaluation_names.h"
#include "app/runs/run_index.h"
#include "app/runs/run_names.h"
#include "app/runs/run_reading.h"
#include "core/places/run_place.h"
#include "core/runs/jobs.h"
#include "core/runs/strict_json.h"
#include "core/runs/turn_lock.h"
#include "widgets/look/translate.h"
#include "widgets/run_monitor/run_words.h"

#include <QtConcurrent>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

namespace headroom::app {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostLogBytes = 2 << 20; // of a log that is opened late
constexpr std::size_t kEndOfLog = 4096;

std::string newBytes(const fs::path& file, std::size_t from) {
    std::string text;
    std::FILE* stream = std::fopen(file.c_str(), "rbe");
    if (!stream)
        return text;
    if (std::fseek(stream, static_cast<long>(from), SEEK_SET) == 0) {
        char buffer[65536];
        for (std::size_t count; (count = std::fread(buffer, 1, sizeof buffer, stream)) > 0;)
            text.append(buffer, count);
    }
    std::fclose(stream);
    const auto end = text.rfind('\n'); // a line that is being written waits
    text.resize(end == std::string::npos ? 0 : end + 1);
    return text;
}

std::vector<widgets::DecodedSample> readSamples(const fs::path& file, qint64& update) {
    std::vector<widgets::DecodedSample> samples;
    const json document = readStrictObject(file, "samples.badJson");
    update = document.value("update", json()).is_number_integer() ? document["update"].get<qint64>() : 0;
    const auto text = [](const json& object, const char* key) {
        const auto found = object.find(key);
        return found != object.end() && found->is_string() ? QString::fromStdString(found->get<std::string>())
                                                           : QString();
    };
    for (const json& example : document.value("examples", json::array()))
        if (example.is_object())
            samples.push_back({text(example, "id"), text(example, "reference"), text(example, "hypothesis")});
    return samples;
}

/// Of a run's own task before others; and test before what the run was chosen by, and that before what it has learnt.
int orderOf(const EvaluationRequest& request, const widgets::RunItem& run) {
    const QString split = QString::fromStdString(request.split);
    const bool isOther = !request.task.empty() && request.task != run.task.toStdString();
    return (isOther ? 3 : 0) + (split == run.trainSplit ? 2 : split == run.devSplit ? 1 : 0);
}

/// The run went on after the evaluation, and has other weights now. Unknown of one that did not record its weights: it counts.
bool isOfEarlierWeights(const EvaluationInfo& one, const widgets::RunItem& run) {
    if (one.weights.empty())
        return false;
    const std::int64_t update = updateOf(one.weights);
    if (one.request.checkpoint == "best")
        return run.bestUpdate() > 0 && update != run.bestUpdate();
    if (one.request.checkpoint == "last")
        return update != run.info.update;
    return !run.weights.empty() && one.weights != run.weights;
}

/// Of each split the newest finished evaluation of the run's own model as it is now.
std::vector<widgets::EvaluatedScore> scoresOf(const widgets::RunItem& run, const std::vector<EvaluationInfo>& evaluations,
                                              const std::vector<widgets::RunItem>& runs) {
    std::vector<widgets::EvaluatedScore> scores;
    const fs::path model = normalised(RunPaths{run.folder}.model());
    for (const EvaluationInfo& one : evaluations) { // the newest first
        const QString split = evaluatedText(one.request, &run);
        if (one.state != EvaluationInfo::State::Finished || normalised(one.request.model) != model || isOfEarlierWeights(one, run) ||
            std::ranges::find(scores, split, &widgets::EvaluatedScore::split) != scores.end())
            continue;
        scores.push_back({.split = split,
                          .task = one.request.task.empty() ? run.task.toStdString() : one.request.task,
                          .decoding = std::isfinite(one.perplexity) ? QString() : decodingText(one.request, runs),
                          .checkpoint = QString::fromStdString(one.request.checkpoint),
                          .order = orderOf(one.request, run),
                          .wer = one.wer,
                          .bleu = one.bleu,
                          .perplexity = one.perplexity,
                          .mappedWer = one.mappedWer});
    }
    std::ranges::stable_sort(scores, {}, &widgets::EvaluatedScore::order);
    return scores;
}

void addScores(std::vector<widgets::RunItem>& runs, const std::vector<EvaluationInfo>& evaluations) {
    for (widgets::RunItem& run : runs)
        run.evaluated = scoresOf(run, evaluations, runs);
}

/// The first job of this machine waits while an experiment has the turn here: the queue says so in its log, and computes nothing
/// itself.
void sayWhatIsWaitedFor(RunSnapshot& snapshot) {
    const fs::path queue = queueFolder(snapshot.runs);
    const auto saysSo = [&](const char* log) {
        const QString end = QString::fromStdString(tailOf(queue / log, kEndOfLog)).trimmed();
        return end.endsWith(QString::fromStdString(waitsForTurn({})));
    };
    const auto job = std::ranges::find_if(snapshot.waiting, [](const auto& one) { return one.place.isEmpty() && one.error.isEmpty(); });
    if (job == snapshot.waiting.end() || !snapshot.queueRuns || !FileLock::isLocked(turnLock(snapshot.runs)))
        return;
    const bool computes = std::ranges::any_of(snapshot.items, [](const auto& run) { return run.goesOn() && run.place.isEmpty(); }) ||
                          std::ranges::any_of(snapshot.evaluations, [&](const EvaluationInfo& one) {
                              return one.state == EvaluationInfo::State::Running && !snapshot.elsewhere.contains(one.folder);
                          });
    if (!computes && (saysSo("queue.log") || saysSo("log.txt")))
        job->contact = tr("It waits for an experiment that is running on this machine.");
}

/// A job that was put aside keeps the name under which it was started, unless the user has given its experiment another one.
void nameAsGiven(widgets::WaitingItem& job, const RunSnapshot& snapshot) {
    auto own = readJobItem(job.file, snapshot.runs);
    if (!own)
        return;
    const auto sameExperiment = [&](const widgets::RunItem& run) { return run.group == own->group && !run.given.isEmpty(); };
    if (const auto run = std::ranges::find_if(snapshot.items, sameExperiment); run != snapshot.items.end()) {
        own->name = run->name;
        job.name = widgets::runTitle(*own);
    }
}

/// What is found of several folders together: names that tell them apart, and scores. A job has the name that its run will have.
void bringTogether(RunSnapshot& snapshot) {
    std::vector<widgets::RunItem>& items = snapshot.items;
    const std::size_t begun = items.size();
    const auto placeOf = [&](const widgets::WaitingItem& job) {
        return std::find_if(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(begun),
                            [&](const widgets::RunItem& run) { return run.folder == job.run; }) -
               items.begin();
    };
    std::vector<std::pair<widgets::WaitingItem*, std::size_t>> runOf;
    for (widgets::WaitingItem& job : snapshot.waiting) {
        const bool wasRefused = !job.error.isEmpty();
        if (job.evaluates || (wasRefused && !job.resume))
            continue;
        if (const auto at = static_cast<std::size_t>(placeOf(job)); at < begun) {
            runOf.emplace_back(&job, at);
            items[at].isQueued = items[at].isQueued || (job.resume && !wasRefused);
        } else if (auto run = readJobItem(job.file, snapshot.runs)) {
            runOf.emplace_back(&job, items.size());
            items.push_back(std::move(*run));
        }
    }
    tellApart(items, begun);
    for (const auto& [job, at] : runOf)
        job->name = widgets::runTitle(items[at]);
    for (std::size_t job = begun; job < items.size(); ++job) // seeds of experiments that have begun
        for (std::size_t run = 0; run < begun; ++run)
            if (!items[job].group.isEmpty() && items[run].group == items[job].group)
                items[run].waitingSeeds.push_back(items[job].info.seed);
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(begun), items.end());
    for (widgets::WaitingItem& job : snapshot.waiting)
        if (job.evaluates) {
            job.name = evaluationTitle(job.evaluation, items);
            job.brief = briefEvaluationTitle(job.evaluation, items);
        } else if (!job.error.isEmpty() && !job.resume) {
            nameAsGiven(job, snapshot);
        }
    snapshot.titles = evaluationTitles(snapshot.evaluations, items);
    addScores(items, snapshot.evaluations);
}

} // namespace

RunScanner::RunScanner(QString indexFile) : m_indexFile(std::move(indexFile)) {}

RunScanner::~RunScanner() = default;

void RunScanner::look(const RunWishes& wishes) {
    if (!m_index)
        m_index = std::make_unique<RunIndex>(m_indexFile);
    m_hurry = false; // what was asked for is among these wishes, or in the next ones
    auto snapshot = std::make_shared<RunSnapshot>();
    snapshot->runs = wishes.runs;
    if (!m_first && wishes.runs == m_runs && hasNewCurves(wishes)) {
        // A thousand folders can wait; who has just ticked a run cannot.
        snapshot->curvesOnly = true;
        readCurves(wishes, *snapshot);
        Q_EMIT looked(snapshot);
        return;
    }
    auto found = m_index->refresh(wishes.runs, m_first ? nullptr : &m_hurry);
    if (found.interrupted) {
        snapshot->curvesOnly = true;
        Q_EMIT looked(snapshot);
        return;
    }
    snapshot->items = std::move(found.runs);
    snapshot->problems = std::move(found.problems);
    if (m_first && !m_index->problem().isEmpty())
        snapshot->problems << m_index->problem();
    snapshot->waiting = readWaiting(wishes.runs);
    std::erase_if(snapshot->waiting, [](const auto& job) { // it has nothing to say of a run that is in the wastebasket
        std::error_code ignored;
        return job.resume && !job.error.isEmpty() && !fs::exists(job.run, ignored);
    });
    snapshot->queueRuns = queueIsRunning(wishes.runs);
    snapshot->evaluations = lookAtEvaluations(wishes.runs);
    for (const EvaluationInfo& one : snapshot->evaluations) {
        std::error_code ignored;
        if (fs::exists(runPlaceFile(one.folder), ignored))
            snapshot->elsewhere[one.folder] = readElsewhere(one);
    }
    sayWhatIsWaitedFor(*snapshot);
    for (const widgets::RunItem& run : snapshot->items)
        if (run.goesOn() && requestOf(run.folder) == RunRequest::Stop)
            snapshot->stopping.insert(run.folder);
    for (const EvaluationInfo& one : snapshot->evaluations)
        if (one.state == EvaluationInfo::State::Running && requestOf(one.folder) == RunRequest::Stop)
            snapshot->stopping.insert(one.folder);
    std::vector<std::pair<fs::path, QString>> waiting;
    for (const auto& job : snapshot->waiting)
        waiting.emplace_back(job.file, job.error + elsewhereText(job));
    for (const auto& [folder, there] : snapshot->elsewhere)
        waiting.emplace_back(folder, elsewhereText(there));
    bool aged = false;
    for (widgets::RunItem& run : snapshot->items)
        if (run.lost && run.goesOn()) {
            readContact(run);
            aged = true;
        }
    snapshot->changed = m_first || aged || found.readAgain > 0 || found.dropped > 0 || waiting != m_waitingBefore ||
                        snapshot->evaluations != m_evaluationsBefore || snapshot->stopping != m_stoppingBefore ||
                        snapshot->queueRuns != m_queueBefore || wishes.runs != m_runs;
    if (snapshot->changed)
        bringTogether(*snapshot);
    m_first = false;
    m_runs = wishes.runs;
    m_waitingBefore = std::move(waiting);
    m_queueBefore = snapshot->queueRuns;
    m_stoppingBefore = snapshot->stopping;
    m_evaluationsBefore = snapshot->evaluations;
    readCurves(wishes, *snapshot);
    readLog(wishes, *snapshot);
    Q_EMIT looked(snapshot);
}

std::vector<EvaluationInfo> RunScanner::lookAtEvaluations(const fs::path& runs) {
    std::vector<fs::path> folders;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(evaluationsFolder(runs), ignored))
        if (entry.is_directory(ignored))
            folders.push_back(entry.path());
    std::sort(folders.rbegin(), folders.rend());
    std::vector<EvaluationInfo> found;
    for (const fs::path& folder : folders) {
        std::error_code absent;
        const auto changed = fs::last_write_time(EvaluationPaths{folder}.result(), absent);
        const bool finished = !absent && !fs::exists(EvaluationPaths{folder}.progress(), ignored);
        const auto known = m_evaluations.find(folder);
        if (finished && known != m_evaluations.end() && known->second.first == changed) {
            found.push_back(known->second.second);
            continue;
        }
        try {
            found.push_back(readEvaluation(folder));
            if (finished)
                m_evaluations[folder] = {changed, found.back()};
        } catch (const Error&) {
            continue; // it is being made, or is none of ours
        }
    }
    return found;
}

bool RunScanner::hasNewCurves(const RunWishes& wishes) const {
    return std::any_of(wishes.curves.begin(), wishes.curves.end(),
                       [this](const fs::path& run) { return !m_following.contains(run); });
}

void RunScanner::readCurves(const RunWishes& wishes, RunSnapshot& snapshot) {
    const std::set<fs::path> wanted(wishes.curves.begin(), wishes.curves.end());
    std::erase_if(m_following, [&](const auto& one) { return !wanted.contains(one.first); });
    struct Task {
        const fs::path* folder;
        Following* following;
        bool news = false;
    };
    std::vector<Task> tasks;
    for (const fs::path& folder : wanted) {
        const auto [place, isNew] =
            m_following.try_emplace(folder, Following{CurveReader(RunPaths{folder}.events())});
        tasks.push_back({&place->first, &place->second});
    }
    // Six runs of 100 metrics are several megabytes of text: read beside each other.
    QtConcurrent::blockingMap(tasks, [](Task& task) {
        const bool came = task.following->reader.poll() > 0;
        task.news = task.following->isNew || came;
        task.following->isNew = false;
    });
    for (const Task& task : tasks)
        if (task.news)
            snapshot.curves[*task.folder] =
                std::make_shared<const RunCurves>(task.following->reader.curves());
}

void RunScanner::readLog(const RunWishes& wishes, RunSnapshot& snapshot) {
    snapshot.logOf = wishes.log;
    if (wishes.log != m_logOf) {
        m_logOf = wishes.log;
        m_logBytes = 0;
        m_samplesFile.clear();
        snapshot.logBegins = true;
        snapshot.samples.emplace();
    }
    if (m_logOf.empty())
        return;
    const RunPaths paths{m_logOf};
    std::error_code problem;
    const auto size = fs::file_size(paths.log(), problem);
    if (!problem && m_logBytes == 0 && size > kMostLogBytes) {
        const std::string tail = tailOf(paths.log(), kMostLogBytes);
        snapshot.logText = QString::fromUtf8(tail);
        m_logBytes = static_cast<std::size_t>(size);
    } else if (!problem && size > m_logBytes) {
        const std::string text = newBytes(paths.log(), m_logBytes);
        m_logBytes += text.size();
        snapshot.logText = QString::fromUtf8(text);
    }
    fs::path newest;
    for (const auto& entry : fs::directory_iterator(paths.samples(), problem))
        if (entry.path().extension() == ".json" && entry.path().filename() > newest.filename())
            newest = entry.path();
    if (newest.empty() || newest == m_samplesFile)
        return;
    try {
        snapshot.samples = readSamples(newest, snapshot.samplesUpdate);
        m_samplesFile = newest;
    } catch (const std::exception&) {
        // A damaged file of examples: those before it stay on the screen.
    }
}

} // namespace headroom::app
