// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/actions.h"
#include "app/settings/app_settings.h"
#include "app/window/theme_switch.h"
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"

#include <QActionGroup>
#include <QGuiApplication>
#include <QLabel>
#include <QMainWindow>
#include <QScreen>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>
#include <QVBoxLayout>

namespace headroom::testing::text_size_test {

using namespace headroom::app;
using widgets::Sizes;

namespace {

/// A plot paints itself at once when its colours change.
class Impatient : public QWidget {
public:
    int painted = 0;

protected:
    void changeEvent(QEvent* event) override {
        QWidget::changeEvent(event);
        if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
            repaint();
    }
    void paintEvent(QPaintEvent*) override { ++painted; }
};

} // namespace

class TextSizeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theWholeWindowFollows() {
        const QTemporaryDir folder;
        AppSettings settings(folder.filePath(QStringLiteral("settings.ini")));
        ThemeSwitch theme(&settings, QStringLiteral("light"));
        theme.apply();
        QUndoStack undo;
        const Actions actions(&undo, nullptr);
        theme.connectActions(actions);
        const int control = Sizes::control(), text = Sizes::text().pixelSize();

        QWidget window;
        auto* layout = new QVBoxLayout(&window);
        auto* bar = new QWidget;
        bar->setFixedHeight(control);
        layout->addWidget(bar);
        auto* title = new QLabel(&window);
        widgets::withTextSize(title, [title] { title->setFont(Sizes::heading()); });
        window.show();

        const auto choose = [&](int percent) {
            for (QAction* size : actions.textSizes->actions())
                if (size->data().toInt() == percent)
                    return size->trigger();
            QFAIL("no such size");
        };
        choose(150);
        QCOMPARE(settings.textSize(), 150);
        QCOMPARE(Sizes::text().pixelSize(), qRound(text * 1.5));
        QCOMPARE(bar->height(), Sizes::control());
        QCOMPARE(title->font().pixelSize(), qRound(text * 1.5));
        qApp->setStyleSheet(qApp->styleSheet() + u' '); // with it Qt gives back the font before the first sheet
        QVERIFY(title->font() != Sizes::heading());
        for (QAction* other : {actions.themeDark, actions.themeLight}) { // another sheet, the same size
            other->trigger();
            QCOMPARE(title->font(), Sizes::heading());
        }
        choose(100);
        QCOMPARE(title->font(), Sizes::heading());
        delete title;
        choose(125); // its work is gone with it
        choose(100);
        QCOMPARE(settings.textSize(), 100);
    }

    void nothingIsPaintedBeforeAllOfItHasTheNewColours() {
        const QTemporaryDir folder;
        AppSettings settings(folder.filePath(QStringLiteral("settings.ini")));
        ThemeSwitch(&settings, QStringLiteral("light")).apply();
        QWidget window;
        auto* plot = new Impatient;
        auto* layout = new QVBoxLayout(&window);
        layout->addWidget(plot);
        window.resize(200, 100);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QTRY_VERIFY_WITH_TIMEOUT(plot->painted > 0, 60000);
        plot->painted = 0;
        ThemeSwitch(&settings, QStringLiteral("dark")).apply();
        QCOMPARE(plot->painted, 0);
        QTRY_VERIFY_WITH_TIMEOUT(plot->painted > 0, 60000);
    }

    /// The screen of the tests is 800 pixels wide.
    void aWindowStaysOnItsScreen() {
        const QTemporaryDir folder;
        AppSettings settings(folder.filePath(QStringLiteral("settings.ini")));
        ThemeSwitch theme(&settings, QStringLiteral("light"));
        theme.apply();
        QUndoStack undo;
        const Actions actions(&undo, nullptr);
        theme.connectActions(actions);
        const auto size = [&](int percent) {
            for (QAction* one : actions.textSizes->actions())
                if (one->data().toInt() == percent)
                    return one;
            return static_cast<QAction*>(nullptr);
        };
        const int room = QGuiApplication::primaryScreen()->availableSize().width();
        QMainWindow window;
        auto* content = new QWidget;
        content->setMinimumWidth(room / 2);
        window.setCentralWidget(content);
        window.resize(room * 5 / 8, 200);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const int own = window.width();
        size(150)->trigger();
        QVERIFY(window.width() >= room * 3 / 4); // it had to grow
        size(100)->trigger();
        QCOMPARE(window.width(), own);

        size(150)->trigger();
        QSignalSpy smaller(&theme, &ThemeSwitch::textMadeSmaller);
        content->setMinimumWidth(room * 9 / 8); // 3 / 4 of it in usual text: what was opened needs it
        QTRY_COMPARE_WITH_TIMEOUT(settings.textSize(), 125, 60000);
        QVERIFY(size(125)->isChecked());
        QVERIFY(window.minimumSizeHint().width() <= room);
        QCOMPARE(smaller.count(), 1);
        QVERIFY2(smaller.front().front().toString().contains(QStringLiteral("this screen has")),
                 qPrintable(smaller.front().front().toString()));
        QVERIFY(!size(150)->isEnabled() && size(110)->isEnabled());
        size(100)->trigger();

        // Nor higher: its last line and the buttons there were below the screen.
        content->setMinimumSize(100, QGuiApplication::primaryScreen()->availableSize().height() * 7 / 10);
        QTRY_VERIFY2_WITH_TIMEOUT(size(150)->toolTip().contains(QStringLiteral("pixels high")), qPrintable(size(150)->toolTip()), 60000);
        QVERIFY(!size(150)->isEnabled());
        QVERIFY(size(125)->isEnabled());
    }
};

HEADROOM_TEST(TextSizeTest)

} // namespace headroom::testing::text_size_test

#include "text_size_test.moc"
