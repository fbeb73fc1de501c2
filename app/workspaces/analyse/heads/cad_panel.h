// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspaces/analyse/heads/head_content.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QDoubleSpinBox;
class QStackedLayout;
class QLabel;

namespace headroom::widgets {
class CadCurvePlot;
class StudyTableView;
} // namespace headroom::widgets

namespace headroom::app {

class MetricsNote;

/// How diagonal each head attends (Shim et al. 2022, §4): CAD of all heads with the movable split, D(r) of
/// the chosen one, and the table of sides. Data in, intentions out; window's thread.
class CadPanel : public QWidget {
    Q_OBJECT

public:
    /// `evidence`: the chooser of what the numbers are of; becomes a child, may be null.
    explicit CadPanel(QWidget* evidence, QWidget* parent = nullptr);

    void showContent(std::shared_ptr<const HeadContent> content); ///< null: nothing yet
    void setEmptySentence(const QString& sentence);
    void setSelected(std::optional<widgets::HeadId> head); ///< tells nobody
    widgets::CadPlot* plot() const { return m_plot; }
    widgets::CadCurvePlot* curve() const { return m_curve; }
    widgets::StudyTableView* table() const { return m_table; }
    MetricsNote* note() const { return m_note; }
    QComboBox* orderField() const { return m_order; }
    QDoubleSpinBox* splitField() const { return m_split; }

Q_SIGNALS:
    void headSelected(headroom::widgets::HeadId head);
    void headActivated(headroom::widgets::HeadId head);

private:
    QWidget* makeHead(QWidget* evidence);
    void showSelected();
    void showTable();
    void moveSplit(double split);

    std::shared_ptr<const HeadContent> m_content;
    std::optional<widgets::HeadId> m_selected;
    QStackedLayout* m_pages;
    QLabel* m_empty;
    QComboBox* m_order;
    QDoubleSpinBox* m_split;
    widgets::CadPlot* m_plot;
    widgets::CadCurvePlot* m_curve;
    widgets::StudyTableView* m_table;
    MetricsNote* m_note;
};

} // namespace headroom::app
