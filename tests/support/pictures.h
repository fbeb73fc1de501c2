// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QImage>
#include <QString>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace headroom::testing {

/// How far a picture may be from its reference. Both are averaged over cells of 4 × 4 pixels first, so that letters
/// whose edges fall on other pixels do not count, but lines, colours, places and words do.
struct PictureTolerance {
    double mean = 1.0;         ///< of the absolute differences over all cells and channels, of 255
    double far = 24;           ///< a cell is far off if one of its channels differs by more
    double farShare = 0.004;   ///< of all cells
};

struct PictureDifference {
    double mean = 0, farShare = 0;
    QImage cells; ///< white where equal, darker where not
};

/// Both pictures have one size.
inline PictureDifference differenceOf(const QImage& actual, const QImage& reference, const PictureTolerance& tolerance) {
    constexpr int kCell = 4;
    const QImage a = actual.convertToFormat(QImage::Format_RGB888), b = reference.convertToFormat(QImage::Format_RGB888);
    const int columns = (a.width() + kCell - 1) / kCell, rows = (a.height() + kCell - 1) / kCell;
    PictureDifference found;
    found.cells = QImage(columns, rows, QImage::Format_Grayscale8);
    double sum = 0;
    int far = 0;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            double cell[3] = {0, 0, 0};
            int pixels = 0;
            for (int y = row * kCell; y < std::min((row + 1) * kCell, a.height()); ++y)
                for (int x = column * kCell; x < std::min((column + 1) * kCell, a.width()); ++x, ++pixels)
                    for (int channel = 0; channel < 3; ++channel)
                        cell[channel] += a.constScanLine(y)[3 * x + channel] - b.constScanLine(y)[3 * x + channel];
            double largest = 0;
            for (const double difference : cell) {
                sum += std::abs(difference) / pixels / 3;
                largest = std::max(largest, std::abs(difference) / pixels);
            }
            far += largest > tolerance.far;
            found.cells.scanLine(row)[column] = static_cast<uchar>(255 - std::min(255.0, 4 * largest));
        }
    found.mean = sum / (rows * columns);
    found.farShare = static_cast<double>(far) / (rows * columns);
    return found;
}

/// Compares a picture with tests/data/pictures/NAME.png; gives a sentence that names the files, empty if it is alike.
/// A failure leaves NAME.actual.png and NAME.difference.png in pictures/ of the build folder.
/// HEADROOM_RENEW_PICTURES=1 writes the reference instead (tests/README.md).
inline QString comparePicture(const QImage& actual, const QString& name, const PictureTolerance& tolerance = {}) {
    const QString file = QStringLiteral(HEADROOM_SOURCE_DIR "/tests/data/pictures/%1.png").arg(name);
    if (actual.isNull() || actual.width() > 640 || actual.height() > 400)
        return QStringLiteral("%1 is %2 × %3: pictures of tests have at most 640 × 400 pixels.")
            .arg(name)
            .arg(actual.width())
            .arg(actual.height());
    if (qEnvironmentVariableIntValue("HEADROOM_RENEW_PICTURES") != 0)
        return actual.convertToFormat(QImage::Format_RGB888).save(file) ? QString()
                                                                       : file + QStringLiteral(" cannot be written.");
    const QDir folder(QStringLiteral(HEADROOM_BINARY_DIR "/pictures"));
    folder.mkpath(QStringLiteral("."));
    const QString actualFile = folder.filePath(name + QStringLiteral(".actual.png"));
    const QString differenceFile = folder.filePath(name + QStringLiteral(".difference.png"));
    const QString renew = QStringLiteral(" If the change is meant, look at it and run the test with "
                                         "HEADROOM_RENEW_PICTURES=1.");
    const QImage reference(file);
    if (reference.isNull() || reference.size() != actual.size()) {
        actual.save(actualFile);
        const QString why = reference.isNull() ? QStringLiteral("%1 is missing").arg(file)
                                               : QStringLiteral("%1 is %2 × %3, the picture %4 × %5")
                                                     .arg(file)
                                                     .arg(reference.width())
                                                     .arg(reference.height())
                                                     .arg(actual.width())
                                                     .arg(actual.height());
        return why + QStringLiteral("; see %1.").arg(actualFile) + renew;
    }
    const PictureDifference found = differenceOf(actual, reference, tolerance);
    if (found.mean <= tolerance.mean && found.farShare <= tolerance.farShare)
        return {};
    actual.save(actualFile);
    found.cells.scaled(actual.size()).save(differenceFile);
    return QStringLiteral("%1: mean difference %2 (at most %3), %4 % of the cells far off (at most %5 %); see %6 and %7.")
               .arg(name)
               .arg(found.mean, 0, 'f', 2)
               .arg(tolerance.mean)
               .arg(100 * found.farShare, 0, 'f', 2)
               .arg(100 * tolerance.farShare)
               .arg(actualFile, differenceFile) +
           renew;
}

} // namespace headroom::testing

/// Fails the test with the sentence of comparePicture().
#define HEADROOM_COMPARE_PICTURE(actual, name)                                                              \
    do {                                                                                                     \
        const QString problem = ::headroom::testing::comparePicture(actual, QStringLiteral(name));           \
        QVERIFY2(problem.isEmpty(), qPrintable(problem));                                                    \
    } while (false)
