// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/actions.h"
#include "app/parts/panel_header.h"
#include "app/settings/app_settings.h"
#include "app/window/menus.h"
#include "app/window/theme_switch.h"
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"

#include <QActionGroup>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
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

    void aWindowThatGrewHasItsSizeAgain() {
        const QTemporaryDir folder;
        AppSettings settings(folder.filePath(QStringLiteral("settings.ini")));
        ThemeSwitch theme(&settings, QStringLiteral("light"));
        theme.apply();
        QUndoStack undo;
        const Actions actions(&undo, nullptr);
        theme.connectActions(actions);
        const auto choose = [&](int percent) {
            for (QAction* one : actions.textSizes->actions())
                if (one->data().toInt() == percent)
                    one->trigger();
        };
        QMainWindow window;
        auto* content = new QWidget;
        content->setMinimumSize(400, 300);
        window.setCentralWidget(content);
        window.resize(500, 350);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const QSize own = window.size();
        choose(150);
        QCOMPARE(window.size(), QSize(600, 450));
        choose(100);
        QCOMPARE(window.size(), own);

        window.resize(700, 600); // the user's choice
        choose(110);
        choose(100);
        QCOMPARE(window.size(), QSize(700, 600));
    }

    /// The title of a panel kept the width of the larger text.
    void aPanelsTitleIsAsWideAsBefore() {
        const QTemporaryDir folder;
        AppSettings settings(folder.filePath(QStringLiteral("settings.ini")));
        ThemeSwitch theme(&settings, QStringLiteral("light"));
        theme.apply();
        QMainWindow window;
        auto* header = new PanelHeader(QStringLiteral("Utterances"), &window);
        header->setDetail(QStringLiteral("10"));
        window.setCentralWidget(header);
        window.resize(500, 100);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const auto* title = header->findChild<QLabel*>();
        const int own = title->width();
        for (const int percent : {150, 100}) {
            settings.setTextSize(percent);
            theme.apply();
        }
        QTRY_COMPARE(title->width(), own);
        QCOMPARE(title->minimumWidth(), own);
    }

    /// A size was off, and its menu did not say why.
    void theMenuShowsWhyASizeIsOff() {
        QUndoStack undo;
        const Actions actions(&undo, nullptr);
        QMenuBar bar;
        fillMenuBar(&bar, actions, {});
        int menus = 0;
        for (const QMenu* menu : bar.findChildren<QMenu*>())
            if (menu->actions().contains(actions.textSizes->actions().constLast())) {
                QVERIFY(menu->toolTipsVisible());
                ++menus;
            }
        QCOMPARE(menus, 1);
    }

    void whatIsOfferedFollowsFromTheScreen() {
        for (const int percent : {90, 100, 110, 125})
            QCOMPARE(ThemeSwitch::whyNotOffered(percent, {1280, 720}), QString());
        for (const QSize screen : {QSize(1280, 800), QSize(1600, 800), QSize(1366, 768)})
            QVERIFY2(ThemeSwitch::whyNotOffered(150, screen).contains(QStringLiteral("1,536 × 864")), qPrintable(ThemeSwitch::whyNotOffered(150, screen)));
        QCOMPARE(ThemeSwitch::whyNotOffered(150, {1600, 900}), QString());
        QVERIFY(!ThemeSwitch::whyNotOffered(125, {1200, 900}).isEmpty());
        QVERIFY(ThemeSwitch::whyNotOffered(110, {1200, 900}).isEmpty());
        QCOMPARE(ThemeSwitch::whyNotOffered(150, {800, 600}), QString()); // too small for the usual text, too
    }
};

HEADROOM_TEST(TextSizeTest)

} // namespace headroom::testing::text_size_test

#include "text_size_test.moc"
