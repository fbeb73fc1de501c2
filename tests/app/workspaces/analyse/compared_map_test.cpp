// SPDX-License-Identifier: GPL-3.0-or-later
// The fields over the second map say what they are about at every width.
#include "app/workspaces/analyse/compare/compared_map.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QComboBox>
#include <QSignalSpy>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTest>

namespace headroom::testing::compared_map_test {

using namespace headroom::app;

class ComparedMapTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// "La…", "M…" and "…" stood there at 1280 × 720.
    void fieldsStandInTwoRowsWhereOneIsTooNarrow() {
        widgets::TimeAxis axis;
        QAction compare;
        ComparedMap map(&axis, &compare);
        QSignalSpy heights(&map, &ComparedMap::captionHeightChanged);
        map.setModels({{ModelId(1), QStringLiteral("demo")}, {ModelId(2), QStringLiteral("another")}}, ModelId(1));
        map.setLayer(3, 8, false);
        map.setMaps({}, std::nullopt);
        map.setRecordings({{UtteranceId(2), QStringLiteral("3331-159605-0005")}}, UtteranceId::None, false);
        map.show();
        const auto whole = [](const QComboBox* field) {
            QStyleOptionComboBox option;
            option.initFrom(field);
            option.frame = true;
            option.subControls = QStyle::SC_All;
            const QRect room = field->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, field);
            return field->fontMetrics().horizontalAdvance(field->currentText()) <= room.width() - 2; // one on either side is the style's
        };
        for (const int width : {320, 360, 420, 700, 320}) {
            map.resize(width, 300);
            QCoreApplication::processEvents();
            for (const QComboBox* field : {map.modelField(), map.layerField(), map.mapField(), map.recordingField()}) {
                QVERIFY(field->isVisible());
                QVERIFY2(whole(field), qPrintable(QStringLiteral("%1 at %2").arg(field->currentText()).arg(width)));
            }
            const bool two = map.layerField()->y() != map.modelField()->y();
            QCOMPARE(two, width < 600);
        }
        QCOMPARE(heights.count(), 3);
        QVERIFY(heights.last().front().toInt() > heights[1].front().toInt());
        for (int width = 420; width <= 700; ++width) { // “Recording as …” stood there at 510
            map.resize(width, 300);
            QCoreApplication::processEvents();
            for (const QComboBox* field : {map.modelField(), map.layerField(), map.mapField(), map.recordingField()})
                QVERIFY2(whole(field), qPrintable(QStringLiteral("%1 at %2").arg(field->currentText()).arg(width)));
        }
        map.setRecordings({}, UtteranceId::None, false);
        for (int width = 290; width <= 500; width += 3) {
            map.resize(width, 300);
            QCoreApplication::processEvents();
            for (const QComboBox* field : {map.modelField(), map.layerField(), map.mapField()})
                QVERIFY2(whole(field), qPrintable(QStringLiteral("%1 at %2").arg(field->currentText()).arg(width)));
        }
        QCOMPARE(map.layerField()->y(), map.modelField()->y());
    }

    /// “Layer as A” stood there while the map was called layer 3.
    void aChosenLayerThatTheModelLacksIsNamed() {
        widgets::TimeAxis axis;
        QAction compare;
        ComparedMap map(&axis, &compare);
        map.setLayer(3, 3, true);
        QCOMPARE(map.layerField()->currentText(), QStringLiteral("Layer 3"));
        map.setLayer(3, 2, true);
        QCOMPARE(map.layerField()->currentIndex(), -1);
        QCOMPARE(map.layerField()->placeholderText(), QStringLiteral("Layer 3"));
        map.setLayer(3, 2, false);
        QCOMPARE(map.layerField()->currentText(), QStringLiteral("Layer as A"));
    }
};

HEADROOM_TEST(ComparedMapTest)

} // namespace headroom::testing::compared_map_test

#include "compared_map_test.moc"
