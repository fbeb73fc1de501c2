// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/map/layers_panel.h"
#include "app/parts/actions.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/layer_thumbnails.h"

#include <QScrollArea>
#include <QTest>
#include <QUndoStack>

namespace headroom::testing::layers_panel_test {

using namespace headroom::app;

class LayersPanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void theCurrentLayerIsAlwaysInView() {
        QUndoStack undo;
        const Actions actions(&undo, nullptr);
        LayersPanel panel(actions);
        panel.resize(420, 230);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        widgets::LayerThumbnails* layers = panel.thumbnails();
        layers->setLayers(std::vector<widgets::ThumbnailState>(24));
        const auto* area = panel.findChild<QScrollArea*>();
        const auto isInView = [&](int layer) {
            const QRect cell = layers->cellRect(layer).translated(layers->pos());
            return area->viewport()->rect().contains(cell);
        };
        layers->setCurrent(0);
        QTRY_VERIFY_WITH_TIMEOUT(layers->height() >= layers->heightForWidth(layers->width()), 60000); // laid out anew
        QVERIFY(isInView(0) && !isInView(23)); // else there is nothing to scroll
        for (int layer = 1; layer < 24; ++layer) {
            QTest::keyClick(layers, Qt::Key_PageDown);
            QCOMPARE(layers->current(), layer);
            QVERIFY2(isInView(layer), qPrintable(QString::number(layer)));
        }
        QTest::keyClick(layers, Qt::Key_Home);
        QVERIFY(isInView(0));
        layers->setCurrent(23); // by somebody else
        QVERIFY(isInView(23));
        panel.resize(300, 160); // and when the panel gets smaller
        QTRY_VERIFY_WITH_TIMEOUT(isInView(23), 60000);
    }
};

HEADROOM_TEST(LayersPanelTest)

} // namespace headroom::testing::layers_panel_test

#include "layers_panel_test.moc"
