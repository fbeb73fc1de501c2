// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/runs/folder_looks.h"
#include "app/runs/run_scanner.h"
#include "core/runs/evaluations.h"

#include <QObject>
#include <QThread>

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace headroom::app {

/// The runs of one folder as the window knows them: followed on disk, once a second and whenever the folder
/// or its queue changes, on a thread of its own. Any process may write there; this only reads. Window's
/// thread.
class RunStore : public QObject {
    Q_OBJECT

public:
    RunStore(std::filesystem::path runs, const QString& indexFile, QObject* parent = nullptr);
    ~RunStore() override; ///< waits for the look in progress

    const std::filesystem::path& folder() const { return m_wishes.runs; }
    void setFolder(const std::filesystem::path& runs);
    bool isReady() const { return m_snapshot != nullptr; }        ///< the first look came back
    bool isPending() const { return !isReady() || m_newsWanted; } ///< something asked for is on its way

    // Borrowed until changed(), which comes with other lists.
    const std::vector<widgets::RunItem>& runs() const { return m_shown->items; }
    const std::vector<widgets::WaitingItem>& waiting() const { return m_shown->waiting; }
    const std::vector<EvaluationInfo>& evaluations() const { return m_shown->evaluations; }
    QString titleOf(const EvaluationInfo& evaluation) const; ///< the same everywhere; of one of evaluations()
    const EvaluationInfo* findEvaluation(const std::filesystem::path& folder) const; ///< borrowed until changed()
    const widgets::WaitingItem* findWaiting(const std::filesystem::path& job) const; ///< by its file; borrowed until changed()
    widgets::Elsewhere elsewhere(const std::filesystem::path& evaluation) const; ///< without a place: of this machine
    const widgets::RunItem* find(const std::filesystem::path& folder) const; ///< borrowed until changed()
    /// Runs and evaluations that go on and are asked to stop, whoever asked, and when; borrowed until changed().
    const std::set<std::filesystem::path>& stopping() const { return m_shown->stopping; }
    bool queueRuns() const { return m_snapshot && m_snapshot->queueRuns; }

    /// Curves are read and kept up to date for these runs only.
    void followCurves(std::vector<std::filesystem::path> folders);
    std::shared_ptr<const RunCurves>
    curves(const std::filesystem::path& folder) const; ///< null: not read yet
    /// Log and examples of this run come by logChanged() and samplesChanged(); empty: of none.
    void followLog(const std::filesystem::path& folder);
    std::filesystem::path logOf() const { return m_wishes.log; }

    void lookNow();
    void setPeriod(int milliseconds) { m_looks.setPeriod(milliseconds); }
    /// The user's own: HEADROOM_RUNS, or headroom/runs in the user's data folder.
    static std::filesystem::path defaultFolder();

Q_SIGNALS:
    void changed();
    void curvesChanged();
    void logChanged(bool begins, const QString& text);
    void samplesChanged(qint64 update, const std::vector<headroom::widgets::DecodedSample>& samples);
    /// A run that was seen running is not any more, or one that is new has failed.
    void runEnded(const headroom::widgets::RunItem& run);
    void evaluationEnded(const headroom::EvaluationInfo& evaluation); ///< likewise
    void jobPutAside(const headroom::widgets::WaitingItem& job); ///< it could not be started
    void problemFound(const QString& sentence);              ///< each once
    void lookWanted(const headroom::app::RunWishes& wishes); ///< for the scanner

private:
    bool hasAllCurves() const; ///< that are wished for
    void takeRuns(const std::shared_ptr<const RunSnapshot>& snapshot);
    void take(const std::shared_ptr<const RunSnapshot>& snapshot);

    RunWishes m_wishes;
    QThread m_thread;
    RunScanner* m_scanner;
    FolderLooks m_looks;
    std::shared_ptr<const RunSnapshot> m_snapshot;
    /// The last look that found something else than the one before it: not copied, because it is that of a thousand runs.
    std::shared_ptr<const RunSnapshot> m_shown = std::make_shared<RunSnapshot>();
    std::map<std::filesystem::path, std::shared_ptr<const RunCurves>> m_curves;
    QStringList m_said;
    std::string m_since;                    ///< UTC, when this folder was first read
    std::set<std::filesystem::path> m_seen; ///< every run and evaluation of this folder, also those that are gone again
    bool m_looking = false, m_again = false, m_newsWanted = false;
};

} // namespace headroom::app
