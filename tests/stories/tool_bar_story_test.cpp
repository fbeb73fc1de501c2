// SPDX-License-Identifier: GPL-3.0-or-later
// The tool bar where there is little room: what gives way, and when.
#include "app/parts/actions.h"
#include "app/window/find_action.h"
#include "app/window/tool_bar.h"
#include "tests/stories/layout/layout_walk.h"
#include "tests/support/runner.h"
#include "widgets/look/text_size.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QMenu>
#include <QTest>
#include <QToolButton>

namespace headroom::testing::tool_bar_story_test {

using namespace headroom::app;

namespace {

void choose(Story& story, int percent) {
    for (QAction* size : story.window().actions().textSizes->actions())
        if (size->data().toInt() == percent)
            size->trigger();
}

/// Looks at every button of the bar when it is painted.
class PaintedButtons : public QObject {
public:
    explicit PaintedButtons(const ToolBar* bar) : m_bar(bar) { qApp->installEventFilter(this); }
    int painted = 0;
    QStringList cut;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        const auto* button = event->type() == QEvent::Paint ? qobject_cast<QToolButton*>(watched) : nullptr;
        if (button && button->parentWidget() == m_bar) {
            ++painted;
            if (button->toolButtonStyle() == Qt::ToolButtonTextBesideIcon && button->width() < button->sizeHint().width())
                cut << QStringLiteral("%1: %2 of %3").arg(button->text()).arg(button->width()).arg(button->sizeHint().width());
        }
        return false;
    }

private:
    const ToolBar* m_bar;
};

} // namespace

class ToolBarStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// It was behind the arrow with larger text, where nobody looks for it.
    void theFieldThatFindsEverythingIsInSight_data() {
        QTest::addColumn<int>("percent");
        QTest::newRow("usual") << 100;
        QTest::newRow("larger") << 125;
        QTest::newRow("largest") << 150;
    }
    void theFieldThatFindsEverythingIsInSight() {
        QFETCH(int, percent);
        Story story;
        QVERIFY(story.openAndWait({story.utterance(QStringLiteral("one")), Story::model()}));
        choose(story, percent);
        const ToolBar* bar = story.window().toolBar();
        const FindAction* find = bar->findField();
        int folded = 0;
        for (Workspace* workspace : story.window().workspaces()) {
            story.window().showWorkspace(workspace->objectName());
            settle(story);
            story.window().resize(1280, 720);
            settle(story);
            story.window().toolBar()->grab().save(
                QStringLiteral(HEADROOM_BINARY_DIR "/tests/tool bar, %1, %2.png").arg(workspace->objectName()).arg(percent));
            QVERIFY2(find->isVisible() && bar->rect().contains(find->geometry()) && !find->visibleRegion().isEmpty(),
                     qPrintable(workspace->objectName()));
            QVERIFY(find->width() >= find->fontMetrics().horizontalAdvance(find->placeholderText()) + find->height());
            auto* arrow = bar->findChild<QToolButton*>(QStringLiteral("qt_toolbar_ext_button"));
            QVERIFY(arrow && (!arrow->isVisible() || arrow->geometry().right() < find->x()));
            folded += arrow->isVisible();
            if (arrow->isVisible()) { // what does not fit is in its menu
                QTest::mouseClick(arrow, Qt::LeftButton);
                auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
                QVERIFY(menu && !menu->actions().isEmpty());
                QVERIFY(workspace->objectName() != QStringLiteral("analyse") || menu->actions().contains(story.window().actions().trainThis));
                menu->close();
            }
            for (const QWidget* other : bar->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
                QVERIFY2(other == find || !other->isVisible() || other->isWindow() || !other->geometry().intersects(find->geometry()),
                         qPrintable(other->metaObject()->className() + other->accessibleName()));
        }
        QCOMPARE(folded > 0, percent > 100);
        choose(story, 100);
    }

    /// For some milliseconds words were cut, until the bar had fitted them for the second or third time.
    void noWordIsPaintedCut() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance(QStringLiteral("one")), Story::model()}));
        ToolBar* bar = story.window().toolBar();
        for (Workspace* workspace : story.window().workspaces()) {
            story.window().showWorkspace(workspace->objectName());
            for (const int width : {1280, 1600}) {
                story.window().resize(width, 900);
                settle(story);
                PaintedButtons buttons(bar);
                for (const int percent : {125, 90, 110, 100}) {
                    choose(story, percent);
                    settle(story);
                }
                for (QAction* theme : {story.window().actions().themeDark, story.window().actions().themeLight}) {
                    theme->trigger();
                    settle(story);
                }
                QVERIFY(buttons.painted > 20);
                QVERIFY2(buttons.cut.isEmpty(), qPrintable(QStringLiteral("%1, %2 pixels: %3")
                                                               .arg(workspace->objectName())
                                                               .arg(width)
                                                               .arg(buttons.cut.join(QStringLiteral("; ")))));
            }
        }
    }

    void cleanupTestCase() {
        widgets::setTextSize(100);
        widgets::Theme::apply(QStringLiteral("light"));
    }
};

HEADROOM_TEST(ToolBarStory)

} // namespace headroom::testing::tool_bar_story_test

#include "tool_bar_story_test.moc"
