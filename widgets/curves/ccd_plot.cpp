// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/curves/ccd_plot.h"

#include "widgets/curves/plot_style.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/map_tag.h"

#include <qcustomplot.h>
#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <array>
#include <cmath>

namespace headroom::widgets {

struct CcdPlot::Private {
    QCustomPlot* plot = nullptr;
    QCPItemStraightLine* line = nullptr;
    QCPItemText* title = nullptr;
    std::vector<Model> models;
    int current = -1;
};

CcdPlot::CcdPlot(QWidget* parent) : PlotFrame({25, 23}, {18, 16}, parent), m(std::make_unique<Private>()) {
    m->plot = plot();
    m->line = new QCPItemStraightLine(m->plot);
    m->title = new QCPItemText(m->plot);
    setAccessibleName(tr("CCD by layer"));
    redraw();
}

CcdPlot::~CcdPlot() = default;

void CcdPlot::setModels(std::vector<Model> models) {
    m->models = std::move(models);
    m->current = std::min(m->current, layerCount() - 1);
    redraw();
}

void CcdPlot::setCurrentLayer(int layer) {
    m->current = std::min(layer, layerCount() - 1);
    redraw();
}

int CcdPlot::currentLayer() const {
    return m->current;
}

int CcdPlot::layerCount() const {
    std::size_t most = 0;
    for (const auto& model : m->models)
        most = std::max(most, model.ccd.size());
    return static_cast<int>(most);
}

void CcdPlot::redraw() {
    const auto& theme = Theme::current();
    const double unit = Sizes::unit();
    QCustomPlot& plot = *m->plot;
    std::vector<KeyEntry> key;
    for (const auto& model : m->models)
        key.push_back({model.name, {}, runPen(model.style, 1.5 * unit / 8)});
    setKey(key.size() > 1 ? std::move(key) : std::vector<KeyEntry>());
    styleCurvePlot(plot);
    plot.legend->setVisible(false);
    QMargins margins = plot.axisRect()->margins();
    margins.setTop(static_cast<int>(3 * unit)); // as D(w) beside it
    plot.axisRect()->setMargins(margins);
    plot.axisRect()->update(QCPLayoutElement::upLayout);
    plot.clearGraphs();
    double lowest = 1;
    for (const auto& model : m->models) {
        QVector<double> x, y;
        for (std::size_t layer = 0; layer < model.ccd.size(); ++layer) {
            x << static_cast<double>(layer + 1);
            y << model.ccd[layer]; // NaN leaves a gap
            if (std::isfinite(model.ccd[layer]))
                lowest = std::min(lowest, model.ccd[layer]);
        }
        const QPen pen = runPen(model.style, 1.5 * unit / 8);
        const auto shape = static_cast<std::size_t>(model.style + model.style / 6); // another one in the next round of colours
        constexpr std::array kMarkers{QCPScatterStyle::ssDisc, QCPScatterStyle::ssSquare,
                                      QCPScatterStyle::ssTriangle};
        QCPScatterStyle marker(kMarkers[shape % kMarkers.size()], 0.7 * unit);
        marker.setPen(QPen(pen.color(), 1.4 * unit / 8));
        marker.setBrush(shape % 3 == 0 ? pen.color() : theme.panel);
        auto* graph = addWholeGraph(plot);
        graph->setData(x, y, true);
        graph->setPen(pen);
        graph->setScatterStyle(marker);
    }
    const int layers = std::max(layerCount(), 2);
    plot.xAxis->setRange(0.5, layers + 0.5);
    auto ticker = QSharedPointer<QCPAxisTickerFixed>::create();
    ticker->setTickStep(layers > 8 ? 4 : layers > 4 ? 2 : 1);
    plot.xAxis->setTicker(ticker);
    plot.xAxis->setNumberFormat(QStringLiteral("f"));
    plot.xAxis->setNumberPrecision(0);
    const double step = lowest < 0.75 ? 0.1 : 0.05;
    plot.yAxis->setRange(std::min(std::floor(lowest / step - 0.1) * step, 1 - 2 * step), 1);
    auto steps = QSharedPointer<QCPAxisTickerFixed>::create();
    steps->setTickStep(step);
    plot.yAxis->setTicker(steps);
    plot.yAxis->setNumberFormat(QStringLiteral("f"));
    plot.yAxis->setNumberPrecision(2);
    QColor accent = theme.accent;
    accent.setAlphaF(0.6F);
    m->line->setVisible(m->current >= 0);
    m->line->setPen(QPen(accent, unit / 8));
    m->line->point1->setCoords(m->current + 1, 0);
    m->line->point2->setCoords(m->current + 1, 1);
    QFont bold = Sizes::small();
    bold.setBold(true);
    m->title->setText(tr("CCD by layer"));
    m->title->setFont(bold);
    m->title->setColor(theme.text);
    m->title->setClipToAxisRect(false);
    m->title->position->setType(QCPItemPosition::ptAxisRectRatio);
    m->title->position->setCoords(0, 1 + 2.5 * unit / std::max(plot.axisRect()->height(), 1));
    m->title->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
    plot.replot();

    QStringList said;
    for (const auto& model : m->models)
        if (m->current >= 0 && m->current < static_cast<int>(model.ccd.size()))
            said << tr("%1 CCD %2")
                        .arg(model.name, number(model.ccd[static_cast<std::size_t>(m->current)], 3));
    QStringList names;
    for (const auto& model : m->models)
        names << model.name;
    names << tr("CCD: mean of D(w) over w = 1 … 2N; 1 is a pure diagonal. Alastruey et al. 2022, Eq. 7.");
    setToolTip(names.join(QLatin1Char('\n')));
    setAccessibleDescription(
        said.isEmpty() ? counted(std::ssize(m->models), tr("1 model."), tr("%1 models."))
                       : tr("Layer %1: %2.").arg(m->current + 1).arg(said.join(QStringLiteral(", "))));
}

void CcdPlot::select(int layer) {
    layer = std::clamp(layer, 0, std::max(layerCount() - 1, 0));
    if (layerCount() == 0 || layer == m->current)
        return;
    setCurrentLayer(layer);
    Q_EMIT layerSelected(layer);
}

void CcdPlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    const double layer = m->plot->xAxis->pixelToCoord(event->position().x() - m->plot->x());
    select(static_cast<int>(std::lround(layer)) - 1);
}

void CcdPlot::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_PageUp:
        return select(m->current - 1);
    case Qt::Key_Right:
    case Qt::Key_PageDown:
        return select(m->current + 1);
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace headroom::widgets
