// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractSpinBox>
#include <QTest>

namespace headroom::testing {

/// Types a number over the whole of a field, key by key, and leaves the field. What the window does after each key is done before the
/// next, as with a person's keys. Returns what the field then says.
inline QString typedNumber(QAbstractSpinBox* field, const QString& number) {
    field->window()->activateWindow();
    field->setFocus();
    field->selectAll();
    for (const QChar digit : number) {
        QTest::keyClick(field, digit.toLatin1());
        QTest::qWait(1); // timers of no milliseconds, too
    }
    QTest::keyClick(field, Qt::Key_Return);
    QTest::qWait(1);
    return field->text();
}

} // namespace headroom::testing
