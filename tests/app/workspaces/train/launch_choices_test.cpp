// SPDX-License-Identifier: GPL-3.0-or-later
// What one choice in the form of Train does to the others, and to the list of what is checked before the start.
#include "app/documents/items/paths.h"
#include "app/documents/session.h"
#include "app/parts/checks_panel.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/launch_sources.h"
#include "app/workspaces/train/recipe_model.h"
#include "app/workspaces/train/train_actions.h"
#include "core/audio/audio_file.h"
#include "core/runs/run_folder.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/run_words.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
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
        QVERIFY(shown(desk, "architecture").startsWith(QStringLiteral("smoke (from its recipe)")));
        recipe->setCurrentIndex(recipe->findText(QStringLiteral("fairseq MuST-C"))); // which has none
        QVERIFY(shown(desk, "architecture").startsWith(QStringLiteral("smoke (from its recipe)")));
        recipe->setCurrentIndex(recipe->findText(QStringLiteral("smoke")));
        QVERIFY(form->chooseArchitecture(TrainWorkshop::resource("architectures/s2t-small.json")));
        const QString chosen = shown(desk, "architecture");
        recipe->setCurrentIndex(recipe->findText(QStringLiteral("demo")));
        QCOMPARE(shown(desk, "architecture"), chosen);
    }

    /// An open model and a folder that was opened in the form were both “reference, whole model”; recipes likewise.
    void whatWasOpenedHereIsToldApartFromTheOthers() {
        const Workshop workshop;
        const TrainWorkshop shop;
        Session session;
        ModelDescription reference = Workshop::info(3);
        reference.name = QStringLiteral("reference");
        session.setModelOpened(session.openModel(workshop.model("data/reference")), reference);
        const auto folder = workshop.model("moved/reference"), again = workshop.model("again/reference");
        QStringList names;
        for (const StartChoice& choice : startChoices(session, {}, {toQString(folder), toQString(again), toQString(session.models()->at(0).folder)}))
            if (choice.kind == StartChoice::Kind::Whole)
                names << choice.name;
        QCOMPARE(names, (QStringList{QStringLiteral("reference, whole model"), QStringLiteral("moved/reference, whole model"),
                                     QStringLiteral("again/reference, whole model")}));
        const auto recipe = shop.text("mine/smoke.json", canonicalText(TrainWorkshop::smoke()));
        names.clear();
        for (const RecipeChoice& choice : recipeChoices({toQString(recipe)}, {}))
            if (choice.name.endsWith(QStringLiteral("smoke")))
                names << choice.name;
        QCOMPARE(names, (QStringList{QStringLiteral("mine/smoke"), QStringLiteral("smoke")}));
    }

    /// That of a branch had the name of a folder, "2026-11-30T20-12_demo_seed-2/demo".
    void theArchitectureOfARunIsNamedAsItsRecipe() {
        const TrainWorkshop shop;
        Session session;
        const auto file = shop.text("runs/a/architecture.json", canonicalText(TrainWorkshop::tiny()));
        const auto recipe = shop.text("runs/a/recipe.json", canonicalText(TrainWorkshop::smoke()));
        widgets::RunItem run;
        run.folder = file.parent_path();
        run.name = QStringLiteral("narrow");
        run.info.seed = 2;
        QCOMPARE(architectureChoices(*session.drafts(), {toQString(file)}, {run}).front().name,
                 QString::fromStdString(TrainWorkshop::tiny().name) + QStringLiteral(", of “%1”").arg(widgets::runTitle(run)));
        QCOMPARE(recipeChoices({toQString(recipe)}, {run}).front().name, QStringLiteral("smoke, of “%1”").arg(widgets::runTitle(run)));
        QCOMPARE(recipeChoices({toQString(recipe)}, {}).front().name, QStringLiteral("smoke, of the run"));
    }

    /// It was called "Alpha, digits, 40 updates, seed 1, layer 2: …", whatever it was trained on.
    void aDraftOfARunsModelIsCalledWithoutWhatTellsTheRunApart() {
        Desk desk("good");
        LaunchForm* form = desk.workspace->form();
        const auto named = [&](const char* id, const char* data) {
            const std::filesystem::path run = desk.shop.run(id);
            RunInfo info = readRun(run);
            info.data = data;
            writeRun(run, info);
            desk.shop.text(RunPaths{run}.name(), "Alpha\n");
            return run;
        };
        const std::filesystem::path run = named("2026-11-21T10-31_a_seed-1", "/corpora/libri");
        named("2026-11-21T10-32_b_seed-1", "/corpora/digits");
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->store()->runs().size(), std::size_t(2), 60000);
        const ModelId model = desk.session.openModel(RunPaths{run}.model());
        ModelDescription info;
        info.name = QStringLiteral("tiny");
        info.architecture = TrainWorkshop::tiny();
        desk.session.setModelOpened(model, info);
        QTRY_COMPARE_WITH_TIMEOUT(desk.session.models()->find(model)->name, QStringLiteral("Alpha, libri, seed 1"), 60000);
        const DraftKey key{model, 0};
        desk.drafts.write(key, {{2, 1, 4, QStringLiteral("local 29")}});
        QCOMPARE(desk.drafts.shownName(key), QStringLiteral("Alpha, libri, seed 1")); // in lists it is the model's
        const QString name = desk.drafts.nameWithChanges(key);
        QVERIFY2(name.startsWith(QStringLiteral("Alpha, layer 2: ")) && name.endsWith(QStringLiteral(" → 29")), qPrintable(name));
        // So is the run that is started from it.
        const std::filesystem::path corpus = desk.shop.corpus();
        for (const char* sound : {"u0.wav", "u1.wav", "u2.wav"})
            saveWav(corpus / sound, std::vector<float>(16000), kModelSampleRate);
        QVERIFY(form->chooseRecipe(TrainWorkshop::resource("recipes/smoke.json")));
        form->chooseDraft(key);
        form->setData(corpus);
        form->values()->write("data.trainSplit", "all");
        form->values()->write("data.validationSplit", "all");
        QVERIFY(QTest::qWaitFor([&] { return form->launch().has_value(); }, 60000));
        QCOMPARE(QString::fromStdString(form->launch()->architecture.name), name);
        // Without a name that was given it has that of its architecture.
        QCOMPARE(desk.workspace->queue()->rename({run}, QString()), QString());
        QTRY_VERIFY_WITH_TIMEOUT(desk.drafts.nameWithChanges(key).startsWith(QString::fromStdString(TrainWorkshop::tiny().name) + QStringLiteral(", layer 2: ")), 60000);
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

    /// "based on Demo text, …tes, seed 7".
    void theRunThatTheTimeIsBasedOnIsNamed() {
        Desk desk("good");
        LaunchForm* form = desk.workspace->form();
        const auto sentence = [&] {
            for (const auto* label : form->findChildren<QLabel*>())
                if (label->text().startsWith(QStringLiteral("About ")))
                    return std::pair(QString(label->text()).remove(QChar(0x200B)), label->toolTip());
            return std::pair<QString, QString>();
        };
        const std::filesystem::path architecture = TrainWorkshop::resource("recipes/smoke.architecture.json"), corpus = desk.shop.corpus();
        const std::filesystem::path run = desk.shop.run("2026-11-21T10-31_a_seed-1");
        const auto named = [&](const QString& name) { desk.shop.text(RunPaths{run}.name(), name.toStdString()); };
        RunInfo info = readRun(run);
        info.started = "2026-11-21T10:00:00Z";
        info.ended = "2026-11-21T10:01:00Z";
        info.data = corpus.string();
        writeRun(run, info);
        desk.shop.text(RunPaths{run}.architecture(), canonicalText(readArchitecture(architecture)));
        const QString title = QStringLiteral("Demo text, 4,000 updates, warm-up 800");
        named(title);
        for (const char* sound : {"u0.wav", "u1.wav", "u2.wav"})
            saveWav(corpus / sound, std::vector<float>(16000), kModelSampleRate);
        QVERIFY(form->chooseRecipe(TrainWorkshop::resource("recipes/smoke.json")) && form->chooseArchitecture(architecture));
        form->setData(corpus);
        form->values()->write("data.trainSplit", "all");
        form->values()->write("data.validationSplit", "all");
        QTRY_VERIFY2_WITH_TIMEOUT(sentence().first.contains(QStringLiteral("based on ") + title), qPrintable(sentence().first), 60000);
        QCOMPARE(sentence().second, QString());
        // A longer one is cut in the middle, and told whole in the tool tip.
        const QString longer = title + QStringLiteral(", label smoothing 0.2, dropout 0.3, masked spectra, other units, of the second series of tests");
        named(longer);
        QTRY_VERIFY2_WITH_TIMEOUT(sentence().second.contains(longer), qPrintable(sentence().first), 60000);
        QVERIFY2(sentence().first.contains(QStringLiteral("based on Demo text, 4,000 updates")) && sentence().first.contains(QChar(0x2026)),
                 qPrintable(sentence().first));
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
