// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/worker_task.h"
#include "core/studies/table.h"

#include <QStringList>
#include <QWidget>

class QLabel;
class QPushButton;

namespace headroom::widgets {
class StudyTableView;
}

namespace headroom::app {

/// What was copied to a place: corpora, models, checkpoints and versions of the worker, with the runs that use them, from
/// `headroom-worker places copies`. One that no run in progress uses can be removed there; it asks first. Asks the place when it is
/// shown, and after a removal. Window's thread.
class CopiesPanel : public QWidget {
    Q_OBJECT

public:
    /// One copy. A value.
    struct Copy {
        QString path, name; ///< "data/demo-0a1b2c3d4e5f", "demo"
        QStringList users;  ///< names of runs
        QString inProgress; ///< the first of them that has not ended
        bool isWorker = false;
    };
    /// An answer of the worker.
    struct Content {
        std::vector<Copy> copies;
        StudyTable table; ///< its rows
    };

    explicit CopiesPanel(QWidget* parent = nullptr);

    /// Shows a place as the file of places has it now; empty: none is chosen. Asks it again when it is looked at.
    void setPlace(const QString& name);
    QString sentence() const;
    bool isPending() const { return m_task && m_task->isRunning(); }
    widgets::StudyTableView* table() const { return m_table; }
    QPushButton* removeButton() const { return m_remove; }
    QPushButton* lookButton() const { return m_look; }

    /// Throws Error "places.badAnswer" for another document. `now`: UTC, seconds, for the ages. Pure.
    static Content contentOf(const QByteArray& answer, qint64 now);
    /// "2 days", "5 minutes". Pure.
    static QString ageText(qint64 seconds);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void look(const QString& removed = {});
    void leaveLook();
    void take(const WorkerTask::End& end);
    void askToRemove();
    void say(const QString& sentence, bool wrong);
    void updateButtons();
    const Copy* chosen() const;

    QString m_place;
    WorkerTask* m_task = nullptr; ///< of the last look; an earlier one may still be ending
    Content m_content;
    bool m_looked = false; ///< at this place
    widgets::StudyTableView* m_table;
    QLabel* m_sentence;
    QPushButton *m_look, *m_remove;
};

} // namespace headroom::app
