// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/number_text.h"
#include "core/architecture/costs.h"
#include "tests/app/workspaces/train/whole_launch.h"
#include "tests/support/made_corpus.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <filesystem>

namespace headroom::testing::launch_values_test {

using namespace headroom::app;

class LaunchValuesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aStartWithACheckpointIsNamedAsTrainTakesIt() {
        const StartChoice whole{StartChoice::Kind::Whole, {}, "/runs/a", "20"}, encoder{StartChoice::Kind::Encoder, {}, "/runs/a", "best"};
        QCOMPARE(whole.argument(), std::string("/runs/a@20"));
        QCOMPARE(encoder.argument(), std::string("/runs/a@best:encoder"));
    }

    /// Some recipes name a paper, others say a sentence.
    void whereARecipeIsFromEndsWithAFullStop() {
        LaunchValues values = wholeLaunch();
        for (const char* source : {"Shim et al. 2022, Table 5", "Takes a minute."}) {
            values.base.source = source;
            const QString note = validate(values).notes.at(QStringLiteral("recipe"));
            QVERIFY2(note.endsWith(QLatin1Char('.')) && !note.endsWith(QLatin1String("..")), qPrintable(note));
        }
        values.base.source.clear();
        QCOMPARE(validate(values).notes.at(QStringLiteral("recipe")), QString());
    }

    /// “The demo model's weights do not fit it” stood above the demo model's architecture and weights, which fit.
    void whetherWeightsFitIsSaidOfThoseThatAreChosen() {
        LaunchValues values = wholeLaunch();
        values.architectureFile = TrainWorkshop::resource("recipes/demo-model.architecture.json");
        values.architecture = values.startArchitecture = readArchitecture(values.architectureFile);
        values.start = {StartChoice::Kind::Whole, QStringLiteral("demo"), "/models/demo"};
        for (const auto& entry : std::filesystem::directory_iterator(TrainWorkshop::resource("recipes"))) {
            const std::string name = entry.path().filename().string();
            if (entry.path().extension() != ".json" || name.find(".architecture.") != std::string::npos)
                continue;
            values.base = values.recipe = readRecipe(entry.path());
            const LaunchReport report = validate(values);
            const QString note = report.notes.at(QStringLiteral("recipe"));
            QVERIFY2(!note.contains(QStringLiteral("fit")), qPrintable(note));
            if (name == "demo.json")
                QVERIFY(!report.mistakes.contains(QStringLiteral("start")));
        }
    }

    void theCardThatWasChosenCountsMoreThanTheRecipesDevice_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QString>("card");
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("device");
        QTest::newRow("nothing was said") << "cpu" << "" << "" << "";
        QTest::newRow("a card") << "cpu" << "cuda:1" << "" << "cuda:1";
        QTest::newRow("the recipe's GPU, the CPU's card") << "cuda:0" << "" << "" << "cpu";
        QTest::newRow("the recipe's GPU, another card") << "cuda:0" << "cuda:1" << "" << "cuda:1";
        QTest::newRow("the recipe's GPU at another place") << "cuda:0" << "" << "gpu-1" << "";
    }
    void theCardThatWasChosenCountsMoreThanTheRecipesDevice() {
        QFETCH(QString, recipe);
        QFETCH(QString, card);
        QFETCH(QString, place);
        QFETCH(QString, device);
        LaunchValues values = wholeLaunch();
        values.recipe.machine.device = recipe.toStdString();
        values.device = card;
        values.place = place;
        const LaunchReport report = validate(values);
        QVERIFY(report.launch.has_value());
        QCOMPARE(QString::fromStdString(report.launch->device), device);
    }

    /// The worker would refuse it at the start of the run, in 190 tensors.
    void weightsOfAnotherShapeAreRefusedByTheForm() {
        LaunchValues values = wholeLaunch();
        values.start = {StartChoice::Kind::Whole, QStringLiteral("s2t, whole model"), "/models/s2t"};
        values.startVocabulary = values.architecture->vocabulary;
        values.startArchitecture = values.architecture;
        QVERIFY(validate(values).launch.has_value());
        values.startArchitecture->encoder.width = values.architecture->encoder.width + 32;
        const LaunchReport report = validate(values);
        QVERIFY(!report.launch);
        const QString said = report.mistakes.at(QStringLiteral("start"));
        QVERIFY2(said.startsWith(QStringLiteral("s2t, whole model: the weights do not fit, because its width is")), qPrintable(said));
        QVERIFY(checkState(report, QStringLiteral("Form")) == Check::State::Failed);
        // A deeper model has every layer that is wanted; a decoder of another size matters only where it is taken.
        values.startArchitecture = values.architecture;
        values.startArchitecture->encoder.layers.push_back(values.architecture->encoder.layers.back());
        QVERIFY(validate(values).launch.has_value());
        values.startArchitecture->decoder->width += 32;
        QVERIFY(!validate(values).launch);
        values.start.kind = StartChoice::Kind::Encoder;
        QVERIFY(validate(values).launch.has_value());
        values.startArchitecture->encoder.layers.clear();
        QVERIFY(!validate(values).launch);
    }
    /// The form promised a CTC output and the model's pieces to a model without any output, and the worker refused the job.
    void aModelWithoutAnOutputIsRefusedByTheForm() {
        LaunchValues values = wholeLaunch();
        values.architecture->name = "hubert-model";
        values.architecture->decoder.reset();
        values.architecture->ctc.reset();
        values.architecture->vocabulary = 0;
        values.start = {StartChoice::Kind::Whole, QStringLiteral("hubert-model, whole model"), "/models/hubert-model"};
        values.startVocabulary = 32;
        values.startArchitecture = values.architecture;
        values.recipe.loss.ctcWeight = 0.3;
        const LaunchReport report = validate(values);
        QVERIFY(!report.launch && !report.notes.contains(QStringLiteral("architecture")));
        QCOMPARE(report.mistakes.at(QStringLiteral("architecture")),
                 QStringLiteral("“hubert-model” has neither a decoder nor a CTC output, so it cannot be trained."));
        QVERIFY(checkState(report, QStringLiteral("Form")) == Check::State::Failed);
        values.architecture->ctc = 32;
        QVERIFY(validate(values).launch.has_value());
    }
    /// A loss that the architecture has no part for is a matter of the recipe.
    void aLossThatDoesNotFitIsRefusedByTheForm() {
        LaunchValues values = wholeLaunch();
        values.architecture->ctc = values.architecture->vocabulary;
        values.recipe.loss.ctcWeight = 0;
        LaunchReport report = validate(values);
        QVERIFY(!report.launch && report.notes.contains(QStringLiteral("architecture")));
        QVERIFY2(report.mistakes.at(QStringLiteral("recipe")).endsWith(QStringLiteral("which is not trained if loss.ctcWeight is 0.")),
                 qPrintable(report.mistakes.at(QStringLiteral("recipe"))));
        values.recipe.loss.ctcWeight = 0.3;
        QVERIFY(validate(values).launch.has_value());
        values.architecture->decoder.reset();
        values.recipe.loss.smoothing = "unigram";
        report = validate(values);
        QVERIFY2(report.mistakes.at(QStringLiteral("recipe")).contains(QStringLiteral("has no decoder, so loss.smoothing")),
                 qPrintable(report.mistakes.at(QStringLiteral("recipe"))));
    }
    void headsWithoutWeightsAreRefusedByTheForm() {
        LaunchValues values = wholeLaunch();
        values.start = {StartChoice::Kind::Encoder, QStringLiteral("demo, encoder only"), "/models/demo"};
        values.startVocabulary = values.architecture->vocabulary;
        values.startArchitecture = values.architecture;
        auto& layer = values.architecture->encoder.layers.back();
        const int heads = layer.headCount();
        layer.heads = parseHeads(std::to_string(heads - 1) + " full + 1 conv 5/2");
        const LaunchReport report = validate(values);
        QVERIFY(!report.launch);
        QCOMPARE(report.mistakes.at(QStringLiteral("start")),
                 QStringLiteral("demo, encoder only: the weights do not fit, because layer %1, head %2 (conv 5/2) needs a convolution "
                                "that the model does not have; start from random weights, or make this head full or local.")
                     .arg(values.architecture->encoder.layers.size())
                     .arg(heads));
        QVERIFY(checkState(report, QStringLiteral("Form")) == Check::State::Failed);
        // Its values are twice as wide: the run failed at once.
        layer.heads = parseHeads(std::to_string(heads) + " reuse 1");
        QVERIFY(!validate(values).launch);
        values.startArchitecture->encoder.layers.back() = layer;
        QVERIFY(validate(values).launch.has_value());
    }
    void aFormWithoutDataIsNotComplete() {
        LaunchValues values = wholeLaunch();
        values.data.clear();
        QVERIFY(checkState(validate(values), QStringLiteral("Form")) == Check::State::Unknown);
    }
    void whatIsWholeCanBeStarted() {
        LaunchValues values = wholeLaunch();
        const LaunchReport report = validate(values);
        QVERIFY2(report.mistakes.empty(), qPrintable(report.sentence));
        QVERIFY(report.launch.has_value());
        QCOMPARE(report.launch->seeds, (std::vector<std::uint64_t>{1, 2, 3}));
        QVERIFY(report.launch->architectureFile == values.architectureFile);
        QCOMPARE(report.launch->startFrom, std::string());
        QVERIFY(report.sentence.startsWith(QStringLiteral("3 runs in sequence.")));
        values.place = QStringLiteral("lab");
        QCOMPARE(validate(values).sentence,
                 QStringLiteral("Data goes to lab once, and the 3 runs appear here as they grow. They continue when this window is closed."));
        QCOMPARE(report.notes.at(QStringLiteral("data")), QStringLiteral("1,200 to train on, 34 to validate (10 of them decoded)"));
        for (const Check& check : report.checks)
            QVERIFY2(check.state == Check::State::Passed, qPrintable(check.name));
    }

    /// "63 to validate", of which 40 made up the WER of dev.
    void theFormSaysHowManyUtterancesAreDecoded() {
        LaunchValues values = wholeLaunch();
        const auto note = [&] { return validate(values).notes.at(QStringLiteral("data")); };
        values.recipe.validation.maxUtterances = 34;
        QCOMPARE(note(), QStringLiteral("1,200 to train on, 34 to validate"));
        values.recipe.validation.maxUtterances = 33;
        QCOMPARE(note(), QStringLiteral("1,200 to train on, 34 to validate (33 of them decoded)"));
    }

    void aMistakeIsNamedAtItsFieldAndNothingStarts_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("part");
        for (const auto& [field, part] : {std::pair("architecture", "broken.json: no layers"),
                                          {"recipe", "No recipe"},
                                          {"data", "has no utterance"},
                                          {"start", "is not a model folder"},
                                          {"seeds", "“b” is not a seed"},
                                          {"batch", "at least 1"}})
            QTest::newRow(field) << field << part;
    }
    void aMistakeIsNamedAtItsFieldAndNothingStarts() {
        QFETCH(QString, field);
        QFETCH(QString, part);
        LaunchValues values = wholeLaunch();
        if (field == QLatin1String("architecture")) {
            values.architecture.reset();
            values.architectureMistake = QStringLiteral("broken.json: no layers");
        } else if (field == QLatin1String("recipe")) {
            values.recipeMistake = QStringLiteral("No recipe. Open one.");
        } else if (field == QLatin1String("data")) {
            values.facts->mistake = QStringLiteral("corpus has no utterance to train on in “train”.");
        } else if (field == QLatin1String("start")) {
            values.start = {StartChoice::Kind::Whole, {}, "/usr"};
            values.startMistake = mistakeOf(values.start);
        } else if (field == QLatin1String("seeds")) {
            values.seeds = QStringLiteral("1 b");
        } else {
            values.wrongValues[kBatchKey] = QStringLiteral("this must be at least 1");
        }
        const LaunchReport report = validate(values);
        QCOMPARE(report.mistakes.size(), std::size_t(1));
        QVERIFY2(report.mistakes.at(field).contains(part), qPrintable(report.mistakes.at(field)));
        QVERIFY(!report.launch);
        QCOMPARE(report.sentence, QStringLiteral("1 field needs correcting."));
        QVERIFY(checkState(report, QStringLiteral("Form is complete")) == Check::State::Failed);
    }

    void twoMistakesAreCounted() {
        LaunchValues values = wholeLaunch();
        values.seeds.clear();
        values.recipeMistake = QStringLiteral("No recipe. Open one.");
        QCOMPARE(validate(values).sentence, QStringLiteral("2 fields need correcting."));
        values.wrongValues["data.minFrames"] = QStringLiteral("This must be a whole number."); // has no row of its own
        values.wrongValues[kBatchKey] = QStringLiteral("this must be at least 1");
        QCOMPARE(validate(values).sentence, QStringLiteral("4 fields need correcting."));
    }

    void whatIsNotKnownYetIsNoMistake() {
        LaunchValues values = wholeLaunch();
        values.facts.reset();
        LaunchReport report = validate(values);
        QVERIFY(report.mistakes.empty() && !report.launch);
        QCOMPARE(report.notes.at(QStringLiteral("data")), QStringLiteral("loading…"));
        QCOMPARE(report.sentence, QStringLiteral("Loading the data…"));
        QVERIFY(checkState(report, QStringLiteral("Data readable")) == Check::State::Unknown);
        values = wholeLaunch();
        values.recipe.data.trainSplit = "other"; // then what was read is of another split
        QVERIFY(!validate(values).launch);
        values.data.clear();
        QCOMPARE(validate(values).sentence, QStringLiteral("No data yet."));
    }

    /// A corpus with one split was counted twice, and nothing said that the scores are of what was learnt.
    void oneSplitForBothIsCountedOnceAndRemarkedOn() {
        const QTemporaryDir folder;
        namespace fs = std::filesystem;
        const fs::path corpus = makeCorpus(folder.path().toStdString());
        fs::copy_file(fs::path(HEADROOM_SOURCE_DIR) / "tests/data/s2t-reference/sentencepiece.bpe.model", corpus / "asr.sentencepiece.model");
        LaunchValues values = wholeLaunch();
        values.data = corpus;
        values.recipe.task = "asr";
        values.recipe.data.trainSplit = "train";
        values.recipe.data.validationSplit = "dev";
        values.facts = readDataFacts(corpus, values.recipe, {});
        const QString remark = QStringLiteral("Validation on other data");
        const auto find = [](const LaunchReport& report, const QString& name) {
            for (const Check& check : report.checks)
                if (check.name == name)
                    return check;
            return Check{};
        };
        QCOMPARE(find(validate(values), remark).name, QString());
        QCOMPARE(find(validate(values), QStringLiteral("Data readable")).value, QStringLiteral("70"));
        QCOMPARE(values.facts->unknown->texts, std::int64_t(70));
        values.recipe.data.validationSplit = "train";
        values.facts = readDataFacts(corpus, values.recipe, {});
        QCOMPARE(values.facts->recordings, qint64(60));
        QCOMPARE(values.facts->lookedAt, qint64(60));
        QCOMPARE(values.facts->unknown->texts, std::int64_t(59));
        values.recipe.data.maxFrames = *std::ranges::max_element(values.facts->lengths) - 1;
        const auto longest = std::ranges::count(values.facts->lengths, values.recipe.data.maxFrames + 1);
        const LaunchReport report = validate(values);
        QCOMPARE(find(report, QStringLiteral("Data readable")).value, QStringLiteral("59"));
        QVERIFY(find(report, remark).state == Check::State::Remark);
        QCOMPARE(find(report, remark).value, QStringLiteral("same split, “train”"));
        QVERIFY2(report.notes.at(QStringLiteral("data"))
                     .startsWith(QStringLiteral("%1 to train on, 59 to validate (10 of them decoded); %2 ").arg(59 - longest).arg(longest)),
                 qPrintable(report.notes.at(QStringLiteral("data"))));
        values.recipe.task = "lm"; // its sentences likewise
        values.facts = readDataFacts(corpus, values.recipe, {});
        QCOMPARE(values.facts->train, 59);
        QCOMPARE(values.facts->validation, 59);
    }

    void withoutAWorkerNothingStarts() {
        LaunchValues values = wholeLaunch();
        values.worker = {};
        values.worker.sentence = QStringLiteral("headroom-worker was not found.");
        const LaunchReport report = validate(values);
        QVERIFY(!report.launch);
        QCOMPARE(report.sentence, values.worker.sentence);
    }

    void aSnapshotToStartFromHasItsName() {
        QTemporaryDir place;
        const std::filesystem::path snapshot = std::filesystem::path(place.path().toStdString()) / "models--org--base" / "snapshots" / "0123abc";
        std::filesystem::create_directories(snapshot);
        const QString said = mistakeOf({StartChoice::Kind::Whole, {}, snapshot});
        QVERIFY2(said.startsWith(QStringLiteral("base is not a model folder")), qPrintable(said));
    }

    /// A run counted 97,607 parameters where Design had 86,816; and 1.44 M in the form were 1.41 M in Runs.
    void theParametersAreThoseOfTheModelAndOfTheTraining() {
        LaunchValues values = wholeLaunch();
        values.architecture->ctc.reset();
        values.recipe.loss.ctcWeight = 0;
        const auto note = [&] { return validate(values).notes.at(QStringLiteral("architecture")); };
        const QString without = note();
        QVERIFY2(!without.contains(QStringLiteral("CTC")), qPrintable(without));
        values.recipe.loss.ctcWeight = 0.3;
        Architecture trained = *values.architecture;
        trained.ctc = trained.vocabulary;
        const auto millions = [](const Architecture& one) { return decimals(double(parameterCosts(one).parameters) / 1e6, 2); };
        QVERIFY(millions(trained) != millions(*values.architecture));
        QVERIFY2(note().startsWith(without), qPrintable(note())); // as Design and Runs count
        QVERIFY2(note().contains(QStringLiteral("%1 M parameters\n%2 M in training: a CTC output").arg(millions(*values.architecture), millions(trained))),
                 qPrintable(note()));
        values.architecture->ctc = trained.ctc; // it has one, which stays
        QVERIFY2(note().contains(millions(trained)) && !note().contains(QStringLiteral("CTC")), qPrintable(note()));
    }

    void aChangedValueSaysWhatTheRecipeHas() {
        LaunchValues values = wholeLaunch();
        values.set = {std::string(kUpdatesKey) + "=60"};
        const LaunchReport report = validate(values);
        QCOMPARE(report.notes.at(QStringLiteral("updates")), QStringLiteral("changed, recipe: 120"));
        QVERIFY(!report.notes.contains(QStringLiteral("batch")));
        QCOMPARE(report.launch->set, values.set);
    }

    void aResumedRunBringsItsOwn() {
        LaunchValues values = wholeLaunch();
        values.start = {StartChoice::Kind::Resume, {}, "/runs/one"};
        values.facts->mistake = QStringLiteral("no corpus"); // of the fields that are off
        values.seeds = QStringLiteral("x");
        const LaunchReport report = validate(values);
        QVERIFY(!report.launch && report.mistakes.empty());
        QCOMPARE(report.checks.size(), 1);
        QCOMPARE(report.notes.size(), std::size_t(1));
        QCOMPARE(report.sentence, QStringLiteral("Continues from the last checkpoint."));
    }

    void littleDiskSpaceIsARemark() {
        LaunchValues values = wholeLaunch();
        values.disk = 1000;
        const LaunchReport report = validate(values);
        QVERIFY(report.launch.has_value());
        QVERIFY(checkState(report, QStringLiteral("Disk space")) == Check::State::Remark);
    }

    void theDemoCorpusSaysHowFarItIs() {
        LaunchValues values = wholeLaunch();
        values.making = QStringLiteral("120 of 900 sentences");
        QCOMPARE(validate(values).notes.at(QStringLiteral("data")), values.making);
        values.facts->mistake = QStringLiteral("demo has no task translate."); // what stands in the field meanwhile will not do
        QVERIFY(!validate(values).launch && validate(values).sentence == QStringLiteral("The demo corpus is being made."));
        values.making.clear();
        values.makingFailure = QStringLiteral("espeak-ng was not found.");
        QCOMPARE(validate(values).mistakes.at(QStringLiteral("data")), values.makingFailure);
    }
};

HEADROOM_TEST(LaunchValuesTest)

} // namespace headroom::testing::launch_values_test

#include "launch_values_test.moc"
