// SPDX-License-Identifier: GPL-3.0-or-later
// The columns of Study places: as wide as what they hold, whatever was listed before, and however wide the panel was.
#include "app/workspaces/analyse/studies/places_model.h"
#include "app/workspaces/analyse/studies/places_panel.h"
#include "tests/app/studies/made_study.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/table_text.h"

#include <QApplication>
#include <QHeaderView>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTableView>
#include <QTest>

namespace headroom::testing::places_columns_test {

using namespace headroom::app;

namespace {

/// In a window of its own, with room for all columns.
struct WidePlaces : PlacesPanel {
    WidePlaces() {
        resize(2000, 300);
        QWidget::show();
    }
    bool list(const PlacesQuery& query) {
        show(query);
        return QTest::qWaitFor([&] { return !isPending() && places()->rowCount() > 0; }, 60000);
    }
};

} // namespace

class PlacesColumnsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// The number itself lay outside of the panel.
    void theNumberStaysInSightInANarrowerPanel() {
        const auto folder = m_workshop.path() / "one";
        makeWindowsStudy(folder, 3, 5);
        WidePlaces fresh;
        QVERIFY(fresh.list(placesOfLayer(folder, 1)));
        const auto* header = fresh.table()->horizontalHeader();
        const int last = header->sectionViewportPosition(PlacesModel::Value), room = last + 200; // more than a number needs
        WidePlaces places;
        QVERIFY(places.list(placesOfLayer(folder, 1)));
        QVERIFY(places.list(placesOfLayer(folder, 2))); // another list, while the last column takes all that is left
        places.resize(room, 300);
        QTRY_VERIFY_WITH_TIMEOUT(places.table()->viewport()->width() <= room, 60000);
        QCoreApplication::processEvents();
        QCOMPARE(places.table()->horizontalScrollBar()->maximum(), 0);
    }

    /// "Contributio", "0.16": the value alone was cut, beside numbers with room around them.
    void paddingAndTextsGiveWayBeforeTheValueDoes() {
        const auto folder = m_workshop.path() / "two";
        makeWindowsStudy(folder, 3, 5);
        WidePlaces places;
        PlacesQuery query = placesOfLayer(folder, 1);
        query.valueTitle = QStringLiteral("Contribution");
        QVERIFY(places.list(query));
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

    /// They were copied as shown, with three decimals.
    void timesAndValuesAreCopiedInFull() {
        PlacesModel model;
        PlaceList list;
        list.rows.resize(2);
        list.rows[0].place = {0, 0.0125, 0.4624, 0.0000125};
        list.rows[0].utterance = QStringLiteral("u1");
        model.setPlaces(std::move(list));
        QTableView table;
        table.setModel(&model);
        const QStringList lines = widgets::tableText(table).split(u'\n');
        QCOMPARE(lines.size(), 4); // the heads, two places, and what ends the last line
        const QStringList cells = lines[1].split(u'\t');
        QCOMPARE(cells.size(), int(PlacesModel::ColumnCount));
        QCOMPARE(cells[PlacesModel::Rank], QStringLiteral("1"));
        QCOMPARE(cells[PlacesModel::Utterance], QStringLiteral("u1"));
        QCOMPARE(cells[PlacesModel::Query], QStringLiteral("0.0125"));
        QCOMPARE(cells[PlacesModel::Key], QStringLiteral("0.4624"));
        QCOMPARE(cells[PlacesModel::Offset], QStringLiteral("449.9"));
        QCOMPARE(cells[PlacesModel::Value], QStringLiteral("1.25e-05"));
        QCOMPARE(cells[PlacesModel::Words], QStringLiteral("–")); // as shown
    }

    /// A narrower panel, or the next list, took them back.
    void widthsThatWereSetByHandStay() {
        const auto folder = m_workshop.path() / "three";
        makeWindowsStudy(folder, 3, 5);
        WidePlaces places;
        QVERIFY(places.list(placesOfLayer(folder, 1)));
        auto* header = places.table()->horizontalHeader();
        const int utterance = header->sectionSize(PlacesModel::Utterance) + 70, query = header->sectionSize(PlacesModel::Query) + 30;
        const auto drag = [&](int column, int width) { // the edge of its head
            const int edge = header->sectionViewportPosition(column) + header->sectionSize(column) - 1, y = header->height() / 2;
            QTest::mousePress(header->viewport(), Qt::LeftButton, {}, {edge, y});
            QMouseEvent move(QEvent::MouseMove, QPointF(edge + width - header->sectionSize(column), y),
                             header->viewport()->mapToGlobal(QPointF(edge + width - header->sectionSize(column), y)), Qt::NoButton, Qt::LeftButton, {});
            QApplication::sendEvent(header->viewport(), &move);
            QTest::mouseRelease(header->viewport(), Qt::LeftButton, {}, {edge + width - header->sectionSize(column), y});
            return header->sectionSize(column);
        };
        QCOMPARE(drag(PlacesModel::Utterance, utterance), utterance);
        QCOMPARE(drag(PlacesModel::Query, query), query);
        const int rank = header->sectionSize(PlacesModel::Rank);
        places.resize(300, 300);
        QTRY_VERIFY_WITH_TIMEOUT(header->sectionSize(PlacesModel::Rank) < rank, 60000); // the others give way
        QCOMPARE(header->sectionSize(PlacesModel::Utterance), utterance);
        QCOMPARE(header->sectionSize(PlacesModel::Query), query);
        QVERIFY(places.list(placesOfLayer(folder, 2)));
        QCOMPARE(header->sectionSize(PlacesModel::Utterance), utterance);
        QCOMPARE(header->sectionSize(PlacesModel::Query), query);
    }

private:
    const Workshop m_workshop;
};

HEADROOM_TEST(PlacesColumnsTest)

} // namespace headroom::testing::places_columns_test

#include "places_columns_test.moc"
