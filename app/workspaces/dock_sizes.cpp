// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/dock_sizes.h"

#include "widgets/look/sizes.h"

#include <QDataStream>
#include <QDockWidget>
#include <QEvent>
#include <QGuiApplication>
#include <QIODevice>
#include <QMainWindow>
#include <QMap>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace headroom::app {

namespace {

constexpr quint32 kWidthsOnly = 0x48644c31; // "HdL1", before heights were kept
constexpr quint32 kPackedLayout = 0x48644c32;

} // namespace

int DockSizes::Extents::of(const QWidget* widget) const {
    return along == Qt::Horizontal ? widget->width() : widget->height();
}

DockSizes::DockSizes(QMainWindow* window) : QObject(window), m_window(window), m_unit(widgets::Sizes::unit()) {}

void DockSizes::add(QDockWidget* dock) {
    m_docks << dock;
    dock->installEventFilter(this);
}

/// Inside the window, and not behind a tab.
bool DockSizes::stands(const QDockWidget* dock) const {
    return dock->isVisible() && !dock->isFloating() && m_window->rect().intersects(dock->geometry());
}

void DockSizes::remember() {
    m_unit = widgets::Sizes::unit();
    for (Extents* extents : {&m_widths, &m_heights}) {
        extents->window = extents->of(m_window);
        for (QDockWidget* dock : m_docks)
            if (stands(dock))
                extents->wanted[dock] = extents->of(dock);
    }
}

bool DockSizes::hasNew() const {
    return std::ranges::any_of(m_docks, [this](QDockWidget* dock) { return stands(dock) && !m_heights.wanted.contains(dock); });
}

void DockSizes::rememberNew() {
    for (QDockWidget* dock : m_docks)
        if (stands(dock) && !m_heights.wanted.contains(dock))
            for (Extents* extents : {&m_widths, &m_heights})
                extents->wanted[dock] = extents->of(dock);
}

void DockSizes::settle() {
    m_unit = widgets::Sizes::unit();
    for (Extents* extents : {&m_widths, &m_heights}) {
        extents->window = extents->of(m_window);
        if (const int before = std::exchange(extents->saved, 0); before > 0)
            grow(*extents, extents->window - before);
    }
    shareColumns();
    shareRows();
    if (m_textResized)
        textResized();
}

void DockSizes::windowResized() {
    if (!m_window->isVisible())
        return;
    const int width = m_widths.window, height = m_heights.window;
    for (Extents* extents : {&m_widths, &m_heights}) {
        const int before = std::exchange(extents->window, extents->of(m_window));
        grow(*extents, extents->window - before);
    }
    if (height < m_window->height())
        shareColumns();
    if (width < m_window->width())
        shareRows();
    if (m_textResized)
        textResized();
}

void DockSizes::textResized() {
    const bool isOther = std::exchange(m_unit, widgets::Sizes::unit()) != widgets::Sizes::unit();
    if (!isOther && !m_textResized) // another theme
        return;
    m_textResized = true;
    QTimer::singleShot(0, this, [this] { // the least sizes are those of the new text then
        if (m_window->isVisible() && std::exchange(m_textResized, false)) {
            shrink();
            Q_EMIT textFitted();
        }
    });
}

void DockSizes::shrink() {
    for (const Extents* extents : {&m_widths, &m_heights}) {
        QList<QDockWidget*> docks;
        QList<int> sizes;
        for (QDockWidget* dock : m_docks)
            if (const int wanted = extents->wanted.value(dock, 0); wanted > 0 && stands(dock) && extents->of(dock) > wanted &&
                                                                   std::ranges::find(extents->sides, m_window->dockWidgetArea(dock)) != extents->sides.end()) {
                docks << dock;
                sizes << wanted;
            }
        if (!docks.isEmpty())
            m_window->resizeDocks(docks, sizes, extents->along);
    }
    shareColumns();
    shareRows();
}

/// The docks of a column that is as high as it was, or of a row that is as wide, share it as they did: the layout alone gives all of
/// it to the last one.
void DockSizes::share(const Extents& extents, const Extents& across) {
    for (const Qt::DockWidgetArea side : across.sides) {
        QList<QDockWidget*> docks;
        QList<int> sizes;
        int wanted = 0, now = 0;
        for (QDockWidget* dock : m_docks)
            if (stands(dock) && m_window->dockWidgetArea(dock) == side) {
                docks << dock;
                sizes << extents.wanted.value(dock, 0);
                wanted += sizes.last();
                now += extents.of(dock);
            }
        if (docks.size() > 1 && !sizes.contains(0) && wanted <= now)
            m_window->resizeDocks(docks, sizes, extents.along);
    }
}

void DockSizes::shareColumns() {
    share(m_heights, m_widths);
}

void DockSizes::shareRows() {
    share(m_widths, m_heights);
}

/// Docks of one side stand in one column or row: each side grows by what its dock misses most.
void DockSizes::grow(const Extents& extents, int by) {
    QList<QDockWidget*> docks;
    QList<int> sizes;
    for (const Qt::DockWidgetArea side : extents.sides) {
        QDockWidget* most = nullptr;
        int missing = 0;
        for (QDockWidget* dock : m_docks) {
            const int misses = extents.wanted.value(dock, 0) - extents.of(dock);
            if (stands(dock) && m_window->dockWidgetArea(dock) == side && misses > missing) {
                most = dock;
                missing = misses;
            }
        }
        missing = std::min(missing, by);
        if (!most || missing <= 0)
            continue;
        by -= missing;
        docks << most;
        sizes << extents.of(most) + missing;
    }
    if (!docks.isEmpty())
        m_window->resizeDocks(docks, sizes, extents.along);
}

QByteArray DockSizes::pack(const QByteArray& layout) const {
    QByteArray packed;
    QDataStream out(&packed, QIODevice::WriteOnly);
    out.setVersion(QDataStream::Qt_6_0);
    out << kPackedLayout << layout;
    for (const Extents* extents : {&m_widths, &m_heights}) {
        QMap<QString, qint32> sizes;
        for (auto one = extents->wanted.begin(); one != extents->wanted.end(); ++one)
            sizes[one.key()->objectName()] = one.value();
        out << sizes << qint32(extents->of(m_window));
    }
    out << (m_textResized ? 0.0 : m_unit); // 0: that of no text
    return packed;
}

QByteArray DockSizes::take(const QByteArray& packed) {
    QDataStream in(packed);
    in.setVersion(QDataStream::Qt_6_0);
    quint32 form = 0;
    in >> form;
    if (form != kPackedLayout && form != kWidthsOnly)
        return packed;
    QByteArray layout;
    QMap<QString, qint32> widths, heights;
    qint32 width = 0, height = 0;
    in >> layout >> widths >> width;
    if (form == kPackedLayout)
        in >> heights >> height;
    if (in.status() != QDataStream::Ok)
        return {};
    if (double unit = 0; !in.atEnd()) { // before, it was not kept
        in >> unit;
        m_textResized = m_textResized || unit != widgets::Sizes::unit();
    }
    m_widths.saved = width;
    m_heights.saved = height;
    for (QDockWidget* dock : m_docks) {
        if (widths.contains(dock->objectName()))
            m_widths.wanted[dock] = widths.value(dock->objectName());
        if (heights.contains(dock->objectName()))
            m_heights.wanted[dock] = heights.value(dock->objectName());
    }
    return layout;
}

/// Nobody else moves a dock's edge while a button is held and the window keeps its size.
bool DockSizes::eventFilter(QObject* watched, QEvent* event) {
    if (auto* dock = qobject_cast<QDockWidget*>(watched);
        dock && event->type() == QEvent::Resize && m_window->width() == m_widths.window &&
        m_window->height() == m_heights.window && !dock->isFloating() &&
        QGuiApplication::mouseButtons().testFlag(Qt::LeftButton))
        for (Extents* extents : {&m_widths, &m_heights})
            extents->wanted[dock] = extents->of(dock);
    return QObject::eventFilter(watched, event);
}

} // namespace headroom::app
