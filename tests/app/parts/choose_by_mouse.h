// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QTest>

namespace headroom::testing {

/// Opens the list of a chooser and clicks an entry. Returns the widget that has the keyboard then.
inline QWidget* chooseByMouse(QComboBox* chooser, int row) {
    chooser->setFocus(Qt::MouseFocusReason);
    chooser->showPopup();
    QAbstractItemView* list = chooser->view();
    if (!QTest::qWaitFor([&] { return list->isVisible(); }, 60000))
        return nullptr;
    QTest::qWait(QApplication::doubleClickInterval() + 50); // a list that has just opened takes no release
    const QModelIndex entry = list->model()->index(row, 0);
    list->scrollTo(entry);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(entry).center());
    (void)QTest::qWaitFor([&] { return !list->isVisible() && chooser->window()->focusWidget() != chooser; }, 3000);
    return chooser->window()->focusWidget();
}

} // namespace headroom::testing
