// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/run_store.h"

#include "app/documents/items/paths.h"
#include "app/runs/evaluation_names.h"
#include "core/runs/jobs.h"

#include <QStandardPaths>

#include <algorithm>

namespace headroom::app {

using widgets::RunItem;
namespace fs = std::filesystem;

fs::path RunStore::defaultFolder() {
    if (const QString set = qEnvironmentVariable("HEADROOM_RUNS"); !set.isEmpty())
        return normalised(toPath(set));
    return toPath(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)) / "headroom" /
           "runs";
}

RunStore::RunStore(fs::path runs, const QString& indexFile, QObject* parent)
    : QObject(parent)
    , m_wishes{normalised(runs), {}, {}}
    , m_scanner(new RunScanner(indexFile))
    , m_looks([this] { lookNow(); }) {
    m_thread.setObjectName(QStringLiteral("runs"));
    m_scanner->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_scanner, &QObject::deleteLater);
    connect(this, &RunStore::lookWanted, m_scanner, &RunScanner::look);
    connect(m_scanner, &RunScanner::looked, this, &RunStore::take);
    m_thread.start(QThread::LowPriority);
    lookNow();
}

RunStore::~RunStore() {
    m_thread.quit();
    m_thread.wait();
}

void RunStore::setFolder(const fs::path& runs) {
    const fs::path folder = normalised(runs);
    if (folder == m_wishes.runs)
        return;
    m_wishes = {folder, {}, {}};
    m_curves.clear();
    m_snapshot.reset();
    m_shown = std::make_shared<RunSnapshot>();
    m_seen.clear();
    Q_EMIT changed();
    lookNow();
}

void RunStore::lookNow() {
    if (m_looking) {
        m_again = true;
        return;
    }
    m_looking = true;
    for (const fs::path& folder : {m_wishes.runs, queueFolder(m_wishes.runs)})
        m_looks.watch(folder);
    // Forgotten here as there, with the same wishes: the scanner reads a run again only after it was asked without it.
    std::erase_if(m_curves, [this](const auto& one) {
        return std::find(m_wishes.curves.begin(), m_wishes.curves.end(), one.first) == m_wishes.curves.end();
    });
    Q_EMIT lookWanted(m_wishes);
}

const RunItem* RunStore::find(const fs::path& folder) const {
    const auto found =
        std::find_if(runs().begin(), runs().end(), [&](const RunItem& run) { return run.folder == folder; });
    return found == runs().end() ? nullptr : &*found;
}

widgets::Elsewhere RunStore::elsewhere(const fs::path& evaluation) const {
    const auto found = m_shown->elsewhere.find(evaluation);
    return found == m_shown->elsewhere.end() ? widgets::Elsewhere() : found->second;
}

QString RunStore::titleOf(const EvaluationInfo& evaluation) const {
    const auto found = m_shown->titles.find(evaluation.folder);
    return found == m_shown->titles.end() ? evaluationTitle(evaluation, runs()) : found->second;
}

const EvaluationInfo* RunStore::findEvaluation(const fs::path& folder) const {
    const auto found = std::find_if(evaluations().begin(), evaluations().end(),
                                    [&](const EvaluationInfo& one) { return one.folder == folder; });
    return found == evaluations().end() ? nullptr : &*found;
}

const widgets::WaitingItem* RunStore::findWaiting(const fs::path& job) const {
    const auto found = std::find_if(waiting().begin(), waiting().end(), [&](const widgets::WaitingItem& one) { return one.file == job; });
    return found == waiting().end() ? nullptr : &*found;
}

void RunStore::followCurves(std::vector<fs::path> folders) {
    if (folders == m_wishes.curves)
        return;
    m_wishes.curves = std::move(folders);
    if (!hasAllCurves()) {
        m_newsWanted = true;
        m_scanner->hurry();
    }
    lookNow();
}

bool RunStore::hasAllCurves() const {
    return std::all_of(m_wishes.curves.begin(), m_wishes.curves.end(), [this](const fs::path& run) { return m_curves.contains(run); });
}

std::shared_ptr<const RunCurves> RunStore::curves(const fs::path& folder) const {
    const auto found = m_curves.find(folder);
    return found == m_curves.end() ? nullptr : found->second;
}

void RunStore::followLog(const fs::path& folder) {
    if (folder == m_wishes.log)
        return;
    m_wishes.log = folder;
    m_newsWanted = true;
    lookNow();
}

void RunStore::takeRuns(const std::shared_ptr<const RunSnapshot>& snapshot) {
    const bool first = !m_snapshot;
    std::vector<RunItem> ended;
    for (const RunItem& before : runs())
        if (before.goesOn())
            for (const RunItem& now : snapshot->items)
                if (now.folder == before.folder && !now.goesOn())
                    ended.push_back(now);
    std::vector<EvaluationInfo> evaluated;
    for (const EvaluationInfo& before : evaluations())
        if (before.state == EvaluationInfo::State::Running)
            for (const EvaluationInfo& now : snapshot->evaluations)
                if (now.folder == before.folder && now.state != EvaluationInfo::State::Running)
                    evaluated.push_back(now);
    if (first)
        m_since = utcNow();
    // What ends at once is never seen running. What comes back from the wastebasket has been seen, and what is copied here is older.
    for (const RunItem& now : snapshot->items)
        if (m_seen.insert(now.folder).second && !first && !now.goesOn() && !now.isQueued &&
            (now.info.state == RunState::Failed || now.info.created >= m_since))
            ended.push_back(now);
    for (const EvaluationInfo& now : snapshot->evaluations)
        if (m_seen.insert(now.folder).second && !first && now.state != EvaluationInfo::State::Running &&
            (now.state == EvaluationInfo::State::Failed || now.ended >= m_since))
            evaluated.push_back(now);
    std::vector<widgets::WaitingItem> putAside;
    const auto wasThere = [this](const widgets::WaitingItem& now) { // one that was started again may have the same file
        return std::ranges::any_of(m_snapshot->waiting, [&](const auto& before) { return before.file == now.file && before.ended == now.ended; });
    };
    for (const widgets::WaitingItem& now : snapshot->waiting)
        if (!first && !now.error.isEmpty() && !wasThere(now))
            putAside.push_back(now);
    m_snapshot = snapshot;
    if (snapshot->changed || first) {
        m_shown = snapshot;
        Q_EMIT changed();
    }
    for (const RunItem& run : ended)
        Q_EMIT runEnded(run);
    for (const EvaluationInfo& evaluation : evaluated)
        Q_EMIT evaluationEnded(evaluation);
    for (const widgets::WaitingItem& job : putAside)
        Q_EMIT jobPutAside(job);
}

void RunStore::take(const std::shared_ptr<const RunSnapshot>& snapshot) {
    m_looking = false;
    if (m_again || snapshot->curvesOnly) {
        m_again = false;
        QTimer::singleShot(0, this, &RunStore::lookNow);
    }
    if (snapshot->runs != m_wishes.runs)
        return; // of a folder that is not looked at any more
    if (!snapshot->curvesOnly)
        takeRuns(snapshot);
    bool curvesCame = false;
    for (const auto& [folder, curves] : snapshot->curves)
        if (std::find(m_wishes.curves.begin(), m_wishes.curves.end(), folder) != m_wishes.curves.end()) {
            m_curves[folder] = curves;
            curvesCame = true;
        }
    if (curvesCame)
        Q_EMIT curvesChanged();
    if (!snapshot->curvesOnly && snapshot->logOf == m_wishes.log) {
        if (snapshot->logBegins || !snapshot->logText.isEmpty())
            Q_EMIT logChanged(snapshot->logBegins, snapshot->logText);
        if (snapshot->samples)
            Q_EMIT samplesChanged(snapshot->samplesUpdate, *snapshot->samples);
    }
    if (!snapshot->curvesOnly && snapshot->logOf == m_wishes.log && hasAllCurves())
        m_newsWanted = false;
    for (const QString& sentence : snapshot->problems)
        if (!m_said.contains(sentence)) {
            m_said << sentence;
            Q_EMIT problemFound(sentence);
        }
}

} // namespace headroom::app
