// SPDX-License-Identifier: GPL-3.0-or-later
// What the map knows and hears. How it looks: confusion_map_paint.cpp.
#include "widgets/probe/confusion_map.h"

#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

namespace {

int placeOf(int phone) {
    return phone == kSilenceClass ? kPhoneClassCount : placeOfPhone(phone);
}

} // namespace

int ConfusionMap::classAt(int place) {
    return phoneOrderWithSilence().at(static_cast<std::size_t>(place));
}

ConfusionMap::ConfusionMap(QWidget* parent) : CellMap(tr("No probe yet."), parent) {
    setAccessibleName(tr("Confusion matrix"));
}

void ConfusionMap::setCounts(Matrix<double> counts, int seeds) {
    m_counts = std::move(counts);
    m_seeds = seeds;
    m_rows.assign(kClasses, 0);
    if (!m_counts.empty())
        for (std::size_t row = 0; row < kClasses; ++row)
            for (std::size_t column = 0; column < kClasses; ++column)
                m_rows[row] += m_counts(row, column);
    cellsChanged();
}

void ConfusionMap::setSelected(std::optional<Cell> cell) {
    setSelectedPlace(cell ? std::optional(Place{placeOf(cell->truth), placeOf(cell->guess)}) : std::nullopt);
}

std::optional<ConfusionMap::Cell> ConfusionMap::cellOf(std::optional<Place> place) {
    return place ? std::optional(Cell{classAt(place->row), classAt(place->column)}) : std::nullopt;
}

double ConfusionMap::share(Cell cell) const {
    if (m_counts.empty() || m_rows[static_cast<std::size_t>(cell.truth)] <= 0)
        return NAN;
    return m_counts(static_cast<std::size_t>(cell.truth), static_cast<std::size_t>(cell.guess)) /
           m_rows[static_cast<std::size_t>(cell.truth)];
}

QString ConfusionMap::describe(Cell cell) const {
    const QString truth = phoneName(cell.truth), guess = phoneName(cell.guess);
    const double part = share(cell);
    if (std::isnan(part))
        return tr("%1: does not occur in the test data").arg(truth);
    const QString tokens = numberText(m_rows[static_cast<std::size_t>(cell.truth)], 0), share = numberText(100 * part, 1);
    const QString of = tokens == QLatin1String("1") ? tr("1 token") : tr("%1 tokens").arg(tokens);
    return (cell.truth == cell.guess ? tr("%1 recognised: %2\u202f% of %3").arg(truth, share, of)
                                     : tr("%1 predicted as %2: %3\u202f% of %4").arg(truth, guess, share, of)) +
           (m_seeds > 1 ? tr(", mean over %1 seeds").arg(m_seeds) : QString()); // the tokens alone do not give such a share
}

QString ConfusionMap::asText() const {
    if (isEmpty())
        return {};
    QStringList heads{m_seeds > 1 ? tr("true \\ predicted (test tokens, mean over %1 seeds)").arg(m_seeds)
                                  : tr("true \\ predicted (test tokens)")};
    for (int place = 0; place < kClasses; ++place)
        heads << phoneName(classAt(place));
    QStringList lines{heads.join(u'\t')};
    for (int row = 0; row < kClasses; ++row) {
        QStringList cells{phoneName(classAt(row))};
        for (int column = 0; column < kClasses; ++column)
            cells << QString::number(
                m_counts(static_cast<std::size_t>(classAt(row)), static_cast<std::size_t>(classAt(column))),
                'g', QLocale::FloatingPointShortest);
        lines << cells.join(u'\t');
    }
    return lines.join(u'\n') + u'\n';
}

QRectF ConfusionMap::cellRect(Cell cell) const {
    return cellIn(layoutIn(rect()), placeOf(cell.truth), placeOf(cell.guess));
}

std::optional<ConfusionMap::Cell> ConfusionMap::cellAt(QPointF position) const {
    return cellOf(placeAt(position));
}

std::optional<CellMap::Place> ConfusionMap::placeAt(QPointF position) const {
    const Layout layout = layoutIn(rect());
    if (m_counts.empty() || !layout.map.contains(position))
        return std::nullopt;
    const auto place = [&layout](double offset) {
        int found = std::clamp(static_cast<int>(offset / layout.cell), 0, kClasses - 1);
        while (found > 0 && offset < layout.edge(found))
            --found;
        while (found < kClasses - 1 && offset >= layout.edge(found + 1))
            ++found;
        return found;
    };
    return Place{place(position.y() - layout.map.top()), place(position.x() - layout.map.left())};
}

QString ConfusionMap::toolTipAt(QPointF position) const {
    const auto cell = cellAt(position);
    return cell ? describe(*cell)
                : tr("Rows are true phones and sum to 1; columns are the probe's predictions. The row of a "
                     "phone that does "
                     "not occur is hatched: it has no shares, which are not 0. Use the arrow keys to move, "
                     "Enter to show "
                     "the places behind a cell.") +
                      QLatin1Char('\n') + footText();
}

/// The line under the map.
QString ConfusionMap::footText() {
    return tr("predicted phone; rows: true phone, each sums to 1");
}

QString ConfusionMap::description() const {
    return selected() ? describe(*selected()) + u'.' : tr("37 × 37 phones, rows true, columns predicted.");
}

QSize ConfusionMap::sizeHint() const {
    return {qRound(56 * Sizes::unit()), qRound(48 * Sizes::unit())};
}

QSize ConfusionMap::minimumSizeHint() const {
    return {qRound(30 * Sizes::unit()), qRound(22 * Sizes::unit())};
}

} // namespace headroom::widgets
