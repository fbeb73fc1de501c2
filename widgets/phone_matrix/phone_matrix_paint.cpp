// SPDX-License-Identifier: GPL-3.0-or-later
// How the map of phones looks.
#include "widgets/look/number_text.h"
#include "widgets/look/pair_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/map_tag.h"
#include "widgets/phone_matrix/hatch.h"
#include "widgets/phone_matrix/phone_matrix_view.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPicture>

#include <algorithm>

namespace headroom::widgets {

namespace {

constexpr int kCells = kPhoneClassCount + 1; ///< with silence
constexpr double kFewOpacity = 0.5;

constexpr int kMostNameLines = 3;
constexpr double kFootRoom = 24; ///< pixels below the map
constexpr double kFootGap = 4;   ///< pixels between the map and the foot of a figure
constexpr double kLeastCell = 3.5; ///< pixels; names do not make cells smaller than the mouse can point at

/// The size of a cell from which each phone is named, if names stand in turn in so many lines. The J, which
/// reaches below the line, needs room.
double leastNamedCell(int lines) {
    return (QFontMetricsF(Sizes::small()).capHeight() + scaledPixels(2.5)) / lines;
}

/// 1: every phone is named in cells of this size; 2: every second; …
int namedEvery(double cell, int lines) {
    return std::max(1, int(std::ceil(leastNamedCell(lines) / cell - 1e-6)));
}

} // namespace

PhoneMatrixView::Layout PhoneMatrixView::layoutWith(const QRectF& target, double names, int nameColumns,
                                                    int nameRows) {
    const double pad = scaledPixels(8);
    const double aside = scaledPixels(104), foot = scaledPixels(kFootRoom);
    const double across = target.width() - names * nameColumns - pad - aside,
                 down = target.height() - names * nameRows - foot;
    Layout layout;
    layout.nameColumns = nameColumns;
    layout.nameRows = nameRows;
    layout.cell = std::max(1.0, std::min(across, down) / kCells);
    layout.width = layout.cell;
    // In a wide, low panel cells become as wide as the columns' names need, where that names more of them.
    for (int every = namedEvery(layout.cell, nameRows); every >= 1; --every)
        if (const double needed = leastNamedCell(nameRows) / every; needed * kCells <= across)
            layout.width = std::max(layout.width, needed);
    layout.everyRow = namedEvery(layout.cell, nameColumns);
    layout.everyColumn = namedEvery(layout.width, nameRows);
    // The map stands in the middle of the room that its scale leaves.
    const double free = std::max(0.0, across - std::round(layout.width * kCells));
    layout.map =
        QRectF(target.left() + names * nameColumns + std::floor(free / 2), target.top() + names * nameRows,
               std::round(layout.width * kCells), std::round(layout.cell * kCells));
    layout.side = layout.map.right() + scaledPixels(14);
    return layout;
}

/// That which names most phones; of those, the largest map.
PhoneMatrixView::Layout PhoneMatrixView::layoutIn(const QRectF& target) {
    const auto named = [](const Layout& layout) {
        return kCells / layout.everyRow + kCells / layout.everyColumn;
    };
    const double names = phoneNamesRoom();
    Layout best = layoutWith(target, names, 1, 1);
    for (int columns = 1; columns <= kMostNameLines; ++columns)
        for (int rows = 1; rows <= kMostNameLines; ++rows) {
            const Layout one = layoutWith(target, names, columns, rows);
            if (one.cell < scaledPixels(kLeastCell) || named(one) < named(best))
                continue;
            if (named(one) > named(best) ||
                one.map.width() * one.map.height() > best.map.width() * best.map.height())
                best = one;
        }
    return best;
}

QRectF PhoneMatrixView::cellIn(const Layout& layout, int row, int column) const {
    const QPointF topLeft(layout.map.left() + layout.edgeAcross(column), layout.map.top() + layout.edge(row));
    return {topLeft,
            QPointF(layout.map.left() + layout.edgeAcross(column + 1), layout.map.top() + layout.edge(row + 1))};
}

void PhoneMatrixView::paint(QPainter& painter, const QRectF& target) const {
    const auto& theme = Theme::current();
    painter.fillRect(target, theme.panel);
    const bool hasFigureFoot = inFigure() && !m_map.par.empty();
    // The foot stands in the room that the layout leaves below the map, and reaches lower.
    const QRectF room = target.adjusted(0, 0, 0, hasFigureFoot ? scaledPixels(kFootRoom - kFootGap) - footHeight(target.width()) : 0);
    const Layout layout = layoutIn(room);
    if (m_map.par.empty())
        return paintNothing(painter, layout);
    paintCells(painter, layout);
    paintLines(painter, layout);
    paintNames(painter, layout);
    paintRings(painter, [&](Place place) {
        const double out = scaledPixels(1.5);
        return cellIn(layout, place.row, place.column).adjusted(-out, -out, out, out);
    });
    paintFoot(painter, layout, target, paintAside(painter, layout, room, inFigure()));
}

QSize PhoneMatrixView::figureSize() const {
    if (m_map.par.empty())
        return size();
    const Layout layout = layoutIn(rect());
    QPicture unseen;
    QPainter painter(&unseen);
    const double footBegins = std::max(layout.map.bottom() + scaledPixels(kFootGap), paintAside(painter, layout, rect(), true).bottom);
    return {width(), int(std::ceil(footBegins + footHeight(width()))) + 1}; // the layout may have been rounded down
}

/// Says what the axes are, or the chosen pair where there is no room for it aside. A figure has room for all of it; on the
/// screen, where it does not fit, the tool tip says the rest.
void PhoneMatrixView::paintFoot(QPainter& painter, const Layout& layout, const QRectF& target, const Aside& aside) const {
    painter.setFont(Sizes::small());
    painter.setPen(Theme::current().text2);
    const QFontMetricsF metrics(Sizes::small());
    QString text = footText();
    QRectF foot(layout.map.left(), layout.map.bottom(), target.right() - layout.map.left() - scaledPixels(4),
                scaledPixels(kFootRoom));
    const bool goesLower = aside.bottom > foot.top();
    if (inFigure()) {
        foot.moveTop(std::max(foot.top() + scaledPixels(kFootGap), aside.bottom));
        if (metrics.horizontalAdvance(text) > foot.width())
            foot.setLeft(target.left() + scaledPixels(4));
        foot.setBottom(target.bottom());
        painter.drawText(foot, Qt::AlignTop | Qt::AlignLeft | Qt::TextWordWrap, text);
        return;
    }
    // Beside a small map the read-out reaches lower than the map: the line stands below both, or beside it.
    if (goesLower && aside.bottom + foot.height() <= target.bottom())
        foot.moveTop(aside.bottom);
    else if (goesLower)
        foot.setRight(layout.side - scaledPixels(8));
    const double outer = target.left() + scaledPixels(4); // under the names of the rows is room too
    const auto isTooLong = [&] { return metrics.horizontalAdvance(text) > foot.right() - outer; };
    if (const auto pair = pairOf(markedPlace()); pair && !aside.hasPair) {
        text = describe(*pair);
    } else if (isTooLong()) {
        text.truncate(text.indexOf(QStringLiteral(". ")) + 1); // its first sentence
        if (isTooLong())
            text = tr("Columns: attended; rows: attending.");
    }
    if (metrics.horizontalAdvance(text) > foot.width())
        foot.setLeft(outer);
    painter.drawText(foot, Qt::AlignVCenter | Qt::AlignLeft, metrics.elidedText(text, Qt::ElideRight, foot.width()));
}

void PhoneMatrixView::paintNothing(QPainter& painter, const Layout& layout) const {
    const auto& theme = Theme::current();
    const QRectF frame = layout.map.adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(QPen(theme.line, scaledPixels(1)));
    painter.setBrush(theme.alternate);
    painter.drawRect(frame);
    painter.drawLine(frame.topLeft(), frame.bottomRight());
    // The groups, so that it is seen what will come.
    for (const PhoneGroup& group : phoneGroups())
        if (group.first > 0) {
            const double down = layout.edge(group.first), across = layout.edgeAcross(group.first);
            painter.drawLine(QPointF(frame.left(), frame.top() + down), QPointF(frame.right(), frame.top() + down));
            painter.drawLine(QPointF(frame.left() + across, frame.top()),
                             QPointF(frame.left() + across, frame.bottom()));
        }
    paintEmptySentence(painter, frame);
}

void PhoneMatrixView::paintCells(QPainter& painter, const Layout& layout) const {
    const auto& theme = Theme::current();
    const ColourMap& colours = ColourMap::named(m_colours, theme.isDark);
    QRegion undefined, leftOut;
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (int row = 0; row < kPhoneClassCount; ++row)
        for (int column = 0; column < kPhoneClassCount; ++column) {
            const auto p = std::size_t(phoneOrder().at(std::size_t(row)));
            const auto q = std::size_t(phoneOrder().at(std::size_t(column)));
            const QRectF cell = cellIn(layout, row, column);
            const double value = m_map.par(p, q);
            if (std::isnan(value)) {
                undefined += cell.toRect();
                continue;
            }
            QColor colour(colours.at(colourValue(value)));
            if (!m_map.counts.empty() && m_map.counts(p, q) < kFewUtterances)
                colour.setAlphaF(float(kFewOpacity));
            painter.fillRect(cell, colour);
        }
    leftOut += QRectF(cellIn(layout, kPhoneClassCount, 0).topLeft(), layout.map.bottomRight()).toRect();
    leftOut += QRectF(cellIn(layout, 0, kPhoneClassCount).topLeft(), layout.map.bottomRight()).toRect();
    hatch(painter, undefined, undefinedLine(), hatchStep(layout.cell));
    for (const QRect& part : leftOut)
        painter.fillRect(part, theme.header);
    hatch(painter, leftOut, theme.hiddenCell, hatchStep(layout.cell), Hatching::Crossed);
}

void PhoneMatrixView::paintLines(QPainter& painter, const Layout& layout) const {
    const auto line = [&](int place, double width) {
        const QColor& colour = Theme::current().panel;
        const QRectF& map = layout.map;
        painter.fillRect(QRectF(map.left() + layout.edgeAcross(place) - width / 2, map.top(), width, map.height()), colour);
        painter.fillRect(QRectF(map.left(), map.top() + layout.edge(place) - width / 2, map.width(), width), colour);
    };
    for (const PhoneGroup& group : phoneGroups())
        if (group.first > 0) // Vowels against consonants is the first thing to see, manners the second.
            line(group.first, scaledPixels(phoneGroups()[1].first == group.first ? 2 : 1));
    line(kPhoneClassCount, scaledPixels(2));
}

void PhoneMatrixView::paintNames(QPainter& painter, const Layout& layout) const {
    const auto& theme = Theme::current();
    const QFont plain = Sizes::small();
    QFont bold = plain;
    bold.setBold(true);
    const QFontMetricsF metrics(plain);
    // Where names have no room even so, every second or third phone is named; the chosen ones always.
    // Lines to the outer names come first, and end at a name that they meet: they would make an F of its E.
    const auto name = [&](int place, bool chosen, bool column, bool isLine) {
        const int phone = phoneOrderWithSilence().at(std::size_t(place));
        painter.setFont(chosen ? bold : plain);
        painter.setPen(chosen ? theme.accent : theme.text2);
        const double middle = column ? (layout.edgeAcross(place) + layout.edgeAcross(place + 1)) / 2
                                     : (layout.edge(place) + layout.edge(place + 1)) / 2;
        const double base = metrics.ascent() / 2 - scaledPixels(1.5);
        const double advance = QFontMetricsF(painter.font()).horizontalAdvance(phoneName(phone));
        const int turn = column ? place / layout.everyColumn % layout.nameRows
                                : place / layout.everyRow % layout.nameColumns;
        const double away = turn * phoneNamesRoom();
        if (isLine && away <= 0)
            return;
        const auto write = [&](const QPointF& at) {
            painter.fillRect(QFontMetricsF(painter.font()).tightBoundingRect(phoneName(phone)).translated(at), theme.panel);
            painter.drawText(at, phoneName(phone));
        };
        painter.save();
        if (column) {
            painter.translate(layout.map.left() + middle, layout.map.top() - scaledPixels(4) - away);
            painter.rotate(-90);
            if (isLine) { // between the names that stand nearer
                painter.setPen(QPen(theme.line, scaledPixels(1)));
                painter.drawLine(QPointF(-scaledPixels(3), 0), QPointF(-scaledPixels(2) - away, 0));
            } else {
                write(QPointF(0, base));
            }
        } else {
            const QPointF end(layout.map.left() - scaledPixels(5) - away, layout.map.top() + middle);
            if (isLine) { // between the names that stand nearer
                painter.setPen(QPen(theme.line, scaledPixels(1)));
                painter.drawLine(end + QPointF(scaledPixels(3), 0), end + QPointF(away + scaledPixels(3), 0));
            } else {
                write(end + QPointF(-advance, base));
            }
        }
        painter.restore();
    };
    const auto marked = markedPlace();
    for (const bool isLine : {true, false})
        for (const bool column : {false, true}) {
            const int chosen = !marked ? -1 : column ? marked->column : marked->row;
            for (int place = 0; place < kCells; ++place)
                if (isLabelled(place, chosen, column ? layout.everyColumn : layout.everyRow))
                    name(place, place == chosen, column, isLine);
        }
}

/// A figure is not pointed at, and is as high as needed.
PhoneMatrixView::Aside PhoneMatrixView::paintAside(QPainter& painter, const Layout& layout, const QRectF& target, bool isFigure) const {
    const double line = QFontMetricsF(Sizes::small()).height();
    // The read-out needs nine lines, and its last two in a figure; what it leaves is the scale's, within reason.
    const double ofCoverage = std::isfinite(m_map.coverage) ? 2.75 * line : 0; // its interval, and of which model
    const double scaleEnds = (isFigure ? layout.map.bottom() - 6 * line : target.bottom() - 11.5 * line) - ofCoverage;
    return paintReadOut(painter, layout, target, paintLegend(painter, layout, target, scaleEnds), isFigure);
}

double PhoneMatrixView::paintLegend(QPainter& painter, const Layout& layout, const QRectF& target, double scaleEnds) const {
    const auto& theme = Theme::current();
    const QFontMetricsF metrics(Sizes::small());
    QFont bold = Sizes::caption();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(theme.text);
    painter.drawText(QPointF(layout.side, layout.map.top() + metrics.ascent()), tr("PAR"));
    const double line = metrics.height();
    const double top = layout.map.top() + line + scaledPixels(4);
    const QRectF strip(layout.side, top, scaledPixels(10),
                       std::clamp(scaleEnds - top, scaledPixels(48), scaledPixels(150)));
    std::vector<Tick> ticks{{colourValue(4), QStringLiteral("≥ 4")},
                            {colourValue(1), tr("1 uniform")},
                            {colourValue(0.25), QStringLiteral("≤ ¼")}};
    if (strip.height() >= 5 * line)
        ticks.insert(ticks.end(), {{colourValue(2), QStringLiteral("2")}, {colourValue(0.5), QStringLiteral("½")}});
    paintScale(painter, strip, ColourMap::named(m_colours, theme.isDark), ticks);
    double y = strip.bottom() + scaledPixels(10);
    const auto key = [&](const QString& text, bool leftOut) {
        const QRectF box(layout.side, y + (line - scaledPixels(10)) / 2, scaledPixels(10), scaledPixels(10));
        if (leftOut)
            painter.fillRect(box, theme.header);
        hatch(painter, QRegion(box.toRect()), leftOut ? theme.hiddenCell : undefinedLine(),
              hatchStep(layout.cell), leftOut ? Hatching::Crossed : Hatching::Lines);
        painter.setPen(QPen(theme.buttonBorder, scaledPixels(1)));
        painter.drawRect(box);
        painter.setPen(theme.text2);
        painter.drawText(QRectF(box.right() + scaledPixels(7), y, target.right() - box.right(), line),
                         Qt::AlignVCenter | Qt::AlignLeft, text);
        y += line + scaledPixels(1);
    };
    painter.setBrush(Qt::NoBrush);
    key(tr("left out: sil"), true);
    key(tr("no such pair"), false);
    return y + scaledPixels(6);
}

PhoneMatrixView::Aside PhoneMatrixView::paintReadOut(QPainter& painter, const Layout& layout, const QRectF& target, double top,
                                                     bool isFigure) const {
    const auto& theme = Theme::current();
    const double width = target.right() - layout.side - scaledPixels(4);
    const QFontMetricsF small(Sizes::small());
    QFont bold = Sizes::caption();
    bold.setBold(true);
    const double line = small.height();
    const double gap = scaledPixels(5);
    const bool hasPair = isFigure || top + 4 * line + gap <= target.bottom();
    const auto entry = [&](const QString& label, const QString& value, const QStringList& more = {}) {
        if (!isFigure && top + 2 * line > target.bottom())
            return; // the description and the table have it
        painter.setFont(Sizes::small());
        painter.setPen(theme.text2);
        painter.drawText(QRectF(layout.side, top, width, line), Qt::AlignVCenter | Qt::AlignLeft,
                         small.elidedText(label, Qt::ElideRight, width));
        painter.setFont(bold);
        painter.setPen(theme.text);
        painter.drawText(QRectF(layout.side, top + line, width, line), Qt::AlignVCenter | Qt::AlignLeft,
                         value);
        top += 2 * line;
        painter.setFont(Sizes::small());
        painter.setPen(theme.text2);
        for (const QString& text : more)
            if (isFigure || top + line <= target.bottom()) {
                painter.drawText(QRectF(layout.side, top, width, line), Qt::AlignVCenter | Qt::AlignLeft, small.elidedText(text, Qt::ElideRight, width));
                top += line;
            }
        top += gap;
    };
    const std::optional<PhonePair> pair = pairOf(markedPlace());
    const double value =
        pair ? m_map.par(std::size_t(pair->attending), std::size_t(pair->attended)) : double(NAN);
    if (!isFigure && hasPair) {
        entry(tr("pair"), pair ? pairText(phoneName(pair->attending), phoneName(pair->attended)) : QStringLiteral("–"));
        const QString number = pair && std::isnan(value) ? tr("undefined") : numberText(value, 2);
        const QString count = m_map.counts.empty() ? QString()
                              : pair               ? tr("%1 utt.").arg(m_map.counts(std::size_t(pair->attending), std::size_t(pair->attended)))
                                                   : QStringLiteral("–");
        const bool isLow = top + 4 * line + gap > target.bottom(); // no room for an entry of its own
        entry(tr("PAR"), isLow && pair && !count.isEmpty() ? tr("%1 in %2").arg(number, count) : number);
        if (!isLow && !count.isEmpty())
            entry(tr("defined in"), count);
    }
    if (std::isfinite(m_map.coverage)) {
        QStringList more;
        if (std::isfinite(m_map.coverageLow) && std::isfinite(m_map.coverageHigh))
            more << tr("%1 to %2").arg(numberText(m_map.coverageLow, 3), numberText(m_map.coverageHigh, 3));
        if (!m_map.reference.isEmpty())
            more << tr("of %1").arg(m_map.reference);
        entry(tr("coverage"), numberText(m_map.coverage, 3), more);
    }
    return {top, hasPair};
}

} // namespace headroom::widgets
