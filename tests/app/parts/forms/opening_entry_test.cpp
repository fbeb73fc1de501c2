// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/forms/opening_entry.h"
#include "tests/support/runner.h"

#include <QComboBox>
#include <QSignalBlocker>
#include <QTest>

namespace headroom::testing::opening_entry_test {

using namespace headroom::app;

class OpeningEntryTest : public QObject {
    Q_OBJECT

    static void fill(QComboBox& field, const QStringList& choices) {
        field.clear();
        for (const QString& choice : choices)
            field.addItem(choice.toUpper(), choice);
        field.insertSeparator(field.count());
        field.addItem(QStringLiteral("Open…"));
    }
    static void chooseLast(QComboBox& field) {
        field.setCurrentIndex(field.count() - 1);
        Q_EMIT field.activated(field.count() - 1);
    }

private Q_SLOTS:
    void whatWasChosenStandsWhileAFileIsLookedForAndStays() {
        QComboBox field;
        fill(field, {QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")});
        QStringList stood;
        QString opened;
        letLastEntryOpen(&field, [&] {
            stood << field.currentText();
            if (!opened.isEmpty()) {
                field.insertItem(0, opened.toUpper(), opened);
                field.setCurrentIndex(0);
            }
        });
        field.setCurrentIndex(1);
        Q_EMIT field.activated(1); // a choice opens nothing
        QVERIFY(stood.isEmpty());
        chooseLast(field);
        QCOMPARE(stood, QStringList{QStringLiteral("B")});
        QCOMPARE(field.currentText(), QStringLiteral("B"));
        opened = QStringLiteral("d");
        chooseLast(field);
        QCOMPARE(field.currentText(), QStringLiteral("D"));
        opened.clear();
        chooseLast(field);
        QCOMPARE(field.currentText(), QStringLiteral("D"));
    }

    /// Known by its data: another place, and another name.
    void aFieldThatIsFilledAnewKeepsTheChoice() {
        QComboBox field;
        fill(field, {QStringLiteral("a"), QStringLiteral("b")});
        letLastEntryOpen(&field, [] {});
        {
            const QSignalBlocker blocker(field);
            field.setCurrentIndex(1);
        }
        rememberChoice(&field);
        {
            const QSignalBlocker blocker(field);
            fill(field, {QStringLiteral("x"), QStringLiteral("y"), QStringLiteral("b")});
        }
        chooseLast(field);
        QCOMPARE(field.currentData().toString(), QStringLiteral("b"));
        {
            const QSignalBlocker blocker(field);
            fill(field, {QStringLiteral("x"), QStringLiteral("y")});
        }
        chooseLast(field); // it is gone
        QCOMPARE(field.currentData().toString(), QStringLiteral("x"));
    }

    void aFieldWithoutChoicesOpensToo() {
        QComboBox field;
        field.addItem(QStringLiteral("Open…"));
        int asked = 0;
        letLastEntryOpen(&field, [&] { ++asked; });
        Q_EMIT field.activated(0);
        QCOMPARE(asked, 1);
        QCOMPARE(field.currentIndex(), 0);
    }
};

HEADROOM_TEST(OpeningEntryTest)

} // namespace headroom::testing::opening_entry_test

#include "opening_entry_test.moc"
