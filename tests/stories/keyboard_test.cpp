// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window without a mouse: Tab, keys, and what Find leads to.
#include "app/documents/drafts/drafts.h"
#include "app/parts/actions.h"
#include "app/window/find_action.h"
#include "app/window/tool_bar.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "app/workspaces/analyse/sound/time_field.h"
#include "app/workspaces/analyse/studies/study_form.h"
#include "app/workspaces/analyse/studies/study_panel.h"
#include "app/workspaces/design/design_workspace.h"
#include "tests/app/parts/choose_by_mouse.h"
#include "tests/stories/story.h"
#include "tests/support/made_corpus.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/matrix_view.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QPushButton>
#include <QSet>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

namespace headroom::testing::keyboard_test {

using namespace headroom::app;
using headroom::testing::Story;

class KeyboardStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Where the focus is can be seen at every stop of Tab.
    void everyTabStopShowsTheFocus() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        const QString bad = story.path(QStringLiteral("bad.wav"));
        QFile file(bad);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("no sound") > 0);
        file.close();
        story.open({bad});
        story.quiet();
        story.session().setCurrentUtterance(story.session().utterances()->at(1).id);
        QVERIFY(story.quiet());
        QVERIFY(QTest::qWaitForWindowActive(&story.window()));
        QStringList unseen;
        QSet<QWidget*> seen;
        for (int stop = 0; stop < 150; ++stop) {
            QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : &story.window(), Qt::Key_Tab);
            QWidget* at = QApplication::focusWidget();
            if (!at || seen.contains(at))
                break;
            seen << at;
            const QImage with = story.window().grab().toImage();
            at->clearFocus();
            const QImage without = story.window().grab().toImage();
            at->setFocus(Qt::TabFocusReason);
            if (with == without)
                unseen << QString::fromLatin1(at->metaObject()->className()) + u' ' + at->objectName() + u' ' + at->accessibleName();
        }
        QVERIFY2(seen.size() > 15, qPrintable(QString::number(seen.size())));
        QVERIFY2(unseen.isEmpty(), qPrintable(unseen.join(u'\n')));
    }

    /// The grid, its header and its row of buttons were left out, so Design could not be used without a mouse.
    void tabReachesAllOfDesignAndTrain() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        QVERIFY(QTest::qWaitForWindowActive(&story.window()));
        for (const Qt::Key workspace : {Qt::Key_2, Qt::Key_3}) {
            story.key(workspace, Qt::ControlModifier);
            QVERIFY(story.quiet());
            QWidget* page = story.window().current();
            QVERIFY(!page->focusProxy()); // in a window with a screen, Tab skips what lies between the two
            if (workspace == Qt::Key_2) { // all of its row of buttons is offered
                QVERIFY(story.window().design()->editor()->hasFocus());
                story.window().design()->editor()->selectHeads(2, 1, 2);
                story.window().design()->editor()->writeSelected(QStringLiteral("local 9"));
            }
            for (const Qt::Key key : {Qt::Key_Tab, Qt::Key_Backtab}) {
                QSet<QWidget*> reached;
                for (int stop = 0; stop < 150; ++stop) {
                    story.key(key, key == Qt::Key_Backtab ? Qt::ShiftModifier : Qt::NoModifier);
                    if (!QApplication::focusWidget() || reached.contains(QApplication::focusWidget()))
                        break;
                    reached << QApplication::focusWidget();
                }
                QStringList missed;
                for (QWidget* widget : page->findChildren<QWidget*>())
                    if ((widget->focusPolicy() & Qt::TabFocus) && !widget->focusProxy() && widget->isVisible() && widget->isEnabled() &&
                        !widget->visibleRegion().isEmpty() && !reached.contains(widget))
                        missed << QString::fromLatin1(widget->metaObject()->className()) + u' ' + widget->objectName() + u' ' + widget->accessibleName();
                QVERIFY2(missed.isEmpty(), qPrintable(missed.join(u'\n')));
            }
        }
    }

    /// Tab went round among the fields without ever reaching the buttons.
    void tabGoesThroughTheStudyFormToItsButtons() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        QVERIFY(QTest::qWaitForWindowActive(&story.window()));
        story.key(Qt::Key_U, Qt::ControlModifier | Qt::ShiftModifier);
        auto* form = story.part<StudyPanel>()->form();
        QVERIFY(QTest::qWaitFor([form] { return form->isVisible() && form->request(); }, 60000));
        form->setData(makeCorpus(toPath(story.path(QStringLiteral("corpus")))));
        QVERIFY(QTest::qWaitFor([form] { return !form->isPending() && form->request(); }, 60000));
        for (const StudyKind kind : kStudyKinds) {
            form->setKind(kind);
            const auto goesTo = [&](Qt::Key key, const auto& isThere) {
                QStringList passed;
                for (int stop = 0; stop < 25; ++stop) {
                    story.key(key, key == Qt::Key_Backtab ? Qt::ShiftModifier : Qt::NoModifier);
                    const QWidget* at = QApplication::focusWidget();
                    if (at && isThere(at))
                        return QString();
                    passed << (at ? at->accessibleName() : QStringLiteral("–"));
                }
                return passed.join(QStringLiteral(", "));
            };
            const auto isClose = [](const QWidget* at) {
                const auto* button = qobject_cast<const QPushButton*>(at);
                return button && button->text() == QStringLiteral("Close");
            };
            QCOMPARE(goesTo(Qt::Key_Tab, isClose), QString());
            QCOMPARE(goesTo(Qt::Key_Backtab, [](const QWidget* at) { return at->objectName() == QStringLiteral("studyKind"); }), QString());
        }
    }

    void aPartOfTheSoundIsSelectedWithTheKeyboard() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        widgets::TimeAxis* axis = story.window().analyse()->axis();
        story.part<MatrixPanel>()->matrix()->setFocus();
        axis->setCursor(Seconds(0.5));
        story.key(Qt::Key_Right, Qt::ControlModifier | Qt::ShiftModifier); // words begin every half second
        QVERIFY(axis->selection());
        QCOMPARE(axis->selection()->start.value(), 0.5);
        QCOMPARE(axis->selection()->end.value(), 1.0);
        QCOMPARE(axis->cursor()->value(), 1.0);
        QVERIFY(story.window().actions().fitSelection->isEnabled());
        QVERIFY(story.window().actions().analyseSelection->isEnabled());
        story.key(Qt::Key_Right, Qt::ShiftModifier);
        const double token = axis->selection()->end.value();
        QVERIFY(token > 1.0 && token < 1.1);
        QCOMPARE(axis->selection()->start.value(), 0.5);
        story.key(Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(axis->selection()->end.value() < token);
        story.key(Qt::Key_End, Qt::ShiftModifier);
        QCOMPARE(axis->selection()->start.value(), 0.5);
        QCOMPARE(axis->selection()->end.value(), axis->extent().value());
        story.key(Qt::Key_Home, Qt::ShiftModifier); // across where it began
        QCOMPARE(axis->selection()->start.value(), 0.0);
        QCOMPARE(axis->selection()->end.value(), 0.5);
        // One that the mouse made goes on from the end at which the cursor stands.
        axis->setSelection(widgets::TimeSpan{Seconds(1), Seconds(2)});
        axis->setCursor(Seconds(1));
        story.key(Qt::Key_Left, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(axis->selection()->start.value(), 0.5);
        QCOMPARE(axis->selection()->end.value(), 2.0);
        // Back to where it began there is nothing selected.
        axis->setSelection(std::nullopt);
        axis->setCursor(Seconds(0.5));
        story.key(Qt::Key_Right, Qt::ControlModifier | Qt::ShiftModifier);
        story.key(Qt::Key_Left, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!axis->selection());
    }

    void aTimeIsTypedWithoutTheMouse() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        widgets::TimeAxis* axis = story.window().analyse()->axis();
        QWidget* matrix = story.part<MatrixPanel>()->matrix();
        matrix->setFocus();
        story.key(Qt::Key_G, Qt::ControlModifier);
        auto* field = qobject_cast<TimeField*>(QApplication::focusWidget());
        QVERIFY(field);
        QTest::keyClicks(field, QStringLiteral("1.25"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(axis->cursor()->value(), 1.25);
        QCOMPARE(QApplication::focusWidget(), matrix); // and goes on there
        story.key(Qt::Key_G, Qt::ControlModifier);
        QTest::keyClick(field, Qt::Key_Escape);
        QCOMPARE(axis->cursor()->value(), 1.25);
        QCOMPARE(QApplication::focusWidget(), matrix);
    }

    /// The keys of the workspace are not taken from a list that is open, and Return chooses in it.
    void returnChoosesInAnOpenList() {
        Story story;
        for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter}) {
            QComboBox field;
            field.addItems({QStringLiteral("one"), QStringLiteral("two"), QStringLiteral("three")});
            QSignalSpy chosen(&field, &QComboBox::activated);
            field.show();
            QVERIFY(QTest::qWaitForWindowExposed(&field));
            field.showPopup();
            QTRY_COMPARE_WITH_TIMEOUT(QApplication::activePopupWidget(), field.view()->window(), 60000);
            QTest::keyClick(field.view(), Qt::Key_End);
            QCOMPARE(field.view()->currentIndex().row(), 2);
            QTest::keyClick(field.view(), key, key == Qt::Key_Enter ? Qt::KeypadModifier : Qt::NoModifier);
            QCOMPARE(chosen.size(), 1);
            QCOMPARE(field.currentIndex(), 2);
            QVERIFY(!QApplication::activePopupWidget());
        }
    }

    /// The letter searched the entries of the chooser that was clicked before.
    void afterAClickInAListOverTheMapLettersAreKeysOfTheMap() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        auto* panel = story.part<MatrixPanel>();
        const QAction* diagonal = story.window().actions().hideDiagonal;
        int choosers = 0;
        for (QComboBox* field : panel->findChildren<QComboBox*>()) {
            if (!field->isVisible() || field->count() < 2)
                continue;
            ++choosers;
            QCOMPARE(chooseByMouse(field, 1), panel->matrix());
            QCOMPARE(field->currentIndex(), 1);
            const bool before = diagonal->isChecked();
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_D);
            QCOMPARE(diagonal->isChecked(), !before);
        }
        QCOMPARE(choosers, 2); // maps and colours
    }

    void everythingWithoutAMouse() {
        Story story;
        // Ctrl+O, with what the dialogue would answer.
        story.answers().audio = {story.utterance("one")};
        story.answers().folder = Story::model();
        story.key(Qt::Key_O, Qt::ControlModifier);
        story.key(Qt::Key_M, Qt::ControlModifier);
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        QCOMPARE(story.answers().asked, 2);
        QVERIFY(story.result());
        AnalyseWorkspace* analyse = story.window().analyse();
        story.part<MatrixPanel>()->matrix()->setFocus();
        story.key(Qt::Key_PageDown);
        story.key(Qt::Key_PageDown);
        QCOMPARE(story.session().currentLayer(), 3);
        story.key(Qt::Key_PageUp);
        QCOMPARE(story.session().currentLayer(), 2);
        story.key(Qt::Key_Home);
        const Seconds first = *analyse->axis()->cursor();
        story.key(Qt::Key_Right);
        QVERIFY(std::abs((*analyse->axis()->cursor() - first).value() - 0.04) < 1e-9);
        story.key(Qt::Key_Right, Qt::ControlModifier);
        // The next word starts at 0.5 s; a map's cursor stands on a token's centre, at most half a step away.
        QVERIFY(std::abs(analyse->axis()->cursor()->value() - 0.5) <= 0.0201);
        story.key(Qt::Key_End);
        QVERIFY(analyse->axis()->cursor()->value() > 2.9);
        const bool hidden = story.part<MatrixPanel>()->matrix()->hideDiagonal();
        story.key(Qt::Key_D);
        QCOMPARE(story.part<MatrixPanel>()->matrix()->hideDiagonal(), !hidden);
        analyse->axis()->zoom(4, Seconds(1));
        story.key(Qt::Key_F);
        QCOMPARE(analyse->axis()->visible().length(), analyse->axis()->extent());
        // W, then the band's own keys.
        story.key(Qt::Key_W);
        QVERIFY(story.part<MatrixPanel>()->matrix()->band()->hasFocus());
        story.key(Qt::Key_Home);
        QCOMPARE(story.session().drafts()->window({story.session().currentModelId()}, 2), std::optional<int>(1));
        story.key(Qt::Key_Up);
        QCOMPARE(story.session().drafts()->window({story.session().currentModelId()}, 2), std::optional<int>(3));
        story.key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(story.session().drafts()->window({story.session().currentModelId()}, 2) != std::optional<int>(3));
        // Ctrl+K finds what no key leads to.
        story.key(Qt::Key_K, Qt::ControlModifier);
        FindAction* find = story.window().toolBar()->findField();
        QVERIFY(find->hasFocus());
        QTest::keyClicks(find, QStringLiteral("theme dark"));
        QCOMPARE(find->matchCount(), 1);
        // What matches nothing is said; an empty list looks broken.
        find->selectAll();
        QTest::keyClicks(find, QStringLiteral("qqq"));
        QCOMPARE(find->matchCount(), 0);
        QVERIFY(find->isListOpen());
        find->selectAll();
        QTest::keyClicks(find, QStringLiteral("theme dark"));
        QTest::keyClick(find, Qt::Key_Return);
        QVERIFY(widgets::Theme::current().isDark);
    }

    /// A panel that is closed, behind another one, or in another workspace is found by its name.
    void panelsAreFoundByTheirNames() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        FindAction* find = story.window().toolBar()->findField();
        const auto choose = [find](const QString& words) {
            find->setFocus(Qt::ShortcutFocusReason);
            find->selectAll();
            QTest::keyClicks(find, words);
            QTest::keyClick(find, Qt::Key_Return);
        };
        auto* checks = story.part<QDockWidget>("checks");
        for (const bool closed : {true, false, false}) { // shown twice: it is not a switch
            checks->setHidden(closed);
            choose(QStringLiteral("window checks"));
            QTRY_VERIFY(checks->isVisible() && !checks->visibleRegion().isEmpty());
        }
        auto* messages = story.part<QDockWidget>("messages");
        auto* places = story.part<QDockWidget>("places");
        places->show();
        messages->show();
        places->raise();
        choose(QStringLiteral("window messages"));
        QTRY_VERIFY(!messages->widget()->visibleRegion().isEmpty());
        find->setFocus(Qt::ShortcutFocusReason);
        QTest::keyClicks(find,
                         QStringLiteral("window messages")); // each workspace has this panel: one is enough
        QCOMPARE(find->matchCount(), 1);
        find->selectAll();
        QTest::keyClicks(find, QStringLiteral("window queue"));
        QCOMPARE(find->matchCount(), 1);
        const auto* queue = story.window().findChild<QDockWidget*>(QStringLiteral("queue"));
        QVERIFY(queue && !queue->isVisible());
        QTest::keyClick(find, Qt::Key_Return);
        QTRY_VERIFY(queue->isVisible() && !queue->visibleRegion().isEmpty());
        QCOMPARE(story.window().current()->objectName(), QStringLiteral("train"));
    }
};

HEADROOM_TEST(KeyboardStory)

} // namespace headroom::testing::keyboard_test

#include "keyboard_test.moc"
