// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/place_card.h"

#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QTest>
#include <QVBoxLayout>

namespace headroom::testing::place_card_test {

using namespace headroom::app;

class PlaceCardTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// A run starts somewhere, also where there is one place only.
    void aClickNeverLeavesNoPlace() {
        QWidget parent;
        auto* layout = new QVBoxLayout(&parent);
        auto* here = new PlaceCard(QStringLiteral("cpu"), QStringLiteral("This machine"), &parent);
        layout->addWidget(here);
        here->setChecked(true);
        QTest::mouseClick(here, Qt::LeftButton);
        QVERIFY(here->isChecked());
        auto* there = new PlaceCard(QStringLiteral("server"), QStringLiteral("gpu-1"), &parent);
        layout->addWidget(there);
        QTest::mouseClick(there, Qt::LeftButton);
        QVERIFY(there->isChecked() && !here->isChecked());
        QTest::mouseClick(there, Qt::LeftButton);
        QVERIFY(there->isChecked());
    }

    void whatGoesOnThereIsALine() {
        PlaceCard card(QStringLiteral("server"), QStringLiteral("gpu-1"));
        card.setDetail(QStringLiteral("ssh, gpu-1"));
        card.resize(card.sizeHint());
        const QImage without = card.grab().toImage();
        const int height = card.sizeHint().height();
        card.setState(QStringLiteral("2 runs running, 1 waits"), false);
        QVERIFY(card.sizeHint().height() > height);
        QCOMPARE(card.accessibleDescription(), QStringLiteral("ssh, gpu-1\n2 runs running, 1 waits"));
        card.resize(without.size());
        QVERIFY(card.grab().toImage() != without);
        card.setState({}, false);
        QCOMPARE(card.sizeHint().height(), height);
        QCOMPARE(card.accessibleDescription(), QStringLiteral("ssh, gpu-1"));
    }

    void theTimeStandsBesideTheName() {
        PlaceCard card(QStringLiteral("server"), QStringLiteral("gpu-1"));
        card.setDetail(QStringLiteral("ssh, gpu-1"));
        card.resize(card.sizeHint());
        const QImage without = card.grab().toImage();
        card.setTime(QStringLiteral("38 min"), QStringLiteral("About 38 min per seed."));
        const QImage with = card.grab().toImage();
        QVERIFY(with != without);
        QCOMPARE(card.accessibleDescription(), QStringLiteral("ssh, gpu-1\nAbout 38 min per seed."));
        QCOMPARE(card.toolTip(), QStringLiteral("About 38 min per seed."));
        card.setTime({}, QStringLiteral("Unknown."));
        QVERIFY(card.grab().toImage() != without && card.grab().toImage() != with); // a dash
        card.setTime({}, {});
        QCOMPARE(card.grab().toImage(), without);
    }
};

HEADROOM_TEST(PlaceCardTest)

} // namespace headroom::testing::place_card_test

#include "place_card_test.moc"
