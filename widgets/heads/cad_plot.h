// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/attention_statistics.h"
#include "widgets/curves/plot_frame.h"
#include "widgets/heads/head_id.h"

#include <cmath>
#include <memory>
#include <optional>
#include <vector>

namespace headroom::widgets {

/// One head's CAD (Shim et al. 2022, Eq. 3); `low` and `high` bound the mean over utterances where there are
/// several.
struct HeadCad {
    HeadId id;
    double cad = NAN; ///< NaN: not known, or the head has no N × N map; not drawn
    double low = NAN, high = NAN;
};

/// CAD of all heads, sorted or by layer, with the line that splits phonetic heads (below) from linguistic
/// ones. The line is dragged or moved by ↑/↓; ←/→ walk through the heads in the order shown. Sides differ in
/// colour and in shape. Window's thread only.
class CadPlot : public PlotFrame {
    Q_OBJECT

public:
    enum class Order { Sorted, ByLayer };

    explicit CadPlot(QWidget* parent = nullptr);
    ~CadPlot() override;

    void setHeads(std::vector<HeadCad> heads);
    void setOrder(Order order);
    Order order() const;
    void setSelected(std::optional<HeadId> head); ///< tells nobody
    std::optional<HeadId> selected() const;
    void setSplit(double cad); ///< tells nobody; kept within 0 … 1
    double split() const;
    int phoneticCount() const;
    int linguisticCount() const;
    /// Heads that are drawn, in the order shown.
    std::vector<HeadId> shownOrder() const;
    /// Where a head is drawn, in this widget; nothing for one that is not.
    std::optional<QPointF> positionOf(HeadId head) const;
    double splitPosition() const; ///< y in this widget

Q_SIGNALS:
    void headSelected(headroom::widgets::HeadId head);  ///< by key or click
    void headActivated(headroom::widgets::HeadId head); ///< clicked, or Enter: show it and what is behind it
    void splitChanged(double cad);

protected:
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void redraw() override;

private:
    struct Private;
    QString describe(HeadId head) const;
    std::optional<HeadId> headAt(QPointF position) const;
    bool isOnSplit(QPointF position) const;
    void select(HeadId head);
    void step(int by);
    void changeSplit(double cad);
    void drawHeads();
    void drawAxes();
    void describeAll();

    std::unique_ptr<Private> m;
};

} // namespace headroom::widgets
