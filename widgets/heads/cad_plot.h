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

/// CAD of one head (Shim et al. 2022, Eq. 3); `low` and `high` are the interval of the mean over several
/// utterances.
struct HeadCad {
    HeadId id;
    double cad = NAN; ///< NaN: unknown, or no N × N map; not drawn
    double low = NAN, high = NAN;
};

/// CAD of all heads, sorted or by layer, with the line between phonetic heads (below) and linguistic ones.
/// Drag the line or move it with ↑/↓; ←/→ move through the heads in the order shown. The two sides differ in
/// colour and shape. Window's thread only.
class CadPlot : public PlotFrame {
    Q_OBJECT

public:
    enum class Order { Sorted, ByLayer };

    explicit CadPlot(QWidget* parent = nullptr);
    ~CadPlot() override;

    void setHeads(std::vector<HeadCad> heads);
    void setOrder(Order order);
    Order order() const;
    void setSelected(std::optional<HeadId> head); ///< emits no signal
    std::optional<HeadId> selected() const;
    void setSplit(double cad); ///< emits no signal; clamped to [0, 1]
    double split() const;
    int phoneticCount() const;
    int linguisticCount() const;
    /// Returns the drawn heads in the order shown.
    std::vector<HeadId> shownOrder() const;
    /// Returns the position of a head in this widget; `nullopt` if it is not drawn.
    std::optional<QPointF> positionOf(HeadId head) const;
    double splitPosition() const; ///< y in this widget

Q_SIGNALS:
    void headSelected(headroom::widgets::HeadId head);  ///< by keyboard or click
    void headActivated(headroom::widgets::HeadId head); ///< clicked, or Enter: show it and its places
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
