// SPDX-License-Identifier: GPL-3.0-or-later
// What was set in the form of Train outlives the program, and what keeps it from starting is said at its field.
#include "app/parts/forms/form_row.h"
#include "app/workspaces/train/curves_panel.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/recipe_model.h"
#include "core/audio/audio_file.h"
#include "tests/app/workspaces/train/one_place.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"
#include "widgets/run_monitor/queue_view.h"
#include "widgets/run_monitor/run_table.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

namespace headroom::testing::form_kept_test {

using namespace headroom::app;
namespace fs = std::filesystem;

namespace {

QString seedsOf(const Desk& desk) {
    return QString::fromStdString(desk.workspace->form()->viewState().at("seeds").get<std::string>());
}

bool isKept(const Desk& desk, const QString& seeds) {
    const QByteArray wanted = "\"seeds\":\"" + seeds.toUtf8() + '"';
    return QTest::qWaitFor([&] { return desk.settings->formState(QStringLiteral("launch")).contains(wanted); }, 60000);
}

QStringList ticked(const Desk& desk) {
    QStringList keys;
    for (const auto* group : desk.workspace->runTable()->runs()->compared())
        keys << group->key;
    return keys;
}

/// What the field of the runs folder holds, as after typing.
void setRunsFolder(const Desk& desk, const fs::path& folder) {
    auto* field = desk.workspace->form()->findChild<FormRow*>(QStringLiteral("folder"))->findChild<QLineEdit*>();
    field->setText(toQString(folder));
    Q_EMIT field->editingFinished();
}

QString mistakeAt(const Desk& desk, const char* field) {
    const auto mistakes = desk.workspace->form()->mistakes();
    const auto found = mistakes.find(QLatin1String(field));
    return found == mistakes.end() ? QString() : found->second;
}

QString runsMistake(const Desk& desk) { return mistakeAt(desk, "folder"); }

QString startOf(const Desk& desk) { return desk.workspace->form()->findChild<QComboBox*>(QStringLiteral("startFrom"))->currentText(); }

} // namespace

class FormKeptTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// A new session, a new start: the form is as it was left.
    void theFormIsRememberedFromStartToStart() {
        Desk desk("good");
        const fs::path recipe = TrainWorkshop::resource("recipes/smoke.json");
        const fs::path architecture = TrainWorkshop::resource("recipes/smoke.architecture.json");
        const fs::path corpus = desk.shop.corpus();
        LaunchForm* form = desk.workspace->form();
        QVERIFY(form->chooseRecipe(recipe) && form->chooseArchitecture(architecture));
        form->setData(corpus);
        form->setSeeds(QStringLiteral("4 5"));
        form->values()->write(QLatin1String(kUpdatesKey), QStringLiteral("77"));
        const auto before = form->viewState();
        QVERIFY(before["seeds"] == "4 5" && before["set"].size() == 1);
        desk.workspace.reset();
        desk.open();
        QVERIFY2(desk.workspace->form()->viewState() == before,
                 desk.workspace->form()->viewState().dump(1).c_str());
        QCOMPARE(desk.workspace->form()->values()->recipe().length.maxUpdates, std::int64_t(77));
    }

    /// The next start of the program once had random weights there, without a word.
    void aBranchIsFoundAgain() {
        Desk desk("good");
        const auto run = desk.shop.run("2026-11-21T10-00_old");
        const fs::path file = desk.shop.text(run / "checkpoints" / "step-000020.safetensors", "weights");
        desk.workspace->form()->chooseBranch({run, "20"}, desk.shop.corpus(), 1);
        QCOMPARE(desk.workspace->form()->recipeNames().front(), QString::fromStdString(desk.shop.smoke().name) + QStringLiteral(", of the run"));
        const nlohmann::json view = desk.workspace->viewState();
        const auto reopened = [&] {
            desk.workspace.reset();
            desk.open();
            desk.workspace->restoreView(view);
            return QTest::qWaitFor([&] { return !desk.workspace->form()->isPending(); }, 60000);
        };
        const auto start = [&] { return startOf(desk); };
        QVERIFY(reopened());
        QVERIFY2(start().contains(QStringLiteral("checkpoint 20, whole model")), qPrintable(start()));
        const auto mistake = [&] { return mistakeAt(desk, "start"); };
        QCOMPARE(mistake(), QString());
        QCOMPARE(desk.workspace->form()->findChild<FormRow*>(QStringLiteral("start"))->note(), QString()); // its CTC output is in the checkpoint
        QVERIFY(desk.workspace->viewState().at("form") == view.at("form"));
        fs::remove(file);
        QVERIFY(reopened());
        QVERIFY2(start().contains(QStringLiteral("checkpoint 20, whole model")), qPrintable(start()));
        QVERIFY2(mistake().contains(QStringLiteral("has no checkpoint “20”")), qPrintable(mistake()));
        fs::remove_all(run);
        QVERIFY(reopened());
        QVERIFY2(mistake().contains(QStringLiteral("is no longer in")), qPrintable(mistake()));
    }

    /// It was random weights after the next start.
    void aRunToResumeIsFoundAgain() {
        Desk desk("good");
        const auto run = desk.shop.run("2026-11-21T10-00_old", RunState::Stopped);
        QVERIFY(QTest::qWaitFor([&] { return desk.workspace->store()->find(run) != nullptr; }, 60000));
        QVERIFY(desk.workspace->form()->chooseStart(StartChoice::Kind::Resume, run));
        const nlohmann::json view = desk.workspace->form()->viewState();
        const auto start = [&] { return startOf(desk); };
        QVERIFY2(start().startsWith(QStringLiteral("Resume ")), qPrintable(start()));
        desk.workspace.reset();
        desk.open();
        QTRY_VERIFY2_WITH_TIMEOUT(start().startsWith(QStringLiteral("Resume ")), qPrintable(start()), 60000);
        QVERIFY(desk.workspace->form()->viewState() == view);
        desk.workspace.reset();
        fs::remove_all(run);
        desk.open();
        QCOMPARE(start(), QStringLiteral("Random weights"));
        QCOMPARE(desk.workspace->form()->viewState()["resume"].get<std::string>(), std::string());
    }

    /// The draft of a model is chosen again once its model is open; until then no other takes its place.
    void theDraftOfTheLastStartIsWaitedFor() {
        Desk desk("good");
        const Workshop workshop;
        const fs::path folder = workshop.model("drawn");
        const ModelId model = desk.session.openModel(folder);
        desk.session.setModelOpened(model, Workshop::info(3));
        desk.workspace->form()->chooseDraft({model, 0});
        const auto before = desk.workspace->form()->viewState();
        QCOMPARE(before["draft"]["model"].get<std::string>(), folder.string());
        desk.workspace.reset();
        desk.session.closeModel(model);
        desk.open();
        LaunchForm* form = desk.workspace->form();
        QVERIFY2(form->viewState() == before, form->viewState().dump(1).c_str());
        QVERIFY(!form->launch());
        QVERIFY2(form->mistakes().contains(QStringLiteral("architecture")), "another architecture is chosen");
        desk.session.setModelOpened(desk.session.openModel(folder), Workshop::info(3));
        QVERIFY2(form->viewState() == before, form->viewState().dump(1).c_str());
        QTRY_VERIFY_WITH_TIMEOUT(form->mistakes()[QStringLiteral("architecture")].contains(QStringLiteral("neither a decoder nor")), 60000); // its own mistake: it has no output
        form->chooseArchitecture(TrainWorkshop::resource("recipes/smoke.architecture.json"));
        QVERIFY(form->viewState()["draft"].is_null());
        QVERIFY(form->chooseStart(StartChoice::Kind::Whole, folder)); // the worker alone knows what such a folder holds
        QTRY_VERIFY_WITH_TIMEOUT(form->mistakes()[QStringLiteral("start")].contains(QStringLiteral("the weights do not fit")), 60000);
    }

    /// The form went on asking for the folder where the model had been.
    void aModelThatIsLocatedIsFollowed() {
        Desk desk("good");
        const Workshop workshop;
        const fs::path here = workshop.path() / "moved/reference", there = workshop.path() / "data/reference";
        (void)workshop.model("moved/reference");
        const ModelId model = desk.session.openModel(there);
        desk.session.setModelFailed(model, QStringLiteral("gone"));
        LaunchForm* form = desk.workspace->form();
        form->restoreView({{"draft", {{"model", there.string()}}}, {"startFrom", there.string()}, {"encoderOnly", true}});
        QVERIFY2(form->mistakes()[QStringLiteral("start")].contains(QStringLiteral("no longer in")), qPrintable(form->mistakes()[QStringLiteral("start")]));
        QVERIFY(form->mistakes()[QStringLiteral("architecture")].contains(QStringLiteral("chosen last")));
        const auto isAt = [&](const fs::path& folder) {
            const auto view = form->viewState();
            return view["draft"]["model"] == folder.string() && view["startFrom"] == folder.string() && view["encoderOnly"] == true;
        };
        QVERIFY2(isAt(there), form->viewState().dump(1).c_str());
        desk.session.setModelFolder(model, here);
        QVERIFY2(isAt(here), form->viewState().dump(1).c_str());
        desk.session.setModelOpened(model, Workshop::info(3));
        QVERIFY2(isAt(here), form->viewState().dump(1).c_str());
        QTRY_VERIFY_WITH_TIMEOUT(!form->mistakes()[QStringLiteral("architecture")].contains(QStringLiteral("chosen last")), 60000);
        QVERIFY(!form->mistakes()[QStringLiteral("start")].contains(QStringLiteral("no longer in")));
        desk.session.setModelFolder(model, there); // undone
        QVERIFY2(isAt(there), form->viewState().dump(1).c_str());
    }

    /// Only the newest experiment was ticked when the first folder came back.
    void everyRunsFolderKeepsItsTicks() {
        Desk desk("good");
        std::int64_t updates = 100;
        for (const char* name : {"2026-11-21T10-00_a", "2026-11-21T10-01_b", "2026-11-21T10-02_c"}) {
            Recipe recipe = TrainWorkshop::smoke();
            recipe.length.maxUpdates = ++updates;
            desk.shop.run(name);
            desk.shop.text(fs::path("runs") / name / "recipe.json", canonicalText(recipe));
        }
        auto* runs = desk.workspace->runTable()->runs();
        QVERIFY(QTest::qWaitFor([&] { return runs->rowCount() == 3; }, 60000));
        for (const auto& group : runs->groups())
            runs->setCompared(group.key, true);
        QStringList all = ticked(desk);
        QCOMPARE(all.size(), 3);
        const auto goTo = [&](const fs::path& folder) {
            setRunsFolder(desk, folder);
            QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->isReady(), 60000);
        };
        goTo(desk.shop.path() / "other");
        QVERIFY(ticked(desk).isEmpty());
        goTo(desk.shop.runs());
        QTRY_COMPARE_WITH_TIMEOUT(ticked(desk), all, 60000);
        for (const QString& key : all) // none is wanted
            runs->setCompared(key, false);
        goTo(desk.shop.path() / "other");
        goTo(desk.shop.runs());
        QTRY_COMPARE_WITH_TIMEOUT(runs->rowCount(), 3, 60000);
        QVERIFY(ticked(desk).isEmpty());
    }

    /// It was written when the window closed, and lost when it was killed. What the session keeps of it is older.
    void aChangedFormOutlivesAProgramThatIsKilled() {
        Desk desk("good");
        desk.workspace->form()->setSeeds(QStringLiteral("7"));
        const nlohmann::json session = desk.workspace->viewState();
        desk.workspace->form()->setSeeds(QStringLiteral("42"));
        QVERIFY(isKept(desk, QStringLiteral("42")));
        const auto killed = std::move(desk.workspace); // it says nothing more
        desk.open();
        QCOMPARE(seedsOf(desk), QStringLiteral("42"));
        desk.workspace->restoreView(session); // the session of then is opened
        QCOMPARE(seedsOf(desk), QStringLiteral("42"));
        desk.workspace->restoreView(session); // somebody opens it once more
        QCOMPARE(seedsOf(desk), QStringLiteral("7"));
    }

    /// The ticks were those of the session's last saving, although the form beside them was newer.
    void ticksAndTheReadingOfCurvesAreKeptWithIt() {
        Desk desk("good");
        std::int64_t updates = 100; // experiments of their own
        for (const char* name : {"2026-11-21T10-00_a", "2026-11-21T10-01_b", "2026-11-21T10-02_c"}) {
            Recipe recipe = TrainWorkshop::smoke();
            recipe.length.maxUpdates = ++updates;
            desk.shop.run(name);
            desk.shop.text(fs::path("runs") / name / "recipe.json", canonicalText(recipe));
        }
        const auto runs = [&] { return desk.workspace->runTable()->runs(); };
        QVERIFY(QTest::qWaitFor([&] { return runs()->rowCount() == 3 && !runs()->compared().empty(); }, 60000));
        for (const auto& group : runs()->groups())
            runs()->setCompared(group.key, group.key == runs()->groups().front().key);
        const nlohmann::json session = desk.workspace->viewState();
        const QStringList before = ticked(desk);
        for (const auto& group : runs()->groups())
            runs()->setCompared(group.key, !runs()->isCompared(group.key));
        auto reading = desk.workspace->curves()->reading();
        reading.smoothing = 0.25;
        desk.workspace->curves()->setReading(reading);
        const QStringList now = ticked(desk);
        QVERIFY(now != before && !now.isEmpty());
        QVERIFY(QTest::qWaitFor([&] { return desk.settings->formState(QStringLiteral("launch")).contains("\"smoothing\":0.25"); }, 60000));
        const auto killed = std::move(desk.workspace);
        desk.open();
        desk.workspace->restoreView(session); // the session of then is opened
        QTRY_COMPARE_WITH_TIMEOUT(ticked(desk), now, 60000);
        QCOMPARE(desk.workspace->curves()->reading().smoothing, 0.25);
        desk.workspace->restoreView(session); // somebody opens it once more
        QCOMPARE(ticked(desk), before);
    }

    /// An earlier version kept the form alone.
    void aFormThatWasKeptAloneIsTaken() {
        Desk desk("good");
        nlohmann::json form = desk.workspace->form()->viewState();
        form["seeds"] = "42";
        form["session"] = "\nUntitled";
        desk.workspace.reset();
        desk.settings->setFormState(QStringLiteral("launch"), QByteArray::fromStdString(form.dump()));
        desk.open();
        QCOMPARE(seedsOf(desk), QStringLiteral("42"));
    }

    /// A run was started on this machine's CPU after a restart, because nobody looked at Where again.
    void whereRunsAreComputedIsKept() {
        const OnePlace place;
        Desk desk("good");
        const auto every = [&] { return desk.workspace->form()->findChild<QCheckBox*>(QStringLiteral("allCheckpoints")); };
        desk.workspace->form()->choosePlace(QStringLiteral("gpu-1"));
        every()->setChecked(true);
        const nlohmann::json there = desk.workspace->form()->viewState();
        desk.workspace.reset();
        desk.open();
        QCOMPARE(desk.workspace->form()->chosenPlace(), QStringLiteral("gpu-1"));
        QVERIFY(every()->isChecked());
        desk.workspace->form()->choosePlace({});
        every()->setChecked(false);
        desk.workspace.reset();
        desk.open();
        QCOMPARE(desk.workspace->form()->chosenPlace(), QString());
        QVERIFY(!every()->isChecked());
        desk.workspace->form()->restoreView(there); // a session that was saved then
        QCOMPARE(desk.workspace->form()->chosenPlace(), QStringLiteral("gpu-1"));
        desk.workspace->form()->restoreView({{"seeds", "3"}}); // one of an earlier version
        QCOMPARE(desk.workspace->form()->chosenPlace(), QStringLiteral("gpu-1"));
    }

    void anotherSessionBringsItsForm() {
        Desk desk("good");
        desk.workspace->form()->setSeeds(QStringLiteral("7"));
        const nlohmann::json session = desk.workspace->viewState();
        desk.workspace->form()->setSeeds(QStringLiteral("42"));
        QVERIFY(isKept(desk, QStringLiteral("42")));
        const auto killed = std::move(desk.workspace);
        desk.open();
        desk.session.saveAs(desk.shop.path() / "other");
        desk.workspace->restoreView(session);
        QCOMPARE(seedsOf(desk), QStringLiteral("7"));
    }

    /// Start stayed enabled, and pressing it showed nothing.
    void aRunsFolderThatCannotBeMadeIsSaidAtItsField() {
        Desk desk("good");
        const auto* start = desk.workspace->findChild<QPushButton*>(QStringLiteral("startRuns"));
        setRunsFolder(desk, "/proc/foo/runs");
        QTRY_VERIFY2_WITH_TIMEOUT(runsMistake(desk).startsWith(QStringLiteral("/proc/foo/runs could not be created: ")), qPrintable(runsMistake(desk)),
                                  60000);
        QVERIFY(!start->isEnabled() && !desk.workspace->form()->launch());
        setRunsFolder(desk, desk.shop.text("file", "no folder"));
        QTRY_VERIFY_WITH_TIMEOUT(runsMistake(desk).endsWith(QStringLiteral("file is not a folder.")), 60000);
        setRunsFolder(desk, desk.shop.path() / "new" / "runs");
        QTRY_COMPARE_WITH_TIMEOUT(runsMistake(desk), QString(), 60000);
        QVERIFY(!fs::exists(desk.shop.path() / "new")); // it was only asked
    }

    /// The folder of before came back, and every run looked lost.
    void anEmptiedRunsFolderIsTheDefaultOne() {
        Desk desk("good");
        desk.shop.run("2026-11-21T10-00_a");
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->store()->runs().size(), std::size_t(1), 60000);
        auto* row = desk.workspace->form()->findChild<FormRow*>(QStringLiteral("folder"));
        auto* back = row->findChild<QToolButton*>();
        QVERIFY(back && back->isHidden()); // not the buttons of the field's actions, which come later
        setRunsFolder(desk, "/proc/foo/runs");
        const QString named = QStringLiteral("/proc/foo/runs could not be created");
        QTRY_VERIFY2_WITH_TIMEOUT(desk.workspace->statusText().startsWith(named), qPrintable(desk.workspace->statusText()), 60000);
        for (const QString& said : {desk.workspace->queueView()->emptySentence(), desk.workspace->runTable()->emptySentence()})
            QVERIFY2(said.startsWith(named) && said.endsWith(QStringLiteral("Choose another runs folder in New run.")), qPrintable(said));
        setRunsFolder(desk, {});
        QCOMPARE(row->findChild<QLineEdit*>()->text(), toQString(desk.shop.runs()));
        QCOMPARE(desk.settings->runsFolder(), QString());
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->store()->runs().size(), std::size_t(1), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->runTable()->emptySentence().startsWith(QStringLiteral("No runs yet.")), 60000);
        setRunsFolder(desk, "/proc/foo/runs");
        QTRY_VERIFY_WITH_TIMEOUT(!back->isHidden(), 60000);
        back->click();
        QCOMPARE(desk.workspace->store()->folder(), desk.shop.runs());
        QTRY_VERIFY_WITH_TIMEOUT(back->isHidden(), 60000);
    }

    void whatFailsAtTheStartIsSaidBesideTheButton() {
        Desk desk("good");
        LaunchForm* form = desk.workspace->form();
        QVERIFY(form->chooseRecipe(TrainWorkshop::resource("recipes/smoke.json")));
        QVERIFY(form->chooseArchitecture(TrainWorkshop::resource("recipes/smoke.architecture.json")));
        const fs::path corpus = desk.shop.corpus();
        for (const char* sound : {"u0.wav", "u1.wav", "u2.wav"})
            saveWav(corpus / sound, std::vector<float>(16000), kModelSampleRate);
        form->setData(corpus);
        form->values()->write("data.trainSplit", "all");
        form->values()->write("data.validationSplit", "all");
        QVERIFY(QTest::qWaitFor([&] { return form->launch().has_value(); }, 60000));
        fs::remove_all(queueFolder(desk.shop.runs()));
        desk.shop.text("runs/queue", "a file in its place");
        desk.workspace->findChild<QPushButton*>(QStringLiteral("startRuns"))->click();
        QStringList said;
        for (const QLabel* label : form->findChildren<QLabel*>())
            said << label->text();
        QVERIFY2(!said.filter(QStringLiteral("could not be created")).isEmpty(), qPrintable(said.join(u'\n')));
    }
};

HEADROOM_TEST(FormKeptTest)

} // namespace headroom::testing::form_kept_test

#include "form_kept_test.moc"
