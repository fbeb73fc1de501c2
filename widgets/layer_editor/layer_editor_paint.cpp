// SPDX-License-Identifier: GPL-3.0-or-later
// What stands across cells: sentences under rows, and arrows from a map to the layers that reuse it.
#include "widgets/layer_editor/layer_editor.h"
#include "widgets/layer_editor/layer_editor_delegate.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QIcon>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <map>

namespace headroom::widgets {

namespace {

/// Of the sign before a sentence, and beside it.
int markSide() {
    return int(Sizes::unit() * 1.5);
}
int markGap() {
    return int(Sizes::unit() / 2);
}

} // namespace

QRect LayerEditor::headsRect(int layer) const {
    const int row = LayerEditorModel::rowOf(layer), heads = int(m_grid->grid().layer(layer).cells.size());
    const int left = columnViewportPosition(LayerEditorModel::FirstHead);
    const int last = LayerEditorModel::columnOf(heads);
    return {left, rowViewportPosition(row), columnViewportPosition(last) + columnWidth(last) - left,
            rowHeight(row)};
}

void LayerEditor::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_grid->rowCount() == 0) {
        painter.setFont(Sizes::text());
        painter.setPen(Theme::current().text2);
        const int side = int(Sizes::unit() * 4);
        painter.drawText(viewport()->rect().adjusted(side, side, -side, -side),
                         Qt::AlignCenter | Qt::TextWordWrap, m_emptySentence);
        return;
    }
    paintReuse(painter);
    paintSentences(painter);
}

void LayerEditor::paintReuse(QPainter& painter) const {
    const double unit = Sizes::unit();
    painter.setPen(QPen(Theme::current().accent, unit / 5));
    painter.setBrush(Qt::NoBrush);
    for (int layer = 2; layer <= m_grid->grid().layerCount(); ++layer) {
        const HeadGroup& group = m_grid->grid().layer(layer).heads.front();
        if (group.kind != HeadKind::Reuse || !m_grid->reuses(layer))
            continue;
        const auto chip = [&](int of) {
            return QRectF(LayerEditorDelegate::chipRect(headsRect(of), m_grid->grid().isMistaken(of)));
        };
        const QRectF from = chip(group.reusedLayer), to = chip(layer);
        const double x = from.left() - unit * 1.75, arrow = unit / 2;
        QPainterPath path(QPointF(from.left() - unit / 4, from.center().y()));
        path.lineTo(x, from.center().y());
        path.lineTo(x, to.center().y());
        path.lineTo(to.left() - unit / 4, to.center().y());
        path.moveTo(to.left() - unit / 4 - arrow, to.center().y() - arrow);
        path.lineTo(to.left() - unit / 4, to.center().y());
        path.lineTo(to.left() - unit / 4 - arrow, to.center().y() + arrow);
        painter.drawPath(path);
    }
}

/// From its head on; further left where it would leave the heads; behind another one of the same row. One that has no room is left out:
/// the ring and the tool tip say it.
std::vector<LayerEditor::PlacedMistake> LayerEditor::placed(const std::vector<const HeadMistake*>& ofRow, bool& isWhole) const {
    const QFontMetrics metrics(Sizes::small());
    const int mark = markSide(), gap = markGap();
    std::vector<PlacedMistake> sentences;
    isWhole = true;
    for (const HeadMistake* mistake : ofRow) {
        const QRect heads = headsRect(mistake->layer), line = LayerEditorDelegate::sentenceRect(heads);
        const auto text = QString::fromStdString(mistake->sentence);
        const int first = columnViewportPosition(LayerEditorModel::columnOf(mistake->firstHead)) + gap;
        const int wanted = mark + gap + metrics.horizontalAdvance(text) + gap;
        int left = std::max(heads.left() + gap, std::min(first, heads.right() - wanted));
        if (!sentences.empty())
            left = std::max(left, sentences.back().place.right() + 1 + mark);
        const int room = heads.right() - left;
        isWhole = isWhole && room >= wanted;
        const int width = std::min(wanted, room);
        const QString shown = room >= wanted ? text : metrics.elidedText(text, Qt::ElideRight, width - mark - 2 * gap); // it cuts what is a fraction of a pixel wider
        if (room >= mark * 3)
            sentences.push_back({QRect(left, line.top(), width, line.height()), shown});
    }
    return sentences;
}

/// Of a row in which not all have room, the one of the current head alone.
std::vector<LayerEditor::PlacedMistake> LayerEditor::placedMistakes() const {
    std::map<int, std::vector<const HeadMistake*>> byLayer;
    for (const HeadMistake& mistake : m_grid->grid().mistakes())
        if (mistake.layer != kCrossAttention) // the decoder's row has no heads
            byLayer[mistake.layer].push_back(&mistake);
    const HeadMistake* current = m_grid->mistakeAt(currentIndex());
    std::vector<PlacedMistake> all;
    for (const auto& [layer, ofRow] : byLayer) {
        bool isWhole = true;
        auto row = placed(ofRow, isWhole);
        if (!isWhole && current && current->layer == layer)
            row = placed({current}, isWhole);
        all.insert(all.end(), row.begin(), row.end());
    }
    return all;
}

QStringList LayerEditor::shownMistakes() const {
    QStringList shown;
    for (const PlacedMistake& one : placedMistakes())
        shown << one.shown;
    return shown;
}

void LayerEditor::paintSentences(QPainter& painter) const {
    const Theme& theme = Theme::current();
    const int mark = markSide(), gap = markGap();
    painter.setFont(Sizes::small());
    painter.setPen(theme.error);
    for (const PlacedMistake& one : placedMistakes()) {
        icon(QStringLiteral("error"), theme.error).paint(&painter, QRect(one.place.left(), one.place.center().y() - mark / 2 + 1, mark, mark));
        painter.drawText(one.place.adjusted(mark + gap, 0, 0, 0), Qt::AlignVCenter, one.shown);
    }
}

} // namespace headroom::widgets
