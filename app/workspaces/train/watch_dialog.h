// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/worker_task.h"
#include "core/studies/table.h"

#include <QDialog>
#include <QStringList>

class QComboBox;
class QLabel;
class QPushButton;

namespace headroom::widgets {
class StudyTableView;
}

namespace headroom::app {

class PlaceStore;
class RunStore;

/// The runs at a place, whoever started them: `headroom-worker places runs`. One that is chosen is brought here and followed; nothing is
/// started there. Window's thread.
class WatchDialog : public QDialog {
    Q_OBJECT

public:
    /// Both borrowed. `runs`: what is here already.
    WatchDialog(PlaceStore* places, RunStore* runs, QWidget* parent = nullptr);

    void choosePlace(const QString& name);
    QString sentence() const; ///< what was found, or what is wrong
    bool isPending() const { return m_task && m_task->isRunning(); }
    widgets::StudyTableView* table() const { return m_table; }
    QPushButton* watchButton() const { return m_watch; }

    /// The table of an answer, and the folders' names of its rows. Throws Error "places.badAnswer" for another document. Pure.
    static StudyTable tableOf(const QByteArray& answer, const QStringList& here, QStringList& names);

Q_SIGNALS:
    void watchRequested(const QString& place, const QString& name);

private:
    void makeLayout();
    void fillPlaces();
    void look();
    void leaveLook();
    void take(const WorkerTask::End& end);
    void say(const QString& sentence, bool wrong);
    void updateButton();
    void watch();
    QStringList namesHere() const;

    PlaceStore* m_places;
    RunStore* m_runs;
    WorkerTask* m_task = nullptr; ///< of the last look; an earlier one may still be ending
    QByteArray m_answer; ///< of the place that is chosen; empty: none yet
    QStringList m_names; ///< of the rows
    QComboBox* m_place;
    widgets::StudyTableView* m_table;
    QLabel* m_sentence;
    QPushButton *m_watch, *m_again;
};

} // namespace headroom::app
