// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the weights of a model can begin those of an architecture, of any kind.
#include "app/workspaces/train/start_fit.h"

#include "core/architecture/weight_shapes.h"
#include "tests/app/workspaces/train/whole_launch.h"
#include "tests/support/runner.h"

#include <QTest>

#include <algorithm>
#include <filesystem>

namespace headroom::testing::start_fit_test {

using namespace headroom::app;

namespace {

Architecture document(const char* name) {
    return readArchitecture(TrainWorkshop::resource("recipes") / (std::string(name) + ".architecture.json"));
}

} // namespace

class StartFitTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The form was complete, and the worker refused each run in 35 tensors.
    void aLanguageModelDoesNotStartFromASpeechModel() {
        LaunchValues values = wholeLaunch();
        values.architecture = document("demo-lm");
        values.base = values.recipe = readRecipe(TrainWorkshop::resource("recipes/demo-lm.json"));
        values.facts->task = values.recipe.task;
        values.facts->trainSplit = values.recipe.data.trainSplit;
        values.facts->validationSplit = values.recipe.data.validationSplit;
        values.facts->lengths.assign(1200, 20);
        values.facts->validationLengths.assign(34, 20);
        QVERIFY2(validate(values).launch.has_value(), qPrintable(validate(values).sentence));
        values.start = {StartChoice::Kind::Whole, QStringLiteral("demo, whole model"), "/models/demo"};
        values.startArchitecture = document("demo");
        values.startVocabulary = values.startArchitecture->vocabulary;
        const LaunchReport report = validate(values);
        QVERIFY(!report.launch);
        QCOMPARE(report.mistakes.at(QStringLiteral("start")),
                 QStringLiteral("demo, whole model: the weights do not fit, because it is not a language model, but this architecture is."));
    }

    /// All checks were green, and the worker refused each run in its first sentence: a text is no recording.
    void anArchitectureIsTrainedOnWhatItReads() {
        QCOMPARE(whyNotFor(document("demo"), "translate"),
                 QStringLiteral("This architecture reads speech, but the recipe trains on parallel text (task translate)."));
        QCOMPARE(whyNotFor(document("demo-text"), "asr"),
                 QStringLiteral("This architecture reads text, but the recipe trains on recordings (task asr)."));
        QVERIFY(whyNotFor(document("demo"), "st_de").isEmpty() && whyNotFor(document("demo-text"), "translate_es").isEmpty());
        QVERIFY(whyNotFor(document("demo-lm"), "lm").isEmpty() && !whyNotFor(document("demo-text"), "lm").isEmpty());
        LaunchValues values = wholeLaunch();
        values.recipe.task = values.facts->task = "translate";
        const LaunchReport report = validate(values);
        QVERIFY(!report.launch);
        QVERIFY(report.mistakes.at(QStringLiteral("architecture")).contains(QStringLiteral("reads speech")));
    }

    void whatDiffersIsSaid_data() {
        QTest::addColumn<std::function<void(Architecture&)>>("change");
        QTest::addColumn<QString>("said");
        using Change = std::function<void(Architecture&)>;
        QTest::newRow("nothing") << Change([](Architecture&) {}) << "";
        QTest::newRow("width") << Change([](Architecture& model) { model.languageModel->width = 64; })
                               << "its width is 64, and this architecture's is 96";
        QTest::newRow("layers") << Change([](Architecture& model) { model.languageModel->layers = 1; })
                                << "it has 1 layer, and this architecture has 2";
        QTest::newRow("kind") << Change([](Architecture& model) { model.languageModel->kind = LanguageModelKind::Lstm; })
                              << "it is an LSTM, but this architecture is a Transformer";
        QTest::newRow("pieces") << Change([](Architecture& model) { model.vocabulary = 500; })
                                << "its tensor model.embed_tokens.weight is 500 × 96, and this architecture's is 512 × 96";
        QTest::newRow("a deeper one") << Change([](Architecture& model) { model.languageModel->layers = 3; }) << "";
    }
    void whatDiffersIsSaid() {
        QFETCH(std::function<void(Architecture&)>, change);
        QFETCH(QString, said);
        const Architecture ours = document("demo-lm");
        Architecture model = ours;
        change(model);
        QCOMPARE(whyNotFrom(model, ours, false), said);
    }

    /// What no sentence of its own was written for: the tensors differ.
    void anyOtherPartIsComparedByItsTensors() {
        const Architecture ours = document("demo");
        Architecture model = ours;
        model.encoder.positions = Positions::Relative;
        QCOMPARE(whyNotFrom(ours, model, false).left(56), QStringLiteral("it has no tensor model.encoder.layers.0.self_attn.linear_pos.weight").left(56));
        model = ours;
        model.ctc = 40; // a model without a CTC output leaves it as it is drawn; one of another size does not fit
        QCOMPARE(whyNotFrom(ours, model, false), QString());
        Architecture other = model;
        other.ctc = 50;
        QVERIFY(whyNotFrom(other, model, false).startsWith(QStringLiteral("its tensor ctc.weight is 50 × ")));
        QCOMPARE(whyNotFrom(other, model, true), QString()); // it is not of the encoder
    }

    /// The tensors of sinusoidal and rotary positions are the same, and nothing said that the weights know others.
    void otherPositionsAreNoted() {
        LaunchValues values = wholeLaunch();
        values.start = {StartChoice::Kind::Encoder, QStringLiteral("demo, encoder"), "/models/demo"};
        values.startArchitecture = values.architecture;
        values.startVocabulary = values.architecture->vocabulary;
        QVERIFY(validate(values).notes[QStringLiteral("start")].isEmpty());
        values.architecture->encoder.positions = Positions::Rotary;
        const LaunchReport report = validate(values);
        QVERIFY2(report.launch.has_value(), qPrintable(report.sentence));
        QCOMPARE(report.notes.at(QStringLiteral("start")),
                 QStringLiteral("The encoder of the start model was trained with sinusoidal positions, but this architecture has rotary positions. "
                                "Its weights fit, but they must adapt."));
        values.architecture->encoder.positions = Positions::Relative; // these have tensors of their own
        QVERIFY(validate(values).mistakes.contains(QStringLiteral("start")) && validate(values).notes[QStringLiteral("start")].isEmpty());
    }

    /// “Whole model”, and nothing said that its last layers are not taken.
    void layersThatAreLeftOutAreNoted() {
        LaunchValues values = wholeLaunch();
        values.start = {StartChoice::Kind::Whole, QStringLiteral("demo"), "/models/demo"};
        values.startArchitecture = values.architecture;
        values.startVocabulary = values.architecture->vocabulary;
        values.recipe.loss.ctcWeight = 0;
        const auto layers = values.architecture->encoder.layers.size();
        QVERIFY(layers > 1);
        values.architecture->encoder.layers.pop_back();
        const LaunchReport report = validate(values);
        QVERIFY2(report.launch.has_value(), qPrintable(report.sentence));
        QCOMPARE(report.notes.at(QStringLiteral("start")),
                 QStringLiteral("Encoder layer %1 of the start model is left out, because this architecture has %2.").arg(layers).arg(layers - 1));
    }

    /// “Whole model”, and nothing said that the CTC output of the training is not among it.
    void aCtcOutputWithoutWeightsIsNoted() {
        LaunchValues values = wholeLaunch();
        values.start = {StartChoice::Kind::Whole, QStringLiteral("demo"), "/models/demo"};
        values.startArchitecture = values.architecture;
        values.startVocabulary = values.architecture->vocabulary;
        values.recipe.loss.ctcWeight = 0.3;
        const LaunchReport report = validate(values);
        QVERIFY2(report.launch.has_value(), qPrintable(report.sentence));
        QCOMPARE(report.notes.at(QStringLiteral("start")), QStringLiteral("The CTC output starts from random weights, because the start model has none."));
        values.recipe.loss.ctcWeight = 0;
        QCOMPARE(validate(values).notes[QStringLiteral("start")], QString());
    }

    /// Every model that comes with the program fits itself, and its encoder.
    void aModelFitsItself() {
        int seen = 0;
        for (const auto& entry : std::filesystem::directory_iterator(TrainWorkshop::resource("architectures"))) {
            if (entry.path().extension() != ".json")
                continue;
            const Architecture one = readArchitecture(entry.path());
            QVERIFY2(whyNotFrom(one, one, false).isEmpty() && whyNotFrom(one, one, true).isEmpty(), entry.path().c_str());
            ++seen;
        }
        QVERIFY(seen > 30);
    }
};

HEADROOM_TEST(StartFitTest)

} // namespace headroom::testing::start_fit_test

#include "start_fit_test.moc"
