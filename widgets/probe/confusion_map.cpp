// SPDX-License-Identifier: GPL-3.0-or-later
// What the map knows and hears. How it looks: confusion_map_paint.cpp.
#include "widgets/probe/confusion_map.h"

#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"

#include <QApplication>
#include <QClipboard>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

namespace {

int placeOf(int phone) {
    return phone == kSilenceClass ? kPhoneClassCount : placeOfPhone(phone);
}

int classAt(int place) {
    return place >= kPhoneClassCount ? kSilenceClass : phoneOrder().at(static_cast<std::size_t>(place));
}

} // namespace

ConfusionMap::ConfusionMap(QWidget* parent) : QWidget(parent), m_emptySentence(tr("No probe yet.")) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Confusion matrix"));
    describeAll();
}

void ConfusionMap::setCounts(Matrix<double> counts) {
    m_counts = std::move(counts);
    m_rows.assign(kClasses, 0);
    if (!m_counts.empty())
        for (std::size_t row = 0; row < kClasses; ++row)
            for (std::size_t column = 0; column < kClasses; ++column)
                m_rows[row] += m_counts(row, column);
    describeAll();
    update();
}

void ConfusionMap::setEmptySentence(const QString& sentence) {
    m_emptySentence = sentence;
    describeAll();
    update();
}

void ConfusionMap::setSelected(std::optional<Cell> cell) {
    if (cell == m_selected)
        return;
    m_selected = cell;
    describeAll();
    update();
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
    const double tokens = m_rows[static_cast<std::size_t>(cell.truth)];
    return cell.truth == cell.guess
               ? tr("%1 recognised: %2 % of %3 tokens")
                     .arg(truth, numberText(100 * part, 1), numberText(tokens, 0))
               : tr("%1 predicted as %2: %3 % of %4 tokens")
                     .arg(truth, guess, numberText(100 * part, 1), numberText(tokens, 0));
}

QString ConfusionMap::asText() const {
    QStringList heads{tr("true \\ predicted")};
    for (int place = 0; place < kClasses; ++place)
        heads << phoneName(classAt(place));
    QStringList lines{heads.join(u'\t')};
    for (int row = 0; row < kClasses && !m_counts.empty(); ++row) {
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
    return cellIn(layOut(), placeOf(cell.truth), placeOf(cell.guess));
}

std::optional<ConfusionMap::Cell> ConfusionMap::cellAt(QPointF position) const {
    const Layout layout = layOut();
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
    return Cell{classAt(place(position.y() - layout.map.top())),
                classAt(place(position.x() - layout.map.left()))};
}

bool ConfusionMap::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto cell = cellAt(help->pos());
    QToolTip::showText(help->globalPos(),
                       cell ? describe(*cell)
                            : tr("Rows are true phones and sum to 1; columns are the probe's predictions. "
                                 "Use the arrow keys to move, Enter to show the places behind a cell."),
                       this);
    return true;
}

void ConfusionMap::mousePressEvent(QMouseEvent* event) {
    const auto cell = cellAt(event->position());
    if (event->button() != Qt::LeftButton || !cell) {
        event->ignore();
        return;
    }
    setSelected(cell);
    Q_EMIT cellActivated(*cell);
}

void ConfusionMap::mouseMoveEvent(QMouseEvent* event) {
    setCursor(cellAt(event->position()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void ConfusionMap::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        QApplication::clipboard()->setText(asText());
        return;
    }
    if (m_counts.empty())
        return QWidget::keyPressEvent(event);
    const Cell from = m_selected.value_or(Cell{classAt(0), classAt(0)});
    const auto moved = [](int phone, int by) {
        return classAt(std::clamp(placeOf(phone) + by, 0, kClasses - 1));
    };
    switch (event->key()) {
    case Qt::Key_Left:
        return setSelected(Cell{from.truth, moved(from.guess, -1)});
    case Qt::Key_Right:
        return setSelected(Cell{from.truth, moved(from.guess, 1)});
    case Qt::Key_Up:
        return setSelected(Cell{moved(from.truth, -1), from.guess});
    case Qt::Key_Down:
        return setSelected(Cell{moved(from.truth, 1), from.guess});
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_selected)
            return Q_EMIT cellActivated(*m_selected);
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void ConfusionMap::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void ConfusionMap::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

void ConfusionMap::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        update();
}

void ConfusionMap::describeAll() {
    setAccessibleDescription(m_counts.empty() ? m_emptySentence
                             : m_selected     ? describe(*m_selected) + u'.'
                                              : tr("37 × 37 phones, rows true, columns predicted."));
}

QSize ConfusionMap::sizeHint() const {
    return {qRound(56 * Sizes::unit()), qRound(48 * Sizes::unit())};
}

QSize ConfusionMap::minimumSizeHint() const {
    return {qRound(30 * Sizes::unit()), qRound(22 * Sizes::unit())};
}

} // namespace headroom::widgets
