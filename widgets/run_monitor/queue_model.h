// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/statistics/undefined.h"
#include "widgets/run_monitor/fitted_titles.h"
#include "widgets/run_monitor/queue_items.h"
#include "widgets/run_monitor/run_item.h"

#include <QAbstractTableModel>
#include <QSet>

namespace headroom::widgets {

/// Running, waiting and recently ended jobs, one row each, of the ended ones the one that ended last first; below a failed row a row
/// with its message and what to do. Window's thread only.
class QueueModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { State, Job, Where, Progress, Step, TimeLeft, Speed, Loss, Score, Buttons, ColumnCount };
    enum class Kind {
        Running,
        Paused,
        Stopping,
        NoContact, ///< it goes on elsewhere, as far as is known
        Requeued,  ///< it has begun elsewhere, and waits there to go on
        Copying,   ///< what it needs is on its way to another place
        Pending,   ///< it waits at another place and has not begun
        Waiting,
        Finished,
        Stopped,
        Interrupted,
        Failed,
        NotStarted,
        Sentence
    };
    /// The actions of a row; the painted buttons and the menu offer the same.
    enum class Button { None, Errors, Pause, Stop, Evaluate, Resume, Open, Folder, Remove, Earlier, Delete, Log, TryNow, Script, StartAgain };
    enum Role { KindRole = Qt::UserRole + 2, ShareRole, ButtonsRole, TitlesRole }; ///< int(Kind); 0 … 1; QList<int>; Titles: the job, for little room

    explicit QueueModel(QObject* parent = nullptr);

    /// `stopping`: runs with a pending request to stop.
    void setItems(const std::vector<RunItem>& runs, const std::vector<WaitingItem>& waiting,
                  const QSet<QString>& stopping, const std::vector<EvaluationItem>& evaluations = {});
    bool evaluatesAt(int row) const { return m_rows[static_cast<std::size_t>(row)].evaluates; }
    bool hasScriptAt(int row) const { return m_rows[static_cast<std::size_t>(row)].hasScript; }
    int running() const { return m_running; } ///< without those that are paused, or whose place does not answer
    int paused() const { return m_paused; }
    int queued() const { return m_queued; }
    int copying() const { return m_copying; }
    int lost() const { return m_lost; } ///< whose place does not answer
    int pending() const { return m_pending; } ///< at other places, those that wait to go on included

    Kind kindAt(int row) const { return m_rows[static_cast<std::size_t>(row)].kind; }
    /// Returns the run's folder, or the job's file if there is none yet; for a message row, that of the row
    /// above.
    const std::filesystem::path& pathAt(int row) const { return m_rows[static_cast<std::size_t>(row)].path; }
    int rowOf(const std::filesystem::path& path) const; ///< −1: none; the row of a job that resumes a run is also that of the run
    /// Returns the path of a row that stays: of a job that resumes a run, the run's.
    const std::filesystem::path& lastingPathAt(int row) const;
    QList<Button> buttonsAt(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    static QString kindWord(Kind kind);
    static QString buttonText(Button button, bool evaluates = false); ///< an evaluation has nothing to save
    static QString buttonIcon(Button button);

Q_SIGNALS:
    /// The view must set its spans again.
    void rowsReplaced();

private:
    struct Row {
        Kind kind;
        std::filesystem::path path;
        std::filesystem::path run{}; ///< that a job will resume; empty: it is none of these
        QString job, where, sentence, score;
        double took = kUndefined, share = kUndefined, secondsLeft = kUndefined,
               speed = kUndefined, byteSpeed = kUndefined, loss = kUndefined;
        std::int64_t update = 0, maxUpdates = 0;
        std::int64_t bestUpdate = 0; ///< at which the score was measured; 0: after the last one, or nothing
        bool hasModel = false;
        bool resumes = true; ///< its sentence offers Resume
        bool startsAgain = false; ///< a job that was not started, and can be read
        bool hasScript = false; ///< Show script is offered
        bool held = false;      ///< its sentence offers that
        QString toolTip{}; ///< of the job; empty: its name
        QString brief{}, least{}; ///< of the job, as in Titles
        qsizetype tells = 0;
        QList<int> apart{}; ///< the words of the job that tell it from other runs
        QString scoreTip{}; ///< of the score; empty: none
        bool retries = false;   ///< its sentence offers Try now
        bool stops = false;     ///< it was asked to stop, and has not yet
        bool evaluates = false; ///< steps are utterances
        bool readsText = false; ///< its frames are tokens, and an evaluation counts sentences
        bool hasErrors = true;  ///< an evaluation that wrote texts
        bool finishes() const { return kind == Kind::Running && !evaluates && maxUpdates > 0 && update >= maxUpdates; }
        void showCopy(const Elsewhere& from);
        void takeRun(const RunItem& resumed); ///< from which update it goes on, and what it reached
        bool tellsTimeLeft() const;
        bool looksLike(const Row& other) const; ///< unknown numbers count as equal
    };
    static Row rowFor(const RunItem& run, bool stopping);
    static Row rowFor(const EvaluationItem& evaluation, bool stopping);
    static Row rowFor(const WaitingItem& job);
    static QVariant copied(const Row& row, int column); ///< invalid: as it is shown
    void tellApart(std::vector<Row>& rows);
    bool sameShape(const std::vector<Row>& rows) const;

    std::vector<Row> m_rows;
    QStringList m_titles;      ///< of the runs
    QHash<QString, QList<int>> m_apart; ///< their words
    QHash<QString, QString> m_briefs;        ///< of the evaluations, by their titles
    QHash<QString, Titles> m_evaluations;
    int m_running = 0, m_paused = 0, m_queued = 0, m_copying = 0, m_pending = 0, m_lost = 0;
};

} // namespace headroom::widgets
