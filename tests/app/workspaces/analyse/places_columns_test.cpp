// SPDX-License-Identifier: GPL-3.0-or-later
// The columns of Study places: as wide as what they hold, whatever was listed before, and however wide the panel was.
#include "app/workspaces/analyse/studies/places_model.h"
#include "app/workspaces/analyse/studies/places_panel.h"
#include "tests/app/studies/made_study.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QTableView>
#include <QTest>

namespace headroom::testing::places_columns_test {

using namespace headroom::app;

class PlacesColumnsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// The number itself lay outside of the panel.
    void theNumberStaysInSightInANarrowerPanel() {
        const auto folder = m_workshop.path() / "one";
        makeWindowsStudy(folder, 3, 5);
        const auto list = [&](PlacesPanel& places, std::int64_t layer) {
            places.show(placesOfLayer(folder, layer));
            return QTest::qWaitFor([&] { return !places.isPending() && places.places()->rowCount() > 0; }, 60000);
        };
        PlacesPanel fresh;
        fresh.resize(2000, 300);
        fresh.QWidget::show();
        QVERIFY(list(fresh, 1));
        const auto* header = fresh.table()->horizontalHeader();
        const int last = header->sectionViewportPosition(PlacesModel::Value), room = last + 200; // more than a number needs
        PlacesPanel places;
        places.resize(2000, 300);
        places.QWidget::show();
        QVERIFY(list(places, 1));
        QVERIFY(list(places, 2)); // another list, while the last column takes all that is left
        places.resize(room, 300);
        QTRY_VERIFY_WITH_TIMEOUT(places.table()->viewport()->width() <= room, 60000);
        QCoreApplication::processEvents();
        QCOMPARE(places.table()->horizontalScrollBar()->maximum(), 0);
    }

    /// "Contributio", "0.16": the value alone was cut, beside numbers with room around them.
    void paddingAndTextsGiveWayBeforeTheValueDoes() {
        const auto folder = m_workshop.path() / "two";
        makeWindowsStudy(folder, 3, 5);
        PlacesPanel places;
        places.resize(2000, 300);
        places.QWidget::show();
        PlacesQuery query = placesOfLayer(folder, 1);
        query.valueTitle = QStringLiteral("Contribution");
        places.show(query);
        QTRY_VERIFY_WITH_TIMEOUT(!places.isPending() && places.places()->rowCount() > 0, 60000);
        const QTableView& table = *places.table();
        const auto* header = table.horizontalHeader();
        const int value = header->sectionViewportPosition(PlacesModel::Value) +
                          header->fontMetrics().horizontalAdvance(QStringLiteral("Contribution")); // without its padding
        const int query0 = header->sectionSize(PlacesModel::Query);
        places.resize(value, 300);
        QTRY_VERIFY_WITH_TIMEOUT(table.viewport()->width() <= value, 60000);
        QCoreApplication::processEvents();
        QCOMPARE(table.horizontalScrollBar()->maximum(), 0);
        QVERIFY(header->sectionSize(PlacesModel::Query) < query0);
        QVERIFY(header->sectionSize(PlacesModel::Value) >= header->fontMetrics().horizontalAdvance(QStringLiteral("Contribution")) + 6);
        places.resize(2000, 300); // and back
        QTRY_COMPARE_WITH_TIMEOUT(header->sectionSize(PlacesModel::Query), query0, 60000);
    }

private:
    const Workshop m_workshop;
};

HEADROOM_TEST(PlacesColumnsTest)

} // namespace headroom::testing::places_columns_test

#include "places_columns_test.moc"
