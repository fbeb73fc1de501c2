// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/head_groups.h"
#include "core/matrix/matrix.h"
#include "widgets/heads/head_id.h"

#include <QRectF>
#include <QWidget>

#include <optional>
#include <vector>

namespace headroom::widgets {

/// Head relevance (Sant et al. 2022, Eq. 4) as layers × heads: number, colour (cividis from 0.1 to 0.5) and
/// kind glyph in each cell. Arrow keys move the selection, click or Enter activates it. Window's thread only.
class RelevanceMap : public QWidget {
    Q_OBJECT

public:
    static constexpr double kLow = 0.1, kHigh = 0.5; ///< of the colours; the paper's range

    explicit RelevanceMap(QWidget* parent = nullptr);

    /// `values`: [layers, heads], NaN if unknown or if a layer has fewer heads. `kinds`: [layer][head];
    /// missing entries are unknown.
    void setValues(Matrix<double> values, std::vector<std::vector<HeadKind>> kinds);
    const Matrix<double>& values() const { return m_values; }
    void setEmptySentence(const QString& sentence);
    void setSelected(std::optional<HeadId> head); ///< emits no signal
    std::optional<HeadId> selected() const { return m_selected; }

    QRectF cellRect(HeadId head) const;
    std::optional<HeadId> headAt(QPointF position) const;
    QColor colourAt(HeadId head) const; ///< background of the cell; invalid if undefined
    QString describe(HeadId head) const;
    void renderTo(QPainter& painter, const QRect& target);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void headSelected(headroom::widgets::HeadId head);
    void headActivated(headroom::widgets::HeadId head);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QRectF mapIn(const QRectF& target) const;
    QRectF cellIn(const QRectF& map, HeadId head) const;
    void paint(QPainter& painter, const QRectF& target) const;
    void paintCell(QPainter& painter, const QRectF& cell, HeadId head) const;
    void paintScale(QPainter& painter, const QRectF& map) const;
    double value(HeadId head) const;
    std::optional<HeadKind> kindOf(HeadId head) const;
    void select(HeadId head);
    void move(int layers, int heads);
    void updateDescription();

    Matrix<double> m_values;
    std::vector<std::vector<HeadKind>> m_kinds;
    QString m_emptySentence;
    std::optional<HeadId> m_selected, m_hovered;
};

} // namespace headroom::widgets
