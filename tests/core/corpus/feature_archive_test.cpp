// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audio/audio_file.h"
#include "core/corpus/corpus.h"
#include "core/corpus/feature_archive.h"
#include "core/corpus/kinds/import_corpus.h"
#include "core/tensors/npy.h"
#include "tests/core/corpus/feature_archive.h"
#include "tests/core/corpus/kinds/source_folder.h"
#include "tests/support/runner.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::testing::feature_archive_test {

namespace {

QString refusal(const AudioName& name) {
    try {
        readArchivedFeatures(name);
    } catch (const Error& error) {
        return error.code() == "features.archive" ? QString(error.what()) : QString::fromStdString(error.code());
    }
    return {};
}

QString headerRefusal(const AudioName& name) {
    try {
        archivedShape(name);
    } catch (const Error& error) {
        return QString(error.what());
    }
    return {};
}

const std::string kHeader = "id\taudio\tn_frames\ttgt_text\tspeaker\n";

std::string row(const std::string& id, const std::string& audio, int frames) {
    return id + "\t" + audio + "\t" + std::to_string(frames) + "\tText of " + id + ".\tspk\n";
}

} // namespace

class FeatureArchiveTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void arraysAreReadWhereTheTableSays() {
        const SourceFolder folder;
        folder.write("x", "");
        const auto names = writeCountingArchive(folder.from() / "fbank80.zip",
                                               {{"a", {3, 4, 1}}, {"b", {7, 4, 100}}, {"c", {1, 4, -5}}});
        for (const auto& [id, frames, first] : {std::tuple("a", 3, 1.0F), {"b", 7, 100.0F}, {"c", 1, -5.0F}}) {
            const AudioName name = audioName(folder.from() / names.at(id));
            QVERIFY(name.holdsFeatures());
            const ArchivedShape shape = archivedShape(name);
            QCOMPARE(shape.frames, std::int64_t(frames));
            QCOMPARE(shape.features, std::int64_t(4));
            const Matrix<float> features = readArchivedFeatures(name);
            QCOMPARE(features.rows(), std::size_t(frames));
            for (std::size_t i = 0; i < features.values().size(); ++i)
                QCOMPARE(features.values()[i], first + static_cast<float>(i) / 8);
        }
        try {
            loadRecording(folder.from() / names.at("a"));
            QFAIL("features are no sound");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("audio.features"));
        }
    }

    /// Attention maps of another program were called features that models can be trained on.
    void anArrayThatIsNoMatrixIsNotCalledFeatures() {
        const SourceFolder folder;
        folder.write("x", "");
        const std::vector<float> numbers(24);
        const auto said = [&](std::vector<std::int64_t> shape) {
            writeNpy(folder.from() / "attention.npy", Tensor::of<float>(std::move(shape), numbers).view());
            try {
                loadRecording(folder.from() / "attention.npy");
            } catch (const Error& error) {
                return QString::fromUtf8(error.what());
            }
            return QString();
        };
        QCOMPARE(said({1, 2, 4, 3}), QStringLiteral("attention.npy holds an array of 1 × 2 × 4 × 3 numbers, neither sound nor features."));
        QCOMPARE(said({24}), QStringLiteral("attention.npy holds an array of 24 numbers, neither sound nor features."));
        QVERIFY(said({6, 4}).startsWith(QStringLiteral("attention.npy holds features, not sound: ")));
    }

    void otherPrecisionsAndFilesAreReadToo() {
        const SourceFolder folder;
        folder.write("x", "");
        const std::vector<double> numbers{0.5, -2, 3, 4.25, 0, 1};
        writeNpy(folder.from() / "double.npy", Tensor::of<double>({3, 2}, numbers).view());
        const Matrix<float> features = readArchivedFeatures(audioName(folder.from() / "double.npy"));
        QCOMPARE(features.rows(), std::size_t(3));
        QCOMPARE(features.values(), (std::vector<float>{0.5, -2, 3, 4.25, 0, 1}));
    }

    void whatIsWrongIsSaidInOneSentence() {
        const SourceFolder folder;
        folder.write("empty.zip", "");
        folder.write("text.zip", std::string(500, 'x'));
        folder.write("sound.zip", "fLaC" + std::string(500, 'x'));
        const auto names = writeCountingArchive(folder.from() / "good.zip", {{"a", {3, 4, 1}}, {"b", {3, 4, 9}}});
        const AudioName a = audioName(folder.from() / names.at("a"));
        const auto at = [&](const char* file, std::int64_t start, std::int64_t count) {
            return AudioName{folder.from() / file, AudioPart{start, count}};
        };
        const std::int64_t count = a.part->count;
        for (const auto& read : {&refusal, &headerRefusal}) {
            QVERIFY2(read(at("gone.zip", 1, 2)).contains("gone.zip is missing"), qPrintable(read(at("gone.zip", 1, 2))));
            QVERIFY(read(at("empty.zip", 131, 400)).contains("empty.zip is empty (0 bytes)"));
            QVERIFY(read(at("text.zip", 400, 200)).contains("ends after 500 bytes"));
            QVERIFY(read(at("text.zip", 4, std::numeric_limits<std::int64_t>::max())).contains("ends after"));
            QVERIFY(read(at("text.zip", std::numeric_limits<std::int64_t>::max(), 5)).contains("ends after"));
            QVERIFY(read(at("text.zip", 10, 0)).contains("a length of 0 bytes"));
            QVERIFY(read(at("text.zip", 10, 200)).contains("no NumPy array at byte 10"));
            QVERIFY(read(at("sound.zip", 0, 200)).contains("sound (FLAC)"));
            QVERIFY(read(at("good.zip", a.part->start + 1, count)).contains("no NumPy array"));
            QVERIFY(read(at("good.zip", a.part->start, count - 8)).contains("not as long as"));
            QVERIFY(read(at("good.zip", a.part->start, count + 8)).contains("not as long as"));
        }
        std::filesystem::resize_file(folder.from() / "good.zip", static_cast<std::uintmax_t>(a.part->start + 100));
        QVERIFY(refusal(a).contains("It was cut short"));
        writeNpy(folder.from() / "words.npy", Tensor::of<std::int64_t>({2, 2}, std::vector<std::int64_t>{1, 2, 3, 4}).view());
        QVERIFY(refusal(audioName(folder.from() / "words.npy")).contains("2 × 2, not real numbers"));
        writeNpy(folder.from() / "row.npy", Tensor::of<float>({4}, std::vector<float>{1, 2, 3, 4}).view());
        QVERIFY(refusal(audioName(folder.from() / "row.npy")).contains("another kind (4)"));
        writeNpy(folder.from() / "nan.npy", Tensor::of<float>({1, 2}, std::vector<float>{1, NAN}).view());
        QVERIFY(refusal(audioName(folder.from() / "nan.npy")).contains("not finite"));
    }

    void aCorpusOfFeaturesIsImported() {
        const SourceFolder folder;
        folder.write("x", "");
        const auto names =
            writeCountingArchive(folder.from() / "fbank80.zip", {{"a", {30, 80, 1}}, {"b", {50, 80, 2}}});
        folder.write("train_asr.tsv", kHeader + row("a", names.at("a"), 30));
        folder.write("dev_asr.tsv", kHeader + row("b", names.at("b"), 50));
        const auto made = folder.import("");
        QCOMPARE(made.kind, std::string("fairseq"));
        QVERIFY2(made.problems.empty(), qPrintable(sentencesOf(made.problems)));
        QVERIFY(std::any_of(made.notes.begin(), made.notes.end(), [](const std::string& note) {
            return note.starts_with("2 utterances are stored features, 80 in a frame");
        }));
        const auto corpus = Corpus::open(folder.out());
        QVERIFY2(corpus.problems().empty(), qPrintable(sentencesOf(corpus.problems())));
        QCOMPARE(corpus.document().made["features"].get<int>(), 80);
        const auto& b = corpus.utterances("dev", "asr").at(0);
        QCOMPARE(b.frames->value(), std::int64_t(50));
        QCOMPARE(readArchivedFeatures(audioName(b.audio)).values().front(), 2.0F);
        auto request = folder.request("fairseq");
        request.out = folder.path() / "fast";
        request.speeds = {0.9};
        try {
            importCorpus(request);
            QFAIL("features have no speed");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("corpus.noSpeed"));
        }
    }

    void badArraysAreProblemsOfTheirRows() {
        const SourceFolder folder;
        folder.write("x", "");
        folder.write("empty.zip", "");
        const auto names = writeCountingArchive(folder.from() / "fbank80.zip",
                                               {{"a", {30, 80, 1}}, {"b", {50, 80, 2}}, {"c", {30, 40, 2}}});
        folder.write("train_asr.tsv", kHeader + row("a", names.at("a"), 30) + row("b", names.at("b"), 49) +
                                          row("c", names.at("c"), 30) + row("d", "fbank80.zip:5:300", 30) +
                                          row("e", "empty.zip:131:300", 30) + row("f", "gone.zip:131:300", 30) +
                                          row("g", names.at("b") + ":sp0.9", 50));
        const auto made = folder.import("");
        const std::vector<std::pair<const char*, const char*>> expected{
            {"corpus.missingAudio", "gone.zip is not there"},
            {"corpus.features", "states 49 frames, but fbank80.zip"},
            {"corpus.features", "40 features in a frame, and those before it 80"},
            {"corpus.features", "no NumPy array at byte 5"},
            {"corpus.features", "empty.zip is empty"},
            {"corpus.features", "no other speed"}};
        QVERIFY2(made.problems.size() == expected.size(), qPrintable(sentencesOf(made.problems)));
        for (const auto& [code, words] : expected)
            QVERIFY2(std::any_of(made.problems.begin(), made.problems.end(),
                                 [&](const CorpusProblem& one) {
                                     return one.code == code && one.leftOut &&
                                            one.sentence.find(words) != std::string::npos && one.sentence.ends_with('.');
                                 }),
                     qPrintable(QString(words) + "\n" + sentencesOf(made.problems)));
        QCOMPARE(Corpus::open(folder.out()).utterances("train", "asr").size(), std::size_t(1));
    }
};

HEADROOM_TEST(FeatureArchiveTest)

} // namespace headroom::testing::feature_archive_test

#include "feature_archive_test.moc"
