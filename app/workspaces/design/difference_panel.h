// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspaces/design/difference.h"

#include <QAbstractScrollArea>

#include <array>
#include <optional>
#include <set>
#include <utility>

namespace headroom::app {

/// Draft against baseline, one column per layer: chips of both, and what it does to the layer's MACs; at the
/// right the cross-attention of the decoder, where it differs, and the sums. A click on a column selects its heads. Window's thread.
class DifferencePanel : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit DifferencePanel(QWidget* parent = nullptr);

    struct Content {
        Difference difference;
        std::vector<std::optional<double>> macs; ///< share of the baseline's layer, one per layer; 1: as many
        std::set<int> mistaken;                  ///< layers, from 1
        int currentLayer = 0;
        QString parameters, totalMacs, mapMemory; ///< changes, as text
        QString whyNoLayers;                      ///< stands in the place of the columns where there are none
    };
    void showContent(Content content);
    const Content& content() const { return m_content; }
    void setCurrentLayer(int layer); ///< 0: none
    /// "+25 %", "−9.7 %", "0": what becomes of a layer's MACs with this share of the baseline's.
    static QString macsText(std::optional<double> share);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void layerChosen(int layer); ///< from 1, or kCrossAttention

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void layOut();
    void paintFrozen();
    int labelWidth() const;
    std::array<std::pair<QString, QString>, 3> sums() const; ///< name and change
    int sumsWidth() const;
    int crossWidth() const; ///< 0: without a column of the decoder
    QRectF crossRect() const; ///< in the panel
    double columnWidth() const;
    int layerAt(const QPoint& position) const;
    void paintColumn(QPainter& painter, const QRectF& column, const Difference::Layer& layer, const QString& name,
                     std::optional<double> macs) const;
    void paintHeads(QPainter& painter, const QRectF& where, const std::vector<HeadGroup>& heads,
                    const std::vector<HeadGroup>& other) const;
    Content m_content;
};

} // namespace headroom::app
