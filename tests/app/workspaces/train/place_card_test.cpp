// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/place_card.h"

#include "app/workspaces/train/launch_form.h"
#include "tests/app/workspaces/train/one_place.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
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

    /// The chosen card and “All values” looked the same with the focus and without.
    void theFocusIsSeen() {
        QWidget parent;
        auto* layout = new QVBoxLayout(&parent);
        auto* card = new PlaceCard(QStringLiteral("cpu"), QStringLiteral("This machine"), &parent);
        auto* values = new QPushButton(QStringLiteral("All values"), &parent);
        auto* other = new QLineEdit(&parent);
        values->setFlat(true);
        values->setProperty("small", true);
        for (QWidget* one : {static_cast<QWidget*>(card), static_cast<QWidget*>(values), static_cast<QWidget*>(other)})
            layout->addWidget(one);
        card->setChecked(true);
        parent.show();
        parent.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&parent));
        for (QWidget* one : {static_cast<QWidget*>(card), static_cast<QWidget*>(values)}) {
            other->setFocus();
            const QImage without = one->grab().toImage();
            one->setFocus();
            QVERIFY(one->hasFocus());
            QVERIFY(one->grab().toImage() != without);
        }
    }

    /// Tab went from Recipe to Start from, and to the places of other machines last.
    void tabFollowsTheForm() {
        const OnePlace place;
        Desk desk("good");
        desk.workspace->form()->choosePlace(QStringLiteral("gpu-1"));
        LaunchForm* form = desk.workspace->form();
        form->focusFirst();
        QWidget* first = form->findChild<QWidget*>(QStringLiteral("architecture"))->findChild<QComboBox*>();
        const auto* startRuns = form->findChild<QWidget*>(QStringLiteral("startRuns"));
        QVERIFY(first && startRuns);
        int above = -1, stops = 0;
        bool placeSeen = false;
        for (QWidget* at = first; at; at = at->nextInFocusChain()) {
            if (at == first && stops > 0)
                break;
            if (at == startRuns) // the last, which is disabled while what is asked for is checked
                break;
            if (!form->isAncestorOf(at) || !at->isVisibleTo(form) || !at->isEnabled() || !(at->focusPolicy() & Qt::TabFocus))
                continue;
            const int y = at->mapTo(form, QPoint(0, at->height() / 2)).y();
            QVERIFY2(y >= above - at->height() / 2, qPrintable(at->accessibleName() + QLatin1String(at->metaObject()->className())));
            above = y;
            placeSeen = placeSeen || at->accessibleName() == QLatin1String("gpu-1");
            ++stops;
        }
        QVERIFY(placeSeen);
        QVERIFY2(stops >= 9, qPrintable(QString::number(stops)));
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
