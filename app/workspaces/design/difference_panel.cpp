// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/design/difference_panel.h"

#include "app/parts/number_text.h"
#include "core/architecture/head_grid.h"
#include "widgets/layer_editor/head_chip.h"
#include "widgets/look/eliding.h"
#include "widgets/look/icons.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headroom::app {

using widgets::Sizes;
using widgets::Theme;

namespace {
constexpr int kRows = 4; ///< layer, baseline, this, MACs
double rowHeight() {
    return Sizes::unit() * 3;
}

/// What heads of one kind may differ in, γ and the like: first what the other line does not have.
QStringList modifiersBeside(const std::vector<HeadGroup>& heads, const std::vector<HeadGroup>& other) {
    const auto all = [](const std::vector<HeadGroup>& groups) {
        QStringList found;
        std::vector<int> having; // heads
        int relaxed = 0;
        for (const HeadGroup& group : groups) {
            relaxed += group.relaxed ? group.count : 0;
            for (const QString& one : widgets::modifierList(group)) {
                qsizetype place = found.indexOf(one);
                if (place < 0) {
                    place = found.size();
                    found << one;
                    having.push_back(0);
                }
                having[std::size_t(place)] += group.count;
            }
        }
        for (qsizetype place = 0; place < found.size(); ++place) {
            QString& one = found[place];
            const QString sign = widgets::modifierSign(one);
            const int count = having[std::size_t(place)];
            if (sign == QStringLiteral("↓")) // a long word for a narrow column
                one = sign + QLatin1Char(' ') + one.section(QLatin1Char(' '), -1);
            if (count != headCount(groups) && (sign != QStringLiteral("∗") || count != relaxed)) // else as said of γ
                one = QStringLiteral("%1× %2").arg(count).arg(one);
        }
        return found;
    };
    QStringList modifiers = all(heads);
    const QStringList same = all(other);
    std::stable_partition(modifiers.begin(), modifiers.end(), [&](const QString& one) { return !same.contains(one); });
    return modifiers;
}

/// No number is cut: the last modifiers give way.
QString fittedModifiers(QStringList modifiers, double width) {
    const QFontMetrics metrics(Sizes::small());
    QString text = modifiers.join(QLatin1Char(' '));
    if (metrics.horizontalAdvance(text) > width)
        text = modifiers.replaceInStrings(DifferencePanel::tr("matched"), DifferencePanel::tr("m", "matched, in little room")).join(QLatin1Char(' '));
    while (modifiers.size() > 1 && metrics.horizontalAdvance(text) > width) {
        modifiers.removeLast();
        text = modifiers.join(QLatin1Char(' ')) + QStringLiteral(" …");
    }
    return widgets::fitted(text, metrics, int(width));
}

} // namespace

QString DifferencePanel::macsText(std::optional<double> share) {
    if (!share)
        return kUnknown;
    const double change = (*share - 1) * 100;
    if (std::abs(change) < 0.05)
        return QStringLiteral("0");
    return (change > 0 ? QStringLiteral("+") : QString()) + decimals(change, std::abs(change) < 10 ? 1 : 0) +
           widgets::kNarrowSpace + QLatin1Char('%');
}

DifferencePanel::DifferencePanel(QWidget* parent) : QAbstractScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    setAccessibleName(tr("Difference from the baseline"));
}

void DifferencePanel::showContent(Content content) {
    m_content = std::move(content);
    setAccessibleDescription(m_content.difference.sentence());
    layOut();
    update();
    viewport()->update();
}

void DifferencePanel::setCurrentLayer(int layer) {
    m_content.currentLayer = layer;
    viewport()->update();
}

int DifferencePanel::labelWidth() const {
    return int(Sizes::unit() * 11);
}

std::array<std::pair<QString, QString>, 3> DifferencePanel::sums() const {
    return {{{tr("Parameters"), m_content.parameters}, {tr("MACs"), m_content.totalMacs}, {tr("Attention maps"), m_content.mapMemory}}};
}

/// Every name is apart from its number.
int DifferencePanel::sumsWidth() const {
    const double unit = Sizes::unit();
    if (width() <= unit * 60) // of a window of 1280 pixels it is about 70
        return 0;
    QFont bold = Sizes::caption();
    bold.setBold(true);
    const QFontMetricsF names(Sizes::caption()), numbers(bold);
    double widest = unit * 19;
    for (const auto& [name, number] : sums())
        widest = std::max(widest, names.horizontalAdvance(name) + numbers.horizontalAdvance(number) + unit * 4);
    return int(std::ceil(widest));
}

/// The decoder's column is in sight beside any number of layers.
int DifferencePanel::crossWidth() const {
    const double unit = Sizes::unit();
    return !m_content.difference.cross ? 0 : int(std::ceil(std::max(unit * 9, QFontMetricsF(Sizes::heading()).horizontalAdvance(tr("Decoder")) + unit * 2)));
}

QRectF DifferencePanel::crossRect() const {
    return QRectF(width() - sumsWidth() - crossWidth(), 0, crossWidth(), viewport()->height());
}

double DifferencePanel::columnWidth() const {
    const double count = std::max<double>(1, double(m_content.difference.layers.size()));
    return std::clamp(viewport()->width() / count, Sizes::unit() * 6.5, Sizes::unit() * 9);
}

void DifferencePanel::resizeEvent(QResizeEvent*) {
    layOut();
}

/// The columns scroll between the names of their lines and the sums.
void DifferencePanel::layOut() {
    setViewportMargins(labelWidth(), 0, crossWidth() + sumsWidth(), 0);
    const int wanted = int(columnWidth() * double(m_content.difference.layers.size()));
    const int room = viewport()->width();
    horizontalScrollBar()->setRange(0, std::max(0, wanted - room));
    horizontalScrollBar()->setPageStep(room);
    horizontalScrollBar()->setSingleStep(int(columnWidth()));
}

int DifferencePanel::layerAt(const QPoint& position) const {
    if (!viewport()->rect().contains(position))
        return 0;
    const int layer = int((position.x() + horizontalScrollBar()->value()) / columnWidth()) + 1;
    return layer <= int(m_content.difference.layers.size()) ? layer : 0;
}

void DifferencePanel::paintHeads(QPainter& painter, const QRectF& where, const std::vector<HeadGroup>& heads,
                                 const std::vector<HeadGroup>& other) const {
    const int count = headCount(heads);
    if (count == 0)
        return;
    const QString modifiers = fittedModifiers(modifiersBeside(heads, other), where.width() - Sizes::unit() / 2);
    const double below = modifiers.isEmpty() ? 0 : std::ceil(QFontMetricsF(Sizes::small()).height());
    const QRectF above = where.adjusted(0, 0, 0, -below);
    // Apart from the next layer's.
    const double side = std::floor(std::min({Sizes::unit() * 1.625, (where.width() - Sizes::unit()) / count, above.height()}));
    double x = std::floor(where.center().x() - side * count / 2);
    const double y = std::floor(above.center().y() - side / 2);
    for (const HeadGroup& group : heads)
        for (int head = 0; head < group.count; ++head, x += side)
            widgets::icon(widgets::glyphOf(group.kind), widgets::colourOf(group.kind))
                .paint(&painter, QRect(int(x), int(y), int(side), int(side)));
    if (modifiers.isEmpty())
        return;
    const double margin = Sizes::unit() / 4;
    const QRectF line = where.adjusted(margin, where.height() - below, -margin, 0);
    painter.save();
    painter.setFont(Sizes::small());
    painter.setPen(Theme::current().text);
    painter.drawText(line, Qt::AlignCenter, modifiers);
    painter.restore();
}

void DifferencePanel::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    const double unit = Sizes::unit(), width = columnWidth();
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme.panel);
    if (m_content.difference.layers.empty()) {
        painter.setFont(Sizes::caption());
        painter.setPen(theme.text2);
        painter.drawText(viewport()->rect().adjusted(int(unit), 0, -int(unit), 0),
                         Qt::AlignCenter | Qt::TextWordWrap, m_content.whyNoLayers);
    }
    for (const Difference::Layer& layer : m_content.difference.layers) {
        const std::size_t index = std::size_t(layer.number) - 1;
        const QRectF column(double(index) * width - horizontalScrollBar()->value(), 0, width,
                            viewport()->height());
        painter.setPen(layer.number == m_content.currentLayer ? theme.accent : theme.text);
        paintColumn(painter, column, layer, QString::number(layer.number), index < m_content.macs.size() ? m_content.macs[index] : std::nullopt);
    }
}

/// The name has the painter's pen.
void DifferencePanel::paintColumn(QPainter& painter, const QRectF& column, const Difference::Layer& layer, const QString& name,
                                  std::optional<double> macs) const {
    const Theme& theme = Theme::current();
    const double unit = Sizes::unit();
    const bool differs = layer.changedHeads > 0;
    if (differs)
        painter.fillRect(column.adjusted(1, 0, -1, 0), theme.tint);
    const auto line = [&](int number) {
        return QRectF(column.left(), unit / 2 + number * rowHeight(), column.width(), rowHeight());
    };
    painter.setFont(Sizes::heading());
    painter.drawText(line(0), Qt::AlignCenter, name);
    if (m_content.mistaken.count(layer.number) > 0)
        widgets::icon(QStringLiteral("error"), theme.error)
            .paint(&painter, QRect(int(column.center().x() + std::max(unit * 1.25, QFontMetricsF(Sizes::heading()).horizontalAdvance(name) / 2 + unit / 4)),
                                   int(line(0).center().y() - unit * 0.8), int(unit * 1.6), int(unit * 1.6)));
    painter.setFont(Sizes::caption());
    painter.setPen(theme.text2);
    paintHeads(painter, line(1), layer.before, layer.now);
    if (differs)
        paintHeads(painter, line(2), layer.now, layer.before);
    else
        painter.drawText(line(2), Qt::AlignCenter, tr("same"));
    painter.setPen(theme.text);
    painter.drawText(line(3), Qt::AlignCenter, macsText(macs));
}

/// What does not scroll: names at the left, sums at the right.
void DifferencePanel::paintFrozen() {
    const Theme& theme = Theme::current();
    const double unit = Sizes::unit(), row = rowHeight();
    QPainter painter(this);
    painter.fillRect(rect(), theme.panel);
    painter.setFont(Sizes::caption());
    painter.setPen(theme.text2);
    const QStringList labels{tr("Layer"), tr("Baseline"), tr("This"), tr("MACs")};
    if (!m_content.difference.layers.empty())
        for (int i = 0; i < kRows; ++i)
            painter.drawText(QRectF(unit * 1.5, unit / 2 + i * row, labelWidth(), row), Qt::AlignVCenter,
                             labels[i]);
    if (const auto& cross = m_content.difference.cross) {
        painter.setPen(theme.text);
        paintColumn(painter, crossRect(), *cross, tr("Decoder"), std::nullopt);
    }
    if (sumsWidth() == 0)
        return;
    const QRectF place(width() - sumsWidth(), 0, sumsWidth(), viewport()->height());
    painter.fillRect(QRectF(place.left(), 0, 1, place.height()), theme.line);
    const auto lines = sums();
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const QRectF one(place.left() + unit * 1.25, unit / 2 + double(i) * row, place.width() - unit * 2.5, row);
        painter.setFont(Sizes::caption());
        painter.setPen(theme.text2);
        painter.drawText(one, Qt::AlignVCenter | Qt::AlignLeft, lines[i].first);
        QFont bold = Sizes::caption();
        bold.setBold(true);
        painter.setFont(bold);
        painter.setPen(theme.text);
        painter.drawText(one, Qt::AlignVCenter | Qt::AlignRight, lines[i].second);
    }
}

bool DifferencePanel::event(QEvent* event) {
    const auto& cross = m_content.difference.cross; // beside the viewport, which takes the events of the other columns
    if (cross && event->type() == QEvent::ToolTip)
        if (const auto* help = static_cast<QHelpEvent*>(event); crossRect().contains(help->pos())) {
            QToolTip::showText(help->globalPos(), tr("Cross-attention of the decoder: %1 → %2")
                                                      .arg(QString::fromStdString(toText(cross->before)), QString::fromStdString(toText(cross->now))),
                               this);
            return true;
        }
    if (cross && event->type() == QEvent::MouseButtonPress && crossRect().contains(static_cast<QMouseEvent*>(event)->position())) {
        Q_EMIT layerChosen(kCrossAttention);
        return true;
    }
    if (event->type() != QEvent::Paint)
        return QAbstractScrollArea::event(event);
    paintFrozen();
    return true;
}

void DifferencePanel::mousePressEvent(QMouseEvent* event) {
    if (const int layer = layerAt(event->position().toPoint()); layer > 0)
        Q_EMIT layerChosen(layer);
}

bool DifferencePanel::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const int layer = layerAt(help->pos()); layer > 0) {
            const Difference::Layer& one = m_content.difference.layers[std::size_t(layer) - 1];
            QToolTip::showText(help->globalPos(), tr("Layer %1: %2 → %3")
                                                      .arg(layer)
                                                      .arg(QString::fromStdString(toText(one.before)),
                                                           QString::fromStdString(toText(one.now))));
            return true;
        }
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void DifferencePanel::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange)
        return;
    layOut();
    update();
    viewport()->update();
}

QSize DifferencePanel::sizeHint() const {
    return {int(Sizes::unit() * 100), int(rowHeight() * kRows + Sizes::unit() * 2)};
}

QSize DifferencePanel::minimumSizeHint() const {
    // With the scroll bar, which covered the last line.
    return {int(Sizes::unit() * 40), int(rowHeight() * kRows + Sizes::unit()) + horizontalScrollBar()->sizeHint().height()};
}

} // namespace headroom::app
