// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/path_question.h"
#include "app/workspaces/train/evaluate/evaluate_options.h"
#include "core/runs/evaluations.h"

#include <QDialog>
#include <QStringList>

#include <filesystem>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace headroom::app {

class DeviceList;
class FormRow;
class PlaceStore;
class ScreenArea;
class WhereField;

/// Asks what is to be evaluated: a model or one of a run's checkpoints, a split of a corpus, and how it decodes. The
/// corpus is read on another thread. Window's thread.
class EvaluateDialog : public QDialog {
    Q_OBJECT

public:
    struct Model {
        QString name;
        std::filesystem::path folder; ///< of the model
        bool hasCheckpoints = false;  ///< it is the model/ of a run that kept them
        std::filesystem::path data;   ///< what it was trained on; empty: unknown
        QString task;
    };
    /// `places`, `devices`: where it can be computed; borrowed.
    EvaluateDialog(std::vector<Model> models, const QStringList& corpora, PlaceStore* places, DeviceList* devices, QWidget* parent = nullptr);

    void setPathQuestion(const PathQuestion& ask); ///< until then folders are not remembered
    /// Chooses this model, with its corpus and task. False: it is not among the models.
    bool chooseModel(const std::filesystem::path& folder);
    void chooseNoModel(const QString& why); ///< until the user chooses one; `why` is a sentence
    void chooseData(const std::filesystem::path& folder); ///< and keeps it, whatever model is chosen
    /// What the fields say; nothing while one of them is wrong.
    std::optional<EvaluationRequest> request() const;
    QString sentence() const; ///< above the buttons: what will happen, or what is missing
    bool isPending() const { return m_reading; }

    QComboBox* modelField() const { return m_model; }
    QComboBox* checkpointField() const { return m_checkpoint; }
    QComboBox* dataField() const { return m_data; }
    QComboBox* splitField() const { return m_split; }
    QComboBox* taskField() const { return m_task; }
    QSpinBox* beamField() const { return m_beam; }
    WhereField* whereField() const { return m_where; }
    EvaluateOptions* options() const { return m_options; }
    /// How texts are decoded and where, for the next time.
    QByteArray state() const;
    void restore(const QByteArray& state);
    QPushButton* startButton() const { return m_start; }

Q_SIGNALS:
    void startRequested(const headroom::EvaluationRequest& request);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    const EvaluationSplits::Counts& counts() const; ///< for the chosen model
    const Model* model() const;                     ///< that is chosen; null: none
    QString plan(int utterances) const;
    QString limit() const;
    QString mistakeOfData() const; ///< of the corpus, or that the model cannot read it; empty: none
    QString training() const; ///< a sentence on what the model was trained on, where that is something else; may be empty
    void followModel();
    void showData(const std::filesystem::path& folder);
    void readCorpus();
    void fillCheckpoints();
    void fillSplits();
    void fillTasks();
    void fillOptions();
    void validate();
    void fitSentence();
    void layOutFields();
    void shrinkAfterFolding();

    std::vector<Model> m_models;
    ScreenArea* m_fields = nullptr; ///< which scroll where the screen is low
    QComboBox *m_model, *m_checkpoint, *m_data, *m_split, *m_task;
    QSpinBox* m_beam;
    WhereField* m_where;
    EvaluateOptions* m_options;
    QLabel* m_sentence;
    QPushButton *m_start, *m_copy;
    FormRow *m_dataRow = nullptr, *m_taskRow = nullptr, *m_checkpointRow = nullptr, *m_whereRow = nullptr;
    EvaluationSplits m_found;
    QString m_corpusMistake, m_whyNoModel;
    std::filesystem::path m_missingData; ///< the chosen model was trained on it, and no other was chosen since; empty: it is there
    std::filesystem::path m_folder; ///< whose splits are shown
    bool m_reading = false;
    bool m_dataByHand = false;
    QString m_splitByHand, m_taskByHand; ///< empty: as the model was trained
    int m_foldedHeight = 0; ///< of the window while the options are folded away, pixels
    bool m_searchesCtc = false; ///< the model has a CTC output and no decoder: beams are prefixes
    bool m_isLanguageModel = false;
};

} // namespace headroom::app
