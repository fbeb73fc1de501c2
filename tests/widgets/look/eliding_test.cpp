// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/eliding.h"
#include "tests/support/runner.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHelpEvent>
#include <QLineEdit>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>
#include <QToolTip>

namespace headroom::testing::eliding_test {

using namespace headroom::widgets;

class ElidingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    /// Buttons of dialogues are those of the window, and a long list does not cover the window.
    void dialoguesAndListsLookAsTheWindowDoes() {
        const ElidingStyle style;
        QCOMPARE(style.styleHint(QStyle::SH_DialogButtonBox_ButtonsHaveIcons, nullptr, nullptr, nullptr), 0);
        QCOMPARE(style.styleHint(QStyle::SH_ComboBox_Popup, nullptr, nullptr, nullptr), 0);
    }

    /// "C...s" stood in the list, too.
    void anOpenListIsAsWideAsItsEntries() {
        QComboBox box;
        box.addItems({QStringLiteral("Cross"), QStringLiteral("Self"), QStringLiteral("Contributions of all heads")});
        box.setFixedWidth(50);
        box.show();
        QVERIFY(QTest::qWaitForWindowExposed(&box));
        box.showPopup();
        QTRY_VERIFY(box.view()->isVisible());
        QVERIFY(box.view()->viewport()->width() >= box.view()->sizeHintForColumn(0));
        box.hidePopup();
    }

    /// "width 25…" reads as 25.
    void noNumberLosesItsEnd() {
        const QFontMetrics metrics(Sizes::text());
        const QString text = QStringLiteral("12 layers × 4 heads, width 256, loss 1.520");
        bool cut = false;
        for (int width = metrics.horizontalAdvance(text) + 2; width > 10; --width) {
            const QString shown = fitted(text, metrics, width);
            QVERIFY(shown == text || (metrics.horizontalAdvance(shown) <= width && shown.endsWith(QChar(0x2026))));
            QVERIFY2(shown == text || shown.size() < 2 || !shown.at(shown.size() - 2).isDigit(), qPrintable(shown));
            cut = cut || shown == QStringLiteral("12 layers × 4 heads, width …");
        }
        QVERIFY(cut);
    }

    void aNameOfDigitsKeepsBothEnds() {
        const QFontMetrics metrics(Sizes::text());
        const int room = metrics.horizontalAdvance(QStringLiteral("1688-14…5-0000"));
        const QString name = fitted(QStringLiteral("1688-142285-0000"), metrics, room);
        QVERIFY2(name.startsWith(QStringLiteral("1688")) && name.endsWith(QStringLiteral("0000")), qPrintable(name));
        for (const char* number : {"−45.68 M", "0.25 ± 0.01", "1.5e-4", "-12", "16:38:10"}) {
            const QString text = QString::fromUtf8(number);
            QCOMPARE(fitted(text, metrics, metrics.horizontalAdvance(text) - 2), QString(QChar(0x2026)));
        }
    }

    /// The icon takes its part of the cell: a name that it pushes over the edge is read in the tool tip.
    void aCellCutByItsIconHasItsTextAsATip() {
        QStandardItemModel model;
        model.appendRow(new QStandardItem(QStringLiteral("1688-142285-0000")));
        model.item(0)->setToolTip(QStringLiteral("a problem"));
        QTableView table;
        table.setModel(&model);
        table.setIconSize(QSize(40, 12));
        table.setColumnWidth(0, QFontMetrics(table.font()).horizontalAdvance(model.item(0)->text()) + 20);
        table.show();
        const auto tip = [&] {
            QToolTip::hideText();
            const QPoint at = table.visualRect(model.index(0, 0)).center();
            QHelpEvent help(QEvent::ToolTip, at, table.viewport()->mapToGlobal(at));
            QCoreApplication::sendEvent(table.viewport(), &help);
            return QToolTip::text();
        };
        QCOMPARE(tip(), QStringLiteral("a problem"));
        model.item(0)->setIcon(icon(QStringLiteral("error"), Theme::current().error));
        QCOMPARE(tip(), QStringLiteral("1688-142285-0000\na problem"));
    }

    /// "mixed" was the tool tip of a spin box that said "mixed", in place of what it means.
    void aTextThatFitsIsNotATip() {
        QSpinBox spin;
        spin.setToolTip(QStringLiteral("what it means"));
        spin.setFixedWidth(90);
        spin.show();
        auto* field = spin.findChild<QLineEdit*>();
        const auto tipOf = [&](const QString& text) {
            QToolTip::hideText();
            field->setText(text);
            QHelpEvent help(QEvent::ToolTip, field->rect().center(), field->mapToGlobal(field->rect().center()));
            QCoreApplication::sendEvent(field, &help);
            return QToolTip::text();
        };
        spin.clearFocus();
        QString text = QStringLiteral("1"), longer = QStringLiteral("11");
        while (field->fontMetrics().horizontalAdvance(longer) + 4 <= field->width()) {
            text = longer;
            longer += QLatin1Char('1');
        }
        QCOMPARE(tipOf(text), QStringLiteral("what it means"));
        QCOMPARE(tipOf(longer), longer);
    }
};

HEADROOM_TEST(ElidingTest)

} // namespace headroom::testing::eliding_test

#include "eliding_test.moc"
