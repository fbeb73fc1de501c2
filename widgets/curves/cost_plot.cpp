// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/curves/cost_plot.h"

#include "widgets/curves/plot_style.h"
#include "widgets/curves/whole_graph.h"
#include "widgets/curves/whole_ticker.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

namespace {

/// Formats numbers as everywhere in the window: 1,000 and 2.5, without trailing zeros.
class PlainNumberTicker : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        return numberText(tick, decimalsOf(tick));
    }
};

} // namespace

struct CostPlot::Private {
    QCustomPlot* plot = nullptr;
    QString title, brief, note, tip, empty = CostPlot::tr("Cannot be counted");
    Curve now, baseline;
    std::vector<Mark> marks;
    double longest = 1;

    bool isShown(const Mark& mark) const { return mark.at > 0 && mark.at <= longest; }
    bool isNamedToTheLeft(const Mark& mark) const { return mark.at > longest * 0.7; }
    /// Where the name of a mark stands: from and to on the axis of x, and in which row, 0 at the top.
    struct Name {
        const Mark* mark;
        double from, to;
        int row;
    };
    std::vector<Name> names() const;
    double topOverNames() const;
};

namespace {

constexpr double kNameTop = 0.02; ///< of the axis, above the names of the marks

/// The largest value of a curve between two places.
double highestBetween(const CostPlot::Curve& curve, double from, double to) {
    double highest = 0;
    const auto look = [&](std::size_t i, double value) {
        highest = std::max({highest, value, i < curve.high.size() ? curve.high[i] : 0});
    };
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
        if (curve.x[i] >= from && curve.x[i] <= to)
            look(i, curve.y[i]);
        if (i == 0)
            continue;
        const double run = curve.x[i] - curve.x[i - 1], rise = curve.y[i] - curve.y[i - 1];
        for (const double end : {from, to})
            if (run > 0 && end >= curve.x[i - 1] && end <= curve.x[i])
                look(curve.high.size(), curve.y[i - 1] + rise * (end - curve.x[i - 1]) / run);
    }
    return highest;
}

} // namespace

/// Names that would cover each other stand in different rows.
std::vector<CostPlot::Private::Name> CostPlot::Private::names() const {
    const QFontMetricsF metrics(Sizes::small());
    const double wide = std::max(1, plot->axisRect()->width());
    std::vector<Name> placed;
    for (const Mark& mark : marks) {
        if (!isShown(mark) || mark.text.isEmpty())
            continue;
        const double length = (metrics.horizontalAdvance(mark.text) + Sizes::unit()) * longest / wide;
        const double from = isNamedToTheLeft(mark) ? mark.at - length : mark.at;
        Name name{&mark, from, from + length, 0};
        const auto isCovered = [&](const Name& other) {
            return other.row == name.row && name.from < other.to && other.from < name.to;
        };
        while (std::any_of(placed.begin(), placed.end(), isCovered))
            ++name.row;
        placed.push_back(name);
    }
    return placed;
}

/// Returns the end of the axis of y at which the names of the marks, which stand at the top, cover no curve.
double CostPlot::Private::topOverNames() const {
    const double line = QFontMetricsF(Sizes::small()).height(), high = std::max(1, plot->axisRect()->height());
    double top = 0;
    for (const Name& name : names()) {
        const double below = 1 - kNameTop - (line * (name.row + 1) + Sizes::unit() / 2) / high;
        for (const Curve* curve : {&now, &baseline})
            top = std::max(top, highestBetween(*curve, name.from, name.to) / std::max(below, 0.3));
    }
    return top;
}

CostPlot::CostPlot(const QString& title, const QString& note, QWidget* parent)
    : QWidget(parent)
    , m(std::make_unique<Private>()) {
    m->plot = new QCustomPlot(this);
    m->plot->setAttribute(Qt::WA_TransparentForMouseEvents);
    m->plot->setFocusPolicy(Qt::NoFocus);
    m->note = note;
    setTitle(title, title);
    redraw();
}

CostPlot::~CostPlot() = default;

void CostPlot::show(Curve now, Curve baseline, std::vector<Mark> marks, double longest) {
    m->now = std::move(now);
    m->baseline = std::move(baseline);
    m->marks = std::move(marks);
    m->longest = std::max(longest, 1.0);
    redraw();
}

void CostPlot::setTitle(const QString& title, const QString& brief) {
    m->title = title;
    m->brief = brief;
    setAccessibleName(title);
}

void CostPlot::setTip(const QString& tip) {
    m->tip = tip;
    updateTip();
}

void CostPlot::updateTip() {
    QStringList lines{fittedTitle() == m->title ? QString() : m->title, m->tip};
    lines.removeAll(QString());
    setToolTip(lines.join(u'\n'));
}

QString CostPlot::fittedTitle() const {
    const QFontMetricsF metrics(Sizes::heading());
    const double room = width() - m->plot->axisRect()->margins().left() - Sizes::unit() / 2;
    return metrics.horizontalAdvance(m->title) <= room ? m->title : metrics.elidedText(m->brief, Qt::ElideRight, room);
}

void CostPlot::setEmptyText(const QString& text) {
    m->empty = text;
    redraw();
}

void CostPlot::redraw() {
    const Theme& theme = Theme::current();
    const double unit = Sizes::unit();
    QCustomPlot& plot = *m->plot;
    styleCurvePlot(plot);
    plot.axisRect()->setMargins(QMargins(int(unit * 5.5), int(unit * 3), int(unit * 2.25), int(unit * 3.25)));
    plot.clearPlottables();
    plot.clearItems();
    plot.legend->setVisible(false);
    double highest = 0;
    for (const Curve* curve : {&m->now, &m->baseline})
        for (const std::vector<double>* values : {&curve->y, &curve->high})
            for (const double value : *values)
                highest = std::max(highest, value);
    const auto draw = [&](const Curve& curve, const QPen& pen) {
        auto* graph = addWholeGraph(plot);
        graph->setData(QVector<double>(curve.x.begin(), curve.x.end()),
                       QVector<double>(curve.y.begin(), curve.y.end()), true);
        graph->setPen(pen);
        if (curve.high.empty() || curve.high.size() != curve.y.size())
            return;
        const QPen line(pen.color(), unit / 6);
        graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, line, theme.panel, unit * 0.75));
        auto* bars = new WholeErrorBars(plot);
        bars->setDataPlottable(graph);
        bars->setPen(line);
        bars->setWhiskerWidth(unit / 2);
        bars->setSymbolGap(0);
        QVector<double> below, above;
        for (std::size_t i = 0; i < curve.y.size(); ++i) {
            below << curve.y[i] - curve.low[i];
            above << curve.high[i] - curve.y[i];
        }
        bars->setData(below, above);
    };
    QPen dashed(theme.text2, unit / 6);
    dashed.setDashPattern({4, 3});
    draw(m->baseline, dashed);
    draw(m->now, QPen(theme.accent, unit / 4));
    plot.xAxis->setRange(0, m->longest);
    plot.yAxis->setRange(0, highest > 0 ? std::max(highest * 1.05, m->topOverNames()) : 1);
    auto ticks = QSharedPointer<PlainNumberTicker>::create();
    ticks->setTickCount(4);
    plot.yAxis->setTicker(ticks);
    plot.yAxis->setTickLabels(highest > 0);
    plot.xAxis->setTicker(QSharedPointer<PlainNumberTicker>::create());
    plot.xAxis->setTickLabels(!m->now.x.empty() || !m->baseline.x.empty() || !m->marks.empty()); // else there is no length
    const auto label = [&](const QString& text, const QFont& font, const QColor& colour, double x, double y,
                           Qt::Alignment alignment, QCPItemPosition::PositionType typeX) -> QCPItemText* {
        auto* item = new QCPItemText(&plot);
        item->setLayer(QStringLiteral("overlay")); // above the curves
        item->setText(text);
        item->setFont(font);
        item->setColor(colour);
        item->setClipToAxisRect(false);
        item->position->setTypeX(typeX);
        item->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
        item->position->setCoords(x, y);
        item->setPositionAlignment(alignment);
        return item;
    };
    QPen dotted(theme.text3, unit / 8, Qt::DotLine);
    for (const Mark& mark : m->marks) {
        if (!m->isShown(mark))
            continue;
        auto* line = new QCPItemStraightLine(&plot);
        line->point1->setCoords(mark.at, 0);
        line->point2->setCoords(mark.at, 1);
        line->setPen(dotted);
    }
    const double row = QFontMetricsF(Sizes::small()).height() / std::max(1, plot.axisRect()->height());
    QString marked;
    for (const Private::Name& name : m->names()) { // above every line, on a ground of their own
        auto* text = label(name.mark->text, Sizes::small(), theme.text2, name.mark->at, kNameTop + row * name.row,
                           (m->isNamedToTheLeft(*name.mark) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignTop,
                           QCPItemPosition::ptPlotCoords);
        const int beside = int(unit / 2);
        text->setPadding(QMargins(beside, 0, beside, 0));
        text->setBrush(theme.panel);
        marked += QLatin1Char(' ') + tr("Marked: %1.").arg(name.mark->text);
    }
    const double above = -unit * 0.6 / std::max(1, plot.axisRect()->height());
    updateTip();
    label(fittedTitle(), Sizes::heading(), theme.text, 0, above, Qt::AlignLeft | Qt::AlignBottom, QCPItemPosition::ptAxisRectRatio)
        ->setObjectName(QStringLiteral("title"));
    const double needed = QFontMetricsF(Sizes::heading()).horizontalAdvance(m->title) + unit +
                          QFontMetricsF(Sizes::small()).horizontalAdvance(m->note);
    const QMargins margins = plot.axisRect()->margins();
    if (needed <= width() - margins.left() - margins.right()) // in a narrow panel the title stands alone
        label(m->note, Sizes::small(), theme.text2, 1, above, Qt::AlignRight | Qt::AlignBottom,
              QCPItemPosition::ptAxisRectRatio);
    if (m->now.y.empty() && !m->empty.isEmpty()) {
        auto* text = label(m->empty, Sizes::text(), theme.text3, 0.5, 0.5, Qt::AlignCenter,
                           QCPItemPosition::ptAxisRectRatio);
        text->setPadding(QMargins(int(unit), 0, int(unit), 0));
        text->setBrush(theme.panel); // above the baseline's curve
    }
    setAccessibleDescription(m->now.y.empty() ? m->empty
                                              : tr("%1 at %2.").arg(numberText(m->now.y.back(), 1),
                                                              counted(std::llround(m->now.x.back()), tr("1 token"), tr("%1 tokens"))) +
                                                    marked);
    plot.replot();
}

void CostPlot::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m->plot->setGeometry(rect());
    m->plot->setViewport(rect());
    m->plot->replot(); // lays out the axis rectangle, by which titles and names stand
    redraw();
}

void CostPlot::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        redraw();
}

QSize CostPlot::sizeHint() const {
    return {int(Sizes::unit() * 50), int(Sizes::unit() * 16)};
}

QSize CostPlot::minimumSizeHint() const {
    return {int(Sizes::unit() * 24), int(Sizes::unit() * 14)};
}

} // namespace headroom::widgets
