// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPen>
#include <QRectF>
#include <QString>
#include <QWidget>

#include <vector>

class QPainter;

namespace headroom::widgets {

/// One curve, or one group of curves, in a key.
struct KeyEntry {
    QString name;
    QString detail; ///< behind the name in a quieter colour, never elided: "3 seeds"
    QPen pen;
    int id = -1; ///< what a click on it means to the plot; −1: nothing
    enum class Sample { Line, Disc, Triangle };
    Sample sample = Sample::Line; ///< a triangle is hollow
    QString brief{}; ///< shown in the place of the name where the whole names of a key have no room, once for neighbours that share it;
                     ///< empty: the name, elided
    bool operator==(const KeyEntry&) const = default;
};

/// A key laid out in rows. Coordinates are relative to its upper left corner.
struct KeyRows {
    struct Placed {
        QRectF box;   ///< sample, name and detail; empty where the one before stands for it
        QString text; ///< the name as shown, elided in the middle
    };
    std::vector<Placed> entries; ///< as many as have room, in order
    int left = 0;                ///< how many have none
    double height = 0;           ///< 0 without entries
};

/// Lays out a key over `width` pixels: in rows of whole names, where only one that alone is wider is elided; where
/// these are more than `mostRows`, in as few as leave every name readable. Names then share a row fairly: only those
/// longer than their share are elided, names of few letters never, and no two names to what could be either.
KeyRows layKey(const std::vector<KeyEntry>& entries, double width, int mostRows);
double widestKeyEntry(const std::vector<KeyEntry>& entries); ///< with its whole name; 0 without entries
void paintKey(QPainter& painter, QPointF topLeft, double width, const std::vector<KeyEntry>& entries,
              const KeyRows& rows);

/// The entries of two plots that share a key. A model has one colour and dash in both, also where its curve in one is
/// named "demo, layer 4": it is in the key once, as the first plot names it.
std::vector<KeyEntry> inOneKey(std::vector<KeyEntry> first, const std::vector<KeyEntry>& second);

/// The key of plots that stand together, outside all of them, so that it covers no curve. Tool tip: all names in full.
/// A click on an entry that means something is reported. Window's thread.
class CurveKey : public QWidget {
    Q_OBJECT

public:
    /// `mostRows`: 1 for a header; else twice as many where fewer leave names that cannot be told apart.
    explicit CurveKey(int mostRows, QWidget* parent = nullptr);

    void setEntries(std::vector<KeyEntry> entries);
    const std::vector<KeyEntry>& entries() const { return m_entries; }
    QRect entryRect(int index) const; ///< empty if it has no room
    int mostRows() const { return m_mostRows; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return m_mostRows > 1; }
    int heightForWidth(int width) const override;

Q_SIGNALS:
    void chosen(int id);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    KeyRows laid(int width) const;

    int m_mostRows;
    std::vector<KeyEntry> m_entries;
};

} // namespace headroom::widgets
