// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/design/cost_report.h"
#include "app/workspaces/design/design_actions.h"
#include "core/architecture/choices.h"
#include "tests/app/workspaces/design/design_desk.h"
#include "tests/support/runner.h"

#include <QAction>
#include <QActionGroup>
#include <QTest>
#include <QUndoStack>

namespace headroom::testing::chosen_positions_test {

using namespace headroom::app;

namespace {

struct PositionsDesk : DesignDesk {
    Drafts& drafts = *session.drafts();

    explicit PositionsDesk(const Architecture& architecture = speech()) { drafts.newDocument(architecture, {}); }
    static Architecture speech() {
        return readArchitecture(HEADROOM_SOURCE_DIR "/resources/architectures/s2t-small.json");
    }
    QAction* choice(Positions positions) const {
        for (QAction* action : design.actions().positions->actions())
            if (action->data().toInt() == int(positions))
                return action;
        return nullptr;
    }
    Positions positions() const { return drafts.architecture(drafts.current()).encoder.positions; }
};

} // namespace

class ChosenPositionsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The row Front end named the positions, and nothing changed them.
    void positionsAreChosenAndUndone() {
        PositionsDesk desk;
        const DraftKey key = desk.drafts.current();
        const auto parameters = [&] { return costReport(desk.drafts.architecture(key), 500).parameters->parameters; };
        const auto before = parameters();
        QVERIFY(desk.choice(Positions::Sinusoidal)->isChecked());
        desk.choice(Positions::Relative)->trigger();
        QCOMPARE(desk.positions(), Positions::Relative);
        QVERIFY(parameters() > before);
        QVERIFY(desk.drafts.isEdited(key) && desk.choice(Positions::Relative)->isChecked());
        QCOMPARE(desk.session.undoStack()->undoText(), QStringLiteral("positions: sinusoidal → relative"));
        QVERIFY2(desk.drafts.nameWithChanges(key).endsWith(QStringLiteral(", positions: sinusoidal → relative")), qPrintable(desk.drafts.nameWithChanges(key)));
        desk.session.undoStack()->undo();
        QCOMPARE(desk.positions(), Positions::Sinusoidal);
        QCOMPARE(parameters(), before);
        QVERIFY(desk.choice(Positions::Sinusoidal)->isChecked() && !desk.drafts.isEdited(key));
        desk.session.undoStack()->redo();
        QCOMPARE(desk.positions(), Positions::Relative);
        desk.design.actions().resetDraft->trigger();
        QVERIFY(desk.drafts.architecture(key) == desk.drafts.base(key));
    }

    void theSessionKeepsThem() {
        PositionsDesk desk;
        desk.choice(Positions::Rotary)->trigger();
        const nlohmann::json kept = desk.drafts.viewState();
        desk.drafts.restoreView(kept);
        QCOMPARE(desk.positions(), Positions::Rotary);
        QVERIFY(desk.drafts.isEdited(desk.drafts.current()));
    }

    /// What was written and did not go with the positions before counts once it does, and undo takes that back.
    void headsAndPositionsLimitEachOther() {
        PositionsDesk desk;
        const DraftKey key = desk.drafts.current();
        desk.choice(Positions::Relative)->trigger();
        desk.drafts.write(key, {{1, 1, 4, QStringLiteral("local 64 block")}});
        QCOMPARE(desk.drafts.grid(key).mistakes().size(), std::size_t(1));
        desk.choice(Positions::Sinusoidal)->trigger();
        QVERIFY(desk.drafts.grid(key).mistakes().empty());
        QCOMPARE(toText(desk.drafts.heads(key, 1)), std::string("4 local 64 block"));
        const QAction* relative = desk.choice(Positions::Relative);
        QVERIFY(!relative->isEnabled());
        QVERIFY2(relative->toolTip().startsWith(QStringLiteral("Layer 1: relative positions")), qPrintable(relative->toolTip()));
        desk.session.undoStack()->undo();
        QCOMPARE(desk.positions(), Positions::Relative);
        QCOMPARE(toText(desk.drafts.heads(key, 1)), std::string("4 full"));
        QCOMPARE(desk.drafts.grid(key).mistakes().size(), std::size_t(1));
    }

    void thoseOfImportedModelsAreOfferedToThemAlone() {
        PositionsDesk desk;
        QVERIFY(!desk.choice(Positions::Learnt)->isVisible());
        desk.drafts.newDocument(readArchitecture(HEADROOM_SOURCE_DIR "/resources/architectures/ast-base.json"), {});
        QVERIFY(desk.choice(Positions::Learnt)->isVisible() && desk.choice(Positions::Learnt)->isChecked());
        QVERIFY(!desk.choice(Positions::Sinusoidal)->isEnabled());
    }
};

HEADROOM_TEST(ChosenPositionsTest)

} // namespace headroom::testing::chosen_positions_test

#include "chosen_positions_test.moc"
