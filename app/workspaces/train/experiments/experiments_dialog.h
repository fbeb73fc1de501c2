// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/path_question.h"
#include "app/workspaces/train/experiments/experiment_state.h"

#include <QDeadlineTimer>
#include <QDialog>
#include <QTimer>

class QDoubleSpinBox;
class QLabel;
class QListWidget;
class QPushButton;
class QSpinBox;
class QTabWidget;

namespace headroom::widgets {
class StudyTableView;
}

namespace headroom::app {

class AppSettings;
class DeviceList;
class FewLines;
class PathField;
class PlaceStore;
class WhereField;

/// The tables of the papers: which there are, what each needs and would train, how far the one in the output folder is,
/// and its result beside the printed numbers. An experiment is a process of its own; the dialogue only reads its folder.
/// Window's thread.
class ExperimentsDialog : public QDialog {
    Q_OBJECT

public:
    struct Parts { ///< borrowed
        AppSettings* settings;
        PlaceStore* places;
        DeviceList* devices;
        std::function<std::filesystem::path()> runs; ///< the folder whose queue it takes turns with on this machine
        std::function<QString()> paused; ///< the paused run that keeps the turn of that queue; empty: it computes
    };
    /// `beside`: where experiments are kept if nobody chose another folder. `time`: how long training runs take at a place, or on a device (empty: this
    /// machine), as it is known when a plan is made.
    ExperimentsDialog(std::filesystem::path beside, std::function<TrainingTime(const QString& place, const QString& device)> time, const Parts& parts,
                      QWidget* parent = nullptr);
    ~ExperimentsDialog() override; ///< remembers the fields

    PathQuestion askPath; ///< tests answer in its place

    void choose(const QString& name);
    ExperimentOptions options() const; ///< what the fields say
    void setFolders(const std::filesystem::path& corpora, const std::filesystem::path& out);
    void setScale(double scale);
    void setSeeds(int seeds);
    void setOut(const std::filesystem::path& out);
    bool isPending() const { return m_planning || m_looking || m_planSoon.isActive(); }
    QString sentence() const; ///< what will be done, how far it is, or what is wrong
    QString needs() const; ///< what the chosen experiment needs
    const ExperimentForecast& forecast() const { return m_forecast; }
    const ExperimentState& state() const { return m_state; }
    QListWidget* list() const { return m_list; }
    widgets::StudyTableView* steps() const { return m_steps; }
    widgets::StudyTableView* result() const { return m_result; }
    QPushButton* startButton() const { return m_start; }
    QPushButton* openButton() const { return m_open; }
    WhereField* whereField() const { return m_where; }

    /// While an experiment runs, the dialogue is only hidden: it says in Messages how it ended.
    void done(int result) override;

Q_SIGNALS:
    void openModelRequested(const std::filesystem::path& model);
    void showInFolderRequested(const QString& path);
    void said(const QString& name, const QString& sentence); ///< of an experiment, for Messages

private:
    void makeLayout();
    QWidget* makeSide();
    QWidget* makeForm();
    QWidget* makePages();
    QWidget* makeFoot();
    const ListedExperiment* current() const;
    void showCurrent();
    void plan();
    void look();
    /// An experiment that runs, or was started: how it ends is said, also while another one is chosen, or the dialogue is closed.
    struct Followed {
        QString name;
        std::filesystem::path folder;
        ExperimentForecast forecast;
        QDeadlineTimer start; ///< until then it may have no lock yet
        bool ran = false, ends = false;
    };
    Followed* followed(const std::filesystem::path& folder); ///< null: it is not followed
    void follow(bool runs);                                  ///< the experiment that is chosen
    void lookAtOthers();
    QString relativeText() const;
    int unfinished() const;
    bool isThrough() const; ///< the table is there, with every step that can be done
    void showState();
    QString waitingSentence() const; ///< of the step that waits for its turn
    const ExperimentRecord* begun() const;
    void adopt(const ExperimentRecord& record);
    void leaveRecord();
    void showScale(double scale);
    void startOrStop();
    QString whyNotOpened() const; ///< the model of the chosen step
    void openStep();
    void remember() const;
    void restore();

    std::filesystem::path m_beside;
    std::function<TrainingTime(const QString& place, const QString& device)> m_time;
    AppSettings* m_settings;
    PlaceStore* m_places;
    DeviceList* m_devices;
    std::function<std::filesystem::path()> m_runs;
    std::function<QString()> m_paused;
    std::vector<ListedExperiment> m_experiments;
    ExperimentForecast m_forecast;
    ExperimentState m_state;
    QString m_mistake; ///< of the plan
    /// How the experiment in m_recordOf was begun; its settings stand in the fields, which go back to m_own when another folder is
    /// chosen.
    std::optional<ExperimentRecord> m_record;
    QString m_recordOf;
    std::vector<Followed> m_followed;
    struct Own {
        QString name;
        double scale;
        int seeds;
    };
    std::optional<Own> m_own;
    int m_asked = 0;   ///< plans asked for: an older one that comes late does not count
    bool m_planning = false, m_looking = false;
    QTimer m_planSoon, m_lookAgain, m_starting; ///< m_starting: a process was started and has no lock yet
    QListWidget* m_list;
    QLabel *m_title, *m_needs, *m_sentence, *m_notes;
    FewLines* m_notesArea;
    PathField *m_data, *m_out;
    QDoubleSpinBox* m_scale;
    QSpinBox* m_seeds;
    WhereField* m_where;
    QTabWidget* m_pages;
    widgets::StudyTableView *m_steps, *m_result;
    QPushButton *m_chooseData, *m_start, *m_copy, *m_folder, *m_open;
};

} // namespace headroom::app
