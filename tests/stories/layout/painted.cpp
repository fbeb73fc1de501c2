// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/stories/layout/painted.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPaintEvent>
#include <QPainter>
#include <QWidget>
#include <qcustomplot.h>

#include <algorithm>
#include <utility>

namespace headroom::testing {

namespace {

constexpr std::size_t kCurvePoints = 8; ///< fewer are a frame, a tick, an arrow
constexpr double kMarker = 24;          ///< pixels; a larger shape is no marker

class NotingEngine : public QPaintEngine {
public:
    explicit NotingEngine(QRectF widget) : QPaintEngine(AllFeatures), m_widget(widget) {}
    Painted take() {
        endStrand();
        return std::exchange(m_painted, {});
    }
    /// Notes of what follows are another widget's, whose corner is there on the device.
    void beginWidget(QRectF widget, QPointF corner) {
        (void)take();
        m_widget = widget;
        m_corner = corner;
        m_order = 0;
    }

    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    Type type() const override { return User; }
    void updateState(const QPaintEngineState&) override {}
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override { ++m_order; }
    void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {
        ++m_order;
    }
    void drawTiledPixmap(const QRectF&, const QPixmap&, const QPointF&) override { ++m_order; }

    void drawTextItem(const QPointF& at, const QTextItem& item) override {
        const QString text = item.text();
        if (text.trimmed().isEmpty() || painter()->pen().style() == Qt::NoPen)
            return;
        const QTransform transform = toWidget();
        PaintedText noted;
        noted.text = text;
        // Hinting can draw a run narrower than its metrics say: it ends where the next one begins.
        QRectF ink = QFontMetricsF(item.font()).tightBoundingRect(text);
        ink.setRight(std::min(ink.right(), item.width()));
        noted.ink = transform.mapRect(ink.translated(at));
        noted.clip = clip();
        noted.colour = painter()->pen().color();
        noted.colour.setAlphaF(float(noted.colour.alphaF() * painter()->opacity()));
        noted.order = ++m_order;
        noted.rotated = transform.m12() != 0;
        m_painted.texts.push_back(noted);
    }

    void drawRects(const QRectF* rects, int count) override {
        ++m_order;
        for (int i = 0; i < count; ++i)
            noteGround(rects[i]);
    }
    void drawRects(const QRect* rects, int count) override {
        ++m_order;
        for (int i = 0; i < count; ++i)
            noteGround(rects[i]);
    }

    void drawLines(const QLineF* lines, int count) override {
        ++m_order;
        const QTransform transform = toWidget();
        for (int i = 0; i < count; ++i) {
            const QPointF from = transform.map(lines[i].p1()), to = transform.map(lines[i].p2());
            // Segments that continue each other are one curve, however they were handed over.
            if (m_strand.points.empty() || (m_strand.points.back() - from).manhattanLength() > 0.5) {
                endStrand();
                m_strand.points = {from};
                m_strand.colour = painter()->pen().color();
                m_strand.order = m_order;
            }
            m_strand.points.push_back(to);
        }
    }
    void drawLines(const QLine* lines, int count) override {
        for (int i = 0; i < count; ++i) {
            const QLineF line(lines[i]);
            drawLines(&line, 1);
        }
    }
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override {
        ++m_order;
        if (mode == PolylineMode)
            noteCurve({points, points + count});
        else if (count == 3)
            noteMarker(QPolygonF(QVector<QPointF>(points, points + count)).boundingRect());
        else if (count == 4)
            noteGround(QPolygonF(QVector<QPointF>(points, points + count)).boundingRect());
    }
    void drawPolygon(const QPoint* points, int count, PolygonDrawMode mode) override {
        std::vector<QPointF> converted(points, points + count);
        drawPolygon(converted.data(), count, mode);
    }
    void drawPath(const QPainterPath& path) override {
        ++m_order;
        noteMarker(path.boundingRect());
        if (painter()->brush().style() != Qt::NoBrush) {
            noteGround(path.boundingRect());
            return;
        }
        std::vector<QPointF> points;
        for (int i = 0; i < path.elementCount(); ++i)
            points.emplace_back(path.elementAt(i));
        noteCurve(std::move(points));
    }

private:
    QTransform toWidget() const {
        return painter()->deviceTransform() * QTransform::fromTranslate(-m_corner.x(), -m_corner.y());
    }
    QRectF clip() const {
        QRectF result = m_widget;
        if (painter()->hasClipping())
            result &= toWidget().mapRect(painter()->clipBoundingRect());
        return result;
    }
    void noteGround(const QRectF& rect) {
        const QBrush brush = painter()->brush();
        if (brush.style() != Qt::SolidPattern || brush.color().alphaF() * painter()->opacity() < 0.8)
            return;
        m_painted.grounds.push_back({toWidget().mapRect(rect) & clip(), m_order});
    }
    void noteMarker(const QRectF& rect) {
        const QRectF where = toWidget().mapRect(rect);
        if (where.width() <= kMarker && where.height() <= kMarker)
            m_painted.markers.push_back({where, m_order});
    }
    void noteCurve(std::vector<QPointF> points) {
        if (points.size() < kCurvePoints || painter()->pen().style() == Qt::NoPen)
            return;
        for (QPointF& point : points)
            point = toWidget().map(point);
        m_painted.curves.push_back({std::move(points), painter()->pen().color(), m_order});
    }
    void endStrand() {
        if (m_strand.points.size() >= kCurvePoints)
            m_painted.curves.push_back(m_strand);
        m_strand.points.clear();
    }

    QRectF m_widget;
    QPointF m_corner;
    Painted m_painted;
    PaintedCurve m_strand; ///< lines that continued each other so far
    int m_order = 0;
};

class NotingDevice : public QPaintDevice {
public:
    explicit NotingDevice(const QWidget* like) : m_like(like), m_engine(QRectF(like->rect())) {}
    QPaintEngine* paintEngine() const override { return &m_engine; }
    NotingEngine& engine() const { return m_engine; }
    Painted take() const { return m_engine.take(); }

protected:
    int metric(PaintDeviceMetric what) const override {
        switch (what) {
        case PdmWidth:
            return m_like->width();
        case PdmHeight:
            return m_like->height();
        case PdmDpiX:
        case PdmPhysicalDpiX:
            return m_like->logicalDpiX();
        case PdmDpiY:
        case PdmPhysicalDpiY:
            return m_like->logicalDpiY();
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return int(devicePixelRatioFScale());
        case PdmDepth:
            return 32;
        default:
            return QPaintDevice::metric(what);
        }
    }

private:
    const QWidget* m_like;
    mutable NotingEngine m_engine;
};

/// Divides what a window and its children paint among them.
class NotingPass : public QObject {
public:
    explicit NotingPass(QWidget* window) : m_window(window), m_device(window) {
        qApp->installEventFilter(this);
        window->render(&m_device, QPoint(), QRegion(), QWidget::DrawWindowBackground | QWidget::DrawChildren);
        qApp->removeEventFilter(this);
    }
    PaintedWidgets take() { return std::move(m_widgets); }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::Paint || m_isInside || !watched->isWidgetType())
            return false;
        auto* widget = static_cast<QWidget*>(watched);
        // What is covered or scrolled away in part need not be painted whole here; a plot has buffers.
        if (static_cast<QPaintEvent*>(event)->region() != QRegion(widget->rect()) || qobject_cast<QCustomPlot*>(widget))
            return false;
        m_device.engine().beginWidget(widget->rect(), widget->mapTo(m_window, QPoint(0, 0)));
        m_isInside = true;
        QCoreApplication::sendEvent(widget, event);
        m_isInside = false;
        m_widgets.insert_or_assign(widget, m_device.take());
        return true;
    }

private:
    QWidget* m_window;
    NotingDevice m_device;
    PaintedWidgets m_widgets;
    bool m_isInside = false;
};

} // namespace

double PaintedText::cut() const {
    return std::max({clip.left() - ink.left(), ink.right() - clip.right(), clip.top() - ink.top(),
                     ink.bottom() - clip.bottom(), 0.0});
}

Painted paintedBy(QWidget* widget) {
    NotingDevice device(widget);
    if (auto* plot = qobject_cast<QCustomPlot*>(widget)) {
        QCPPainter painter(&device);
        plot->toPainter(&painter, plot->width(), plot->height());
        painter.end();
        return device.take(); // what render() adds is the same as a picture, on a ground that would cover all of it
    }
    widget->render(&device, QPoint(), QRegion(), QWidget::DrawWindowBackground);
    return device.take();
}

PaintedWidgets paintedIn(QWidget* window) {
    return NotingPass(window).take();
}

} // namespace headroom::testing
