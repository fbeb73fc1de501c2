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

/// The Latency tab: time of attention and of the rest by length on this machine, as a plot and in the form of
/// Shim et al. 2022, Table 3. Needs a study. Window's thread.
class LatencyPanel : public QWidget {
    Q_OBJECT

public:
    explicit LatencyPanel(StudyEvidence* evidence, QWidget* parent = nullptr);
    widgets::StudyTableView* table() const { return m_table; }

private:
    void showStudy();
    void showTable();

    StudyEvidence* m_evidence;
    OpenStudyPtr m_study;
    QComboBox* m_which;
    QStackedWidget* m_pages;
    widgets::SpreadPlot* m_times;
    widgets::StudyTableView* m_table;
    QLabel* m_caption;
};

} // namespace headroom::app
