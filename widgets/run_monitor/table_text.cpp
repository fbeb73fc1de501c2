// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/table_text.h"

#include "widgets/look/sizes.h"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLocale>
#include <QTableView>

#include <cmath>
#include <vector>

namespace headroom::widgets {

QString tableText(const QTableView& table) {
    const QAbstractItemModel& model = *table.model();
    std::vector<int> columns;
    QStringList heads;
    for (int visual = 0; visual < model.columnCount(); ++visual) {
        const int column = table.horizontalHeader()->logicalIndex(visual);
        const QString head = model.headerData(column, Qt::Horizontal).toString();
        if (!head.isEmpty() && !table.isColumnHidden(column)) {
            const QString copied = model.headerData(column, Qt::Horizontal, kCopyRole).toString();
            columns.push_back(column);
            heads << (copied.isEmpty() ? head : copied);
        }
    }
    QStringList lines{heads.join(u'\t')};
    const bool some = table.selectionModel()->hasSelection();
    for (int row = 0; row < model.rowCount(); ++row) {
        if (some && !table.selectionModel()->isRowSelected(row, {}))
            continue;
        QStringList cells;
        for (const int column : columns) {
            const QModelIndex index = model.index(row, column);
            const QVariant copied = index.data(kCopyRole), raw = copied.isValid() ? copied : index.data(kRawRole);
            if (raw.typeId() == QMetaType::Double)
                cells << (std::isnan(raw.toDouble())
                              ? QStringLiteral("–")
                              : QString::number(raw.toDouble(), 'g', QLocale::FloatingPointShortest));
            else
                cells << (raw.isValid() ? raw : index.data())
                             .toString()
                             .replace(u'\t', u' ')
                             .replace(u'\n', u' ');
        }
        lines << cells.join(u'\t');
    }
    return lines.join(u'\n') + u'\n';
}

void styleTable(QTableView& table, int rowHeight) {
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::ExtendedSelection);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setShowGrid(false);
    table.setWordWrap(false);
    table.setTabKeyNavigation(false);
    table.setFrameShape(QFrame::NoFrame);
    table.setMouseTracking(true);
    table.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.verticalHeader()->hide();
    table.verticalHeader()->setMinimumSectionSize(1);
    table.verticalHeader()->setDefaultSectionSize(rowHeight);
    table.horizontalHeader()->setHighlightSections(false);
    table.horizontalHeader()->setFixedHeight(Sizes::tableHeader());
}

} // namespace headroom::widgets
