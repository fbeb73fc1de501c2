// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"
#include "widgets/matrix/cell_map.h"
#include "widgets/phone_matrix/phone_groups.h"

#include <optional>

namespace headroom::widgets {

/// The probe's predictions for each true phone, 36 classes and silence: rows are true and sum to 1, columns
/// are predictions; cividis from 0 to 1, grouped by manner as the PAR map. A row without tokens is hatched.
/// Window's thread.
class ConfusionMap : public CellMap {
    Q_OBJECT

public:
    static constexpr int kClasses = kPhoneClassCount + 1; ///< silence is the last

    /// A cell by class (core/alignment/phones.h), not by position.
    struct Cell {
        int truth = 0, guess = 0;
        bool operator==(const Cell&) const = default;
    };
    explicit ConfusionMap(QWidget* parent = nullptr);

    /// [37, 37] tokens by class, the mean over `seeds` probes that were tested on the same tokens; empty: none yet.
    void setCounts(Matrix<double> counts, int seeds = 1);
    void setSelected(std::optional<Cell> cell); ///< emits no signal
    std::optional<Cell> selected() const { return cellOf(selectedPlace()); }
    /// Share of the row; NaN for a row without a token.
    double share(Cell cell) const;
    QRectF cellRect(Cell cell) const;
    std::optional<Cell> cellAt(QPointF position) const;
    QString describe(Cell cell) const; ///< "IH predicted as IY: 12.5 % of 320 tokens, mean over 3 seeds"
    QString asText() const override;   ///< counts, in the order shown; the corner says so
    QSize figureSize() const override; ///< with room for the name of every phone

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void cellActivated(headroom::widgets::ConfusionMap::Cell cell); ///< clicked, or Enter

protected:
    Place count() const override { return m_counts.empty() ? Place{} : Place{kClasses, kClasses}; }
    std::optional<Place> placeAt(QPointF position) const override;
    QString toolTipAt(QPointF position) const override;
    QString description() const override;
    void paint(QPainter& painter, const QRectF& target) const override;
    void placeSelected(Place) override {}
    void placeActivated(Place place) override { Q_EMIT cellActivated(*cellOf(place)); }

private:
    struct Layout {
        QRectF map;
        double cell = 0;
        double edge(int place) const;
    };
    static int classAt(int place); ///< the phone there along either side; silence is last
    static std::optional<Cell> cellOf(std::optional<Place> place);
    Layout layoutIn(const QRectF& target) const;
    static QSizeF roomAround(double names); ///< names, legend and foot
    static double namedCell();              ///< from which size on every phone is named
    QRectF cellIn(const Layout& layout, int row, int column) const; ///< by places
    static QString footText();
    void paintCells(QPainter& painter, const Layout& layout) const;
    void paintNames(QPainter& painter, const Layout& layout) const;
    void paintLegend(QPainter& painter, const Layout& layout) const;
    void paintNothing(QPainter& painter, const Layout& layout) const;

    Matrix<double> m_counts;
    int m_seeds = 1;
    std::vector<double> m_rows; ///< tokens of each true class
};

} // namespace headroom::widgets
