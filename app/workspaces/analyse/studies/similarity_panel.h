// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studies/study_evidence.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QStackedWidget;

namespace headroom::widgets {
class LayerMap;
class StudyTableView;
} // namespace headroom::widgets

namespace headroom::app {

/// The Similarity tab: CKA or PWCCA of every pair of layers, of a model with itself or with another one, as a map, and
/// the table of a study. Needs a study. Window's thread.
class SimilarityPanel : public QWidget {
    Q_OBJECT

public:
    explicit SimilarityPanel(StudyEvidence* evidence, QWidget* parent = nullptr);
    widgets::StudyTableView* table() const { return m_table; }

private:
    void showStudy();
    void showMap();

    StudyEvidence* m_evidence;
    OpenStudyPtr m_study;
    QComboBox* m_which;
    QStackedWidget* m_pages;
    widgets::LayerMap* m_map;
    widgets::StudyTableView* m_table;
    QLabel* m_caption;
};

} // namespace headroom::app
