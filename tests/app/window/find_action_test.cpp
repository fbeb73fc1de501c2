// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/actions.h"
#include "app/window/find_action.h"
#include "app/workspaces/design/design_actions.h"
#include "app/workspaces/train/train_actions.h"
#include "tests/support/runner.h"

#include <QAction>
#include <QListView>
#include <QSet>
#include <QTest>
#include <QUndoStack>

namespace headroom::testing::find_action_test {

using namespace headroom::app;

class FindActionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void peopleFindWhatIsCalledOtherwise_data() {
        QTest::addColumn<QString>("found");
        for (const auto& [typed, found] :
             {std::pair("font", "Text size: 100\u202f%"), {"dark", "Theme: Dark"}, {"contrast", "Theme: Light"},
              {"delete", "Move to the wastebasket"}, {"download", "Open a model…"}, {"record", "Record"},
              {"import", "Open audio…"}, {"import npz", "Open imported maps…"}, {"evaluate...", "Evaluate…"}, {"evaluate…", "Evaluate…"}, {"open audio..", "Open audio…"}, {"screenshot", "Export figure…"}, {"font larger", "Text size: 125\u202f%"},
              {"settings", "Theme: System"}, {"fine-tune", "Train this…"}, {"start the run", "New run"}, {"run the study", "Study…"}, {"abort", "Cancel"},
              {"help", "Guide"}, {"microphone", "Record"}, {"causal", "Masked attention in the selected heads"}})
            QTest::newRow(typed) << QString::fromUtf8(found);
    }
    void peopleFindWhatIsCalledOtherwise() {
        QFETCH(QString, found);
        FindAction& field = whole();
        type(field, QString::fromUtf8(QTest::currentDataTag()));
        QVERIFY2(shown(field).contains(found), qPrintable(shown(field).join(u'\n')));
    }

    void everyActionHasSearchWords() {
        for (const auto& one : m_actions.all())
            if (one.action->shortcut().isEmpty())
                QVERIFY2(!searchWordsOf(one.action).isEmpty() || one.section == QLatin1String("Window"),
                         qPrintable(one.action->text()));
    }

    /// What has a button in Design has a key, and the button's tool tip says it. Kinds of heads are typed into the grid.
    void buttonsOfDesignHaveKeys() {
        QSet<QString> keys;
        const QList<QAction*> buttons{m_design.startFromPreset, m_design.useSuggested, m_design.setRelaxed, m_design.resetDraft,
                                      m_design.showGrid, m_design.showText, m_design.openArchitecture,
                                      m_design.saveArchitectureAs, m_design.copyAsText, m_design.nextMistake};
        for (const QAction* action : buttons) {
            const QString key = action->shortcut().toString(QKeySequence::NativeText);
            QVERIFY2(!key.isEmpty() && action->toolTip().endsWith(key), qPrintable(action->text()));
            keys << key;
        }
        QCOMPARE(keys.size(), buttons.size());
        for (const auto& one : m_actions.all())
            QVERIFY2(!keys.contains(one.action->shortcut().toString(QKeySequence::NativeText)), qPrintable(one.action->text()));
    }

    /// “Record” begins the list; what records otherwise stands below.
    void whatIsCalledSoStandsFirst() {
        QAction opens(QStringLiteral("Open")), plays(QStringLiteral("Play sound"));
        setSearchWords(&opens, QStringLiteral("sound"));
        FindAction field;
        field.offer(&opens, {});
        field.offer(&plays, {});
        type(field, {});
        QCOMPARE(shown(field), (QStringList{QStringLiteral("Open"), QStringLiteral("Play sound")}));
        type(field, QStringLiteral("sound"));
        QCOMPARE(shown(field), (QStringList{QStringLiteral("Play sound"), QStringLiteral("Open")}));
        type(field, QStringLiteral("nothing"));
        QCOMPARE(field.matchCount(), 0);
    }

    /// The keys without Ctrl were dead until one clicked somewhere.
    void theFocusGoesBackToWhereItWas() {
        QWidget window;
        QLineEdit before(&window);
        before.setGeometry(0, 0, 100, 30);
        QAction open(QStringLiteral("Open"));
        FindAction field(&window);
        field.move(0, 40);
        field.offer(&open, {});
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        before.setFocus();
        int runs = 0;
        connect(&open, &QAction::triggered, this, [&] { runs += before.hasFocus() ? 1 : 0; });
        for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Escape}) {
            field.ask();
            field.ask(); // Ctrl+K again
            QVERIFY(field.hasFocus() && field.isListOpen());
            QTest::keyClick(&field, key);
            QVERIFY(before.hasFocus() && !field.isListOpen());
        }
        QCOMPARE(runs, 1); // with the focus where it was: the action may move it
    }

private:
    FindAction& whole() {
        if (!m_field) {
            m_field = std::make_unique<FindAction>();
            for (const auto& one : m_actions.all())
                m_field->offer(one.action, one.section);
            for (QAction* action : m_design.all())
                m_field->offer(action, QStringLiteral("Architecture"));
            for (QAction* action : m_train.all())
                m_field->offer(action, QStringLiteral("Runs"));
        }
        return *m_field;
    }
    static void type(FindAction& field, const QString& words) {
        field.setText(words);
        field.openList();
    }
    static QStringList shown(const FindAction& field) {
        const auto* list = field.findChild<QListView*>();
        QStringList texts;
        for (int row = 0; row < list->model()->rowCount(); ++row)
            texts << list->model()->index(row, 0).data().toString();
        return texts;
    }

    QUndoStack m_undo;
    Actions m_actions{&m_undo, nullptr};
    DesignActions m_design{nullptr};
    TrainActions m_train{nullptr};
    std::unique_ptr<FindAction> m_field;
};

HEADROOM_TEST(FindActionTest)

} // namespace headroom::testing::find_action_test

#include "find_action_test.moc"
