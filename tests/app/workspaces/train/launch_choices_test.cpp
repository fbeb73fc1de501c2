// SPDX-License-Identifier: GPL-3.0-or-later
// What one choice in the form of TRAIN does to the others, and to the list of what is checked before the start.
#include "app/parts/checks_panel.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/train_actions.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QComboBox>
#include <QTest>

namespace headroom::testing::launch_choices_test {

using namespace headroom::app;

class LaunchChoicesTest : public QObject {
    Q_OBJECT

    static QString shown(const Desk& desk, const char* row) {
        return desk.workspace->form()->findChild<QWidget*>(QLatin1String(row))->findChild<QComboBox*>()->currentText();
    }

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// The recipe smoke trained the architecture of the recipe demo, ten times as large, "of the recipe".
    void anArchitectureLeavesWithTheRecipeThatItCameWith() {
        Desk desk("good");
        LaunchForm* form = desk.workspace->form();
        auto* recipe = form->findChild<QWidget*>(QStringLiteral("recipe"))->findChild<QComboBox*>();
        QVERIFY(form->chooseRecipe(TrainWorkshop::resource("recipes/demo.json")));
        QVERIFY(form->chooseArchitecture(TrainWorkshop::resource("recipes/demo.architecture.json")));
        recipe->setCurrentIndex(recipe->findText(QStringLiteral("smoke")));
        QCOMPARE(shown(desk, "architecture"), QStringLiteral("smoke, of its recipe"));
        recipe->setCurrentIndex(recipe->findText(QStringLiteral("fairseq MuST-C"))); // which has none
        QCOMPARE(shown(desk, "architecture"), QStringLiteral("smoke, of its recipe"));
        recipe->setCurrentIndex(recipe->findText(QStringLiteral("smoke")));
        QVERIFY(form->chooseArchitecture(TrainWorkshop::resource("architectures/s2t-small.json")));
        const QString chosen = shown(desk, "architecture");
        recipe->setCurrentIndex(recipe->findText(QStringLiteral("demo")));
        QCOMPARE(shown(desk, "architecture"), chosen);
    }

    void aNewRunStartsFromRandomWeights() {
        Desk desk("good");
        LaunchForm* form = desk.workspace->form();
        const std::filesystem::path run = desk.shop.run("2026-11-21T10-31_a_seed-1");
        desk.shop.text(RunPaths{run}.model() / "model.safetensors", "weights");
        QVERIFY(form->chooseStart(StartChoice::Kind::Whole, RunPaths{run}.model()));
        form->setSeeds(QStringLiteral("7"));
        QVERIFY(shown(desk, "start") != QStringLiteral("Random weights"));
        desk.workspace->actions().newRun->trigger();
        QCOMPARE(shown(desk, "start"), QStringLiteral("Random weights"));
        QCOMPARE(form->viewState().at("seeds").get<std::string>(), std::string("7"));
    }

    /// "…" stood in its place: the name took all the room.
    void theNumberOfTheDiskSpaceIsShown() {
        Desk desk("good");
        QVERIFY(desk.workspace->form()->chooseRecipe(TrainWorkshop::resource("recipes/demo.json")));
        auto* panel = desk.workspace->form()->findChild<ChecksPanel*>();
        const auto isMeasured = [&] { return !panel->checks().isEmpty() && panel->checks().last().state == Check::State::Passed; };
        QTRY_VERIFY_WITH_TIMEOUT(isMeasured(), 60000);
        QList<Check> checks = panel->checks();
        QVERIFY2(checks.last().name.startsWith(QStringLiteral("Disk space for ")) && checks.last().value.endsWith(QStringLiteral("B")),
                 qPrintable(checks.last().name + checks.last().value));
        const auto pictureOf = [&](const QString& size) {
            checks.last().value = size;
            panel->setChecks(checks);
            return panel->grab().toImage();
        };
        QVERIFY2(pictureOf(QStringLiteral("155.8\u202fMB")) != pictureOf(QStringLiteral("155.9\u202fMB")), qPrintable(QString::number(panel->width())));
    }
};

HEADROOM_TEST(LaunchChoicesTest)

} // namespace headroom::testing::launch_choices_test

#include "launch_choices_test.moc"
