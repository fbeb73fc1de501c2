// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/max_pyramid.h"
#include "core/time/clocks.h"
#include "widgets/look/colour_map.h"
#include "widgets/matrix/map_raster.h"
#include "widgets/matrix/map_tag.h"
#include "widgets/time_axis/time_lane.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <QStringList>

namespace headroom::widgets {

/// A row of the map: one piece of the text.
struct TextRow {
    QString label;
    int word = -1;          ///< −1: part of no word
    bool continues = false; ///< not the first piece of its word
};

/// A word of the text: its rows [first, end), which may be none, where it was found, and where the reference has it.
struct TextWord {
    QString label;
    int first = 0, end = 0;
    std::optional<TimeSpan> time, reference;
};

/// A text over time: the rows are the pieces of a text, the columns the encoder's tokens on the shared
/// TimeAxis. Every word has a box at the time where it was found, and dotted lines at the bounds of the
/// reference.
///
/// Never interpolated (map_raster.h). The word under the cursor is marked. A click on a row, or Enter,
/// activates its word. Up and Down go to the word before and behind, Home and End to the first and the last.
/// Rows are at least as high as a line of text. If they do not fit, the wheel over the labels (Alt + wheel
/// anywhere) scrolls them, and the marked word stays visible. Works without data (says what is missing).
/// Window's thread.
class TextMapView : public TimeLane {
    Q_OBJECT

public:
    explicit TextMapView(QWidget* parent = nullptr);
    void setAxis(TimeAxis* axis) override;

    /// The sound in which the words have their times, where the columns are not its tokens: its cursor then marks the word, and
    /// the map has no boxes. Null, initially: that of the columns. After setAxis(); borrowed.
    void setWordAxis(TimeAxis* sound);

    void setText(std::vector<TextRow> rows, std::vector<TextWord> words);
    /// [rows or fewer, tokens]; shared. Null: empty. `clock`: of the columns.
    void setMap(std::shared_ptr<const MaxPyramid> map, const TokenClock& clock);
    /// Labels of the columns where they are tokens of a text; empty: the tool tip says the time.
    void setKeyLabels(const QStringList& labels) { m_keyLabels = labels; }
    void setValueName(const QString& name, const QString& symbol); ///< "attention", "A"
    void setTitle(const QString& title);                           ///< for screen readers
    void setEmptySentence(const QString& sentence);
    void setColourMap(ColourMap::Name name); ///< initially magma
    void setGamma(double gamma);             ///< 0.2 … 1; initially 0.5

    bool hasMap() const { return m_map != nullptr && !m_rows.empty(); }
    /// 0 … 99th percentile of the map.
    ValueRange range() const { return m_range; }
    /// The word that is selected on the axis, or else the one whose time contains its cursor; where no word has a time, the
    /// one that was last clicked or reached. −1: none.
    int currentWord() const;
    QRectF rowRect(int row) const; ///< in the plot; may lie outside it
    std::optional<int> rowAt(double y) const;
    QString rowToolTip(int row) const;
    const std::vector<TextRow>& rows() const { return m_rows; }
    const std::vector<TextWord>& words() const { return m_words; }

    /// High enough for all rows, up to kMostFigureRows of them; else what is on the screen.
    int figureHeight() const override;
    static constexpr int kMostFigureRows = 800;
    /// The first row that a figure shows whole, and the one behind the last.
    std::pair<int, int> figureRows() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void wordActivated(int word); ///< clicked, or Enter
    void wordReached(int word);   ///< by the arrow keys

protected:
    void paintLane(QPainter& painter) override;
    void paintOverlay(QPainter& painter) override;
    bool dragSelects() const override { return false; }
    bool tintsSelection() const override { return false; }
    void cursorMoved() override;
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    TimeAxis* wordAxis() const { return m_wordAxis ? m_wordAxis : axis(); }
    double rowHeight() const;
    double largestTop() const;
    double top() const; ///< pixels of rows above the plot; 0 where all rows fit, as in a figure
    void revealWord(int word);
    void go(int word);
    void activate(int word);
    QImage image(double pixelRatio) const;
    void paintLabels(QPainter& painter) const;
    void paintWords(QPainter& painter) const;
    void paintScrolled(QPainter& painter) const;
    void paintScale(QPainter& painter) const;
    MapTag readOut(int row, Tokens token) const;
    void updateDescription();

    TimeAxis* m_wordAxis = nullptr;
    std::vector<QMetaObject::Connection> m_fromWordAxis;
    std::vector<TextRow> m_rows;
    std::vector<TextWord> m_words;
    std::shared_ptr<const MaxPyramid> m_map;
    TokenClock m_clock;
    ValueRange m_range;
    double m_largest = 0;
    ColourMap::Name m_colourMap = ColourMap::Name::Magma;
    double m_gamma = 0.5;
    double m_top = 0; ///< pixels of rows above the plot
    int m_marked = -1, m_chosen = -1; ///< the word at the cursor; the one that was clicked or reached last
    QStringList m_keyLabels;
    QString m_title, m_valueName, m_symbol, m_emptySentence;

    struct Sampled {
        const MaxPyramid* map = nullptr;
        TimeSpan visible{Seconds(0), Seconds(0)};
        QSize pixels;
        double top = 0, rowHeight = 0;
        bool operator==(const Sampled&) const = default;
    };
    mutable Sampled m_sampledFor;
    mutable QImage m_image;
    MapTagWidget* m_tag;
};

} // namespace headroom::widgets
