// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/icons.h"

#include "widgets/look/resources.h"
#include "widgets/look/theme.h"

#include <QDir>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

#include <algorithm>

namespace headroom::widgets {

namespace {

enum class Ground { Plain, Accent, AccentWhenOn };

/// Draws the file's shapes and lets the theme's colour through them, at the moment of painting.
class ThemeIconEngine : public QIconEngine {
public:
    ThemeIconEngine(QString name, QColor fixed, Ground ground)
        : m_name(std::move(name))
        , m_fixed(std::move(fixed))
        , m_ground(ground) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
        const double ratio = painter->device() ? painter->device()->devicePixelRatioF() : 1.0;
        painter->drawPixmap(rect, rendered(rect.size(), mode, state, ratio));
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        return rendered(size, mode, state, 1.0);
    }
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override {
        // `size` is in device pixels here; the caller sets the ratio.
        QPixmap pixmap = rendered(size, mode, state, 1.0);
        pixmap.setDevicePixelRatio(scale);
        return pixmap;
    }
    QSize actualSize(const QSize& size, QIcon::Mode, QIcon::State) override { return size; }
    QString key() const override { return QStringLiteral("headroom"); }
    bool isNull() override { return false; }
    QIconEngine* clone() const override { return new ThemeIconEngine(*this); }

private:
    QColor colour(QIcon::Mode mode, QIcon::State state) const {
        const Theme& theme = Theme::current();
        if (mode == QIcon::Disabled)
            return theme.text3;
        if (m_fixed.isValid())
            return m_fixed;
        if (m_ground == Ground::Accent || (m_ground == Ground::AccentWhenOn && state == QIcon::On))
            return theme.textOnAccent;
        return state == QIcon::On ? theme.accent : theme.text;
    }

    QPixmap rendered(const QSize& size, QIcon::Mode mode, QIcon::State state, double ratio) const {
        const QColor ink = colour(mode, state);
        const QSize deviceSize = size * ratio;
        const QString cacheKey = QStringLiteral("headroom-icon/%1/%2/%3x%4")
                                     .arg(m_name, ink.name(QColor::HexArgb))
                                     .arg(deviceSize.width())
                                     .arg(deviceSize.height());
        QPixmap pixmap;
        if (!QPixmapCache::find(cacheKey, &pixmap)) {
            QImage image(deviceSize, QImage::Format_ARGB32_Premultiplied);
            image.fill(Qt::transparent);
            QSvgRenderer svg(QStringLiteral(":/headroom/icons/%1.svg").arg(m_name));
            svg.setAspectRatioMode(Qt::KeepAspectRatio);
            QPainter painter(&image);
            // In a wide rectangle at its left: the rest is the gap to the words beside it.
            const double side = std::min(deviceSize.width(), deviceSize.height());
            svg.render(&painter, QRectF(0, (deviceSize.height() - side) / 2, side, side));
            painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
            painter.fillRect(image.rect(), ink);
            painter.end();
            pixmap = QPixmap::fromImage(std::move(image));
            QPixmapCache::insert(cacheKey, pixmap);
        }
        pixmap.setDevicePixelRatio(ratio);
        return pixmap;
    }

    QString m_name;
    QColor m_fixed;
    Ground m_ground;
};

QIcon make(const QString& name, const QColor& fixed, Ground ground) {
    loadResources();
    if (!QFile::exists(QStringLiteral(":/headroom/icons/%1.svg").arg(name)))
        qFatal("there is no icon \"%s\" in resources/icons", qPrintable(name));
    return QIcon(new ThemeIconEngine(name, fixed, ground));
}

} // namespace

QIcon icon(const QString& name) {
    return make(name, QColor(), Ground::Plain);
}
QIcon icon(const QString& name, const QColor& colour) {
    return make(name, colour, Ground::Plain);
}
QIcon iconOnAccent(const QString& name) {
    return make(name, QColor(), Ground::Accent);
}
QIcon iconOnAccentWhenOn(const QString& name) {
    return make(name, QColor(), Ground::AccentWhenOn);
}

QStringList iconNames() {
    loadResources();
    QStringList names;
    const auto files = QDir(QStringLiteral(":/headroom/icons")).entryList({QStringLiteral("*.svg")});
    for (const QString& file : files)
        names << file.chopped(4);
    names.sort();
    return names;
}

} // namespace headroom::widgets
