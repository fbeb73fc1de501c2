// SPDX-License-Identifier: GPL-3.0-or-later
// The fields over the second map say what they are about at every width.
#include "app/workspaces/analyse/compare/compared_map.h"
#include "app/parts/actions.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "tests/support/runner.h"
#include "widgets/look/eliding.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTest>
#include <QUndoStack>

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

    /// “Recor… as A” stood beside “st…de”, which were two models.
    void aLongNameOfAModelLeavesRoomForTheRecording() {
        const QString names[] = {QStringLiteral("st-small en-de of 2026"), QStringLiteral("st-local en-de of 2026")};
        widgets::TimeAxis axis;
        QAction compare;
        ComparedMap map(&axis, &compare);
        map.setLayer(3, 8, false);
        map.setMaps({}, std::nullopt);
        map.setModels({{ModelId(1), names[0]}, {ModelId(2), names[1]}}, ModelId(1));
        map.setRecordings({{UtteranceId(2), QStringLiteral("3331-159605-0005")}}, UtteranceId::None, false);
        map.show();
        const auto pictureOf = [&](int model) {
            map.setModels({{ModelId(1), names[0]}, {ModelId(2), names[1]}}, ModelId(model));
            QCoreApplication::processEvents();
            return map.modelField()->grab().toImage();
        };
        for (int width = 270; width <= 420; width += 5) {
            map.resize(width, 300);
            QVERIFY2(pictureOf(1) != pictureOf(2), qPrintable(QString::number(width)));
            const QComboBox* field = map.recordingField();
            QStyleOptionComboBox option;
            option.initFrom(field);
            option.subControls = QStyle::SC_All;
            QVERIFY2(field->fontMetrics().horizontalAdvance(field->currentText()) <= widgets::roomOfChoice(*field, option),
                     qPrintable(QStringLiteral("%1 of %2").arg(field->width()).arg(width)));
        }
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

    /// It can be chosen where the map would be another one than A.
    void theLayerOfAIsOfferedWhereItIsAnotherMap() {
        widgets::TimeAxis axis;
        QAction compare;
        ComparedMap map(&axis, &compare);
        const auto isOffered = [&] { return map.layerField()->model()->index(0, 0).flags().testFlag(Qt::ItemIsEnabled); };
        const auto tip = [&] { return map.layerField()->itemData(0, Qt::ToolTipRole).toString(); };
        map.setLayer(2, 8, true, false);
        QVERIFY(!isOffered() && !tip().isEmpty());
        map.setLayer(3, 8, false, true);
        QVERIFY(isOffered() && tip().isEmpty());
    }

    /// “B: demo, layer 4: full → 13, l…” was the same for both, and so was the line over map A.
    void seedsAreToldApart() {
        const QString names[] = {QStringLiteral("demo, layer 4: full → 13, layers 5–7: full → 19, seed 1"), QStringLiteral("demo, layer 4: full → 13, layers 5–7: full → 19, seed 2")};
        widgets::TimeAxis axis;
        QUndoStack undo;
        QObject owner;
        Actions actions(&undo, &owner);
        auto* map = new ComparedMap(&axis, actions.compare);
        MatrixPanel panel(&axis, actions);
        panel.setBeside(map);
        panel.setBesideVisible(true);
        panel.setLayer(3, 6);
        map->setLayer(3, 8, false);
        map->setMaps({}, std::nullopt);
        map->setModels({{ModelId(1), names[0]}, {ModelId(2), names[1]}}, ModelId(1));
        panel.resize(620, 300);
        panel.show();
        QLabel* line = nullptr;
        for (QLabel* label : panel.findChildren<QLabel*>())
            if (label->text().startsWith(QStringLiteral("A: ")))
                line = label;
        QVERIFY(line);
        const auto pictureOf = [&](QWidget* view, int seed) {
            map->setModels({{ModelId(1), names[0]}, {ModelId(2), names[1]}}, ModelId(seed));
            panel.setModelName(names[seed - 1]);
            QCoreApplication::processEvents();
            return view->grab().toImage();
        };
        for (QWidget* view : {static_cast<QWidget*>(line), static_cast<QWidget*>(map->modelField())}) {
            const QImage first = pictureOf(view, 1), second = pictureOf(view, 2);
            const int room = view->width(), whole = view->fontMetrics().horizontalAdvance(names[0]);
            QVERIFY2(room > 60 && room < whole, qPrintable(QStringLiteral("%1 of %2").arg(room).arg(whole))); // it is cut
            QVERIFY(first == pictureOf(view, 1) && first != second);
        }
        QCOMPARE(line->text(), QStringLiteral("A: %1, layer 3").arg(names[0]));
    }
};

HEADROOM_TEST(ComparedMapTest)

} // namespace headroom::testing::compared_map_test

#include "compared_map_test.moc"
