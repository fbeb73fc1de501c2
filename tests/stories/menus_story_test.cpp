// SPDX-License-Identifier: GPL-3.0-or-later
// What the menus contain, and what Find action says of them.
#include "app/documents/drafts/drafts.h"
#include "app/documents/items/paths.h"
#include "app/parts/actions.h"
#include "app/workspaces/analyse/windows/windows_panel.h"
#include "app/workspaces/workspace.h"
#include "core/tensors/npy.h"
#include "core/tensors/tensor.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"

#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QStatusBar>
#include <QTest>

#include <utility>

namespace headroom::testing::menus_story_test {

using namespace headroom::app;

namespace {

bool contains(const QMenu* menu, const QAction* action) {
    const auto actions = menu->actions();
    return std::any_of(actions.cbegin(), actions.cend(), [action](const QAction* one) {
        return one == action || (one->menu() && contains(one->menu(), action));
    });
}

/// Two layers of uniform attention, as another toolkit would write them.
QString writeMaps(const QString& file) {
    constexpr std::int64_t kTokens = 40, kHeads = 2;
    NpzWriter writer(toPath(file));
    std::vector<float> times;
    for (int t = 0; t < kTokens; ++t)
        times.push_back(0.0125F + 0.06F * float(t));
    writer.add("token_seconds", Tensor::of<float>({kTokens}, std::span<const float>(times)).view());
    const std::vector<float> uniform(kHeads * kTokens * kTokens, 1.0F / kTokens);
    for (const char* name : {"layer.1.attention", "layer.2.attention"})
        writer.add(name, Tensor::of<float>({kHeads, kTokens, kTokens}, std::span<const float>(uniform)).view());
    writer.close();
    return file;
}

} // namespace

class MenusStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The name of the session lay over the arrow behind which Help was, though there was room for Help.
    void theNameOfTheSessionGivesWayToTheMenus() {
        Story story;
        QMenuBar* bar = story.window().menuBar();
        const QWidget* name = bar->cornerWidget();
        const auto* arrow = bar->findChild<QWidget*>(QStringLiteral("qt_menubar_ext_button"));
        QVERIFY(arrow);
        story.window().resize(1600, 900);
        QCoreApplication::processEvents();
        const int roomy = name->width();
        QVERIFY(roomy > 0);
        story.window().resize(story.window().minimumSizeHint());
        QCoreApplication::processEvents();
        QVERIFY(!arrow->isVisible());
        QVERIFY(name->width() < roomy);
        QVERIFY(name->x() >= bar->actionGeometry(bar->actions().last()).right());
        story.window().resize(1600, 900);
        QCoreApplication::processEvents();
        QCOMPARE(name->width(), roomy);
    }

    void theWindowFillsTheScreenAndComesBack() {
        Story story;
        QAction* action = story.window().actions().fullScreen;
        story.key(Qt::Key_F11);
        QTRY_VERIFY(story.window().isFullScreen());
        QVERIFY(action->isChecked());
        action->trigger();
        QTRY_VERIFY(!story.window().isFullScreen());
        QVERIFY(!action->isChecked());
        story.window().showFullScreen(); // as a window manager may do
        QTRY_VERIFY(action->isChecked());
    }

    void findActionNamesTheMenuOfAnAction() {
        Story story;
        const auto menus = story.window().menuBar()->actions();
        QList<Actions::Listed> listed = story.window().actions().all();
        for (const Workspace* workspace : story.window().workspaces())
            listed += workspace->listedActions();
        QStringList wrong;
        for (const auto& [action, section] : listed) {
            QStringList in;
            for (const QAction* menu : menus)
                if (contains(menu->menu(), action))
                    in << menu->text().remove(QLatin1Char('&'));
            if (!in.isEmpty() && !in.contains(section))
                wrong << QStringLiteral("%1 is in %2, not in %3").arg(action->text(), in.join(QStringLiteral(", ")), section);
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
        QVERIFY(listed.size() > 100);
    }

    /// Of the whole window, it would be taken from every text field and list (AnalyseCentre::bindKeys).
    void aKeyWithoutAModifierBelongsToAWorkspace() {
        Story story;
        QList<Actions::Listed> listed = story.window().actions().all();
        for (const Workspace* workspace : story.window().workspaces())
            listed += workspace->listedActions();
        QStringList wrong;
        int plain = 0;
        for (const auto& [action, section] : listed)
            for (const QKeySequence& keys : action->shortcuts()) {
                const bool isFunctionKey = keys[0].key() >= Qt::Key_F1 && keys[0].key() <= Qt::Key_F35;
                if (isFunctionKey || (keys[0].keyboardModifiers() & ~Qt::ShiftModifier) != Qt::NoModifier)
                    continue;
                ++plain;
                if (action->shortcutContext() != Qt::WidgetWithChildrenShortcut && action->shortcutContext() != Qt::WidgetShortcut)
                    wrong << QStringLiteral("%1 (%2)").arg(action->text(), keys.toString());
            }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
        QVERIFY(plain > 10);
    }

    /// They could only be dropped. Maps without a recording have no curve, and their name ended with a comma.
    void importedMapsAreOpenedFromTheMenu() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance(QStringLiteral("one")), Story::model()}));
        QAction* open = story.window().actions().openMaps;
        QVERIFY(open->isEnabled());
        for (const char* name : {"long.npz", "one.npz"}) {
            story.answers().file = writeMaps(story.path(QLatin1String(name)));
            open->trigger();
            QVERIFY(story.quiet());
        }
        QCOMPARE(story.session().models()->count(), 3);
        QVERIFY2(story.messages().contains(QStringLiteral("No open recording matches long")), qPrintable(story.messages()));
        const auto names = [&] {
            QStringList found;
            for (const auto& entry : story.part<WindowsPanel>()->ccd()->keyEntries())
                found << entry.name;
            return found;
        };
        const QStringList wanted{QStringLiteral("demo, contributions"), QStringLiteral("one, attention")};
        QTRY_COMPARE_WITH_TIMEOUT(names(), wanted, 60000);
    }

    /// Ctrl+Z in Design changed a draft that only Analyse has, without a word.
    void anUndoneWindowOfImportedMapsIsSaidInDesign() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance(QStringLiteral("one")), Story::model()}));
        const ModelId model = story.session().currentModelId();
        story.answers().file = writeMaps(story.path(QStringLiteral("one.npz")));
        story.window().actions().openMaps->trigger();
        QVERIFY(story.quiet());
        const auto all = std::as_const(story.session()).models();
        for (int place = 0; place < all->count(); ++place)
            if (all->at(place).id != model)
                story.session().drafts()->setWindow({all->at(place).id, 0}, {1, 5});
        story.session().drafts()->setWindow({model, 0}, {1, 5});
        story.window().actions().designWorkspace->trigger();
        const auto* said = story.window().statusBar()->findChild<QLabel*>();
        story.window().actions().undo->trigger(); // Design shows it
        QVERIFY2(!said->text().startsWith(QStringLiteral("Undone")), qPrintable(said->text()));
        story.window().actions().undo->trigger();
        QVERIFY2(said->text().startsWith(QStringLiteral("Undone in the draft of “one”: ")), qPrintable(said->text()));
        story.window().actions().redo->trigger();
        QVERIFY2(said->text().startsWith(QStringLiteral("Redone in the draft of “one”: ")), qPrintable(said->text()));
    }
};

HEADROOM_TEST(MenusStory)

} // namespace headroom::testing::menus_story_test

#include "menus_story_test.moc"
