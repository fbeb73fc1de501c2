// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/study_plots/limited_histogram.h"

#include "widgets/curves/plot_style.h"
#include "widgets/curves/whole_ticker.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <qcustomplot.h>
#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <optional>

namespace headroom::widgets {

namespace {

constexpr double kAboveFrame =
    0.25; ///< units from the frame to the names of the limits, whose descenders it would cut
constexpr double kBase = 0.5; ///< where bars begin on the logarithmic axis

QString shortNumber(double value) {
    return numberText(value, decimalsOf(std::round(value * 100) / 100));
}

} // namespace

struct LimitedHistogram::Private {
    QCustomPlot* plot = nullptr;
    Content content;
    double least = 0, most = 0, step = 0.01;
    QString note;
    Limit chosen = Limit::Most;
    bool isMostMovable = true;
    std::optional<Limit> dragged;
    double held = 0; ///< the end of the axis while a line is dragged, so that it does not run away

    bool hasLimits() const { return std::isfinite(most); }
    double end() const {
        if (dragged)
            return held;
        const double longest = content.width * static_cast<double>(content.counts.size());
        const double wanted = most * 1.1;
        return std::max(content.width,
                        wanted <= 2 * longest ? std::max(longest * 1.02, wanted) : longest * 1.25);
    }
    QCPItemText* text(const QString& said, const QColor& colour, double x, Qt::Alignment alignment,
                      double ratio) const {
        auto* item = new QCPItemText(plot);
        item->setText(said);
        item->setFont(Sizes::small());
        item->setColor(colour);
        item->setClipToAxisRect(false);
        item->setPadding(
            QMargins(static_cast<int>(Sizes::unit() / 2), 0, static_cast<int>(Sizes::unit() / 2), 0));
        item->position->setTypeX(QCPItemPosition::ptPlotCoords);
        item->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
        item->position->setCoords(x, ratio);
        item->setPositionAlignment(alignment);
        return item;
    }
    void addBars(const QColor& colour, bool outside) const;
    void addGround(double from, double to) const;
    void addLimit(double at, Limit which) const;
};

LimitedHistogram::LimitedHistogram(QWidget* parent)
    : PlotFrame({52, 26}, {30, 17}, parent)
    , m(std::make_unique<Private>()) {
    m->plot = plot();
    setMouseTracking(true);
    redraw();
}

LimitedHistogram::~LimitedHistogram() = default;

void LimitedHistogram::setContent(Content content) {
    m->content = std::move(content);
    setAccessibleName(m->content.title);
    redraw();
}

void LimitedHistogram::setLimits(double least, double most, double step) {
    m->least = least;
    m->most = most;
    m->step = step;
    redraw();
}

void LimitedHistogram::setMostMovable(bool movable) {
    if (movable == m->isMostMovable)
        return;
    m->isMostMovable = movable;
    m->chosen = movable ? Limit::Most : Limit::Least;
    m->dragged.reset();
    redraw();
}

double LimitedHistogram::limit(Limit which) const {
    return which == Limit::Least ? m->least : m->most;
}

void LimitedHistogram::setNote(const QString& note) {
    m->note = note;
    redraw();
}

double LimitedHistogram::pixelOf(Limit which) const {
    return m->plot->x() + m->plot->xAxis->coordToPixel(std::clamp(limit(which), 0.0, m->end()));
}

void LimitedHistogram::Private::addBars(const QColor& colour, bool outside) const {
    QVector<double> x, y;
    for (std::size_t bin = 0; bin < content.counts.size(); ++bin) {
        const double middle = (static_cast<double>(bin) + 0.5) * content.width;
        if (content.counts[bin] > 0 && (middle < least || middle > most) == outside) {
            x << middle;
            y << static_cast<double>(content.counts[bin]) - kBase; // QCustomPlot draws a value above the base
        }
    }
    auto* bars = new QCPBars(plot->xAxis, plot->yAxis);
    bars->setData(x, y, true);
    bars->setBaseValue(kBase);
    bars->setWidth(content.width * 0.88);
    bars->setPen(Qt::NoPen);
    bars->setBrush(colour);
}

void LimitedHistogram::Private::addGround(double from, double to) const {
    auto* ground = new QCPItemRect(plot);
    ground->setLayer(QStringLiteral("background"));
    ground->setPen(Qt::NoPen);
    ground->setBrush(Theme::current().warningGround);
    for (QCPItemPosition* corner : {ground->topLeft, ground->bottomRight})
        corner->setTypeY(QCPItemPosition::ptAxisRectRatio);
    ground->topLeft->setCoords(from, 0);
    ground->bottomRight->setCoords(to, 1);
}

void LimitedHistogram::Private::addLimit(double at, Limit which) const {
    const Theme& theme = Theme::current();
    const double unit = Sizes::unit();
    const double x = std::clamp(at, 0.0, end());
    auto* line = new QCPItemStraightLine(plot);
    line->setPen(QPen(theme.text, (dragged == which ? 2.25 : 1.5) * unit / 8));
    line->point1->setCoords(x, 1);
    line->point2->setCoords(x, 2);
    auto* grip = new QCPItemRect(plot);
    grip->setVisible(which == Limit::Least || isMostMovable);
    grip->setPen(QPen(theme.text, unit / 8));
    grip->setBrush(chosen == which ? theme.text : theme.panel);
    grip->setClipToAxisRect(false);
    const double high = 9 * unit / 8 / std::max(1, plot->axisRect()->height());
    const double wide = 3 * unit / 8 * end() / std::max(1, plot->axisRect()->width());
    for (QCPItemPosition* corner : {grip->topLeft, grip->bottomRight})
        corner->setTypeY(QCPItemPosition::ptAxisRectRatio);
    grip->topLeft->setCoords(x - wide, 0.5 - high);
    grip->bottomRight->setCoords(x + wide, 0.5 + high);
    // Outwards, so that the words of two limits do not meet; inwards where there is no room.
    const bool isLeast = which == Limit::Least;
    QString said = (isLeast ? LimitedHistogram::tr("shortest %1 s") : LimitedHistogram::tr("longest %1 s"))
                       .arg(shortNumber(at));
    if (at > end())
        said += QStringLiteral(" →"); // the line stands at the edge, the limit beyond it
    const double room = QFontMetricsF(Sizes::small()).horizontalAdvance(said) + unit;
    const double pixel = plot->xAxis->coordToPixel(x);
    const bool toTheLeft =
        isLeast ? pixel - plot->axisRect()->left() > room : plot->axisRect()->right() - pixel < room;
    text(said, theme.text, x, (toTheLeft ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignBottom,
         -kAboveFrame * unit / std::max(1, plot->axisRect()->height()));
}

void LimitedHistogram::redraw() {
    const Theme& theme = Theme::current();
    const double unit = Sizes::unit();
    QCustomPlot& plot = *m->plot;
    plot.clearPlottables();
    plot.clearItems();
    styleCurvePlot(plot);
    plot.axisRect()->setMargins(
        QMargins(int(unit * 5.5), int(unit * 4.25), int(unit * 1.5), int(unit * 4.75)));
    plot.legend->setVisible(false);
    std::int64_t highest = 1, all = 0;
    for (const auto count : m->content.counts) {
        highest = std::max(highest, count);
        all += count;
    }
    plot.xAxis->setRange(0, m->end());
    plot.yAxis->setScaleType(QCPAxis::stLogarithmic);
    plot.yAxis->setRange(0.7, static_cast<double>(highest) * 2);
    plot.yAxis->setTicker(QSharedPointer<PowerTicker>::create());
    auto seconds = QSharedPointer<EvenTicker>::create();
    seconds->setTickCount(8);
    plot.xAxis->setTicker(seconds);
    if (m->least > 0)
        m->addGround(0, std::min(m->least, m->end()));
    if (m->most < m->end())
        m->addGround(std::max(m->most, 0.0), m->end());
    m->addBars(theme.accent, false);
    m->addBars(theme.warning, true);
    if (all > 0) {
        if (m->hasLimits()) {
            m->addLimit(m->least, Limit::Least);
            m->addLimit(m->most, Limit::Most);
        }
        const double above = (1.9 + kAboveFrame) * unit / std::max(1, plot.axisRect()->height());
        const QString note =
            QFontMetricsF(Sizes::small()).elidedText(m->note, Qt::ElideRight, plot.axisRect()->width());
        m->text(note, theme.warning, m->end(), Qt::AlignRight | Qt::AlignBottom, -above)->setPadding({});
    }
    auto* name = m->text(m->content.xName, theme.text2, m->end() / 2, Qt::AlignHCenter | Qt::AlignTop,
                         1 + 2.5 * unit / std::max(1, plot.axisRect()->height()));
    name->setPadding({});
    plot.replot();
    const QString utterances = counted(all, tr("1 utterance"), tr("%1 utterances"));
    setAccessibleDescription(m->hasLimits() ? tr("%1, limits %2 s and %3 s. %4").arg(utterances, shortNumber(m->least), shortNumber(m->most), m->note)
                                            : tr("%1, no limits in seconds.").arg(utterances));
    setToolTip(m->note);
}

bool LimitedHistogram::isNear(Limit which, double x) const {
    return isMovable(which) && std::abs(x - pixelOf(which)) <= 1.5 * Sizes::unit();
}

bool LimitedHistogram::isMovable(Limit which) const {
    return m->hasLimits() && (which == Limit::Least || m->isMostMovable);
}

void LimitedHistogram::move(Limit which, double value) {
    if (!isMovable(which))
        return;
    const double snapped = std::max(0.0, std::round(value / m->step) * m->step);
    const double kept = which == Limit::Least ? std::min(snapped, m->most) : std::max(snapped, m->least);
    if (kept == limit(which))
        return;
    (which == Limit::Least ? m->least : m->most) = kept;
    redraw();
    Q_EMIT limitMoved(which, kept);
}

/// The window has shortcuts of its own for Esc and the arrows; with the focus here they are the plot's.
bool LimitedHistogram::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Escape || (key >= Qt::Key_Left && key <= Qt::Key_Down)) {
            event->accept();
            return true;
        }
    }
    return PlotFrame::event(event);
}

void LimitedHistogram::mousePressEvent(QMouseEvent* event) {
    const double x = event->position().x();
    m->dragged.reset();
    m->held = m->end();
    if (event->button() == Qt::LeftButton)
        for (const Limit which : {Limit::Least, Limit::Most})
            if (isNear(which, x) &&
                (!m->dragged || std::abs(x - pixelOf(which)) < std::abs(x - pixelOf(*m->dragged))))
                m->dragged = which;
    if (!m->dragged)
        return event->ignore();
    m->chosen = *m->dragged;
    redraw();
}

void LimitedHistogram::mouseMoveEvent(QMouseEvent* event) {
    const double x = event->position().x();
    if (m->dragged)
        return move(*m->dragged, m->plot->xAxis->pixelToCoord(x - m->plot->x()));
    if (isNear(Limit::Least, x) || isNear(Limit::Most, x))
        setCursor(Qt::SizeHorCursor);
    else
        unsetCursor();
}

void LimitedHistogram::mouseReleaseEvent(QMouseEvent*) {
    m->dragged.reset();
    redraw();
}

void LimitedHistogram::keyPressEvent(QKeyEvent* event) {
    const double by = m->step * (event->modifiers() & Qt::ShiftModifier ? 10 : 1);
    switch (event->key()) {
    case Qt::Key_Left:
        return move(m->chosen, limit(m->chosen) - by);
    case Qt::Key_Right:
        return move(m->chosen, limit(m->chosen) + by);
    case Qt::Key_Up:
    case Qt::Key_Down:
        m->chosen = event->key() == Qt::Key_Up && m->isMostMovable ? Limit::Most : Limit::Least;
        return redraw();
    case Qt::Key_Escape:
        m->dragged.reset();
        return Q_EMIT takeBackRequested();
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace headroom::widgets
