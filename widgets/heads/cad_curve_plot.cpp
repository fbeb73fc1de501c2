// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heads/cad_curve_plot.h"

#include "widgets/curves/plot_style.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <qcustomplot.h>

namespace headroom::widgets {

struct CadCurvePlot::Private {
    QCustomPlot* plot = nullptr;
    QCPItemText *title = nullptr, *name = nullptr;
    std::vector<double> curve;
    QString head;
    double cad = NAN;
};

CadCurvePlot::CadCurvePlot(QWidget* parent)
    : PlotFrame({26, 26}, {18, 16}, parent)
    , m(std::make_unique<Private>()) {
    m->plot = plot();
    m->title = new QCPItemText(m->plot);
    m->name = new QCPItemText(m->plot);
    setAccessibleName(tr("D(r) of the selected head"));
    setToolTip(tr("D(r): share of a head's attention within r (T − 1) tokens. The area below the curve is "
                  "CAD. Shim et al. 2022, Eq. 2 and 3."));
    redraw();
}

CadCurvePlot::~CadCurvePlot() = default;

void CadCurvePlot::setCurve(std::vector<double> curve, const QString& name, double cad) {
    m->curve = std::move(curve);
    m->head = name;
    m->cad = cad;
    redraw();
}

const std::vector<double>& CadCurvePlot::curve() const {
    return m->curve;
}

void CadCurvePlot::redraw() {
    const auto& theme = Theme::current();
    const double unit = Sizes::unit();
    QCustomPlot& plot = *m->plot;
    const QString cad = std::isfinite(m->cad) ? tr("CAD %1").arg(numberText(m->cad, 3)) : QString();
    const QPen curvePen(theme.accent, 1.75 * unit / 8), uniformPen(theme.text3, unit / 8, Qt::DashLine);
    setKey({{tr("uniform"), {}, uniformPen}}); // under the plot, where no curve can cross it
    styleCurvePlot(plot);
    plot.legend->setVisible(false);
    if (!m->curve.empty()) { // two lines of text below the axis
        QMargins margins = plot.axisRect()->margins();
        margins.setBottom(margins.bottom() + QFontMetrics(Sizes::small()).height());
        plot.axisRect()->setMargins(margins);
    }
    plot.clearGraphs();
    plot.xAxis->setRange(0, 1);
    plot.yAxis->setRange(0, 1.02);
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
        auto steps = QSharedPointer<QCPAxisTickerFixed>::create();
        steps->setTickStep(0.5);
        axis->setTicker(steps);
        axis->setNumberFormat(QStringLiteral("f"));
        axis->setNumberPrecision(1);
    }
    constexpr int kNodes = 51;
    QVector<double> r, uniform;
    for (int node = 0; node < kNodes; ++node) {
        const double at = double(node) / (kNodes - 1);
        r << at;
        uniform << 2 * at - at * at; // of long utterances
    }
    auto* behind = plot.addGraph();
    behind->setData(r, uniform, true);
    behind->setPen(uniformPen);
    if (m->curve.size() > 1) {
        QVector<double> x, y;
        for (std::size_t node = 0; node < m->curve.size(); ++node) {
            x << double(node) / double(m->curve.size() - 1);
            y << m->curve[node];
        }
        auto* graph = plot.addGraph();
        graph->setData(x, y, true);
        graph->setPen(curvePen);
        QColor ground = theme.accent;
        ground.setAlphaF(0.12F);
        graph->setBrush(ground);
    }
    const auto text = [&](QCPItemText* item, const QString& words, const QColor& colour) {
        item->setText(words);
        item->setFont(Sizes::small());
        item->setColor(colour);
        item->setTextAlignment(Qt::AlignRight);
    };
    // What it waits for is said on the screen only.
    text(m->name, m->curve.empty() && !inFigure() ? tr("no head\nselected") : QString(), theme.text);
    m->name->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
    m->name->position->setType(QCPItemPosition::ptAxisRectRatio);
    m->name->position->setCoords(0.96, 0.95);
    // Below the axis, where a curve cannot cross them: the axis, or the head and its number.
    text(m->title, m->curve.empty() ? tr("D(r) over r") : m->head + (cad.isEmpty() ? QString() : QLatin1Char('\n') + cad),
         m->curve.empty() ? theme.text2 : theme.text);
    m->title->setTextAlignment(Qt::AlignHCenter);
    m->title->setPositionAlignment(Qt::AlignHCenter | Qt::AlignBottom);
    m->title->position->setType(QCPItemPosition::ptAbsolute);
    m->title->setClipToAxisRect(false);
    m->title->position->setCoords(plot.axisRect()->center().x(), plot.viewport().bottom() - unit / 4);
    setAccessibleDescription(m->curve.empty()
                                 ? tr("No head selected.")
                                 : tr("%1. %2.").arg(m->head, cad.isEmpty() ? tr("CAD –") : cad));
    plot.replot();
}

} // namespace headroom::widgets
