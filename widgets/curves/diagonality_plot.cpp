// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/curves/diagonality_plot.h"

#include "core/analysis/diagonality.h"
#include "core/analysis/masked_loss.h"
#include "widgets/curves/diagonality_plot_private.h"
#include "widgets/curves/plot_style.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/map_tag.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::widgets {

DiagonalityPlot::DiagonalityPlot(QWidget* parent)
    : PlotFrame({42, 23}, {26, 16}, parent)
    , m(std::make_unique<Private>()) {
    m->plot = plot();
    m->plot->addLayer(QStringLiteral("current"), m->plot->layer(QStringLiteral("axes")), QCustomPlot::limAbove);
    m->plot->addLayer(QStringLiteral("marker"), m->plot->layer(QStringLiteral("legend")),
                      QCustomPlot::limBelow);
    m->markerLayer = m->plot->layer(QStringLiteral("marker"));
    m->markerLayer->setMode(QCPLayer::lmBuffered); // a drag replots this layer alone
    m->inside = new QCPItemRect(m->plot);
    m->vertical = new QCPItemLine(m->plot);
    m->horizontal = new QCPItemLine(m->plot);
    m->dot = new QCPItemTracer(m->plot);
    m->flag = new QCPItemText(m->plot);
    m->values = new QCPItemText(m->plot);
    for (QCPAbstractItem* item : std::initializer_list<QCPAbstractItem*>{
             m->inside, m->vertical, m->horizontal, m->dot, m->flag, m->values})
        item->setLayer(m->markerLayer);
    m->title = new QCPItemText(m->plot);
    m->axisTitle = new QCPItemText(m->plot);
    setAccessibleName(tr("D(w): contributions kept by a window"));
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

void DiagonalityPlot::setCompared(const Compared& own, std::vector<Compared> compared) {
    m->own = own;
    m->compared = std::move(compared);
    redraw();
}

void DiagonalityPlot::setAverage(std::vector<double> mean, std::vector<double> deviation, int utterances) {
    m->mean = std::move(mean);
    m->deviation = std::move(deviation);
    m->utterances = utterances;
    redraw();
}

void DiagonalityPlot::setKinds(const QString& kinds) {
    if (kinds == m->kinds)
        return;
    m->kinds = kinds;
    moveMarker();
}

void DiagonalityPlot::setMeasured(const QString& of) {
    if (of == m->measured)
        return;
    m->measured = of;
    redraw();
}

void DiagonalityPlot::setMasked(bool masked) {
    if (masked == m->masked)
        return;
    m->masked = masked;
    moveMarker();
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
    return m->diagonalityOf(m->profile, shownWindow());
}

std::vector<double> DiagonalityPlot::comparedHere() const {
    std::vector<double> values;
    for (const Compared& one : m->compared)
        values.push_back(m->diagonalityOf(one.profile, m->windowIn(one, shownWindow())));
    return values;
}

QPoint DiagonalityPlot::positionOf(int window) const {
    return {static_cast<int>(std::lround(m->plot->x() + m->plot->xAxis->coordToPixel(window))),
            m->plot->y() + m->plot->axisRect()->center().y()};
}

void DiagonalityPlot::redraw() {
    const auto& theme = Theme::current();
    QCustomPlot& plot = *m->plot;
    setKey(m->keyOfCurves());
    styleCurvePlot(plot);
    plot.legend->setVisible(false);
    // The marker's flag and numbers stand above the curves, where they cover none.
    QMargins margins = plot.axisRect()->margins();
    margins.setTop(static_cast<int>((m->compared.empty() ? 3 : m->compared.size() == 1 ? 5.5 : 3.5) * Sizes::unit()));
    plot.axisRect()->setMargins(margins);
    plot.axisRect()->update(QCPLayoutElement::upLayout);
    plot.clearGraphs();
    const double unit = Sizes::unit();
    double lowest = 0.8;
    const auto add = [&](const DiagonalProfile& profile, const QPen& pen, double tokenLength = 1) {
        auto [x, y] = m->curve(profile, tokenLength);
        lowest = std::min(lowest, *std::min_element(y.begin(), y.end()));
        auto* graph = addWholeGraph(plot);
        graph->setLayer(QStringLiteral("main"));
        graph->setData(x, y, true);
        graph->setPen(pen);
        graph->setAntialiased(true);
        return graph;
    };
    if (!m->profile.empty())
        add(m->profile, m->ownPen())->setLayer(QStringLiteral("current"));
    for (const Compared& one : m->compared)
        if (!one.profile.empty())
            add(one.profile, runPen(one.style, 1.75 * unit / 8), m->tokenLength(one))->setLayer(QStringLiteral("current"));
    for (const auto& other : m->others)
        if (!other.empty())
            add(other, m->othersPen());
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
        auto *top = plot.addGraph(), *bottom = plot.addGraph(), *middle = addWholeGraph(plot);
        middle->setLayer(QStringLiteral("main"));
        top->setData(x, upper, true);
        bottom->setData(x, lower, true);
        QColor band = theme.runs[0];
        band.setAlphaF(0.18F);
        top->setPen(Qt::NoPen);
        bottom->setPen(Qt::NoPen);
        top->setBrush(band);
        top->setChannelFillGraph(bottom);
        middle->setData(x, y, true);
        middle->setPen(m->meanPen());
    }
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

    QFont bold = Sizes::small();
    bold.setBold(true);
    const QString what = m->measured.isEmpty() ? tr("D(w)") : tr("D(w) of %1").arg(m->measured);
    m->title->setText(m->layer >= 0 ? tr("%1, layer %2").arg(what).arg(m->layer + 1) : what);
    m->title->setFont(bold);
    m->title->setColor(theme.text);
    m->axisTitle->setText(m->axisTitleFor(plot.axisRect()->width() - unit -
                                          QFontMetrics(bold).horizontalAdvance(m->title->text())));
    m->axisTitle->setFont(Sizes::small());
    m->axisTitle->setColor(theme.text2);
    const double below = 1 + 2.5 * unit / std::max(plot.axisRect()->height(), 1);
    m->placeText(m->title, 0, below, Qt::AlignLeft | Qt::AlignTop);
    m->placeText(m->axisTitle, 1, below, Qt::AlignRight | Qt::AlignTop);
    showNames();
    moveMarker();
    plot.replot();
}

/// The whole names of what is drawn, for the key may shorten them.
void DiagonalityPlot::showNames() {
    QStringList names;
    if (!m->compared.empty())
        names << m->own.name;
    for (const Compared& one : m->compared)
        names << (m->tokenLength(one) == 1
                      ? one.name
                      : tr("%1: tokens of %2, placed so that windows of equal duration coincide").arg(one.name, m->lengthOf(one.millisecondsPerToken)));
    const QString what =
        tr("D(w): share of contributions inside a window of w tokens; CL = 1 − D(w) is the share outside. "
           "Alastruey et al. 2022, Eq. 6. Drag the marker to change the window. %1; grey: the other layers.")
            .arg(m->compared.empty() ? tr("Black: this utterance") : tr("In the colour of its model: this utterance"));
    setToolTip(names.isEmpty() ? what : names.join(QLatin1Char('\n')) + QLatin1Char('\n') + what);
}

void DiagonalityPlot::moveMarker() {
    const auto& theme = Theme::current();
    const double unit = Sizes::unit();
    const int shown = shownWindow();
    const bool has = !m->profile.empty();
    const double d = has ? diagonalityHere() : 0;
    const QString window = shown > 0 ? tr("w = %1").arg(shown) : m->masked ? tr("masked") : tr("full");
    const QString loss = m->masked   ? number(maskedContributionLoss(m->profile, shown), 3)
                         : shown > 0 ? number(1 - d, 3)
                                     : QStringLiteral("0");
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
    m->dot->position->setCoords(x, d);
    m->dot->setStyle(QCPItemTracer::tsCircle);
    m->dot->setSize(1.12 * unit);
    m->dot->setBrush(theme.accent);
    m->dot->setPen(QPen(theme.panel, unit / 8));
    placeComparedDots();
    QFont bold = Sizes::small();
    bold.setBold(true);
    const bool saysKinds = !m->kinds.isEmpty();
    QString numbers = saysKinds   ? QString()
                      : shown > 0 ? tr("D %1, CL %2").arg(number(d, 3), loss)
                                  : tr("D 1, CL %1").arg(loss);
    const auto there = comparedHere();
    if (!saysKinds && shown > 0 && there.size() == 1 && std::isfinite(there.front())) {
        const Compared& one = m->compared.front();
        const QString kept = number(there.front(), 3), name = elidedName(one.name);
        numbers += QLatin1Char('\n') + (m->tokenLength(one) == 1 ? tr("D %1 in %2").arg(kept, name)
                                                                 : tr("D %1 at w = %3 in %2").arg(kept, name).arg(m->windowIn(one, shown)));
    }
    QString flag = saysKinds ? elidedName(m->kinds) : window;
    const QRect frame = m->plot->axisRect()->rect();
    const double across = std::max(frame.width(), 1), upwards = std::max(frame.height(), 1);
    const QFontMetrics metrics(bold);
    const double wide = metrics.size(0, numbers).width() / across;
    const auto halfOf = [&](const QString& text) { return (metrics.horizontalAdvance(text) / 2.0 + 6) / across; };
    // In a narrow plot one of the two numbers says it all, and the flag has it.
    if (!numbers.isEmpty() && wide > 0.5 - halfOf(flag) - 0.03) {
        flag += tr(", CL %1").arg(loss);
        numbers.clear();
    }
    m->flag->setText(flag);
    m->flag->setFont(bold);
    m->flag->setColor(theme.textOnAccent);
    m->flag->setBrush(theme.accent);
    m->flag->setPen(QPen(theme.accent, 1));
    m->flag->setPadding(QMargins(5, 2, 5, 2));
    m->values->setText(numbers);
    m->values->setFont(bold);
    m->values->setColor(theme.text);
    const double share = (m->plot->xAxis->coordToPixel(x) - frame.left()) / across;
    // Both stand above the plot; the flag stays within its width, the numbers on its roomier side.
    const double above = (m->compared.empty() ? -0.4 : -0.9) * unit / upwards; // over a whole mark at D = 1
    const double half = std::min(halfOf(flag), 0.5);
    const double at = std::clamp(share, half, 1 - half);
    m->placeText(m->flag, at, above, Qt::AlignHCenter | Qt::AlignBottom);
    const bool right = at < 0.5;
    m->placeText(m->values, right ? at + half + 0.02 : at - half - 0.02, above - 2.0 / upwards,
                 (right ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignBottom);
    m->markerLayer->replot();
    describe();
}

/// Where the marker's window stands on the curves of the others.
void DiagonalityPlot::placeComparedDots() {
    const auto& theme = Theme::current();
    while (m->comparedDots.size() < m->compared.size()) {
        m->comparedDots.push_back(new QCPItemTracer(m->plot));
        m->comparedDots.back()->setLayer(m->markerLayer);
    }
    const auto values = comparedHere();
    for (std::size_t index = 0; index < m->comparedDots.size(); ++index) {
        QCPItemTracer* dot = m->comparedDots[index];
        const bool shown = shownWindow() > 0 && index < values.size() && std::isfinite(values[index]);
        dot->setVisible(shown);
        if (!shown)
            continue;
        const Compared& one = m->compared[index];
        const double x = m->windowIn(one, shownWindow()) * m->tokenLength(one);
        dot->setClipToAxisRect(x > m->plot->xAxis->range().upper); // at D = 1 its upper half stands outside
        dot->position->setCoords(x, values[index]);
        dot->setStyle(QCPItemTracer::tsCircle);
        dot->setSize(0.9 * Sizes::unit());
        dot->setBrush(theme.panel);
        dot->setPen(QPen(runPen(one.style, 1).color(), Sizes::unit() / 4));
    }
}

void DiagonalityPlot::describe() {
    if (m->profile.empty())
        return setAccessibleDescription(tr("No profile yet."));
    const int shown = shownWindow();
    if (!m->kinds.isEmpty())
        return setAccessibleDescription(tr("Layer %1, %2.").arg(m->layer + 1).arg(m->kinds));
    if (shown <= 0)
        return setAccessibleDescription(tr("Layer %1, full, CL 0.").arg(m->layer + 1));
    QString sentence = tr("Layer %1, window %2, D %3, CL %4.")
                           .arg(m->layer + 1)
                           .arg(shown)
                           .arg(number(diagonalityHere(), 3),
                                number(m->masked ? maskedContributionLoss(m->profile, shown) : 1 - diagonalityHere(), 3));
    const auto there = comparedHere();
    for (std::size_t index = 0; index < there.size(); ++index)
        if (const Compared& one = m->compared[index]; std::isfinite(there[index])) {
            const QString said = (m->tokenLength(one) == 1 ? tr("%1: D %2.") : tr("%1: D %2 at window %3 of its own tokens."))
                                     .arg(one.name, number(there[index], 3));
            sentence += QLatin1Char(' ') + (m->tokenLength(one) == 1 ? said : said.arg(m->windowIn(one, shown)));
        }
    setAccessibleDescription(sentence + tr(" Up and down change the window."));
}

} // namespace headroom::widgets
