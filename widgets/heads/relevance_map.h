// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/head_groups.h"
#include "core/matrix/matrix.h"
#include "widgets/heads/head_id.h"
#include "widgets/matrix/cell_map.h"

#include <optional>
#include <vector>

namespace headroom::widgets {

/// Head relevance (Sant et al. 2022, Eq. 4) as layers × heads: number, colour (cividis from 0.1 to 0.5) and
/// kind glyph in each cell. Arrow keys move the selection, click or Enter activates it. Window's thread only.
class RelevanceMap : public CellMap {
    Q_OBJECT

public:
    static constexpr double kLow = 0.1, kHigh = 0.5; ///< of the colours; the paper's range

    explicit RelevanceMap(QWidget* parent = nullptr);

    /// `values`: [layers, heads], NaN if unknown or if a layer has fewer heads. `kinds`: [layer][head];
    /// missing entries are unknown.
    void setValues(Matrix<double> values, std::vector<std::vector<HeadKind>> kinds);
    const Matrix<double>& values() const { return m_values; }
    void setSelected(std::optional<HeadId> head); ///< emits no signal
    std::optional<HeadId> selected() const { return headOf(selectedPlace()); }

    QRectF cellRect(HeadId head) const;
    std::optional<HeadId> headAt(QPointF position) const;
    QColor colourAt(HeadId head) const; ///< background of the cell; invalid if undefined
    QString describe(HeadId head) const;

    /// As wide as on the screen, and as high as the map and its scale.
    QSize figureSize() const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void headSelected(headroom::widgets::HeadId head);
    void headActivated(headroom::widgets::HeadId head);

protected:
    Place count() const override { return {int(m_values.rows()), int(m_values.columns())}; }
    std::optional<Place> placeAt(QPointF position) const override;
    QString toolTipAt(QPointF position) const override;
    QString description() const override;
    void paint(QPainter& painter, const QRectF& target) const override;
    void placeSelected(Place place) override { Q_EMIT headSelected(*headOf(place)); }
    void placeActivated(Place place) override { Q_EMIT headActivated(*headOf(place)); }

private:
    QRectF mapIn(const QRectF& target) const;
    QRectF cellIn(const QRectF& map, HeadId head) const;
    bool showsKinds(const QRectF& map) const;
    bool hasUndefined() const; ///< a cell is hatched
    void paintCell(QPainter& painter, const QRectF& cell, HeadId head, bool showsKinds) const;
    void paintNames(QPainter& painter, const QRectF& map, const QRectF& target) const;
    double value(HeadId head) const;
    std::optional<HeadKind> kindOf(HeadId head) const;
    static std::optional<HeadId> headOf(std::optional<Place> place) {
        return place ? std::optional(HeadId{place->row, place->column}) : std::nullopt;
    }

    Matrix<double> m_values;
    std::vector<std::vector<HeadKind>> m_kinds;
};

} // namespace headroom::widgets
