// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studies/study_evidence.h"
#include "app/workspaces/analyse/common/captioned.h"
#include "widgets/probe/confusion_map.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QStackedWidget;

namespace headroom::widgets {
class SpreadPlot;
class StudyTableView;
} // namespace headroom::widgets

namespace headroom::app {

class EvidenceField;
class FewLines;

/// The Probe tab: accuracy by layer ± std over seeds, and the confusion matrix of the layer that is chosen.
/// A cell asks for the places behind it. Needs a study. Window's thread.
class ProbePanel : public QWidget, public Captioned {
    Q_OBJECT

public:
    explicit ProbePanel(StudyEvidence* evidence, QWidget* parent = nullptr);

    EvidenceField* evidenceField() const { return m_field; }
    widgets::SpreadPlot* accuracy() const { return m_accuracy; }
    widgets::ConfusionMap* confusion() const { return m_confusion; }
    widgets::StudyTableView* table() const { return m_table; }
    QLabel* note() const { return m_note; } ///< what the study says of itself, and the table's caption
    /// 0: the input of layer 1; −1: none yet. Without a study the one that the next has.
    int layer() const { return m_study ? m_layer : m_wanted; }
    void setLayer(int layer); ///< emits no signal; a study without this layer begins with its best one
    bool showsTable() const;              ///< in place of the confusions
    void setShowsTable(bool table);
    QLineEdit* filterField() const { return m_filter; }
    QString viewInFileName() const override;
    QString figureCaption() const override; ///< which layer of which model the matrix is of, and the note
    void choose(int layer);

Q_SIGNALS:
    void layerChosen(int layer); ///< from 1

private:
    void showStudy();
    void showAccuracy();
    void showConfusion();
    void showNote();
    int seedCount() const; ///< whose confusions the study adds up
    void askForPlaces(widgets::ConfusionMap::Cell cell);

    StudyEvidence* m_evidence;
    OpenStudyPtr m_study;
    int m_model = 1, m_layer = -1;
    int m_wanted = -1; ///< the layer that was set or chosen last; the study that is shown may not have it
    EvidenceField* m_field;
    QComboBox *m_layers, *m_view;
    QStackedWidget* m_below;
    widgets::SpreadPlot* m_accuracy;
    widgets::ConfusionMap* m_confusion;
    widgets::StudyTableView* m_table;
    QLineEdit* m_filter; ///< of the table
    QLabel* m_note;
    FewLines* m_noteArea;
};

} // namespace headroom::app
