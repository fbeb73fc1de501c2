// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/analysis.h"
#include "app/documents/items/open_model.h"
#include "app/studies/study_evidence.h"
#include "app/workspaces/analyse/common/captioned.h"
#include "widgets/curves/ccd_plot.h"
#include "widgets/curves/diagonality_plot.h"
#include "widgets/curves/windows_model.h"

#include <QWidget>

class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QStackedWidget;
class QVBoxLayout;

namespace headroom::widgets {
class CurveKey;
class WindowsTable;
} // namespace headroom::widgets

namespace headroom::app {

class Actions;
class EvidenceField;
class StudyWindows;
class WindowsGhost;

/// How far each layer looks: D(w) with the layer's window on it, CCD by layer, and the table of windows. All
/// from the diagonal profiles, so a dragged window has its loss at once; or the same of an open study. Window's
/// thread.
class WindowsPanel : public QWidget, public Captioned {
    Q_OBJECT

public:
    /// `evidence`: borrowed.
    WindowsPanel(const Actions& actions, StudyEvidence* evidence, QWidget* parent = nullptr);

    struct Content {
        std::vector<widgets::WindowsRow> rows; ///< one per layer of the current model; empty: nothing to show
        int utterances = 0;                    ///< how many the means are over
        QString of;                            ///< which, as a sentence
        QString selections;                    ///< as selectionsText() of these; empty: all are whole
        QString measured;                      ///< what D and CL are of, where the large map is of something else
        int layer = 1;                         ///< from 1
        int window = 0;                        ///< of that layer in the draft; 0: full
        QString kinds; ///< of that layer's heads, if they are not all full or centred-local
        double millisecondsPerToken = 40;
        QString caption; ///< of a figure of the plots
        std::vector<widgets::CcdPlot::Model> ccd; ///< one per ticked model
        widgets::DiagonalityPlot::Compared own;   ///< name and style of the current model's curve
        std::vector<widgets::DiagonalityPlot::Compared> compared; ///< D(w) of the others
    };
    void showContent(const Content& content);
    void setEmptySentence(const QString& sentence); ///< why there is nothing to show
    /// Under the table: over which utterances windows are suggested; or why none can be used, in place of the
    /// button.
    void setSuggestedFrom(const QString& of, const QString& whyNot);
    /// While a window is dragged, in this frame.
    void showDragged(int layer, const std::vector<HeadGroup>& heads); ///< as the drag will leave them
    widgets::DiagonalityPlot* diagonality() const { return m_diagonality; }
    widgets::CcdPlot* ccd() const { return m_ccd; }
    widgets::WindowsTable* table() const { return m_table; }
    StudyWindows* study() const { return m_study; }
    EvidenceField* evidenceField() const { return m_field; }
    QDoubleSpinBox* fullAboveField() const { return m_fullAbove; }
    QLineEdit* filterField() const { return m_filter; } ///< of the study's table
    bool showsStudy() const;
    QString figureCaption() const override; ///< of the study that is shown, else of the content
    QString viewInFileName() const override;
    void setLayer(int layer); ///< from 1; of the study

Q_SIGNALS:
    void windowDragged(int window);
    void windowEdited(int oldWindow, int newWindow);
    void layerChosen(int layer); ///< from 1

private:
    QWidget* makeContent(QVBoxLayout* views);
    QWidget* makeFoot(const Actions& actions);
    void showPage();
    void showKey();

    StudyEvidence* m_evidence;
    WindowsGhost* m_ghost;
    EvidenceField* m_field;
    StudyWindows* m_study;
    bool m_hasContent = false;
    QString m_caption; ///< of the content
    QWidget *m_foot = nullptr, *m_use = nullptr, *m_studyPage = nullptr;
    QDoubleSpinBox* m_fullAbove = nullptr;
    QLineEdit* m_filter = nullptr; ///< of the study's table
    QLabel* m_from = nullptr; ///< setSuggestedFrom()
    QVBoxLayout* m_fromHere = nullptr; ///< where it stands, unless a study of windows has it
    QStackedWidget* m_pages;
    widgets::DiagonalityPlot* m_diagonality;
    widgets::CcdPlot* m_ccd;
    widgets::CurveKey* m_key; ///< of both plots
    widgets::WindowsTable* m_table;
};

} // namespace headroom::app
