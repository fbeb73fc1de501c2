// SPDX-License-Identifier: GPL-3.0-or-later
// What the map knows and hears. How it looks: phone_matrix_paint.cpp.
#include "widgets/phone_matrix/phone_matrix_view.h"

#include "widgets/look/number_text.h"
#include "widgets/look/pair_text.h"
#include "widgets/look/sizes.h"

#include <QFontMetricsF>
#include <QLocale>

#include <algorithm>

namespace headroom::widgets {

namespace {

constexpr auto kClasses = std::size_t(kPhoneClassCount);

/// Full precision; “–” for what is not defined.
QString exact(double value) {
    return std::isfinite(value) ? QString::number(value, 'g', QLocale::FloatingPointShortest)
                                : QStringLiteral("–");
}

} // namespace

PhoneMatrixView::PhoneMatrixView(QWidget* parent) : CellMap(tr("No attention yet."), parent) {
    setAccessibleName(tr("Phone attention relation"));
}

void PhoneMatrixView::setMap(PhoneRelation map) {
    const auto fits = [](const auto& matrix) {
        return matrix.empty() || (matrix.rows() == kClasses && matrix.columns() == kClasses);
    };
    Q_ASSERT(fits(map.par) && fits(map.counts));
    m_map = std::move(map);
    cellsChanged();
}

void PhoneMatrixView::setColourMap(ColourMap::Name name) {
    m_colours = name;
    update();
}

void PhoneMatrixView::setSelected(std::optional<PhonePair> pair) {
    const bool known = pair && placeOfPhone(pair->attending) >= 0 && placeOfPhone(pair->attended) >= 0;
    setSelectedPlace(known ? std::optional(Place{placeOfPhone(pair->attending), placeOfPhone(pair->attended)})
                           : std::nullopt);
}

std::optional<PhonePair> PhoneMatrixView::pairOf(std::optional<Place> place) {
    if (!place)
        return std::nullopt;
    return PhonePair{phoneOrder().at(std::size_t(place->row)), phoneOrder().at(std::size_t(place->column))};
}

CellMap::Place PhoneMatrixView::count() const {
    return m_map.par.empty() ? Place{} : Place{kPhoneClassCount, kPhoneClassCount};
}

double PhoneMatrixView::colourValue(double par) {
    if (std::isnan(par))
        return NAN;
    return par <= 0 ? 0 : std::clamp((std::log2(par) + 2) / 4, 0.0, 1.0);
}

QString PhoneMatrixView::describe(PhonePair pair) const {
    const QString name = pairText(phoneName(pair.attending), phoneName(pair.attended));
    if (m_map.par.empty())
        return name;
    const auto row = std::size_t(pair.attending), column = std::size_t(pair.attended);
    const double value = m_map.par(row, column);
    const bool one = m_map.counts.empty();
    if (std::isnan(value) && pair.attending == pair.attended)
        return tr("%1: undefined, the phone occurs in a single run").arg(name);
    if (std::isnan(value))
        return one ? tr("%1: undefined, one of the two does not occur here").arg(name)
                   : tr("%1: undefined, no utterance contains both").arg(name);
    if (one)
        return tr("%1: PAR %2").arg(name, numberText(value, 2));
    const int count = m_map.counts(row, column);
    return (count == 1
                ? tr("%1: PAR %2, defined in 1 utterance").arg(name, numberText(value, 2))
                : tr("%1: PAR %2, defined in %3 utterances").arg(name, numberText(value, 2)).arg(count));
}

QString PhoneMatrixView::asText() const {
    if (isEmpty())
        return {};
    QStringList heads{tr("attending \\ attended")};
    for (const int phone : phoneOrder())
        heads << phoneName(phone);
    QStringList lines{heads.join(u'\t')};
    for (const int row : phoneOrder()) {
        QStringList cells{phoneName(row)};
        for (const int column : phoneOrder())
            cells << exact(m_map.par(std::size_t(row), std::size_t(column)));
        lines << cells.join(u'\t');
    }
    return lines.join(u'\n') + u'\n';
}

QRectF PhoneMatrixView::cellRect(PhonePair pair) const {
    const auto place = [](int phone) {
        return phone == kSilenceClass ? kPhoneClassCount : placeOfPhone(phone);
    };
    const int row = place(pair.attending), column = place(pair.attended);
    return row < 0 || column < 0 ? QRectF() : cellIn(layoutIn(rect()), row, column);
}

std::optional<PhonePair> PhoneMatrixView::pairAt(QPointF position) const {
    return pairOf(placeAt(position));
}

std::optional<CellMap::Place> PhoneMatrixView::placeAt(QPointF position) const {
    const Layout layout = layoutIn(rect());
    if (m_map.par.empty() || !layout.map.contains(position) || layout.cell <= 0)
        return std::nullopt;
    const auto placeOf = [](double offset, double size, const auto& edge) {
        int place = std::clamp(int(offset / size), 0, kPhoneClassCount);
        while (place > 0 && offset < edge(place))
            --place;
        while (place < kPhoneClassCount && offset >= edge(place + 1))
            ++place;
        return place;
    };
    const int row = placeOf(position.y() - layout.map.top(), layout.cell, [&](int place) { return layout.edge(place); });
    const int column = placeOf(position.x() - layout.map.left(), layout.width, [&](int place) { return layout.edgeAcross(place); });
    if (row >= kPhoneClassCount || column >= kPhoneClassCount)
        return std::nullopt;
    return Place{row, column};
}

QString PhoneMatrixView::toolTipAt(QPointF position) const {
    if (const auto pair = pairAt(position))
        return describe(*pair);
    if (!m_map.par.empty() && position.y() > layoutIn(rect()).map.bottom())
        return footText();
    if (!m_map.par.empty() && layoutIn(rect()).map.contains(position))
        return tr("Rows and columns of silence are removed, and rows are normalised again.");
    if (!m_map.par.empty() && position.x() > layoutIn(rect()).map.right())
        return tr(
            "PAR 1 is uniform attention. A hatched cell has no value, which is not 0: no utterance contains "
            "both phones, "
            "or the phone occurs in a single run. Silence, crossed, is left out; rows are normalised again.");
    QString text =
        tr("PAR: how much more a phone attends to another than with uniform attention; 1 is uniform. "
           "The diagonal leaves out a phone's own run. Shim et al. 2022, Eq. 4 and 5. Use the arrow "
           "keys to move, Enter to show the places behind a cell.");
    if (const QString names = unnamed(); !m_map.par.empty() && !names.isEmpty())
        text +=
            QLatin1Char('\n') +
            tr("No room to name these: %1. The cell under the mouse is always named.").arg(names);
    return text;
}

QString PhoneMatrixView::unnamed() const {
    const Layout layout = layoutIn(rect());
    const auto without = [](int every) {
        QStringList names;
        for (int place = 0; place <= kPhoneClassCount; ++place)
            if (!isLabelled(place, -1, every))
                names << phoneName(phoneOrderWithSilence().at(std::size_t(place)));
        return names.join(QStringLiteral(", "));
    };
    const QString rows = without(layout.everyRow), columns = without(layout.everyColumn);
    if (rows == columns)
        return rows;
    QStringList said;
    if (!rows.isEmpty())
        said << tr("rows %1").arg(rows);
    if (!columns.isEmpty())
        said << tr("columns %1").arg(columns);
    return said.join(QStringLiteral("; "));
}

/// The line under the map.
QString PhoneMatrixView::footText() {
    return tr("Columns: attended phone; rows: attending phone. Silence and a token's own run are left out.");
}

QString PhoneMatrixView::description() const {
    const auto defined = std::count_if(m_map.par.values().begin(), m_map.par.values().end(),
                                       [](double value) { return std::isfinite(value); });
    const QString all = tr("%1 of %2 pairs defined.").arg(defined).arg(kClasses * kClasses);
    return selected() ? describe(*selected()) + QStringLiteral(". ") + all : all;
}

double PhoneMatrixView::footHeight(double width) {
    return std::ceil(QFontMetricsF(Sizes::small())
                         .boundingRect(QRectF(0, 0, width - scaledPixels(8), 1e5), Qt::TextWordWrap, footText())
                         .height()) +
           scaledPixels(4);
}

QSize PhoneMatrixView::sizeHint() const {
    return {qRound(66 * Sizes::unit()), qRound(60 * Sizes::unit())};
}

QSize PhoneMatrixView::minimumSizeHint() const {
    return {qRound(40 * Sizes::unit()), qRound(18 * Sizes::unit())};
}

} // namespace headroom::widgets
