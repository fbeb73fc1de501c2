// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/dock_widths.h"

#include <QDataStream>
#include <QDockWidget>
#include <QEvent>
#include <QGuiApplication>
#include <QIODevice>
#include <QMainWindow>
#include <QMap>

#include <algorithm>

namespace headroom::app {

namespace {

constexpr quint32 kPackedLayout = 0x48644c31; // "HdL1"

} // namespace

DockWidths::DockWidths(QMainWindow* window) : QObject(window), m_window(window) {}

void DockWidths::add(QDockWidget* dock) {
    m_docks << dock;
    dock->installEventFilter(this);
}

void DockWidths::remember() {
    m_windowWidth = m_window->width();
    for (QDockWidget* dock : m_docks)
        if (dock->isVisible())
            m_wanted[dock] = dock->width();
}

void DockWidths::settle() {
    const int before = m_savedWidth;
    m_savedWidth = 0;
    m_windowWidth = m_window->width();
    if (before == 0)
        return remember();
    grow(m_window->width() - before);
}

void DockWidths::windowResized(int before) {
    m_windowWidth = m_window->width();
    grow(m_windowWidth - before);
}

/// Docks of one side stand in one column: each side grows by what its dock misses most.
void DockWidths::grow(int by) {
    QList<QDockWidget*> docks;
    QList<int> widths;
    for (const Qt::DockWidgetArea side : {Qt::LeftDockWidgetArea, Qt::RightDockWidgetArea}) {
        QDockWidget* most = nullptr;
        int missing = 0;
        for (QDockWidget* dock : m_docks) {
            const int misses = m_wanted.value(dock, 0) - dock->width();
            if (dock->isVisible() && !dock->isFloating() && m_window->dockWidgetArea(dock) == side && misses > missing) {
                most = dock;
                missing = misses;
            }
        }
        missing = std::min(missing, by);
        if (!most || missing <= 0)
            continue;
        by -= missing;
        docks << most;
        widths << most->width() + missing;
    }
    if (!docks.isEmpty())
        m_window->resizeDocks(docks, widths, Qt::Horizontal);
}

QByteArray DockWidths::pack(const QByteArray& layout) const {
    QByteArray packed;
    QDataStream out(&packed, QIODevice::WriteOnly);
    out.setVersion(QDataStream::Qt_6_0);
    QMap<QString, qint32> widths;
    for (auto one = m_wanted.begin(); one != m_wanted.end(); ++one)
        widths[one.key()->objectName()] = one.value();
    out << kPackedLayout << layout << widths << qint32(m_window->width());
    return packed;
}

QByteArray DockWidths::take(const QByteArray& packed) {
    QDataStream in(packed);
    in.setVersion(QDataStream::Qt_6_0);
    quint32 form = 0;
    QByteArray layout;
    QMap<QString, qint32> widths;
    qint32 width = 0;
    in >> form;
    if (form != kPackedLayout)
        return packed;
    in >> layout >> widths >> width;
    if (in.status() != QDataStream::Ok)
        return {};
    m_savedWidth = width;
    for (QDockWidget* dock : m_docks)
        if (widths.contains(dock->objectName()))
            m_wanted[dock] = widths.value(dock->objectName());
    return layout;
}

/// Nobody else moves a dock's edge while a button is held and the window keeps its size.
bool DockWidths::eventFilter(QObject* watched, QEvent* event) {
    if (auto* dock = qobject_cast<QDockWidget*>(watched);
        dock && event->type() == QEvent::Resize && m_window->width() == m_windowWidth && !dock->isFloating() &&
        QGuiApplication::mouseButtons().testFlag(Qt::LeftButton))
        m_wanted[dock] = dock->width();
    return QObject::eventFilter(watched, event);
}

} // namespace headroom::app
