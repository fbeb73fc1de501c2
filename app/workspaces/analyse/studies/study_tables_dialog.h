// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studies/open_study.h"

#include <QDialog>

class QComboBox;
class QLabel;

namespace headroom::widgets {
class StudyTableView;
}

namespace headroom::app {

class FewLines;

/// Every table of a study, as in its folder `tables`: with σ, intervals and n of each number, and the tests that compare its models,
/// of which the tabs have no room. Window's thread.
class StudyTablesDialog : public QDialog {
    Q_OBJECT

public:
    /// Begins with the table of `model`, from 1.
    StudyTablesDialog(OpenStudyPtr study, int model, QWidget* parent = nullptr);

    QComboBox* chooser() const { return m_chooser; }
    widgets::StudyTableView* table() const { return m_table; }

private:
    void showTable(int at);

    OpenStudyPtr m_study;
    QComboBox* m_chooser;
    widgets::StudyTableView* m_table;
    QLabel* m_caption;
    FewLines* m_captionArea;
};

} // namespace headroom::app
