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

namespace headroom::widgets {

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

void LayerEditor::paintSentences(QPainter& painter) const {
    const Theme& theme = Theme::current();
    const double unit = Sizes::unit();
    painter.setFont(Sizes::small());
    const QFontMetrics metrics(Sizes::small());
    const int mark = int(unit * 1.5), gap = int(unit / 2);
    int filledTo = 0, filledLayer = 0;
    for (const HeadMistake& mistake : m_grid->grid().mistakes()) {
        if (mistake.layer == kCrossAttention)
            continue; // the decoder's row has no heads
        const QRect heads = headsRect(mistake.layer);
        const int first = columnViewportPosition(LayerEditorModel::columnOf(mistake.firstHead)) + gap;
        const auto text = QString::fromStdString(mistake.sentence);
        const int wanted = mark + gap + metrics.horizontalAdvance(text) + gap;
        // From its head on; further left where it would leave the heads; behind another one of the same row.
        int left = std::max(heads.left() + gap, std::min(first, heads.right() - wanted));
        if (filledLayer == mistake.layer)
            left = std::max(left, filledTo + mark);
        const int room = heads.right() - left;
        if (room < mark * 3)
            continue; // the ring and the tool tip say it
        const QRect line = LayerEditorDelegate::sentenceRect(heads);
        icon(QStringLiteral("error"), theme.error)
            .paint(&painter, QRect(left, line.center().y() - mark / 2 + 1, mark, mark));
        painter.setPen(theme.error);
        painter.drawText(QRect(left + mark + gap, line.top(), room - mark - gap, line.height()),
                         Qt::AlignVCenter, metrics.elidedText(text, Qt::ElideRight, room - mark - gap));
        filledTo = left + std::min(wanted, room);
        filledLayer = mistake.layer;
    }
}

} // namespace headroom::widgets
