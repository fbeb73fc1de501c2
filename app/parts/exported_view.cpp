// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/exported_view.h"

#include "app/documents/items/paths.h"
#include "app/documents/items/saved_message.h"
#include "app/parts/number_text.h"
#include "app/settings/app_settings.h"
#include "core/tensors/atomic_file.h"
#include "widgets/look/translate.h"

#include <QFileInfo>

namespace headroom::app {

namespace {

constexpr QLatin1String kCsv("csv");

} // namespace

QString fileFilter(const QString& suffix) {
    return QStringLiteral("%1 (*.%2)").arg(suffix.toUpper(), suffix);
}

QString listedEndings(const QStringList& suffixes) {
    const QString last = QLatin1Char('.') + suffixes.last();
    const QString others = QLatin1Char('.') + suffixes.mid(0, suffixes.size() - 1).join(QStringLiteral(", ."));
    return suffixes.size() == 1 ? last : tr("%1 or %2").arg(others, last);
}

std::string csvOfTabs(const QString& text) {
    QStringList lines;
    for (const QString& line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        QStringList cells;
        for (QString cell : line.split(QLatin1Char('\t'))) {
            if (cell == kUnknown)
                cell.clear();
            if (cell.contains(QLatin1Char(',')) || cell.contains(QLatin1Char('"')))
                cell = QLatin1Char('"') + cell.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
            cells << cell;
        }
        lines << cells.join(QLatin1Char(','));
    }
    return lines.isEmpty() ? std::string() : (lines.join(QLatin1Char('\n')) + QLatin1Char('\n')).toStdString();
}

QStringList ExportedView::suffixes() const {
    QStringList all;
    if (!figure.parts.empty())
        for (const char* suffix : Figure::kSuffixes)
            all << QLatin1String(suffix);
    if (!table.empty())
        all << kCsv;
    return all;
}

QStringList ExportedView::filters() const {
    QStringList all;
    for (const QString& suffix : suffixes())
        all << (suffix == kCsv ? tr("Table, %1") : tr("Figure, %1")).arg(fileFilter(suffix));
    return all;
}

QString ExportedView::save(const QString& file, AppSettings* settings, Messages* messages) const {
    const QString suffix = QFileInfo(file).suffix().toLower();
    if (!suffixes().contains(suffix))
        return tr("%1 was not written: choose a name that ends in %2.").arg(QFileInfo(file).fileName(), listedEndings(suffixes()));
    try {
        if (suffix == kCsv)
            writeAtomically(toPath(file), table, "export.unwritable");
        else
            figure.write(toPath(file));
    } catch (const std::exception& failure) {
        return QString::fromUtf8(failure.what());
    }
    settings->setExportFolder(QFileInfo(file).absolutePath());
    announceSaved(messages, file);
    return {};
}

} // namespace headroom::app
