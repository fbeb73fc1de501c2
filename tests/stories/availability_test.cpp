// SPDX-License-Identifier: GPL-3.0-or-later
// A control that cannot be used says why, also to somebody who clicks it.
#include "app/aligning/align_dialog.h"
#include "app/aligning/aligning.h"
#include "app/parts/actions.h"
#include "app/parts/availability.h"
#include "app/parts/model_chooser.h"
#include "app/places/places_dialog.h"
#include "app/window/find_action.h"
#include "app/window/guide.h"
#include "app/window/tool_bar.h"
#include "app/workspaces/train/train_workspace.h"
#include "app/workspaces/workspace.h"
#include "tests/app/runs/train_workshop.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QTabBar>
#include <QTabWidget>
#include <QTest>
#include <QToolTip>

namespace headroom::testing::availability_test {

using namespace headroom::app;

class AvailabilityTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_silent.clear();
        m_asked = 0;
    }
    void everyDisabledControlSaysWhyWhenItIsClicked() {
        qputenv("HEADROOM_RUNS", toQString(m_shop.runs()).toLocal8Bit());
        m_shop.run("2026-11-21T10-31_a", RunState::Finished);
        Story story;
        walk(story);
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        walk(story);
        QVERIFY2(m_silent.isEmpty(), qPrintable(m_silent.join(QLatin1Char('\n'))));
        QVERIFY(m_asked > 30); // else nothing was disabled, or nothing looked at
    }

    void dialoguesSayItToo() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        ModelChooser chooser({{"openai/whisper-small", "/cache/whisper", "Whisper", 967'000'000,
                               "openai/whisper-small is not downloaded completely."}},
                             "/cache", std::nullopt, &story.window());
        chooser.show();
        look(&chooser);
        AlignDialog* align = story.window().findChild<Aligning*>()->ask(story.session().currentUtteranceId());
        QVERIFY(align);
        align->show();
        for (QPlainTextEdit* text : align->findChildren<QPlainTextEdit*>())
            text->clear();
        look(align);
        align->close();
        story.window().actions().guide->trigger();
        look(story.window().findChild<Guide*>());
        for (QPushButton* button : story.window().train()->findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Places…"))
                button->click();
        auto* places = story.window().findChild<PlacesDialog*>();
        QVERIFY(places);
        look(places);
        delete places;
        QVERIFY2(m_silent.isEmpty(), qPrintable(m_silent.join(QLatin1Char('\n'))));
        QVERIFY2(m_asked >= 5, qPrintable(QString::number(m_asked))); // Open, Align, Back, Forward, Remove
    }

    void anActionThatIsFoundButDisabledSaysWhy() {
        Story story;
        FindAction* field = story.window().toolBar()->findField();
        field->setFocus();
        QTest::keyClicks(field, QStringLiteral("Play"));
        QVERIFY(field->matchCount() > 0);
        const QAction* play = story.window().actions().play;
        QVERIFY(!play->isEnabled());
        QToolTip::hideText();
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(QToolTip::text(), play->toolTip());
    }

    void theToolTipComesBack() {
        QAction action(QStringLiteral("Do"), nullptr);
        action.setToolTip(QStringLiteral("Does it."));
        setAvailable(&action, QStringLiteral("Not now."));
        setAvailable(&action, QStringLiteral("Not today."));
        QVERIFY(!action.isEnabled());
        QCOMPARE(action.toolTip(), QStringLiteral("Not today."));
        setAvailable(&action, {});
        QVERIFY(action.isEnabled());
        QCOMPARE(action.toolTip(), QStringLiteral("Does it."));
    }

private:
    void walk(Story& story) {
        for (Workspace* workspace : story.window().workspaces()) {
            story.window().showWorkspace(workspace->objectName());
            QVERIFY(story.quiet());
            look(&story.window());
            for (QTabWidget* tabs : workspace->findChildren<QTabWidget*>())
                for (int tab = 0; tab < tabs->count(); ++tab) {
                    tabs->setCurrentIndex(tab);
                    QVERIFY(story.quiet());
                    look(&story.window());
                }
        }
        for (const QAction* menu : story.window().menuBar()->actions())
            if (menu->menu())
                lookAtMenu(menu->menu());
    }

    void look(const QWidget* window) {
        QList<QPointer<QWidget>> widgets; // a click may delete some of them: a tool tip is a child too
        for (QWidget* widget : window->findChildren<QWidget*>())
            widgets << widget;
        for (const QPointer<QWidget>& widget : std::as_const(widgets)) {
            if (!widget)
                continue;
            const bool isControl = qobject_cast<QAbstractButton*>(widget.data()) || qobject_cast<QComboBox*>(widget.data()) ||
                                   qobject_cast<QAbstractSpinBox*>(widget.data()) ||
                                   qobject_cast<QLineEdit*>(widget.data());
            // The field inside a spin box or an editable list belongs to it.
            const bool isInner = qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) ||
                                 qobject_cast<QComboBox*>(widget->parentWidget()) ||
                                 qobject_cast<QLineEdit*>(widget->parentWidget()) ||
                                 qobject_cast<QTabBar*>(widget->parentWidget()) ||
                                 widget->objectName().startsWith(QLatin1String("qt_"));
            if (!isControl || isInner || widget->isEnabled() || !widget->isVisible())
                continue;
            ++m_asked;
            const QString reason = reasonOf(widget);
            QToolTip::hideText();
            QTest::mouseClick(widget, Qt::LeftButton);
            if (reason.isEmpty() || QToolTip::text() != reason)
                m_silent << QStringLiteral("%1 “%2”: “%3”").arg(QLatin1String(widget->metaObject()->className()),
                                                               widget->accessibleName(), reason);
        }
    }

    /// Entries of menus have tool tips, which are shown there.
    void lookAtMenu(const QMenu* menu) {
        for (const QAction* action : menu->actions()) {
            if (action->menu())
                lookAtMenu(action->menu());
            else if (!action->isEnabled() && action->isVisible() && !action->isSeparator() &&
                     action->property("whyNot").toString().isEmpty() && action->text() != QLatin1String("None"))
                m_silent << QStringLiteral("menu entry “%1”").arg(action->text());
        }
    }

    TrainWorkshop m_shop;
    QStringList m_silent;
    int m_asked = 0;
};

HEADROOM_TEST(AvailabilityTest)

} // namespace headroom::testing::availability_test

#include "availability_test.moc"
