// SPDX-License-Identifier: GPL-3.0-or-later
// Which view stands first in a low panel, and that none is left as a strip.
#include "app/parts/least_height_area.h"
#include "tests/support/runner.h"

#include <QLabel>
#include <QTest>
#include <QVBoxLayout>

namespace headroom::testing::least_height_area_test {

using namespace headroom::app;

namespace {

class Table : public QWidget {
public:
    QSize minimumSizeHint() const override { return {100, 100}; }
    QSize sizeHint() const override { return {100, 300}; }
};

/// An area with the views of a test above a table.
struct Page {
    Page() {
        views->setContentsMargins(0, 0, 0, 0);
        views->setSpacing(0);
    }
    /// Once all other views stand in it.
    void show(int stretch) {
        views->addWidget(table, stretch);
        area.keepLastInSight(views);
        area.show();
    }
    void resize(int width, int height) {
        area.resize(width, height);
        QCoreApplication::processEvents();
    }
    QWidget* content = new QWidget;
    QVBoxLayout* views = new QVBoxLayout(content);
    Table* table = new Table;
    LeastHeightArea area{content};
};

} // namespace

class LeastHeightAreaTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The upper edge of a plot was left below the table, with half of its label.
    void aLowAreaShowsTheLastViewAloneOrAllOfThem() {
        Page page;
        auto* plots = new QWidget;
        plots->setMinimumHeight(160);
        const Table* table = page.table;
        page.views->addWidget(plots, 2);
        page.show(3);
        int low = 0, high = 0;
        for (const int height : {500, 300, 260, 250, 200, 110, 90, 200, 255, 270, 500}) {
            page.resize(300, height);
            const auto seen = [&](const QWidget* view) { return view->visibleRegion().boundingRect().height(); };
            const QByteArray where = QByteArray::number(height) + ", " + QByteArray::number(seen(plots)) + ", " + QByteArray::number(seen(table));
            if (height >= 260) {
                ++high;
                QVERIFY2(seen(plots) == plots->height() && seen(table) == table->height(), where);
                QVERIFY2(plots->y() < table->y() && plots->height() + table->height() == height, where);
            } else {
                ++low;
                QVERIFY2(seen(plots) == 0 && seen(table) == height, where);
                QVERIFY2(plots->height() >= 160, where); // one scrolls to it
            }
        }
        QVERIFY(low > 0 && high > 0);
    }

    /// The plots stood on the last rows of the table: beside lines that wrap they got more than their least height.
    void whatWrapsTakesNothingFromTheViewThatFillsTheArea() {
        Page page;
        auto* above = new QVBoxLayout;
        above->setSpacing(0);
        auto* plots = new Table;
        auto* key = new QLabel(QStringLiteral("the curves of the first model and the curves of the second one"));
        key->setWordWrap(true);
        above->addWidget(plots, 1);
        above->addWidget(key);
        page.views->addLayout(above, 4);
        page.show(5);
        for (const int height : {500, 150, 120, 180}) {
            page.resize(200, height);
            QVERIFY2(!plots->geometry().intersects(page.table->geometry()), QByteArray::number(height));
            QVERIFY2(height == 500 || plots->visibleRegion().isEmpty(), QByteArray::number(height));
        }
    }
};

HEADROOM_TEST(LeastHeightAreaTest)

} // namespace headroom::testing::least_height_area_test

#include "least_height_area_test.moc"
