// SPDX-License-Identifier: GPL-3.0-or-later
// The widths of the columns and the heights of the rows.
#include "widgets/layer_editor/head_chip.h"
#include "widgets/layer_editor/layer_editor.h"
#include "widgets/layer_editor/layer_editor_delegate.h"
#include "widgets/look/sizes.h"

#include <QHeaderView>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

namespace headroom::widgets {

namespace {

int reachWidth(const LayerEditorModel& grid) { // more where heads look farther to one side
    double width = 8 * Sizes::unit();
    const QFontMetricsF metrics(Sizes::text());
    for (int layer = 1; layer <= grid.grid().layerCount(); ++layer)
        width = std::max(width, metrics.horizontalAdvance(grid.reachText(layer)));
    return int(width + 1.5 * Sizes::unit());
}

/// The least width of a head in which the short form of each is whole. A mistake is as long as it was typed, and a reused
/// map has the row: neither counts.
int headWidth(const LayerEditorModel& grid) {
    std::set<std::string> texts;
    for (int layer = 1; layer <= grid.grid().layerCount(); ++layer)
        for (int head = 1; head <= int(grid.grid().layer(layer).cells.size()) && !grid.reuses(layer); ++head) {
            const QModelIndex index = grid.index(LayerEditorModel::rowOf(layer), LayerEditorModel::columnOf(head));
            if (const HeadCell* cell = grid.cell(index); cell && !grid.mistakeAt(index))
                texts.insert(cell->text);
        }
    double chip = 8 * Sizes::unit();
    for (const std::string& text : texts)
        chip = std::max(chip, leastChipWidth(chipText(text)));
    const QRect cell(0, 0, 1000, int(Sizes::unit() * 6));
    return int(std::ceil(chip)) + cell.width() - LayerEditorDelegate::chipRect(cell, false).width();
}

} // namespace

/// Lays the columns out anew where a text has become too wide for its own.
void LayerEditor::fitTexts() {
    if (columnWidth(m_grid->reachColumn()) != reachWidth(*m_grid) ||
        columnWidth(LayerEditorModel::FirstHead) < headWidth(*m_grid))
        applyMetrics();
}

void LayerEditor::applyMetrics() {
    const double unit = Sizes::unit();
    verticalHeader()->setMinimumSectionSize(1);
    horizontalHeader()->setMinimumSectionSize(1);
    horizontalHeader()->setFixedHeight(Sizes::tableHeader() + int(unit / 2));
    verticalHeader()->setDefaultSectionSize(int(unit * 6.25));
    if (m_grid->rowCount() == 0)
        return;
    for (const int row : {LayerEditorModel::kFrontEndRow, m_grid->decoderRow()})
        setRowHeight(row, int(unit * 3.75));
    const int heads = m_grid->mostHeads();
    const int layer = int(unit * 7), map = int(unit * 10.5), reach = reachWidth(*m_grid), loss = int(unit * 6);
    int macs = int(unit * 13);
    // A head must be read: where there is little room the bar goes first, then the small map.
    const int wanted = int(unit * 12.5) * heads;
    int room = viewport()->width() - layer - map - reach - loss - macs;
    if (room < wanted) {
        room += macs - int(unit * 7);
        macs = int(unit * 7);
    }
    const bool mapHidden = room < wanted;
    if (mapHidden)
        room += map - int(unit * 3.75); // the arrows of reused maps stay
    setColumnWidth(LayerEditorModel::LayerColumn, layer);
    setColumnWidth(LayerEditorModel::MapColumn, mapHidden ? int(unit * 3.75) : map);
    setColumnWidth(m_grid->reachColumn(), reach);
    setColumnWidth(m_grid->lossColumn(), loss);
    setColumnWidth(m_grid->macsColumn(), macs);
    // The heads share what is left, whole pixels, the rest to the last.
    const int least = headWidth(*m_grid), width = std::max(least, room / heads);
    for (int head = 1; head <= heads; ++head)
        setColumnWidth(LayerEditorModel::columnOf(head), head == heads && width > least ? room - width * (heads - 1) : width);
    m_grid->setMapShown(!mapHidden); // last: fitTexts() looks at the widths again
}

} // namespace headroom::widgets
