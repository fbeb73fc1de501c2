// SPDX-License-Identifier: GPL-3.0-or-later
// `corpus pieces` with every option.
#include "core/corpus/corpus.h"
#include "core/text/tokenizer.h"
#include "tests/support/made_corpus.h"
#include "tests/support/runner.h"
#include "tests/training/worker/run_training.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <QTemporaryDir>
#include <QtTest>

namespace headroom::testing::pieces_command_test {

namespace fs = std::filesystem;
using nlohmann::json;

class PiecesCommandTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    fs::path m_corpus;

    Finished pieces(const QStringList& more) const {
        return runWorkerProgram(QStringList{"corpus", "pieces", "--data", TinyTraining::text(m_corpus)} + more);
    }

private Q_SLOTS:
    void initTestCase() {
        m_corpus = m_folder.path().toStdString() + "/made";
        makeCorpus(m_corpus);
    }

    void everyModelIsLearntAndReported_data() {
        QTest::addColumn<QString>("model");
        for (const char* model : {"unigram", "bpe", "char"})
            QTest::newRow(model) << model;
    }

    void everyModelIsLearntAndReported() {
        QFETCH(QString, model);
        const Finished ended =
            pieces({"--task", "st_de", "--model", model, "--size", "60", "--sizes", "5,40,50", "--json"});
        QVERIFY2(ended.status == 0, ended.err.c_str());
        const json report = json::parse(ended.out);
        QCOMPARE(report["format"].get<std::string>(), std::string("headroom/pieces"));
        const Tokenizer tokenizer(report["written"].get<std::string>());
        QCOMPARE(fs::path(report["written"].get<std::string>()), m_corpus / corpusTokenizerName("st_de"));
        QCOMPARE(tokenizer.size(), report["size"].get<int>());
        QVERIFY(tokenizer.size() <= 60 && tokenizer.hasSpeechToTextIds());
        // The numbers are those of the tokenizer.
        std::int64_t count = 0, longest = 0;
        const Corpus corpus = Corpus::open(m_corpus);
        for (const Utterance& one : corpus.utterances("dev", "st_de"))
            if (!one.text.empty()) {
                const auto length = static_cast<std::int64_t>(tokenizer.encode(one.text).size());
                count += length;
                longest = std::max(longest, length);
            }
        QCOMPARE(report["split"].get<std::string>(), std::string("dev"));
        QCOMPARE(report["held"]["pieces"].get<std::int64_t>(), count);
        QCOMPARE(report["held"]["longest"].get<std::int64_t>(), longest);
        QVERIFY(std::abs(report["held"]["piecesPerWord"].get<double>() -
                         double(count) / report["held"]["words"].get<double>()) < 1e-12);
        QCOMPARE(report["sizes"].size(), std::size_t(3));
        QCOMPARE(report["sizes"][0]["piecesPerWord"].is_null(), model != "char"); // fewer than there are characters
        QCOMPARE(report["example"]["logP"].is_number(), model == "unigram");
        QVERIFY(model == "char" || report["sizes"][1]["piecesPerWord"] >= report["held"]["piecesPerWord"]);
    }

    /// More than the texts have cannot be made, and is not reported as if it had been.
    void sizesThatTheTextsCannotFillAreThoseThatWereMade() {
        const QStringList wanted{"--task", "st_de", "--size", "5000", "--sizes", "2500,10000", "--trial"};
        const Finished ended = pieces(wanted + QStringList{"--json"}), said = pieces(wanted);
        QVERIFY2(ended.status == 0 && said.status == 0, ended.err.c_str());
        const json report = json::parse(ended.out);
        const int most = report["size"].get<int>();
        QVERIFY(most < 2500);
        for (const json& one : report["sizes"])
            QCOMPARE(one["pieces"].get<int>(), most);
        for (const char* asked : {"5,000", "2,500", "10,000"}) {
            const std::string words = std::to_string(most) + " pieces (" + asked + " asked for, the texts have no more)";
            QVERIFY2(said.out.find(words) != std::string::npos, said.out.c_str());
        }
    }

    void normalisationIsShownSideBySide() {
        const Finished ended =
            pieces({"--size", "60", "--normalise", "nmt_nfkc_cf", "--trial", "--json", "--text", "A CAT"});
        QVERIFY2(ended.status == 0, ended.err.c_str());
        const json report = json::parse(ended.out);
        QVERIFY(report["written"].is_null() && !fs::exists(m_corpus / corpusTokenizerName("asr")));
        QCOMPARE(report["example"]["normalised"].get<std::string>(), std::string("a cat"));
        bool found = false;
        for (const json& one : report["normalised"]["examples"]) {
            QVERIFY(one["before"] != one["after"]);
            found = found || one["after"].get<std::string>().find("(applause)") != std::string::npos;
        }
        QVERIFY(found);
        const Finished kept = pieces({"--size", "60", "--normalise", "identity", "--trial", "--json"});
        QCOMPARE(json::parse(kept.out)["normalised"]["changed"].get<int>(), 0);
    }

    void oneVocabularyForBothLanguages() {
        const auto learnt = [&](const QStringList& more) {
            return json::parse(
                       pieces(QStringList{"--task", "st_de", "--size", "80", "--trial", "--json"} + more)
                           .out)["learntOf"]
                .get<int>();
        };
        QCOMPARE(learnt({"--joint"}), 2 * learnt({}));
    }

    void badInputIsNamed() {
        Finished ended = pieces({"--task", "st_fr"});
        QCOMPARE(ended.status, 1);
        QVERIFY2(ended.says("has no task “st_fr”. Its tasks are: asr, st_de."), ended.err.c_str());
        ended = pieces({"--size", "5"});
        QCOMPARE(ended.status, 1);
        QVERIFY2(ended.says("5 pieces are fewer than the characters of the texts."), ended.err.c_str());
        QCOMPARE(pieces({"--model", "words"}).status, 2);
        QCOMPARE(pieces({"--coverage", "0.5"}).status, 2);
        ended = runWorkerProgram({"corpus", "pieces", "--data", TinyTraining::text(m_corpus / "audio")});
        QCOMPARE(ended.status, 1);
        QVERIFY2(ended.says("has no corpus.json"), ended.err.c_str());
    }
};

HEADROOM_TEST(PiecesCommandTest)

} // namespace headroom::testing::pieces_command_test

#include "pieces_command_test.moc"
