// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/text_grid.h"
#include "core/matrix/max_pyramid.h"
#include "widgets/look/colour_map.h"
#include "widgets/matrix/map_raster.h"
#include "widgets/matrix/map_tag.h"
#include "widgets/matrix/matrix_mapping.h"
#include "widgets/matrix/window_band.h"
#include "widgets/time_axis/time_lane.h"

namespace headroom::widgets {

/// What a map is called.
struct MapNames {
    QString title;         ///< for screen readers: "Layer 11"
    QString value, symbol; ///< of its cells: "contribution", "C"
};

/// The map M[query, key] of one layer in time: attended (key) time to the right on the shared TimeAxis,
/// attending (query) time downwards, with the layer's window as a band.
///
/// Never interpolated: nearest if a token is larger than a pixel, the exact maximum if smaller. The cursor is
/// the query (a solid line through its token's centre), the pointer the key (dashed). A click sets the axis's
/// cursor to the query's centre; moving the mouse sets the axis's pointer to the key's centre. Keys: arrows
/// and Home/End move the query, Ctrl by words, Shift + ←/→ the key, W focuses the band. Works without data or
/// axis (says what is missing). Window's thread.
class LayerMatrixView : public TimeLane {
    Q_OBJECT

public:
    explicit LayerMatrixView(QWidget* parent = nullptr);
    void setAxis(TimeAxis* axis) override;

    /// A square map; shared, not copied. Null: empty. Set the band's profile separately:
    /// band()->setProfile().
    void setMatrix(std::shared_ptr<const MaxPyramid> map, const TokenClock& clock);
    void setPart(std::optional<TimeSpan> part); ///< as RowProfile::setPart()
    /// A difference of two maps, centred on 0, in difference colours, with range −r … r unless one is set;
    /// `negated` has the signs reversed. Until the next setMatrix().
    void setDifference(std::shared_ptr<const MaxPyramid> difference,
                       std::shared_ptr<const MaxPyramid> negated, const TokenClock& clock);
    bool showsDifference() const { return m_negated != nullptr; }
    /// Shows another map in place of this one (blinking), with its window, for WindowBand::setInPlace(). Colours, scale and
    /// cross-hair remain those of this map. Null: this map again. Any number of tokens.
    void setInPlace(std::shared_ptr<const MaxPyramid> map, const TokenClock& clock, const MapNames& names = {}, const WindowBand* window = nullptr);
    bool showsOther() const { return m_inPlace != nullptr; }
    std::shared_ptr<const MaxPyramid> ownMap() const { return m_map; } ///< regardless of setInPlace()
    const TokenClock& ownClock() const { return m_clock; }
    void setColourMap(ColourMap::Name name);        ///< initially magma
    void setGamma(double gamma);                    ///< 0.2 … 1; initially 0.5
    void setRange(std::optional<ValueRange> range); ///< unset: 0 … 99th percentile off this map's diagonal
    void setHideDiagonal(bool hide);                ///< initially on
    void setWords(std::vector<Interval> words);     ///< beside the queries
    void setValueName(const QString& name, const QString& symbol); ///< "contribution", "C"
    void setTitle(const QString& title);                           ///< for screen readers: "Layer 11"
    void setEmptySentence(const QString& sentence);
    /// The picture is outdated (its analysis failed): grey until the next map.
    void setStale(bool stale);

    /// If linked (initially), the visible queries are the axis's visible span; otherwise they are set
    /// separately.
    void setLinkedAxes(bool linked);
    void setVisibleQueries(TimeSpan queries); ///< only if not linked
    /// Equal pixels per second in both directions. A low map then has room for some of the queries; they follow the cursor.
    void setEqualScale(bool equal);
    bool linkedAxes() const { return m_linked; }
    bool equalScale() const { return m_equal; }
    bool hideDiagonal() const { return m_hideDiagonal; }
    double gamma() const { return m_gamma; }
    ValueRange range() const { return m_range.value_or(m_ownRange); }
    ValueRange ownRange() const { return m_ownRange; } ///< of this map alone
    QString emptySentence() const { return m_emptySentence; }
    bool hasMatrix() const { return m_map != nullptr; }

    WindowBand* band() const { return m_band; }
    QRectF mapRect() const; ///< the map itself: plotRect() above the key axis
    MatrixMapping mapping() const;
    /// Returns the map of mapRect() at this pixel ratio as painted, from the cache if nothing changed.
    QImage image(double pixelRatio) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void hovered(headroom::Seconds query, headroom::Seconds key); ///< centres of the two tokens
    void left();
    void visibleQueriesChanged();

protected:
    void paintLane(QPainter& painter) override;
    void paintOverlay(QPainter& painter) override;
    bool dragSelects() const override { return false; }
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    TimeSpan visibleQueries() const;
    void followCursor(); ///< by as little as shows its row
    std::optional<Tokens> tokenAt(Seconds time) const; ///< the nearest one
    std::optional<Tokens> tokenUnderTime(Seconds time) const;
    std::optional<Tokens> cursorToken() const;
    void layOut();
    void recolour();
    void findLargest();
    void showReadout(QPointF at, Tokens query, Tokens key);
    void hideReadout();
    void readAt(QPointF at); ///< what lies under the mouse
    void followReadout();    ///< the map moved under it
    void moveCursorTo(std::int64_t token);
    void moveCursorByWord(int direction);
    void movePointerBy(int tokens);
    void updateDescription();
    QString labelOf(Seconds time) const;
    MapTag readout(Tokens query, Tokens key) const;
    void paintQueryAxis(QPainter& painter) const;
    void paintWords(QPainter& painter, double left, double width) const;
    void paintKeyAxis(QPainter& painter) const;
    double keyBaseline() const;
    void paintScale(QPainter& painter) const;
    void paintNothing(QPainter& painter) const;

    const MapNames& names() const { return m_inPlace ? m_inPlaceNames : m_names; }
    const MaxPyramid& shown() const { return m_inPlace ? *m_inPlace : *m_map; }
    const TokenClock& shownClock() const { return m_inPlace ? m_inPlaceClock : m_clock; }
    MatrixMapping mappingOf(const MaxPyramid* map, const TokenClock& clock) const;
    void changeMap(std::shared_ptr<const MaxPyramid> map, std::shared_ptr<const MaxPyramid> negated,
                   const TokenClock& clock);

    struct Sampled { ///< what the sampled values were made for
        const MaxPyramid* map = nullptr;
        TimeSpan keys{Seconds(0), Seconds(0)}, queries{Seconds(0), Seconds(0)};
        QSize pixels;
        bool hideDiagonal = false;
        bool operator==(const Sampled&) const = default;
    };

    std::shared_ptr<const MaxPyramid> m_map, m_negated, m_inPlace;
    TokenClock m_clock, m_inPlaceClock;
    std::optional<TimeSpan> m_part;
    std::vector<Interval> m_words;
    ColourMap::Name m_colourMap = ColourMap::Name::Magma;
    double m_gamma = 0.5;
    std::optional<ValueRange> m_range;
    ValueRange m_ownRange;
    double m_largest = 0; ///< of what is shown, also in place: says where the scale clips
    bool m_hideDiagonal = true, m_stale = false, m_linked = true, m_equal = false;
    TimeSpan m_queries{Seconds(0), Seconds(0)};
    std::optional<Seconds> m_firstQuery; ///< of equal scales, once the cursor was followed
    MapNames m_names, m_inPlaceNames;
    QString m_emptySentence;
    bool m_pressed = false;
    std::optional<double> m_panFromY;
    std::optional<QPointF> m_readAt; ///< where the mouse reads; nothing: not at all, or by key

    mutable Sampled m_sampledFor;
    mutable Matrix<float> m_sampled;
    mutable std::optional<ColourTable> m_table;
    mutable QImage m_image;

    WindowBand* m_band;
    MapTagWidget* m_tag;
};

} // namespace headroom::widgets
