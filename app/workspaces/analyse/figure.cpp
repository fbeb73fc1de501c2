// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/figure.h"

#include "app/documents/paths.h"
#include "core/errors/error.h"
#include "widgets/look/theme.h"
#include "widgets/time_axis/time_lane.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <algorithm>

namespace headroom::app {

namespace {

constexpr int kDotsPerInch = 96;
constexpr int kPngScale = 2;

QSize sizeOf(const QList<widgets::TimeLane*>& column) {
    QSize size(0, 0);
    for (const widgets::TimeLane* lane : column)
        size = {std::max(size.width(), lane->width()), size.height() + lane->height()};
    return size;
}

QByteArray svgOf(const Figure& figure) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(figure.size());
    generator.setViewBox(QRect(QPoint(0, 0), figure.size()));
    generator.setResolution(kDotsPerInch);
    generator.setTitle(figure.title);
    QPainter painter(&generator);
    figure.render(painter);
    painter.end();
    return bytes;
}

QByteArray pdfOf(const Figure& figure) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(kDotsPerInch);
    writer.setPageSize(QPageSize(QSizeF(figure.size()) * 72.0 / kDotsPerInch, QPageSize::Point));
    writer.setPageMargins(QMarginsF());
    writer.setTitle(figure.title);
    writer.setCreator(QStringLiteral("Headroom"));
    QPainter painter(&writer);
    figure.render(painter);
    painter.end();
    return bytes;
}

QByteArray pngOf(const Figure& figure) {
    QImage image(figure.size() * kPngScale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(kPngScale);
    image.fill(widgets::Theme::current().panel);
    QPainter painter(&image);
    figure.render(painter);
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

} // namespace

QSize Figure::size() const {
    const QSize left = sizeOf(lanes), right = sizeOf(beside);
    return {left.width() + right.width(), std::max(left.height(), right.height())};
}

void Figure::render(QPainter& painter) const {
    painter.fillRect(QRect(QPoint(0, 0), size()), widgets::Theme::current().panel);
    int x = 0;
    for (const auto* column : {&lanes, &beside}) {
        const int width = sizeOf(*column).width();
        int y = 0;
        for (widgets::TimeLane* lane : *column) {
            lane->renderTo(painter, QRect(x, y, width, lane->height()));
            y += lane->height();
        }
        x += width;
    }
}

void Figure::write(const std::filesystem::path& file) const {
    const QString name = toQString(file);
    const QString suffix = QFileInfo(name).suffix().toLower();
    QByteArray bytes;
    if (suffix == QLatin1String("svg"))
        bytes = svgOf(*this);
    else if (suffix == QLatin1String("pdf"))
        bytes = pdfOf(*this);
    else if (suffix == QLatin1String("png"))
        bytes = pngOf(*this);
    else
        throw Error("export.badSuffix",
                    name.toStdString() + " was not written: a figure is .svg, .pdf or .png.");
    QSaveFile out(name);
    if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size() || !out.commit())
        throw Error("export.unwritable",
                    name.toStdString() + " could not be written: " + out.errorString().toStdString() + ".");
}

} // namespace headroom::app
