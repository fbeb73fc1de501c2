// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"
#include "widgets/look/colour_map.h"
#include "widgets/matrix/cell_map.h"
#include "widgets/phone_matrix/phone_groups.h"

#include <cmath>
#include <cstdint>
#include <optional>

namespace headroom::widgets {

/// A cell of the map: the row attends to the column. Numbers are classes, not positions.
struct PhonePair {
    int attending = 0, attended = 0;
    bool operator==(const PhonePair&) const = default;
};

/// The contents of the map. A value.
struct PhoneRelation {
    Matrix<double> par;          ///< [36, 36] by class, rows attend; NaN if undefined. Empty: none yet
    Matrix<std::int32_t> counts; ///< [36, 36] utterances that contain the pair; empty: one utterance
    double coverage = NAN;       ///< PAR coverage of `reference`; NaN: unknown
    double coverageLow = NAN, coverageHigh = NAN; ///< its 95 % interval; NaN: unknown
    QString reference;           ///< the reference model of coverage; empty: none
};

/// Pairs from fewer utterances are drawn at half opacity.
inline constexpr int kFewUtterances = 3;

/// Phone attention relation (Shim et al. 2022, Eq. 4–5) as a map of 36 phones and silence (excluded): grouped
/// by manner, log₂ colours from ¼ to 4, undefined pairs hatched, with a scale and a read-out of the selected
/// cell. Window's thread only.
class PhoneMatrixView : public CellMap {
    Q_OBJECT

public:
    explicit PhoneMatrixView(QWidget* parent = nullptr);

    void setMap(PhoneRelation map);
    const PhoneRelation& map() const { return m_map; }
    void setColourMap(ColourMap::Name name);
    ColourMap::Name colourMap() const { return m_colours; }
    void setSelected(std::optional<PhonePair> pair); ///< emits no signal
    std::optional<PhonePair> selected() const { return pairOf(selectedPlace()); }

    /// Returns the rectangle of a pair, including silence (kSilenceClass); empty for an invalid class.
    QRectF cellRect(PhonePair pair) const;
    std::optional<PhonePair> pairAt(QPointF position) const; ///< never silence
    /// 0 at PAR ¼ and below, 1 at 4 and above; NaN for NaN.
    static double colourValue(double par);
    /// Returns “IH → IY: PAR 0.94, defined in 37 utterances”, for hover and screen readers.
    QString describe(PhonePair pair) const;
    /// In the order shown, full precision, “–” if undefined.
    QString asText() const override;
    /// Phones whose names have no room at this size: “AE, AO”, or “rows AE; columns AE, AO”. Empty if all are
    /// named.
    QString unnamed() const;
    /// In how many lines the names of the rows stand in turn.
    int nameLines() const { return layoutIn(QRectF(rect())).nameColumns; }

    QSize figureSize() const override; ///< as wide as on the screen, and as high as the map and what stands under it
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void pairSelected(headroom::widgets::PhonePair pair);  ///< selected by keyboard or click
    void pairActivated(headroom::widgets::PhonePair pair); ///< clicked, or Enter: show its places

protected:
    Place count() const override;
    std::optional<Place> placeAt(QPointF position) const override;
    QString toolTipAt(QPointF position) const override;
    QString description() const override;
    void paint(QPainter& painter, const QRectF& target) const override;
    void placeSelected(Place place) override { Q_EMIT pairSelected(*pairOf(place)); }
    void placeActivated(Place place) override { Q_EMIT pairActivated(*pairOf(place)); }

private:
    /// The layout in a given rectangle.
    struct Layout {
        QRectF map;       ///< 37 × 37 cells, silence last
        double cell = 0;  ///< height
        double width = 0; ///< of a cell: wider than high where only so each column has room for its name
        int nameColumns = 1, nameRows = 1; ///< the names of rows and columns stand in turn in so many lines
        int everyRow = 1, everyColumn = 1; ///< 2: every second phone is named
        double side = 0;  ///< x of the column with scale and read-out
        double edge(int row) const { return std::round(row * cell); }
        double edgeAcross(int column) const { return std::round(column * width); }
    };
    static Layout layoutIn(const QRectF& target);
    /// `names`: room of one line of names.
    static Layout layoutWith(const QRectF& target, double names, int nameColumns, int nameRows);
    QRectF cellIn(const Layout& layout, int row, int column) const; ///< by places
    static QString footText();
    static double footHeight(double width); ///< of all its lines in a figure
    void paintNothing(QPainter& painter, const Layout& layout) const;
    void paintCells(QPainter& painter, const Layout& layout) const;
    void paintLines(QPainter& painter, const Layout& layout) const;
    void paintNames(QPainter& painter, const Layout& layout) const;
    /// Where scale and read-out end, and whether they had room for the pair and its value.
    struct Aside {
        double bottom = 0;
        bool hasPair = true;
    };
    void paintFoot(QPainter& painter, const Layout& layout, const QRectF& target, const Aside& aside) const;
    Aside paintAside(QPainter& painter, const Layout& layout, const QRectF& target, bool isFigure) const;
    double paintLegend(QPainter& painter, const Layout& layout, const QRectF& target, double scaleEnds) const; ///< → its bottom
    Aside paintReadOut(QPainter& painter, const Layout& layout, const QRectF& target, double top, bool isFigure) const;
    static std::optional<PhonePair> pairOf(std::optional<Place> place);

    PhoneRelation m_map;
    ColourMap::Name m_colours = ColourMap::Name::Viridis;
};

} // namespace headroom::widgets
