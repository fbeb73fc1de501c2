// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "core/text/piece_words.h"
#include "core/text/tokenizer.h"
#include "tests/support/runner.h"
#include "tests/training/decoding/drawn_posteriors.h"
#include "training/decoding/log_sum.h"
#include "training/decoding/word_language_model.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <fstream>
#include <map>
#include <numbers>
#include <sstream>

namespace headroom::testing::word_language_model_test {

using namespace headroom::training;

namespace {

using Labels = std::vector<int>;

const std::string kArpa = "made by hand\n\n\\data\\\nngram 1=6\nngram 2 = 4\nngram 3=1\n\n"
                          "\\1-grams:\n-2\t<unk>\n-99\t<s>\t-0.5\n-0.9\t</s>\n-0.7\tab\t-0.3\n-1.1\ta\t-0.2\n-1.3\tcab\n\n"
                          "\\2-grams:\n-0.4\t<s> ab\t-0.1\n-0.6\tab a\t-0.25\n-0.8\ta </s>\n-0.5\tab </s>\n\n"
                          "\\3-grams:\n-0.2\t<s> ab a\n\n\\end\\\n";

double ln(double log10) {
    return log10 * std::numbers::ln10;
}

} // namespace

class WordLanguageModelTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    std::string fileWith(const char* name, const std::string& text) const {
        const auto file = (m_folder.path() + "/" + name).toStdString();
        std::ofstream(file) << text;
        return file;
    }
    NgramModel model() const { return NgramModel::read(fileWith("x.arpa", kArpa)); }

private Q_SLOTS:
    void probabilitiesBackOff() {
        const NgramModel words = model();
        QCOMPARE(words.order(), 3);
        const int ab = words.word("ab"), a = words.word("a"), cab = words.word("cab"), other = words.word("zebra");
        const auto is = [&](const std::vector<int>& history, int word, double log10) {
            return std::abs(words.logProbability(history, word) - ln(log10)) < 1e-5;
        };
        QVERIFY(is({}, ab, -0.7));
        QVERIFY(is({words.start()}, ab, -0.4));
        QVERIFY(is({words.start(), ab}, a, -0.2));
        QVERIFY(is({a, ab}, a, -0.6));                          // "a ab" is not listed: no weight
        QVERIFY(is({words.start(), ab}, words.end(), -0.1 - 0.5));
        QVERIFY(is({words.start(), ab}, cab, -0.1 - 0.3 - 1.3)); // twice
        QVERIFY(is({ab, a}, words.end(), -0.25 - 0.8));
        QVERIFY(is({cab}, a, -1.1));
        QVERIFY(is({ab}, other, -0.3 - 2));                     // <unk>
        QVERIFY(is({cab, words.start(), ab}, a, -0.2));         // a longer history
    }

    void badFilesAreRefusedByLine_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("says");
        QTest::newRow("no data") << "\\data\\" << "data" << "there is no \\data\\";
        QTest::newRow("count") << "ngram 1=6" << "ngram 1=six" << "line 4: “ngram 1=…” was expected";
        QTest::newRow("too few") << "ngram 2 = 4" << "ngram 2 = 5" << "there are 4 2-grams, and 5 were announced";
        QTest::newRow("heading") << "\\2-grams:" << "\\3-grams:" << "“\\2-grams:” was expected";
        QTest::newRow("no number") << "-0.4\t<s> ab\t-0.1" << "x\t<s> ab\t-0.1" << "line 17: an n-gram has a probability";
        QTest::newRow("above 1") << "-0.4\t<s> ab\t-0.1" << "0.4\t<s> ab\t-0.1" << "line 17: the logarithm of a probability is above 0";
        QTest::newRow("fields") << "-0.4\t<s> ab\t-0.1" << "-0.4\t<s> ab a b\t-0.1" << "line 17: an n-gram has";
        QTest::newRow("word") << "-0.4\t<s> ab" << "-0.4\t<s> abc" << "“abc” is not among the 1-grams";
        QTest::newRow("twice") << "-0.6\tab a\t" << "-0.6\t<s> ab\t" << "line 18: this n-gram occurs twice";
        QTest::newRow("end") << "\\end\\" << "" << "the file is cut short";
        QTest::newRow("no </s>") << "-0.9\t</s>" << "-0.9\tb" << "is not among the 1-grams";
    }
    void badFilesAreRefusedByLine() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, says);
        QString text = QString::fromStdString(kArpa);
        text.replace(text.indexOf(from), from.size(), to);
        try {
            NgramModel::read(fileWith("bad.arpa", text.toStdString()));
            QFAIL("read");
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains(says), error.what());
            QVERIFY2(QString(error.what()).contains("bad.arpa"), error.what());
        }
    }

    void aFileWithoutUnknownWordsGivesThemNearlyNothing() {
        QString text = QString::fromStdString(kArpa);
        text.replace("-2\t<unk>\n", "").replace("ngram 1=6", "ngram 1=5");
        const NgramModel words = NgramModel::read(fileWith("closed.arpa", text.toStdString()));
        QVERIFY(std::abs(words.logProbability({}, words.word("zebra")) - ln(-100)) < 1e-9);
    }

    void piecesAddTheirTexts() {
        const Tokenizer tokenizer(std::filesystem::path(HEADROOM_SOURCE_DIR) / "resources/demo/model/sentencepiece.model");
        const auto texts = textsOfPieces(tokenizer);
        QCOMPARE(texts.size(), static_cast<std::size_t>(tokenizer.size()));
        std::string text;
        for (const int id : tokenizer.encode("The big man"))
            text += texts[static_cast<std::size_t>(id)];
        QCOMPARE(text, std::string(" The big man"));
        QVERIFY(texts[2].empty()); // </s>
    }

    /// Every label sequence by itself: the sum over its alignments, and its words as a text.
    void aSearchWithWordsFindsWhatEnumerationFinds() {
        const auto vocabulary = fileWith("vocab.json", R"({"<pad>": 0, "<unk>": 1, "</s>": 2, "|": 3, "a": 4, "b": 5, "c": 6})");
        const Tokenizer tokenizer{std::filesystem::path(vocabulary)};
        const auto words = std::make_shared<const NgramModel>(model());
        WordLanguageModel languageModel(words, tokenizer, 7);
        const std::size_t frames = 5;
        for (const double weight : {0.5, -0.3}) {
            const Matrix<double> logP = drawnPosteriors(frames, 7, 5);
            std::map<Labels, double> expected;
            std::vector<Labels> all{{}};
            for (std::size_t first = 0, length = 0; length < frames; ++length)
                for (const std::size_t end = all.size(); first < end; ++first)
                    for (int label = 1; label < 7; ++label) {
                        all.push_back(all[first]);
                        all.back().push_back(label);
                    }
            for (const Labels& labels : all) {
                const double ctc = ctcLogProbability(logP, labels);
                if (ctc == kLogZero)
                    continue;
                std::string text;
                for (const int label : labels)
                    text += std::vector<std::string>{"", "", "</s>", " ", "a", "b", "c"}[static_cast<std::size_t>(label)];
                std::istringstream in(text);
                std::vector<int> history{words->start()};
                double sum = 0;
                for (std::string word; in >> word;) {
                    sum += words->logProbability(history, words->word(word));
                    history.push_back(words->word(word));
                }
                sum += words->logProbability(history, words->end());
                expected[labels] = ctc + weight * sum + 0.2 * static_cast<double>(labels.size());
            }
            const auto found = ctcPrefixSearch(logP, {20000, 0, weight, 0.2, true}, &languageModel);
            QCOMPARE(found.size(), expected.size());
            for (const CtcHypothesis& one : found)
                QVERIFY(std::abs(one.score - expected.at(one.labels)) < 1e-9);
        }
    }
};

HEADROOM_TEST(WordLanguageModelTest)

} // namespace headroom::testing::word_language_model_test

#include "word_language_model_test.moc"
