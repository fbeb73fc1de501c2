// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QWidget>

#include <cstdlib>
#include <functional>
#include <optional>
#include <vector>

namespace headroom::widgets {

class ColourMap;

/// A map of cells, one of which is selected: by click or arrow keys (Home and End go to the ends of the row). A click,
/// Enter or Space activates the cell, Ctrl+C copies the map as text; the context menu offers both, and the actions that
/// the owner adds. The cell under the mouse is marked. What a cell
/// means, where it lies and how it looks is the subclass's. Window's thread.
class CellMap : public QWidget {
    Q_OBJECT

public:
    /// Shown, and read to screen readers, while there is no map.
    void setEmptySentence(const QString& sentence);
    bool isEmpty() const { return count().row <= 0 || count().column <= 0; } ///< there is no map
    /// The map as tab-separated text; empty if there is none or it cannot be copied.
    virtual QString asText() const { return {}; }
    /// Paints what the widget shows as a figure: without the frame of the focus and the marks of the mouse and
    /// of the selection.
    void renderTo(QPainter& painter, const QRect& target);
    /// As large as on the screen, with what a figure needs beside, since it has no tool tips.
    virtual QSize figureSize() const { return size(); }

protected:
    /// Row and column as shown, from 0.
    struct Place {
        int row = 0, column = 0;
        bool operator==(const Place&) const = default;
    };
    CellMap(const QString& emptySentence, QWidget* parent);

    virtual Place count() const = 0; ///< rows and columns that can be selected; 0: there is no map
    virtual std::optional<Place> placeAt(QPointF position) const = 0; ///< of a cell that can be selected
    virtual QString toolTipAt(QPointF position) const = 0;
    virtual QString description() const = 0; ///< for screen readers, while there is a map
    virtual void paint(QPainter& painter, const QRectF& target) const = 0;
    virtual void placeSelected(Place place) = 0; ///< by the user
    virtual void placeActivated(Place place) = 0;

    bool inFigure() const { return m_inFigure; } ///< what paint() paints is a figure
    std::optional<Place> selectedPlace() const { return m_selected; }
    std::optional<Place> markedPlace() const { return m_hovered ? m_hovered : m_selected; }
    void setSelectedPlace(std::optional<Place> place); ///< tells nobody
    /// To be called when the cells have changed.
    void cellsChanged();

    /// Rings around the cells under the mouse and selected; `ringOf` says where.
    void paintRings(QPainter& painter, const std::function<QRectF(Place)>& ringOf) const;
    /// The sentence in the middle of `room`, over what is already painted there.
    void paintEmptySentence(QPainter& painter, const QRectF& room) const;
    /// Where cells are lower than a line of text, only every `every`-th is labelled, and always the marked one
    /// (−1: none), whose neighbours give way.
    static bool isLabelled(int place, int marked, int every) {
        return place == marked || (place % every == 0 && (marked < 0 || std::abs(place - marked) >= every));
    }
    struct Tick {
        double share = 0; ///< 0 at the bottom of the scale, 1 at its top
        QString text;
    };
    static void paintScale(QPainter& painter, const QRectF& strip, const ColourMap& colours,
                           const std::vector<Tick>& ticks);

    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void select(Place place);
    void move(int rows, int columns);
    void updateDescription();

    QString m_emptySentence;
    std::optional<Place> m_selected, m_hovered;
    bool m_inFigure = false;
};

} // namespace headroom::widgets
