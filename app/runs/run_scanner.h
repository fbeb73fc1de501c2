// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/curve_reader.h"
#include "core/runs/evaluations.h"
#include "widgets/run_monitor/queue_items.h"
#include "widgets/run_monitor/run_item.h"
#include "widgets/run_monitor/samples_view.h"

#include <QObject>
#include <QSet>

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace headroom::app {

class RunIndex;

/// What one look at the disk found. Never changed after it is made.
struct RunSnapshot {
    std::filesystem::path runs;
    bool curvesOnly = false;             ///< somebody waits for curves: nothing else was looked at, or not to the end
    std::vector<widgets::RunItem> items; ///< newest first
    std::vector<widgets::WaitingItem> waiting;
    std::vector<EvaluationInfo> evaluations; ///< newest first
    std::map<std::filesystem::path, QString> titles; ///< of evaluations, by folder
    std::map<std::filesystem::path, widgets::Elsewhere> elsewhere; ///< by folder: those of evaluations that another place computes
    std::set<std::filesystem::path> stopping; ///< runs and evaluations that go on and are asked to stop: their control.json says so
    bool queueRuns = false;
    bool changed = false; ///< anything above differs from the look before; else names, titles and scores are not told
    QStringList problems;
    std::map<std::filesystem::path, std::shared_ptr<const RunCurves>>
        curves; ///< of followed runs, where there is news
    // Of the run whose log is read:
    std::filesystem::path logOf;
    bool logBegins = false; ///< logText is the first of it; else it comes behind what was sent
    QString logText;
    std::optional<std::vector<widgets::DecodedSample>> samples; ///< nothing: no news
    qint64 samplesUpdate = 0;
};

/// What is to be looked at.
struct RunWishes {
    std::filesystem::path runs;
    std::vector<std::filesystem::path> curves; ///< runs whose curves are wanted
    std::filesystem::path log;                 ///< run whose log and examples are wanted; empty: none
};

/// Looks at the disk, on a thread of its own (RunStore makes it): index, waiting jobs, new lines of events
/// and logs.
class RunScanner : public QObject {
    Q_OBJECT

public:
    explicit RunScanner(QString indexFile);
    ~RunScanner() override;

    void look(const headroom::app::RunWishes& wishes);
    /// Somebody waits for curves: a look at the folders that is going on ends with what it has, curvesOnly. Any thread.
    void hurry() { m_hurry = true; }

Q_SIGNALS:
    void looked(const std::shared_ptr<const headroom::app::RunSnapshot>& snapshot);

private:
    struct Following {
        CurveReader reader;
        bool isNew = true;
    };
    bool hasNewCurves(const RunWishes& wishes) const;
    /// A finished evaluation is read once: its document holds every sentence.
    std::vector<EvaluationInfo> lookAtEvaluations(const std::filesystem::path& runs);
    void readCurves(const RunWishes& wishes, RunSnapshot& snapshot);
    void readLog(const RunWishes& wishes, RunSnapshot& snapshot);

    QString m_indexFile;
    std::unique_ptr<RunIndex> m_index; ///< made on the scanner's thread
    std::map<std::filesystem::path, Following> m_following;
    std::filesystem::path m_logOf, m_runs;
    std::size_t m_logBytes = 0;
    std::filesystem::path m_samplesFile;
    std::vector<std::pair<std::filesystem::path, QString>> m_waitingBefore;
    std::map<std::filesystem::path, std::pair<std::filesystem::file_time_type, EvaluationInfo>> m_evaluations;
    std::vector<EvaluationInfo> m_evaluationsBefore;
    std::set<std::filesystem::path> m_stoppingBefore;
    bool m_queueBefore = false, m_first = true;
    std::atomic<bool> m_hurry = false;
};

} // namespace headroom::app
