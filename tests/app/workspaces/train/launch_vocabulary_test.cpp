// SPDX-License-Identifier: GPL-3.0-or-later
// What the launch form says of the vocabulary: the pieces of the corpus, what they lack, the texts of a language model.
#include "core/architecture/language_layers.h"
#include "core/corpus/corpus.h"
#include "tests/app/workspaces/train/whole_launch.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>

namespace headroom::testing::launch_vocabulary_test {

using namespace headroom::app;

class LaunchVocabularyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The output has as many pieces as the SentencePiece model; the file's number gives way, and is not the file any more.
    void theVocabularyFollowsThePieces() {
        LaunchValues values = wholeLaunch();
        values.facts->vocabulary = 777;
        LaunchReport report = validate(values);
        QCOMPARE(report.launch->architecture.vocabulary, 777);
        QVERIFY(report.launch->architectureFile.empty());
        QVERIFY(report.notes.at(QStringLiteral("architecture")).contains(QStringLiteral("of the corpus")));
        values.start = {StartChoice::Kind::Encoder, {}, "/models/small"};
        values.startVocabulary = 555;
        report = validate(values);
        QCOMPARE(report.launch->architecture.vocabulary, 777); // the encoder alone is taken, as `train` does
        QCOMPARE(report.launch->startFrom, std::string("/models/small:encoder"));
        values.start.kind = StartChoice::Kind::Whole;
        report = validate(values);
        QCOMPARE(report.launch->architecture.vocabulary, 555);
        QVERIFY(report.notes.at(QStringLiteral("architecture")).contains(QStringLiteral("of the model")));
    }

    /// The encoder of a CTC model names no vocabulary of its own: there is nothing that the pieces stand instead of.
    void aVocabularyThatWasNotNamedIsNotZero() {
        LaunchValues values = wholeLaunch();
        values.facts->vocabulary = 777;
        values.architecture->vocabulary = 0;
        const QString note = validate(values).notes.at(QStringLiteral("architecture"));
        QVERIFY2(note.contains(QStringLiteral("vocabulary 777: the pieces")) && !note.contains(QStringLiteral("instead of")), qPrintable(note));
    }

    void charactersThatNoPieceWritesAreNamedBeforeTheStart() {
        LaunchValues values = wholeLaunch();
        values.facts->unknown = VocabularyGaps{1234, 40, {{"ß", 3}, {"€", 38}}};
        const LaunchReport report = validate(values);
        QVERIFY(report.launch.has_value()); // a remark: the text may be meant so
        QVERIFY(checkState(report, QStringLiteral("Vocabulary")) == Check::State::Remark);
        const auto check = std::find_if(report.checks.begin(), report.checks.end(), [](const Check& one) {
            return one.name.startsWith(QStringLiteral("Vocabulary"));
        });
        QCOMPARE(check->value, QStringLiteral("2 unknown characters"));
        QVERIFY2(check->toolTip.startsWith(QStringLiteral("40 of 1,234 texts")), qPrintable(check->toolTip));
        QVERIFY2(check->toolTip.contains(QStringLiteral("“€” in 38, “ß” in 3.")), qPrintable(check->toolTip));
        values.recipe.data.unknownPieces = "refuse";
        QVERIFY(checkState(validate(values), QStringLiteral("Vocabulary")) == Check::State::Failed);
        // What was read for one vocabulary says nothing about another.
        values.start = {StartChoice::Kind::Whole, QStringLiteral("s2t"), "/models/s2t"};
        values.startVocabulary = values.architecture->vocabulary;
        values.vocabularyModel = values.start.vocabularyModel();
        QVERIFY(checkState(validate(values), QStringLiteral("Vocabulary")) == Check::State::Unknown);
    }

    /// The source's own vocabulary follows the corpus, and a corpus of the other form is named before the start.
    void theVocabularyOfTheSourceFollowsTheCorpus() {
        LaunchValues values = wholeLaunch();
        values.facts->vocabulary = (values.architecture = readArchitecture(TrainWorkshop::resource("architectures/relaxed-mt-baseline.json")))->vocabulary;
        values.recipe.task = values.facts->task = "translate";
        values.facts->sourceVocabulary = 700;
        QVERIFY(validate(values).mistakes.at(QStringLiteral("architecture")).contains(QStringLiteral("embeds both with one table")));
        values.architecture->frontEnd.vocabulary = 9;
        QVERIFY(!validate(values).mistakes.count(QStringLiteral("architecture")));
        QVERIFY(validate(values).notes.at(QStringLiteral("architecture")).contains(QStringLiteral("vocabulary of the source 700 instead of 9")));
        values.facts->sourceVocabulary.reset();
        QVERIFY(validate(values).mistakes.at(QStringLiteral("architecture")).contains(QStringLiteral("a separate vocabulary for the source")));
    }

    /// The form refused every corpus: none has a task “lm”.
    void aLanguageModelLearnsTheTranscriptsOfACorpus() {
        QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString();
        headroom::Utterance one, two;
        one.id = "one";
        one.text = "her heavy village";
        two.id = "two";
        two.text = "her village ☃";
        one.audio = two.audio = path / "gone.wav"; // only the texts count
        CorpusDocument document;
        document.name = "texts";
        document.languages = {"en", "de"};
        document.splits = {"train", "dev"};
        document.tasks = {{"st_de", "en", "de"}, {"asr", "en", "en"}};
        writeCorpusDocument(path / "corpus.json", document);
        writeCorpusTable(path, "train", document.tasks.back(), {one, two});
        writeCorpusTable(path, "dev", document.tasks.back(), {one});
        Recipe recipe = readRecipe(TrainWorkshop::resource("recipes/demo-lm.json"));
        QVERIFY2(readDataFacts(path, recipe, {}).mistake.contains(QStringLiteral("has no lm.sentencepiece.model and no asr.sentencepiece.model")),
                 qPrintable(readDataFacts(path, recipe, {}).mistake));
        std::filesystem::copy_file(std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests/data/s2t-reference/sentencepiece.bpe.model",
                                   path / "asr.sentencepiece.model");
        DataFacts facts = readDataFacts(path, recipe, {});
        QCOMPARE(facts.mistake, QString());
        QCOMPARE(facts.train, 2);
        QCOMPARE(facts.validation, 1);
        QCOMPARE(facts.lengths.size(), std::size_t(2));
        QCOMPARE(facts.unknown->gaps, std::int64_t(1));
        QVERIFY(facts.vocabulary.has_value() && !facts.areLeast);
        std::ofstream(path / "train_lm.txt") << "her heavy village\n\nvillage\nheavy village\n"; // replaces the transcripts
        QCOMPARE(readDataFacts(path, recipe, {}).train, 3);
        recipe.data.validationSplit = "test";
        QVERIFY2(readDataFacts(path, recipe, {}).mistake.endsWith(QStringLiteral("Set data.validationSplit in All values.")),
                 qPrintable(readDataFacts(path, recipe, {}).mistake));
        // What is trained and how fit together.
        LaunchValues values = wholeLaunch();
        values.recipe = values.base = readRecipe(TrainWorkshop::resource("recipes/demo-lm.json"));
        facts.folder = values.data;
        values.facts = facts;
        QVERIFY(validate(values).mistakes.at(QStringLiteral("architecture")).contains(QStringLiteral("this architecture is not one")));
        values.architectureFile = TrainWorkshop::resource("recipes/demo-lm.architecture.json");
        values.architecture = readArchitecture(values.architectureFile);
        const LaunchReport report = validate(values);
        QVERIFY2(report.launch.has_value(), qPrintable(report.sentence));
        const auto& language = *values.architecture->languageModel;
        const QString note = report.notes.at(QStringLiteral("architecture"));
        QVERIFY2(note.startsWith(QStringLiteral("%1 × %2 heads").arg(language.layers).arg(headCount(language.selfAttention))), qPrintable(note));
        values.recipe.task = "asr";
        values.facts->task = "asr";
        QVERIFY(validate(values).mistakes.at(QStringLiteral("architecture")).contains(QStringLiteral("the task of this recipe is asr")));
    }
};

HEADROOM_TEST(LaunchVocabularyTest)

} // namespace headroom::testing::launch_vocabulary_test

#include "launch_vocabulary_test.moc"
