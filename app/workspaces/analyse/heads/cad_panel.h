// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspaces/analyse/heads/head_tab.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>

class QComboBox;
class QDoubleSpinBox;

namespace headroom::widgets {
class CadCurvePlot;
}

namespace headroom::app {

/// How diagonal each head attends (Shim et al. 2022, §4): CAD of all heads with the movable split, D(r) of
/// the selected one, and the table of sides. Window's thread.
class CadPanel : public HeadTab {
    Q_OBJECT

public:
    explicit CadPanel(EvidenceField* evidence, QWidget* parent = nullptr);

    void setSelected(std::optional<widgets::HeadId> head, int layer) override;
    widgets::CadPlot* plot() const { return m_plot; }
    widgets::CadCurvePlot* curve() const { return m_curve; }
    QComboBox* orderField() const { return m_order; }
    QDoubleSpinBox* splitField() const { return m_split; }
    /// Order and split, of the session's view. The split of a study waits until the study is read.
    nlohmann::json look() const;
    QString figureCaption() const override; ///< also what its bars are
    void setLook(const nlohmann::json& look);

protected:
    void refresh() override;
    QString noteOf(const HeadContent& content) const override { return (content.cadNote + QLatin1Char(' ') + content.cadRemedy).trimmed(); }

private:
    void addFields();
    void select(std::optional<widgets::HeadId> head);
    void showSelected();
    void showTable();
    void moveSplit(double split);
    int selectedRow() const; ///< of the table; −1: none

    std::optional<widgets::HeadId> m_selected;
    std::optional<double> m_keptSplit; ///< of the session, until its study is read
    QString m_splitOf;                 ///< the study whose own split was taken; empty: none
    QComboBox* m_order;
    QDoubleSpinBox* m_split;
    widgets::CadPlot* m_plot;
    widgets::CadCurvePlot* m_curve;
};

} // namespace headroom::app
