// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/stories/guide_pictures.h"

#include "widgets/look/theme.h"

#include <QDialog>
#include <QFileInfo>
#include <QHash>
#include <QImage>
#include <QImageWriter>
#include <QPainter>
#include <QPixmap>
#include <QSet>
#include <QWidget>

#include <algorithm>
#include <vector>

namespace headroom::testing {

namespace {

constexpr qint64 kMostBytes = 400000, kMostBytesOfPart = 75000;

/// The `colours` (at most 256) that stand for most of a picture: its most frequent ones exactly, for these are the
/// grounds and letters of the theme; then cells of colour space, 16 a side, each as its mean.
QList<QRgb> paletteOf(const QImage& image, qsizetype colours) {
    const qsizetype exactly = colours * 3 / 8;
    QHash<QRgb, qsizetype> counts;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            ++counts[image.pixel(x, y)];
    // Rare, and with a meaning.
    const widgets::Theme& theme = widgets::Theme::current();
    for (const QColor& colour : {theme.good, theme.warning, theme.error, theme.accent})
        counts[colour.rgb()] += image.width() * image.height();
    QList<QRgb> palette = counts.keys();
    std::sort(palette.begin(), palette.end(),
              [&](QRgb a, QRgb b) { return counts[a] != counts[b] ? counts[a] > counts[b] : a < b; });
    palette.resize(std::min(palette.size(), exactly));
    const QSet<QRgb> exact(palette.begin(), palette.end());
    struct Cell {
        quint64 red = 0, green = 0, blue = 0, count = 0;
    };
    std::vector<Cell> cells(4096);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QRgb pixel = image.pixel(x, y);
            if (exact.contains(pixel))
                continue;
            Cell& cell =
                cells[std::size_t(qRed(pixel) >> 4 << 8 | qGreen(pixel) >> 4 << 4 | qBlue(pixel) >> 4)];
            cell.red += quint64(qRed(pixel));
            cell.green += quint64(qGreen(pixel));
            cell.blue += quint64(qBlue(pixel));
            ++cell.count;
        }
    std::sort(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) { return a.count > b.count; });
    for (std::size_t i = 0; palette.size() < colours && cells[i].count > 0; ++i)
        palette << qRgb(int(cells[i].red / cells[i].count), int(cells[i].green / cells[i].count),
                        int(cells[i].blue / cells[i].count));
    return palette;
}

QString written(const QImage& image, const QString& name, qsizetype colours, qint64 most) {
    const QString file = QStringLiteral(HEADROOM_SOURCE_DIR "/resources/guide/pictures/%1.png").arg(name);
    QImageWriter writer(file, "png");
    writer.setCompression(100);
    if (!writer.write(image.convertToFormat(QImage::Format_Indexed8, paletteOf(image, colours),
                                            Qt::AvoidDither | Qt::ThresholdDither)))
        return file + QStringLiteral(": ") + writer.errorString();
    const qint64 bytes = QFileInfo(file).size();
    return bytes < most ? QString() : QStringLiteral("%1: %2 bytes").arg(file).arg(bytes);
}

} // namespace

bool writesGuide() {
    return qEnvironmentVariableIsSet("HEADROOM_WRITE_GUIDE");
}

QString writeGuidePicture(QWidget& window, const QString& name) {
    QPixmap pixmap = window.grab();
    QPainter painter(&pixmap);
    for (auto* dialog : window.findChildren<QDialog*>())
        if (dialog->isVisible()) { // a window of its own: it is drawn where it stands
            const QPoint at = window.rect().center() - dialog->rect().center();
            painter.drawPixmap(at, dialog->grab());
            painter.setPen(widgets::Theme::current().line);
            painter.drawRect(QRect(at, dialog->size()));
        }
    painter.end();
    const QImage image = pixmap.toImage();
    if (image.size() != QSize(1600, 1000))
        return QStringLiteral("%1: %2 × %3 pixels").arg(name).arg(image.width()).arg(image.height());
    return written(image, name, 256, kMostBytes);
}

QString writeGuidePart(QWidget& part, const QString& name) {
    const QImage image = part.grab().toImage();
    QString problem;
    for (const qsizetype colours : {256, 128, 64}) // as many as it may have
        if (problem = written(image, name, colours, kMostBytesOfPart); problem.isEmpty())
            break;
    return problem;
}

} // namespace headroom::testing
