// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/forms/few_lines.h"
#include "app/studies/study_evidence.h"
#include "app/workspaces/analyse/common/captioned.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace headroom::widgets {
class StudyTableView;
}

namespace headroom::app {

/// A button that opens the newest finished study of this kind where none is shown. Who knows the studies
/// shows it and says which (`kFinishedKind`, int); hidden until then.
QPushButton* makeOpenFinished(StudyKind kind, QWidget* parent);
inline constexpr char kFinishedKind[] = "finishedKind";

/// Brings the rows of a layer of a model into sight, unless one of that layer is current. Selects none: Ctrl+C copies the whole table then.
void revealLayer(widgets::StudyTableView* table, int layer, const std::string& model);

/// A tab for the studies of one kind, with a plot above a table: which study, a chooser, and without a study a
/// sentence that says what it would show. Base of the tabs Measures, Similarity and Latency. Window's thread.
class StudyPlotTab : public QWidget, public Captioned {
    Q_OBJECT

public:
    widgets::StudyTableView* table() const { return m_table; }
    FewLines* captionArea() const { return m_captionArea; }
    StudyKind kind() const { return m_kind; }
    QString chosen() const; ///< what the chooser says; empty: nothing
    void keepChosen(const QString& text); ///< for the study that is opened next; empty: its first
    QString figureCaption() const override; ///< which study, and how the numbers of the shown table were found

protected:
    struct Layout {
        QString objectName;
        QString chooserName;   ///< for screen readers
        QString emptySentence; ///< what a study would show
        int plotShare, tableShare;
    };
    /// Takes over `plot`.
    StudyPlotTab(StudyEvidence* evidence, StudyKind kind, QWidget* plot, const Layout& layout, QWidget* parent);

    /// Shows the study that the evidence shows now. Called by the constructors of derived classes, at their end.
    void showStudy();
    StudyEvidence* evidence() const { return m_evidence; }
    bool showsStudy() const { return m_study != nullptr; }
    const OpenStudy& study() const { return *m_study; }
    QComboBox* chooser() const { return m_which; }
    /// Shows a table of the study with its caption; nothing where there is no such table.
    void showTable(std::size_t index);
    const StudyTable* shownTable() const; ///< null: the study has none

    /// Fills the empty chooser for a new study: by default with the titles of its tables.
    virtual void fillChooser();
    /// What the chooser says: by default the table of that place.
    virtual void showChosen();
    /// What does not depend on the chooser.
    virtual void showPlot() {}

private:
    QWidget* emptyPage(StudyKind kind, const QString& sentence);
    QString tableText() const; ///< caption of the shown table, and what else the study says of its numbers

    StudyEvidence* m_evidence;
    const StudyKind m_kind;
    OpenStudyPtr m_study;
    std::size_t m_shownTable = 0;
    QComboBox* m_which;
    QString m_keptChosen; ///< until a study is shown
    QStackedWidget* m_pages;
    widgets::StudyTableView* m_table;
    QLabel* m_caption;
    FewLines* m_captionArea;
};

} // namespace headroom::app
