// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/curves/diagonality_plot.h"

#include "core/analysis/diagonality.h"
#include "widgets/curves/plot_style.h"
#include "widgets/look/metrics.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/map_tag.h"

#include <qcustomplot.h>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::widgets {

struct DiagonalityPlot::Private {
    QCustomPlot* plot = nullptr;
    QCPLayer* markerLayer = nullptr;
    QCPItemRect* inside = nullptr;
    QCPItemLine *vertical = nullptr, *horizontal = nullptr;
    QCPItemEllipse* dot = nullptr;
    QCPItemText *flag = nullptr, *values = nullptr, *title = nullptr, *axisTitle = nullptr;

    int layer = -1;
    double milliseconds = 40;
    DiagonalProfile profile;
    std::vector<DiagonalProfile> others;
    std::vector<double> mean, deviation;
    int utterances = 0;
    bool whole = false;
    int window = 0;
    std::optional<int> dragged;

    int largest() const { return static_cast<int>(std::max<std::int64_t>(2 * profile.size() - 1, 1)); }
    int lastWindow() const {
        const int reach = whole ? largest() : std::min(61, std::max(largest(), 11));
        return std::max(reach, std::min(window, largest()));
    }
    /// D at 1, 3, 5 … last, and once more at the end where the profile is shorter.
    std::pair<QVector<double>, QVector<double>> curve(const DiagonalProfile& of) const {
        QVector<double> x, y;
        for (int w = 1; w <= lastWindow(); w += 2) {
            x << w;
            y << diagonality(of, w);
        }
        return {x, y};
    }
    void placeText(QCPItemText* item, double x, double y, Qt::Alignment alignment) const {
        item->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
        item->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
        item->position->setCoords(x, y);
        item->setPositionAlignment(alignment);
        item->setClipToAxisRect(false);
    }
};

DiagonalityPlot::DiagonalityPlot(QWidget* parent) : QWidget(parent), m(std::make_unique<Private>()) {
    setFocusPolicy(Qt::StrongFocus);
    m->plot = new QCustomPlot(this);
    m->plot->setAttribute(Qt::WA_TransparentForMouseEvents); // this widget listens for both
    m->plot->setFocusPolicy(Qt::NoFocus);
    m->plot->addLayer(QStringLiteral("marker"), nullptr, QCustomPlot::limAbove);
    m->markerLayer = m->plot->layer(QStringLiteral("marker"));
    m->markerLayer->setMode(QCPLayer::lmBuffered); // a drag replots this layer alone
    m->inside = new QCPItemRect(m->plot);
    m->vertical = new QCPItemLine(m->plot);
    m->horizontal = new QCPItemLine(m->plot);
    m->dot = new QCPItemEllipse(m->plot);
    m->flag = new QCPItemText(m->plot);
    m->values = new QCPItemText(m->plot);
    for (QCPAbstractItem* item : std::initializer_list<QCPAbstractItem*>{
             m->inside, m->vertical, m->horizontal, m->dot, m->flag, m->values})
        item->setLayer(m->markerLayer);
    m->title = new QCPItemText(m->plot);
    m->axisTitle = new QCPItemText(m->plot);
    setAccessibleName(tr("D(w): contributions kept by a window"));
    setToolTip(tr("D(w): share of contributions inside a window of w tokens; CL = 1 − D(w) is what it loses. "
                  "Alastruey et al. 2022, Eq. 6. Drag the marker to change the window."));
    redraw();
}

DiagonalityPlot::~DiagonalityPlot() = default;

void DiagonalityPlot::setCurrent(int layer, DiagonalProfile profile, double millisecondsPerToken) {
    m->layer = layer;
    m->profile = std::move(profile);
    m->milliseconds = millisecondsPerToken;
    redraw();
}

void DiagonalityPlot::setOthers(const std::vector<DiagonalProfile>& profiles) {
    m->others = profiles;
    redraw();
}

void DiagonalityPlot::setAverage(std::vector<double> mean, std::vector<double> deviation, int utterances) {
    m->mean = std::move(mean);
    m->deviation = std::move(deviation);
    m->utterances = utterances;
    redraw();
}

void DiagonalityPlot::setWholeRange(bool whole) {
    m->whole = whole;
    redraw();
}

void DiagonalityPlot::setWindow(int window) {
    m->dragged.reset();
    const bool reaches = std::max(window, 0) > m->lastWindow() || m->window > 61;
    m->window = std::max(window, 0);
    if (reaches)
        redraw();
    else
        moveMarker();
}

int DiagonalityPlot::window() const {
    return m->window;
}
int DiagonalityPlot::shownWindow() const {
    return m->dragged.value_or(m->window);
}

double DiagonalityPlot::diagonalityHere() const {
    if (m->profile.empty())
        return std::numeric_limits<double>::quiet_NaN();
    return shownWindow() <= 0 ? 1 : diagonality(m->profile, shownWindow());
}

QPoint DiagonalityPlot::positionOf(int window) const {
    return {static_cast<int>(std::lround(m->plot->x() + m->plot->xAxis->coordToPixel(window))),
            m->plot->y() + m->plot->axisRect()->center().y()};
}

void DiagonalityPlot::redraw() {
    const auto& theme = Theme::current();
    auto& plot = *m->plot;
    styleCurvePlot(plot);
    plot.clearGraphs();
    const double unit = Metrics::unit();
    double lowest = 0.8;
    const auto add = [&](const DiagonalProfile& profile, const QPen& pen, const QString& name) {
        auto [x, y] = m->curve(profile);
        lowest = std::min(lowest, *std::min_element(y.begin(), y.end()));
        auto* graph = plot.addGraph();
        graph->setData(x, y, true);
        graph->setPen(pen);
        graph->setName(name);
        graph->setAntialiased(true);
        if (name.isEmpty())
            graph->removeFromLegend();
        return graph;
    };
    QColor faint = theme.fieldBorder;
    faint.setAlphaF(0.6F);
    QCPGraph* firstOther = nullptr;
    for (const auto& other : m->others)
        if (!other.empty()) {
            auto* graph = add(other, QPen(faint, unit / 8), firstOther ? QString() : tr("other layers"));
            firstOther = firstOther ? firstOther : graph;
        }
    if (!m->mean.empty()) {
        QVector<double> x, y, upper, lower;
        for (std::size_t index = 0;
             index < m->mean.size() && static_cast<int>(2 * index + 1) <= m->lastWindow(); ++index) {
            x << static_cast<double>(2 * index + 1);
            y << m->mean[index];
            const double spread = index < m->deviation.size() ? m->deviation[index] : 0;
            upper << m->mean[index] + spread;
            lower << m->mean[index] - spread;
        }
        auto *top = plot.addGraph(), *bottom = plot.addGraph(), *middle = plot.addGraph();
        top->setData(x, upper, true);
        bottom->setData(x, lower, true);
        QColor band = theme.runs[0];
        band.setAlphaF(0.18F);
        top->setPen(Qt::NoPen);
        bottom->setPen(Qt::NoPen);
        top->setBrush(band);
        top->setChannelFillGraph(bottom);
        top->removeFromLegend();
        bottom->removeFromLegend();
        QPen dashed(theme.runs[0], 1.5 * unit / 8, Qt::CustomDashLine);
        dashed.setDashPattern({4, 2});
        middle->setData(x, y, true);
        middle->setPen(dashed);
        middle->setName(tr("%1 utterances, mean ± std").arg(m->utterances));
    }
    if (!m->profile.empty())
        add(m->profile, QPen(theme.text, 2.25 * unit / 8), tr("this utterance"));
    plot.legend->setVisible(plot.graphCount() > 1);
    plot.axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignRight | Qt::AlignVCenter);

    const int last = m->lastWindow();
    plot.xAxis->setRange(1, last);
    auto ticker = QSharedPointer<QCPAxisTickerFixed>::create();
    ticker->setTickStep(last <= 21 ? 2 : last <= 70 ? 10 : 10 * std::ceil(last / 70.0));
    ticker->setTickOrigin(1);
    plot.xAxis->setTicker(ticker);
    plot.xAxis->setNumberFormat(QStringLiteral("f"));
    plot.xAxis->setNumberPrecision(0);
    plot.yAxis->setRange(std::max(0.0, std::floor(lowest * 5 + 1e-9) / 5), 1.0);
    auto fifths = QSharedPointer<QCPAxisTickerFixed>::create();
    fifths->setTickStep(0.2);
    plot.yAxis->setTicker(fifths);
    plot.yAxis->setNumberFormat(QStringLiteral("f"));
    plot.yAxis->setNumberPrecision(1);

    QFont bold = Metrics::small();
    bold.setBold(true);
    m->title->setText(m->layer >= 0 ? tr("D(w), layer %1").arg(m->layer + 1) : tr("D(w)"));
    m->title->setFont(bold);
    m->title->setColor(theme.text);
    m->axisTitle->setText(tr("window w, tokens of %1\u202fms").arg(m->milliseconds, 0, 'g', 4));
    m->axisTitle->setFont(Metrics::small());
    m->axisTitle->setColor(theme.text2);
    const double below = 1 + 2.5 * unit / std::max(plot.axisRect()->height(), 1);
    m->placeText(m->title, 0, below, Qt::AlignLeft | Qt::AlignTop);
    m->placeText(m->axisTitle, 1, below, Qt::AlignRight | Qt::AlignTop);
    moveMarker();
    plot.replot();
}

void DiagonalityPlot::moveMarker() {
    const auto& theme = Theme::current();
    const double unit = Metrics::unit();
    const int shown = shownWindow();
    const bool has = !m->profile.empty();
    const double d = has ? diagonalityHere() : 0;
    for (QCPAbstractItem* item :
         std::initializer_list<QCPAbstractItem*>{m->inside, m->vertical, m->horizontal, m->dot})
        item->setVisible(has && shown > 0);
    m->flag->setVisible(has);
    m->values->setVisible(has);
    const double x = shown > 0 ? shown : m->lastWindow();
    const auto range = m->plot->yAxis->range();
    QColor tint = theme.accent;
    tint.setAlphaF(0.09F);
    m->inside->topLeft->setCoords(m->plot->xAxis->range().lower, range.upper);
    m->inside->bottomRight->setCoords(x, range.lower);
    m->inside->setBrush(tint);
    m->inside->setPen(Qt::NoPen);
    m->vertical->start->setCoords(x, range.lower);
    m->vertical->end->setCoords(x, range.upper);
    m->vertical->setPen(QPen(theme.accent, 2 * unit / 8));
    m->horizontal->start->setCoords(m->plot->xAxis->range().lower, d);
    m->horizontal->end->setCoords(x, d);
    m->horizontal->setPen(QPen(theme.accent, 1.25 * unit / 8, Qt::DashLine));
    const double radius = 0.56 * unit;
    const QPointF centre(m->plot->xAxis->coordToPixel(x), m->plot->yAxis->coordToPixel(d));
    m->dot->topLeft->setPixelPosition(centre - QPointF(radius, radius));
    m->dot->bottomRight->setPixelPosition(centre + QPointF(radius, radius));
    m->dot->setBrush(theme.accent);
    m->dot->setPen(QPen(theme.panel, unit / 8));
    QFont bold = Metrics::small();
    bold.setBold(true);
    m->flag->setText(shown > 0 ? tr("w = %1").arg(shown) : tr("full"));
    m->flag->setFont(bold);
    m->flag->setColor(theme.textOnAccent);
    m->flag->setBrush(theme.accent);
    m->flag->setPen(QPen(theme.accent, 1));
    m->flag->setPadding(QMargins(5, 2, 5, 2));
    m->values->setText(shown > 0 ? tr("D %1, CL %2").arg(number(d, 3), number(1 - d, 3)) : tr("D 1, CL 0"));
    m->values->setFont(bold);
    m->values->setColor(theme.text);
    const QRect frame = m->plot->axisRect()->rect();
    const double share =
        frame.width() > 0 ? (m->plot->xAxis->coordToPixel(x) - frame.left()) / frame.width() : 0;
    const double low = 1 - 1.2 * unit / std::max(frame.height(), 1);
    // The flag stays inside the plot; the numbers stand on its roomier side.
    const QFontMetrics metrics(bold);
    const double half = (metrics.horizontalAdvance(m->flag->text()) / 2.0 + 6) / std::max(frame.width(), 1);
    const double at = std::clamp(share, half, 1 - half);
    const bool right = at < 0.55;
    m->placeText(m->flag, at, low, Qt::AlignCenter);
    m->placeText(m->values, right ? at + half + 0.015 : at - half - 0.015, low,
                 (right ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    m->markerLayer->replot();
    setAccessibleDescription(!has ? tr("No profile yet.")
                             : shown > 0
                                 ? tr("Layer %1, window %2, D %3, CL %4. Up and down change the window.")
                                       .arg(m->layer + 1)
                                       .arg(shown)
                                       .arg(number(d, 3), number(1 - d, 3))
                                 : tr("Layer %1, full, CL 0.").arg(m->layer + 1));
}

int DiagonalityPlot::windowAt(double x) const {
    const double exact = m->plot->xAxis->pixelToCoord(x - m->plot->x());
    return std::clamp(2 * static_cast<int>(std::lround((exact - 1) / 2)) + 1, 1, m->largest());
}

void DiagonalityPlot::commit(int window) {
    m->dragged.reset();
    const int old = m->window;
    m->window = window;
    moveMarker();
    if (old != window)
        Q_EMIT windowEdited(old, window);
}

void DiagonalityPlot::dragTo(int window) {
    if (m->dragged == window)
        return;
    m->dragged = window;
    moveMarker();
    Q_EMIT windowDragged(window);
}

void DiagonalityPlot::mousePressEvent(QMouseEvent* event) {
    const QRect frame = m->plot->axisRect()->rect().translated(m->plot->pos());
    if (event->button() != Qt::LeftButton || m->profile.empty() ||
        !frame.contains(event->position().toPoint())) {
        event->ignore();
        return;
    }
    dragTo(windowAt(event->position().x()));
}

void DiagonalityPlot::mouseMoveEvent(QMouseEvent* event) {
    if (m->dragged)
        dragTo(windowAt(event->position().x()));
}

void DiagonalityPlot::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && m->dragged)
        commit(*m->dragged);
}

void DiagonalityPlot::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && m->dragged) {
        m->dragged.reset();
        moveMarker();
        Q_EMIT windowDragged(m->window);
        return;
    }
    if (m->profile.empty() || m->dragged)
        return QWidget::keyPressEvent(event);
    const int amount = event->modifiers().testFlag(Qt::ShiftModifier) ? 10 : 2;
    const int from = m->window > 0 ? m->window : m->largest();
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Right:
    case Qt::Key_BracketRight:
    case Qt::Key_BraceRight:
        return commit(std::min(from + amount, m->largest()));
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_BracketLeft:
    case Qt::Key_BraceLeft:
        return commit(std::max(from - amount, 1));
    case Qt::Key_Home:
        return commit(1);
    case Qt::Key_End:
        return commit(0);
    default:
        QWidget::keyPressEvent(event);
    }
}

bool DiagonalityPlot::event(QEvent* event) {
    // While a marker is dragged Esc is ours, not a shortcut's of the window.
    if (event->type() == QEvent::ShortcutOverride && m->dragged &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

void DiagonalityPlot::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void DiagonalityPlot::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

void DiagonalityPlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const auto& theme = Theme::current();
    painter.fillRect(rect(), theme.panel);
    if (!hasFocus())
        return;
    const double width = Metrics::unit() / 4;
    painter.setPen(QPen(theme.accent, width));
    painter.drawRect(QRectF(rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2));
}

void DiagonalityPlot::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const int ring = static_cast<int>(Metrics::unit() / 4) + 1;
    m->plot->setGeometry(rect().adjusted(ring, ring, -ring, -ring));
    m->plot->replot(); // lays out the axis rect that the titles below are placed by
    redraw();
}

void DiagonalityPlot::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        redraw();
}

void DiagonalityPlot::renderTo(QPainter& painter, const QRect& target) {
    renderPlot(*m->plot, painter, target);
}

QSize DiagonalityPlot::sizeHint() const {
    return {static_cast<int>(42 * Metrics::unit()), static_cast<int>(23 * Metrics::unit())};
}

QSize DiagonalityPlot::minimumSizeHint() const {
    return {static_cast<int>(26 * Metrics::unit()), static_cast<int>(16 * Metrics::unit())};
}

} // namespace headroom::widgets
