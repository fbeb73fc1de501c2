// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/data/data_view.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/launch_sources.h"
#include "app/workspaces/train/recipe_model.h"
#include "app/workspaces/train/train_actions.h"
#include "tests/app/runs/train_workshop.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/made_corpus.h"
#include "tests/support/runner.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

namespace headroom::testing::recipe_model_test {

using namespace headroom::app;
using headroom::testing::Desk;
using headroom::testing::makeCorpus;
using headroom::testing::TrainWorkshop;

namespace {

QModelIndex valueOf(const RecipeModel& model, const QString& key) {
    for (int row = 0; row < model.rowCount(); ++row)
        if (model.index(row, RecipeModel::Key).data().toString() == key)
            return model.index(row, RecipeModel::Value);
    return {};
}

} // namespace

class RecipeModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyValueIsThereAndCanBeChanged() {
        RecipeModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setBase(TrainWorkshop::smoke());
        QCOMPARE(model.rowCount(), int(recipeFields().size()));
        const QModelIndex updates = valueOf(model, "length.maxUpdates");
        QCOMPARE(updates.data().toString(), QStringLiteral("120"));
        QVERIFY(model.setData(updates, "60"));
        QCOMPARE(model.recipe().length.maxUpdates, 60);
        QVERIFY(updates.data(RecipeModel::ChangedRole).toBool());
        QCOMPARE(model.changes(), (std::vector<std::string>{"length.maxUpdates=60"}));
        QVERIFY(model.setData(valueOf(model, "optimiser.kind"), "adam-fairseq"));
        QCOMPARE(model.recipe().optimiser.kind, std::string("adam-fairseq"));
        model.takeBack("length.maxUpdates");
        QCOMPARE(model.recipe().length.maxUpdates, 120);
    }

    void theRecipesOwnValueIsNoChange() {
        RecipeModel model;
        model.setBase(TrainWorkshop::smoke());
        model.write("length.maxUpdates", "120");
        QCOMPARE(model.changeCount(), 0);
    }

    void aMistakeStaysWhereItIsWithItsSentence_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("part");
        QTest::newRow("range") << "optimiser.beta1"
                               << "1.5"
                               << "0.999999";
        QTest::newRow("kind") << "length.maxUpdates"
                              << "many"
                              << "whole number from 1 to 1,000,000,000, not “many”.";
        QTest::newRow("negative") << "data.maxBatchFrames"
                                  << "-5"
                                  << ", not −5.";
        QTest::newRow("empty") << "data.maxBatchFrames"
                               << ""
                               << "1,000,000,000.";
        QTest::newRow("word") << "optimiser.kind"
                              << "adm"
                              << "nearest is “adam”";
        QTest::newRow("together") << "data.maxFrames"
                                  << "2"
                                  << "No utterance";
    }
    void aMistakeStaysWhereItIsWithItsSentence() {
        QFETCH(QString, key);
        QFETCH(QString, text);
        QFETCH(QString, part);
        RecipeModel model;
        model.setBase(TrainWorkshop::smoke());
        model.write(key, text);
        QVERIFY(model.recipe() == TrainWorkshop::smoke()); // what counts is the last valid text
        QCOMPARE(valueOf(model, key).data().toString(), text);
        const QString sentence = valueOf(model, key).data(RecipeModel::MistakeRole).toString();
        QVERIFY2(sentence.contains(part), qPrintable(sentence));
        QVERIFY(model.mistakes().contains(key.toStdString()));
        model.takeAllBack();
        QVERIFY(model.mistakes().empty());
    }

    /// With the minus and the commas that stand in the form.
    void aNumberIsReadAsItIsShown() {
        RecipeModel model;
        model.setBase(TrainWorkshop::smoke());
        model.write("length.maxUpdates", "1,000");
        QCOMPARE(model.changes(), std::vector<std::string>{"length.maxUpdates=1000"});
        model.write("length.maxUpdates", "−5");
        QCOMPARE(model.changes(), std::vector<std::string>{"length.maxUpdates=-5"});
        model.write("optimiser.learningRate", "0,1");
        QVERIFY(model.mistakes().contains("optimiser.learningRate"));
    }

    /// Only the fields without a button beside them were ringed.
    void aWrongValueIsRingedAtItsField() {
        Desk desk("good");
        LaunchForm* form = desk.workspace->form();
        for (const QString& name : {QStringLiteral("Batch, frames"), QStringLiteral("Updates")}) {
            QLineEdit* field = nullptr;
            for (auto* line : form->findChildren<QLineEdit*>())
                field = line->accessibleName() == name ? line : field;
            QVERIFY(field);
            QVERIFY(!field->property("mistake").toBool());
            field->setText(QStringLiteral("-5"));
            Q_EMIT field->editingFinished();
            QTRY_VERIFY_WITH_TIMEOUT(field->property("mistake").toBool(), 60000);
            QVERIFY2(field->accessibleDescription().endsWith(QStringLiteral("not −5.")), qPrintable(field->accessibleDescription()));
        }
    }

    /// What the worker writes with: the model that the run exported, else what the run began with.
    void aCheckpointWritesWithTheVocabularyOfItsRun() {
        const TrainWorkshop shop;
        const std::filesystem::path run = shop.run("2026-11-21T10-31_a_seed-1");
        StartChoice start{StartChoice::Kind::Whole, {}, run, "20"};
        QCOMPARE(start.vocabularyModel(), std::filesystem::path("/corpora/demo"));
        RunInfo info = readRun(run);
        info.startFrom = "/models/demo";
        writeRun(run, info);
        QCOMPARE(start.vocabularyModel(), std::filesystem::path("/models/demo"));
        info.startFrom += ":encoder";
        writeRun(run, info);
        QCOMPARE(start.vocabularyModel(), std::filesystem::path("/corpora/demo"));
        std::filesystem::create_directories(RunPaths{run}.model());
        QCOMPARE(start.vocabularyModel(), RunPaths{run}.model());
        start.kind = StartChoice::Kind::Encoder;
        QVERIFY(start.vocabularyModel().empty());
    }

    void changesThatAreRightOnlyTogetherAreTaken() {
        RecipeModel model;
        model.setBase(TrainWorkshop::smoke()); // batches of 3,000 frames
        model.write("data.maxFrames", "5000");
        QVERIFY(!model.mistakes().empty());
        model.write("data.maxBatchFrames", "6000");
        QVERIFY(model.mistakes().empty());
        QCOMPARE(model.recipe().data.maxFrames, 5000);
    }

    void changesOutliveAnotherRecipe() {
        RecipeModel model;
        model.setBase(TrainWorkshop::smoke());
        model.write("length.maxUpdates", "60");
        model.setBase(readRecipe(TrainWorkshop::resource("recipes/demo.json")));
        QCOMPARE(model.recipe().length.maxUpdates, 60);
        QCOMPARE(model.changeCount(), 1);
    }

    /// A batch of 2,000 frames became one of 2,000 tokens with the recipe of a language model.
    void lengthsStayWithTheUnitInWhichTheyWereWritten() {
        const Recipe speech = TrainWorkshop::smoke(), text = readRecipe(TrainWorkshop::resource("recipes/demo-lm.json"));
        RecipeModel model;
        model.setBase(speech);
        model.write("data.maxBatchFrames", "5000");
        model.write("length.maxUpdates", "60");
        model.setBase(text);
        QCOMPARE(model.changes(), std::vector<std::string>{"length.maxUpdates=60"});
        QCOMPARE(model.recipe().data.maxBatchFrames, text.data.maxBatchFrames);
        model.write("data.maxBatchFrames", "700");
        model.setBase(readRecipe(TrainWorkshop::resource("recipes/demo-text.json"))); // tokens too
        QCOMPARE(model.recipe().data.maxBatchFrames, 700);
        model.setBase(speech);
        QCOMPARE(model.recipe().data.maxBatchFrames, 5000);
        model.takeAllBack();
        model.setBase(text);
        QCOMPARE(model.changeCount(), 0);
    }

    /// With the recipe of a language model chosen, "lm" was trained with the recipe for speech that was chosen next.
    void aTaskIsResetWithARecipeOfAnotherKind() {
        const Recipe speech = TrainWorkshop::smoke(), text = readRecipe(TrainWorkshop::resource("recipes/demo-lm.json"));
        RecipeModel model;
        model.setBase(text);
        model.write("task", "lm_de");
        model.write("length.maxUpdates", "60");
        model.setBase(speech);
        QCOMPARE(model.recipe().task, speech.task);
        QCOMPARE(model.changes(), std::vector<std::string>{"length.maxUpdates=60"});
        QVERIFY2(model.resetNote().endsWith(QStringLiteral(": task.")), qPrintable(model.resetNote()));
        model.write("validation.best", "wer");
        model.write("augmentation.timeMasks", "2");
        model.write("loss.ctcWeight", "0.5");
        model.setBase(text); // with the changes that were made for it
        QCOMPARE(model.changes(), (std::vector<std::string>{"task=\"lm_de\"", "length.maxUpdates=60"}));
        for (const char* key : {"validation.best", "augmentation.timeMasks", "loss.ctcWeight"})
            QVERIFY2(model.resetNote().contains(QLatin1String(key)), qPrintable(model.resetNote()));
        model.setBase(speech);
        QCOMPARE(model.recipe().validation.best, std::string("wer"));
        model.setBase(readRecipe(TrainWorkshop::resource("recipes/demo.json"))); // recognition too
        QCOMPARE(model.recipe().validation.best, std::string("wer"));
        QCOMPARE(model.resetNote(), QString());
        model.write("task", "lm_de"); // what the next recipe trains as well
        model.setBase(text);
        QCOMPARE(model.recipe().task, std::string("lm_de"));
    }

    void theFormSaysWhichValuesWereReset() {
        Desk desk("good");
        LaunchForm* form = desk.workspace->form();
        form->values()->write(QStringLiteral("task"), QStringLiteral("st_de"));
        const auto note = [&] {
            QStringList texts;
            for (const auto* label : form->findChildren<QLabel*>())
                texts << label->text();
            return texts.filter(QStringLiteral("Reset, because this recipe is for another kind of task: task.")).size();
        };
        QCOMPARE(note(), 0);
        QVERIFY(form->chooseRecipe(TrainWorkshop::resource("recipes/demo-lm.json")));
        QCOMPARE(form->values()->recipe().task, std::string("lm"));
        QCOMPARE(note(), 1);
        form->values()->takeAllBack();
        QTRY_COMPARE_WITH_TIMEOUT(note(), 0, 60000);
    }

    /// *Train with it…*: the form trained recognition although a translation was looked at.
    void theTaskThatDataShowsIsTaken() {
        Desk desk("good");
        DataView* view = desk.workspace->data();
        const RecipeModel* values = desk.workspace->form()->values();
        QCOMPARE(values->recipe().task, std::string("asr"));
        desk.workspace->actions().data->trigger();
        view->open(makeCorpus(desk.shop.path() / "made"));
        QVERIFY(QTest::qWaitFor([&] { return !view->isPending() && view->current(); }, 60000));
        QComboBox* tasks = nullptr;
        for (auto* field : view->findChildren<QComboBox*>())
            tasks = field->accessibleName() == QLatin1String("Task") ? field : tasks;
        QVERIFY(tasks);
        tasks->setCurrentText(QStringLiteral("st_de"));
        Q_EMIT tasks->activated(tasks->currentIndex());
        QVERIFY(QTest::qWaitFor([&] { return view->current()->summary.task == "st_de"; }, 60000));
        QTest::mouseClick(view->trainButton(), Qt::LeftButton);
        QCOMPARE(values->recipe().task, std::string("st_de"));
        desk.workspace->actions().data->trigger();
        QVERIFY(QTest::qWaitFor([&] { return !desk.workspace->isPending(); }, 60000));
        QCOMPARE(tasks->currentText(), QStringLiteral("st_de"));
    }

    /// The tokens that the recipe of a language model allows were taken for frames of speech, and its task became recognition.
    void theLimitsOfALanguageModelAreTokens() {
        Desk desk("good");
        DataView* view = desk.workspace->data();
        const RecipeModel* values = desk.workspace->form()->values();
        QVERIFY(desk.workspace->form()->chooseRecipe(TrainWorkshop::resource("recipes/demo-lm.json")));
        QCOMPARE(values->recipe().task, std::string("lm"));
        desk.workspace->actions().data->trigger();
        view->open(makeCorpus(desk.shop.path() / "made"));
        QVERIFY(QTest::qWaitFor([&] { return !view->isPending() && view->current(); }, 60000));
        QVERIFY2(!view->statusText().contains(QLatin1String("too long")), qPrintable(view->statusText()));
        QVERIFY2(view->statusText().endsWith(QLatin1String("The recipe limits tokens of text, not seconds.")), qPrintable(view->statusText()));
        QTest::mouseClick(view->trainButton(), Qt::LeftButton);
        QVERIFY(!desk.workspace->actions().data->isChecked());
        QCOMPARE(values->changes(), std::vector<std::string>());
        // The texts of another task are shown, and learnt.
        desk.workspace->actions().data->trigger();
        QComboBox* tasks = nullptr;
        for (auto* field : view->findChildren<QComboBox*>())
            tasks = field->accessibleName() == QLatin1String("Task") ? field : tasks;
        QVERIFY(tasks);
        tasks->setCurrentText(QStringLiteral("st_de"));
        Q_EMIT tasks->activated(tasks->currentIndex());
        QVERIFY(QTest::qWaitFor([&] { return view->current()->summary.task == "st_de"; }, 60000));
        QTest::mouseClick(view->trainButton(), Qt::LeftButton);
        QCOMPARE(values->changes(), std::vector<std::string>{"task=\"lm_st_de\""});
    }
};

HEADROOM_TEST(RecipeModelTest)

} // namespace headroom::testing::recipe_model_test

#include "recipe_model_test.moc"
