// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/sound/play_delegate.h"

#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/study_table/study_table_view.h"

#include <QPainter>
#include <QSortFilterProxyModel>

#include <algorithm>

namespace headroom::app {

PlayDelegate::PlayDelegate(widgets::StudyTableView* table, std::function<Button(int)> button)
    : QStyledItemDelegate(table)
    , m_table(table)
    , m_button(std::move(button)) {}

void PlayDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyledItemDelegate::paint(painter, option, index);
    const auto* sorted = static_cast<const QSortFilterProxyModel*>(m_table->model());
    const Button button = m_button(sorted->mapToSource(index).row());
    if (button == Button::None)
        return;
    const int side = std::min(widgets::Sizes::icon(), option.rect.height());
    QRect place(0, 0, side, side);
    place.moveCenter(option.rect.center());
    widgets::icon(button == Button::Play ? QStringLiteral("play") : QStringLiteral("stop")).paint(painter, place);
}

} // namespace headroom::app
