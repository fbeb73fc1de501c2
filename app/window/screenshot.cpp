// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/screenshot.h"

#include <QPixmap>
#include <QSaveFile>
#include <QWidget>

namespace headroom::app {

namespace {
constexpr int kScreenshotLookMilliseconds = 40;
/// One quiet look is not enough: what just arrived may ask for more at the next turn of the event loop.
constexpr int kQuietLooks = 5;
} // namespace

Screenshot::Screenshot(QWidget* widget, const QString& file, std::function<bool()> isPending, QObject* parent)
    : QObject(parent)
    , m_widget(widget)
    , m_file(file)
    , m_isPending(std::move(isPending)) {
    m_timer.setInterval(kScreenshotLookMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &Screenshot::look);
}

void Screenshot::start() {
    m_since.start();
    m_timer.start();
}

void Screenshot::look() {
    m_quietLooks = m_isPending() ? 0 : m_quietLooks + 1;
    if (m_quietLooks < kQuietLooks) {
        if (m_since.elapsed() < m_patience)
            return;
        m_timer.stop();
        Q_EMIT finished(
            1,
            tr("No screenshot: work was still pending after %1 s.").arg(m_patience / 1000));
        return;
    }
    m_timer.stop();
    const QPixmap picture = m_widget->grab();
    QSaveFile file(m_file);
    if (file.open(QIODevice::WriteOnly) && picture.save(&file, "PNG") && file.commit())
        Q_EMIT finished(0, {});
    else
        Q_EMIT finished(1, tr("The screenshot could not be saved: %1: %2.").arg(m_file, file.errorString()));
}

} // namespace headroom::app
