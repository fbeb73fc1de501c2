// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of a map that stands in the place of another one.
#include "tests/support/runner.h"
#include "tests/widgets/matrix/sample_maps.h"
#include "widgets/matrix/matrix_view.h"

#include <QTest>

namespace headroom::testing::map_in_place_test {

using namespace headroom::widgets;

class MapInPlaceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// They had the window and CL of the map in whose place it stood.
    void theDescriptionsAreOfTheMapInPlace() {
        const TokenClock clock = TokenClock::speechToText();
        const auto map = testing::pyramidOf(testing::ridge(40, 5));
        const MapNames names{QStringLiteral("Layer 2"), QStringLiteral("contribution"), QStringLiteral("C")};
        LayerMatrixView view;
        WindowBand other;
        view.setTitle(QStringLiteral("Layer 1"));
        view.band()->setWindow(5);
        view.setMatrix(map, clock);
        const auto saidOfMap = [&view] { return view.accessibleDescription(); };
        const auto saidOfBand = [&view] { return view.band()->accessibleDescription(); };
        const QString own = saidOfMap(), ownOfBand = saidOfBand();
        QVERIFY2(own.startsWith(QStringLiteral("Layer 1, window 5, ")), qPrintable(own));
        other.setWindow(21);
        view.setInPlace(map, clock, names, &other);
        QVERIFY2(saidOfMap().startsWith(QStringLiteral("Layer 2, window 21, ")), qPrintable(saidOfMap()));
        QVERIFY2(saidOfBand().startsWith(QStringLiteral("Window 21, ")) && !saidOfBand().contains(QStringLiteral("Up and Down")),
                 qPrintable(saidOfBand()));
        other.setWindow(0);
        view.setInPlace(map, clock, names, &other); // the owner says again what is there
        QCOMPARE(saidOfMap(), QStringLiteral("Layer 2, full, CL 0."));
        other.setKinds(QStringLiteral("conv"));
        view.setInPlace(map, clock, names, &other);
        QCOMPARE(saidOfMap(), QStringLiteral("Layer 2, conv."));
        QCOMPARE(saidOfBand(), QStringLiteral("conv."));
        view.setInPlace(nullptr, {});
        QCOMPARE(saidOfMap(), own);
        QCOMPARE(saidOfBand(), ownOfBand);
    }
};

HEADROOM_TEST(MapInPlaceTest)

} // namespace headroom::testing::map_in_place_test

#include "map_in_place_test.moc"
