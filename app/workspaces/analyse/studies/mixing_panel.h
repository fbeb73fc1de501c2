// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studies/study_evidence.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QStackedWidget;

namespace headroom::widgets {
class SpreadPlot;
class StudyTableView;
} // namespace headroom::widgets

namespace headroom::app {

/// The Mixing tab: how far the measures of mixing agree in each layer, as a plot, and the tables of a study. Needs a
/// study. Window's thread.
class MixingPanel : public QWidget {
    Q_OBJECT

public:
    explicit MixingPanel(StudyEvidence* evidence, QWidget* parent = nullptr);
    widgets::StudyTableView* table() const { return m_table; }

private:
    void showStudy();
    void showTable();
    void showPlot();

    StudyEvidence* m_evidence;
    OpenStudyPtr m_study;
    QComboBox* m_which;
    QStackedWidget* m_pages;
    widgets::SpreadPlot* m_plot;
    widgets::StudyTableView* m_table;
    QLabel* m_caption;
};

} // namespace headroom::app
