// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/figure.h"

#include "app/documents/items/paths.h"
#include "core/errors/error.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/time_axis/time_lane.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QEvent>
#include <QFileInfo>
#include <QFontMetrics>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>
#include <optional>

namespace headroom::app {

namespace {

constexpr int kDotsPerInch = 96;
constexpr int kPngScale = 2;
constexpr int kMostRows = 32000; ///< of pixels: QPainter counts with 16 bits

/// While it lives, these views are painted light. They hear of it as of a change of theme, since some keep
/// coloured pictures.
class OnPaper {
public:
    explicit OnPaper(const std::vector<Figure::Part>& parts)
        : m_parts(parts)
        , m_theme(widgets::Theme::read(QStringLiteral(":/headroom/themes/light.json"))) {
        m_painted.emplace(m_theme);
        tellViews();
    }
    ~OnPaper() {
        m_painted.reset();
        tellViews();
    }
    OnPaper(const OnPaper&) = delete;
    OnPaper& operator=(const OnPaper&) = delete;

private:
    void tellViews() const {
        for (const Figure::Part& part : m_parts) {
            QEvent changed(QEvent::PaletteChange);
            QCoreApplication::sendEvent(part.widget, &changed);
        }
    }

    const std::vector<Figure::Part>& m_parts;
    widgets::Theme m_theme;
    std::optional<widgets::PaintedWith> m_painted;
};

int margin() {
    return int(widgets::Sizes::unit());
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
    generator.setDescription(figure.caption);
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

QByteArray pngOf(const Figure& figure, const QString& name) {
    const QSize size = figure.size();
    const double scale = figure.pixels > 0 ? double(figure.pixels) / size.width() : kPngScale;
    if (size.height() * scale > kMostRows)
        throw Error("export.pixels", name.toStdString() + " was not written: it would be " + std::to_string(std::lround(size.height() * scale)) +
                                         " pixels high, and a PNG has at most " + std::to_string(kMostRows) +
                                         ". Choose a smaller width or export it as PDF or SVG.");
    QImage image(int(std::lround(size.width() * scale)), int(std::lround(size.height() * scale)),
                 QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.setText(QStringLiteral("Title"), figure.title);
    image.setText(QStringLiteral("Description"), figure.caption);
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

void Figure::addColumn(const QList<widgets::TimeLane*>& lanes) {
    int width = 0, y = 0;
    const int x = partsSize().width();
    for (const widgets::TimeLane* lane : lanes)
        width = std::max(width, lane->width());
    for (widgets::TimeLane* lane : lanes) {
        const int height = lane->figureHeight();
        parts.push_back({lane, QRect(x, y, width, height),
                         [lane](QPainter& painter, const QRect& place) { lane->renderTo(painter, place); }});
        y += height;
    }
}

QSize Figure::partsSize() const {
    QRect all(0, 0, 0, 0);
    for (const Part& part : parts)
        all |= part.place;
    return all.size();
}

int Figure::captionHeight() const {
    if (caption.isEmpty())
        return 0;
    const QRect room(0, 0, partsSize().width() - 2 * margin(), 100000);
    return QFontMetrics(widgets::Sizes::small()).boundingRect(room, Qt::TextWordWrap, caption).height() +
           2 * margin();
}

QSize Figure::size() const {
    return partsSize() + QSize(0, captionHeight());
}

void Figure::render(QPainter& painter) const {
    painter.fillRect(QRect(QPoint(0, 0), size()), widgets::Theme::current().panel);
    for (const Part& part : parts)
        part.draw(painter, part.place);
    if (caption.isEmpty())
        return;
    painter.setFont(widgets::Sizes::small());
    painter.setPen(widgets::Theme::current().text2);
    painter.drawText(
        QRect(0, partsSize().height(), partsSize().width(), captionHeight()).adjusted(margin(), margin(), -margin(), 0),
        Qt::TextWordWrap, caption);
}

void Figure::write(const std::filesystem::path& file) const {
    const QString name = toQString(file);
    const QString suffix = QFileInfo(name).suffix().toLower();
    if (pixels < 0 || pixels > kMostPixels)
        throw Error("export.pixels", name.toStdString() + " was not written: a PNG is 1 to " +
                                         std::to_string(kMostPixels) + " pixels wide.");
    std::optional<OnPaper> paper;
    if (!asInWindow)
        paper.emplace(parts);
    QByteArray bytes;
    if (suffix == QLatin1String("svg"))
        bytes = svgOf(*this);
    else if (suffix == QLatin1String("pdf"))
        bytes = pdfOf(*this);
    else if (suffix == QLatin1String("png"))
        bytes = pngOf(*this, name);
    else
        throw Error("export.badSuffix",
                    name.toStdString() + " was not written: a figure is .svg, .pdf or .png.");
    QSaveFile out(name);
    if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size() || !out.commit())
        throw Error("export.unwritable",
                    name.toStdString() + " could not be written: " + out.errorString().toStdString() + ".");
}

} // namespace headroom::app
