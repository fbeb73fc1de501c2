// SPDX-License-Identifier: GPL-3.0-or-later
// The panels of Train at every size of the text.
#include "app/workspaces/train/launch_form.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/text_size.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/queue_view.h"

#include <QAction>
#include <QDockWidget>
#include <QHeaderView>
#include <QImage>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QWindow>

namespace headroom::testing::train_docks_test {

using namespace headroom::app;

namespace {

void choose(int percent) {
    widgets::setTextSize(percent);
    widgets::Theme::apply(QStringLiteral("light"));
}

int rowsIn(const widgets::QueueView* queue) {
    return queue->viewport()->height() / queue->verticalHeader()->defaultSectionSize();
}

/// Waits for what follows a new size of the text, which is done in two turns.
bool isLaidOut() {
    int turns = 0;
    QTimer turn;
    QObject::connect(&turn, &QTimer::timeout, &turn, [&] { ++turns; });
    turn.start(0);
    return QTest::qWaitFor([&] { return turns > 4; }, 60000);
}

QByteArray measured(const widgets::QueueView* queue) {
    return QStringLiteral("panel %1, table %2, rows %3 of %4, head %5")
        .arg(queue->parentWidget()->height())
        .arg(queue->height())
        .arg(queue->viewport()->height())
        .arg(queue->verticalHeader()->defaultSectionSize())
        .arg(queue->horizontalHeader()->height())
        .toUtf8();
}

} // namespace

class TrainDocksTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// At the largest text, one row was left of it.
    void theQueueKeepsThreeRows() {
        choose(150);
        Desk desk("good");
        const widgets::QueueView* queue = desk.workspace->queueView();
        QTRY_VERIFY2_WITH_TIMEOUT(rowsIn(queue) >= 3, measured(queue).constData(), 5000);
        QVERIFY(queue->parentWidget()->height() < desk.workspace->height() / 3); // the curves are what one looks at
        picture(desk, "started-150");
    }

    /// It kept the indent of the smaller text.
    void theButtonBelowDataStaysBelowItsField() {
        choose(100);
        Desk desk("good");
        const QWidget* form = desk.workspace->form();
        const auto left = [&](const QWidget* widget) { return widget->mapTo(form, QPoint()).x(); };
        const QPushButton* button = nullptr;
        for (const auto* one : form->findChildren<QPushButton*>())
            if (one->text() == QStringLiteral("Make the demo corpus"))
                button = one;
        const auto* row = form->findChild<QWidget*>(QStringLiteral("data"));
        const QLineEdit* field = row ? row->findChild<QLineEdit*>() : nullptr;
        QVERIFY(button && field);
        QCOMPARE(left(button), left(field));
        choose(150);
        QTRY_COMPARE_WITH_TIMEOUT(left(button), left(field), 60000);
        choose(100);
    }

    /// With large text the tool bar shows no words: New run and Branch were the same +.
    void theIconsOfTheToolBarDiffer() {
        Desk desk("good");
        QList<QImage> icons;
        for (const ToolBarItem& item : desk.workspace->toolBarItems())
            if (item.action) {
                const QImage icon = item.action->icon().pixmap(32).toImage();
                QVERIFY2(!icon.isNull() && !icons.contains(icon), qPrintable(item.action->text()));
                icons << icon;
            }
        QVERIFY(icons.size() > 5);
    }

    void andTakesThemWhenTheTextGrows() {
        choose(100);
        Desk desk("good");
        const widgets::QueueView* queue = desk.workspace->queueView();
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->isSettled(), 60000); // the wanted sizes from now on
        const int before = queue->height();
        QVERIFY2(rowsIn(queue) >= 3, measured(queue).constData());
        picture(desk, "100");
        choose(150);
        QTRY_VERIFY2_WITH_TIMEOUT(rowsIn(queue) >= 3, measured(queue).constData(), 5000);
        picture(desk, "changed-150");
        choose(100);
        QTRY_COMPARE_WITH_TIMEOUT(queue->height(), before, 5000);
    }

    void aPanelThatTheUserMadeLowerStaysLow() {
        choose(100);
        Desk desk("good");
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->isSettled(), 60000);
        const auto* dock = desk.workspace->findChild<QDockWidget*>(QStringLiteral("queue"));
        QVERIFY(dock);
        QWindow* window = desk.workspace->windowHandle();
        const int usual = dock->height();
        const QPoint edge(dock->geometry().center().x(), dock->geometry().bottom() + 2);
        QTest::mousePress(window, Qt::LeftButton, {}, edge);
        for (const int up : {20, 40, 60})
            QTest::mouseMove(window, edge - QPoint(0, up));
        QTRY_VERIFY_WITH_TIMEOUT(dock->height() <= usual - 40, 60000);
        QTest::mouseRelease(window, Qt::LeftButton, {}, edge - QPoint(0, 60));
        choose(150);
        QVERIFY(isLaidOut());
        QVERIFY2(rowsIn(desk.workspace->queueView()) < 3, measured(desk.workspace->queueView()).constData());
        choose(100);
        QTRY_VERIFY2_WITH_TIMEOUT(dock->height() <= usual - 40, measured(desk.workspace->queueView()).constData(), 5000);
    }

    /// "… | …": both words were cut beside a whole search field.
    void theSwitchOfTheLogKeepsItsWords() {
        for (const int percent : {100, 125}) {
            choose(percent);
            Desk desk("good");
            desk.workspace->resize(1280, 640);
            QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->isSettled(), 60000);
            auto* log = desk.workspace->findChild<QDockWidget*>(QStringLiteral("log"));
            auto* runs = desk.workspace->findChild<QDockWidget*>(QStringLiteral("runs"));
            QVERIFY(log && runs);
            for (const int width : {520, 420, 320, 260, 200, 120}) {
                desk.workspace->resizeDocks({runs, log}, {900 - width, width}, Qt::Horizontal);
                QVERIFY(isLaidOut());
                int segments = 0;
                for (const auto* button : log->titleBarWidget()->findChildren<QToolButton*>())
                    if (button->property("segment").isValid()) {
                        ++segments;
                        QVERIFY2(button->isVisible() && button->width() >= button->sizeHint().width() &&
                                     log->titleBarWidget()->rect().contains(QRect(button->mapTo(log->titleBarWidget(), QPoint()), button->size())),
                                 qPrintable(QStringLiteral("%1 at %2 %, %3 of %4 in a panel of %5")
                                                .arg(button->text())
                                                .arg(percent)
                                                .arg(button->width())
                                                .arg(button->sizeHint().width())
                                                .arg(log->width())));
                    }
                QCOMPARE(segments, 2);
            }
        }
    }

    void cleanup() { choose(100); }

private:
    /// To look at, where they are asked for.
    void picture(Desk& desk, const char* name) {
        QVERIFY(isLaidOut());
        if (const QString folder = qEnvironmentVariable("HEADROOM_PICTURES_OF_DOCKS"); !folder.isEmpty())
            QVERIFY(desk.workspace->grab().save(folder + QLatin1Char('/') + QLatin1String(name) + QStringLiteral(".png")));
    }
};

HEADROOM_TEST(TrainDocksTest)

} // namespace headroom::testing::train_docks_test

#include "train_docks_test.moc"
