// SPDX-License-Identifier: GPL-3.0-or-later
// Where a row of a list is clicked.
#include "app/parts/row_delegate.h"
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QListView>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTest>

namespace headroom::testing::row_delegate_test {

using namespace headroom::app;
using widgets::Sizes;

class RowDelegateTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// A click just above the box ticked the model and made it the current one as well.
    void aClickTicksOrChoosesButNeverBoth() {
        QStandardItemModel rows;
        for (int row = 0; row < 3; ++row) {
            auto* item = new QStandardItem(QStringLiteral("model"));
            item->setCheckable(true);
            rows.appendRow(item);
        }
        QListView view;
        view.setModel(&rows);
        RowDelegate delegate([](const QModelIndex& index) {
            RowContent content;
            content.title = index.data().toString();
            content.second = QStringLiteral("3 layers");
            content.checked = true;
            return content;
        }, &view);
        view.setItemDelegate(&delegate);
        view.resize(220, 300);
        view.show();
        QSignalSpy ticked(&delegate, &RowDelegate::checkToggled);
        const QRect row = view.visualRect(rows.index(1, 0));
        const int middle = row.left() + qRound(Sizes::unit() * 1.5) + Sizes::icon() / 2;
        int ticks = 0, choices = 0;
        for (int y = row.top(); y <= row.bottom(); ++y)
            for (const Qt::MouseButton button : {Qt::LeftButton, Qt::RightButton}) {
                view.setCurrentIndex(rows.index(0, 0));
                ticked.clear();
                QTest::mouseClick(view.viewport(), button, {}, {middle, y});
                const bool isChosen = view.currentIndex().row() == 1;
                QVERIFY2(ticked.isEmpty() == isChosen, qPrintable(QStringLiteral("%1 of %2").arg(y - row.top()).arg(row.height())));
                QVERIFY(button == Qt::LeftButton || isChosen);
                QCOMPARE(rows.item(1)->checkState(), Qt::Unchecked); // the owner of the model ticks it
                (isChosen ? choices : ticks) += button == Qt::LeftButton;
            }
        QVERIFY(ticks >= Sizes::smallControl() - 1);
        QVERIFY(choices > 0);
    }

    /// "demo, layers 1–8 changed, seed 1" and "demo, layers 2–8 changed, seed 1" were both "demo, layer…ged, seed 1".
    void namesThatDoNotFitLookDifferent() {
        QStandardItemModel rows;
        for (const char* name : {"demo, layers 1–8 changed, seed 1", "demo, layers 2–8 changed, seed 1"})
            rows.appendRow(new QStandardItem(QString::fromUtf8(name)));
        QListView view;
        view.setModel(&rows);
        RowDelegate delegate([](const QModelIndex& index) {
            RowContent content;
            content.title = index.data().toString();
            return content;
        }, &view);
        view.setItemDelegate(&delegate);
        view.setSelectionMode(QAbstractItemView::NoSelection);
        view.resize(180, 300);
        view.show();
        QVERIFY(QFontMetrics(Sizes::text()).horizontalAdvance(rows.item(0)->text()) > view.viewport()->width());
        const auto looksOf = [&](int row) { return view.viewport()->grab(view.visualRect(rows.index(row, 0))).toImage(); };
        QVERIFY(looksOf(0) != looksOf(1));
    }
};

HEADROOM_TEST(RowDelegateTest)

} // namespace headroom::testing::row_delegate_test

#include "row_delegate_test.moc"
