// SPDX-License-Identifier: GPL-3.0-or-later
// What the plot of CAD shows. What it hears: cad_plot_input.cpp.
#include "widgets/heads/cad_plot.h"

#include "widgets/curves/plot_style.h"
#include "widgets/heads/cad_plot_private.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

CadPlot::CadPlot(QWidget* parent) : PlotFrame({48, 26}, {26, 16}, parent), m(std::make_unique<Private>()) {
    m->plot = plot();
    m->line = new QCPItemStraightLine(m->plot);
    m->at = new QCPItemStraightLine(m->plot);
    m->title = new QCPItemText(m->plot);
    m->splitText = new QCPItemText(m->plot);
    setMouseTracking(true);
    setAccessibleName(tr("CAD of the heads"));
    redraw();
}

CadPlot::~CadPlot() = default;

void CadPlot::setHeads(std::vector<HeadCad> heads) {
    m->heads = std::move(heads);
    m->place();
    redraw();
}

void CadPlot::setOrder(Order order) {
    m->order = order;
    m->place();
    redraw();
}

CadPlot::Order CadPlot::order() const {
    return m->order;
}

void CadPlot::setSelected(std::optional<HeadId> head) {
    if (head == m->selected)
        return;
    m->selected = head;
    redraw();
}

std::optional<HeadId> CadPlot::selected() const {
    return m->selected;
}

void CadPlot::setSplit(double cad) {
    m->split = std::clamp(cad, 0.0, 1.0);
    redraw();
}

double CadPlot::split() const {
    return m->split;
}

int CadPlot::phoneticCount() const {
    return int(std::count_if(m->points.begin(), m->points.end(),
                             [this](const auto& point) { return point.head.cad < m->split; }));
}

int CadPlot::linguisticCount() const {
    return int(m->points.size()) - phoneticCount();
}

std::vector<HeadId> CadPlot::shownOrder() const {
    std::vector<HeadId> order;
    for (const auto& point : m->points)
        order.push_back(point.head.id);
    return order;
}

/// Gives every head that is known a place, from left to right.
void CadPlot::Private::place() {
    points.clear();
    int most = 0;
    for (const HeadCad& head : heads) {
        most = std::max(most, head.id.head + 1);
        if (std::isfinite(head.cad))
            points.push_back({head, 0});
    }
    if (order == Order::Sorted) {
        std::stable_sort(points.begin(), points.end(),
                         [](const Point& a, const Point& b) { return a.head.cad < b.head.cad; });
        for (std::size_t rank = 0; rank < points.size(); ++rank)
            points[rank].x = double(rank + 1);
        return;
    }
    std::stable_sort(points.begin(), points.end(),
                     [](const Point& a, const Point& b) { return a.head.id < b.head.id; });
    // Heads of one layer stand beside each other in seven tenths of its room.
    for (Point& point : points)
        point.x = point.head.id.layer + 1 + 0.7 * ((point.head.id.head + 0.5) / most - 0.5);
}

std::vector<KeyEntry> CadPlot::Private::key() const {
    if (points.empty())
        return {};
    const auto& theme = Theme::current();
    const auto phonetic = std::count_if(points.begin(), points.end(), [this](const Point& p) { return p.head.cad < split; });
    const double width = 1.4 * Sizes::unit() / 8;
    return {{CadPlot::tr("phonetic %1").arg(phonetic), {}, QPen(theme.runs[0], width), -1, KeyEntry::Sample::Disc},
            {CadPlot::tr("linguistic %1").arg(std::ptrdiff_t(points.size()) - phonetic), {}, QPen(theme.runs[1], width), -1,
             KeyEntry::Sample::Triangle}};
}

void CadPlot::drawHeads() {
    const auto& theme = Theme::current();
    const double unit = Sizes::unit();
    QVector<double> barX, barY;
    for (const auto& point : m->points)
        if (std::isfinite(point.head.low) && std::isfinite(point.head.high)) {
            barX << point.x << point.x << point.x;
            barY << point.head.low << point.head.high << NAN;
        }
    if (!barX.isEmpty()) {
        auto* bars = m->plot->addGraph();
        bars->setData(barX, barY, true);
        bars->setPen(QPen(theme.text3, unit / 8));
    }
    for (const bool phonetic : {true, false}) {
        QVector<double> x, y;
        for (const auto& point : m->points)
            if ((point.head.cad < m->split) == phonetic) {
                x << point.x;
                y << point.head.cad;
            }
        const QColor colour = theme.runs[phonetic ? 0 : 1];
        QCPScatterStyle marker(phonetic ? QCPScatterStyle::ssDisc : QCPScatterStyle::ssTriangle, 0.9 * unit);
        marker.setPen(QPen(colour, 1.4 * unit / 8));
        marker.setBrush(phonetic ? colour : theme.panel);
        auto* graph = addWholeGraph(*m->plot);
        graph->setLineStyle(QCPGraph::lsNone);
        graph->setScatterStyle(marker);
        graph->setData(x, y, m->order == Order::Sorted);
    }
    const auto* chosen = m->selected ? m->find(*m->selected) : nullptr;
    m->at->setVisible(chosen != nullptr);
    if (!chosen)
        return;
    QColor accent = theme.accent;
    accent.setAlphaF(0.6F);
    m->at->setPen(QPen(accent, unit / 8));
    m->at->point1->setCoords(chosen->x, 0);
    m->at->point2->setCoords(chosen->x, 1);
    auto* ring = addWholeGraph(*m->plot);
    ring->setLineStyle(QCPGraph::lsNone);
    QCPScatterStyle marker(QCPScatterStyle::ssCircle, 1.7 * unit);
    marker.setPen(QPen(theme.accent, unit / 4));
    ring->setScatterStyle(marker);
    ring->setData({chosen->x}, {chosen->head.cad});
}

void CadPlot::drawAxes() {
    QCustomPlot& plot = *m->plot;
    double lowest = std::min(0.5, m->split - 0.05);
    for (const auto& point : m->points)
        lowest = std::min(
            {lowest, point.head.cad - 0.02, std::isfinite(point.head.low) ? point.head.low - 0.02 : 1.0});
    plot.yAxis->setRange(std::max(0.0, std::floor(lowest * 10) / 10), 1.02);
    auto steps = QSharedPointer<QCPAxisTickerFixed>::create();
    steps->setTickStep(plot.yAxis->range().size() > 0.6 ? 0.2 : 0.1);
    plot.yAxis->setTicker(steps);
    plot.yAxis->setNumberFormat(QStringLiteral("f"));
    plot.yAxis->setNumberPrecision(1);
    double last = 1;
    for (const auto& point : m->points)
        last = std::max(last, std::ceil(point.x - 0.5));
    plot.xAxis->setRange(0.4, last + 0.6);
    auto ticker = QSharedPointer<QCPAxisTickerFixed>::create();
    ticker->setTickStep(last > 40 ? 10 : last > 16 ? 4 : last > 8 ? 2 : 1);
    plot.xAxis->setTicker(ticker);
    plot.xAxis->setNumberFormat(QStringLiteral("f"));
    plot.xAxis->setNumberPrecision(0);
}

void CadPlot::redraw() {
    const auto& theme = Theme::current();
    const double unit = Sizes::unit();
    QCustomPlot& plot = *m->plot;
    setKey(m->key()); // under the plot, where it covers no head
    styleCurvePlot(plot);
    QMargins margins = plot.axisRect()->margins();
    margins.setRight(static_cast<int>(4 * unit)); // the number of the split stands beside its line, where no head is
    plot.axisRect()->setMargins(margins);
    plot.clearGraphs();
    drawAxes();
    drawHeads();
    plot.legend->setVisible(false);
    m->line->setPen(QPen(theme.text, (m->dragging || m->hovered ? 2.25 : 1.5) * unit / 8, Qt::DashLine));
    m->line->point1->setCoords(0, m->split);
    m->line->point2->setCoords(1, m->split);
    const auto text = [&](QCPItemText* item, const QString& words, Qt::Alignment alignment) {
        item->setText(words);
        item->setFont(Sizes::small());
        item->setColor(theme.text2);
        item->setPositionAlignment(alignment);
    };
    text(m->splitText, numberText(m->split, 2), Qt::AlignLeft | Qt::AlignVCenter);
    m->splitText->setColor(theme.text);
    m->splitText->setClipToAxisRect(false);
    m->splitText->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    m->splitText->position->setTypeY(QCPItemPosition::ptPlotCoords);
    m->splitText->position->setCoords(1.0, m->split);
    m->splitText->setPadding({static_cast<int>(unit / 2), 0, 0, 0});
    text(m->title, m->order == Order::Sorted ? tr("heads by CAD") : tr("layer"),
         Qt::AlignHCenter | Qt::AlignBottom);
    m->title->position->setType(QCPItemPosition::ptAbsolute);
    m->title->setClipToAxisRect(false);
    m->title->position->setCoords(plot.axisRect()->center().x(), plot.viewport().bottom() - unit / 4);
    describeAll();
    plot.replot();
}

QString CadPlot::describe(HeadId head) const {
    const auto* point = m->find(head);
    if (!point)
        return tr("%1: no CAD").arg(headName(head));
    const QString side = point->head.cad < m->split ? tr("phonetic") : tr("linguistic");
    QString text = tr("%1: CAD %2, %3").arg(headName(head), numberText(point->head.cad, 3), side);
    if (std::isfinite(point->head.low))
        text += tr(", 95\u202f% interval %1 to %2")
                    .arg(numberText(point->head.low, 3), numberText(point->head.high, 3));
    return text;
}

void CadPlot::describeAll() {
    const QString counts = tr("Split at %1: %2 phonetic, %3 linguistic.")
                               .arg(numberText(m->split, 2))
                               .arg(phoneticCount())
                               .arg(linguisticCount());
    setAccessibleDescription(m->selected ? describe(*m->selected) + QStringLiteral(". ") + counts : counts);
}

} // namespace headroom::widgets
