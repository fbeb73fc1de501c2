// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/corpus.h"
#include "core/corpus/kinds/corpus_kinds.h"
#include "core/corpus/kinds/import_corpus.h"
#include "core/errors/error.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

namespace headroom::testing::parallel_text_test {

namespace fs = std::filesystem;

class ParallelTextTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_place;
    fs::path m_from, m_out;

    void write(const char* name, const std::string& text) const { std::ofstream(m_from / name) << text; }
    ImportedCorpus read(const std::string& language = {}) const {
        CorpusImport request;
        request.from = m_from;
        request.out = m_out;
        request.language = language;
        return importCorpus(request);
    }
    std::string refusal(const std::string& language = {}) const {
        try {
            read(language);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

private Q_SLOTS:
    void init() {
        const auto test = fs::path(m_place.path().toStdString()) / QTest::currentTestFunction();
        m_from = test / "iwslt14.de-en";
        m_out = test / "out";
        fs::create_directories(m_from);
    }

    void twoAlignedFilesBecomeATaskOfText() {
        write("train.de", "eins\r\n\r\ndrei \"3\"\n");
        write("train.en", "one\ntwo\nthree \"3\"\n");
        write("valid.de", "vier\n");
        write("valid.en", "four\n");
        const ImportedCorpus made = read();
        QCOMPARE(made.kind, std::string("moses"));
        QCOMPARE(made.splits.at("train").utterances, 2);
        QCOMPARE(made.leftOut, 1); // the pair with an empty side
        QVERIFY(made.problems.front().sentence.find("train.de, line 2") != std::string::npos);
        const Corpus corpus = Corpus::open(m_out);
        QVERIFY(corpus.problems().empty());
        QCOMPARE(corpus.document().tasks.size(), std::size_t(1));
        QVERIFY(corpus.document().tasks.front().isText);
        QCOMPARE(corpus.document().tasks.front().source, std::string("de")); // of the folder's name
        const auto& pairs = corpus.utterances("train", "translate");
        QCOMPARE(pairs.size(), std::size_t(2));
        QCOMPARE(pairs[1].sourceText, std::string("drei \"3\""));
        QCOMPARE(pairs[1].text, std::string("three \"3\""));
        QVERIFY(pairs[1].audio.empty());
        QCOMPARE(corpus.utterances("dev", "translate").front().text, std::string("four"));
        // The document is its own canonical text and needs no sample rate.
        std::ifstream in(m_out / "corpus.json");
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        QVERIFY(text.find("sampleRate") == std::string::npos);
        QCOMPARE(corpusDocumentText(parseCorpusDocument(text, "corpus.json")), text);
    }

    void theSourceIsNamedWhereNothingSaysIt() {
        fs::rename(m_from, m_from.parent_path() / "texts");
        m_from = m_from.parent_path() / "texts";
        write("train.de", "eins\n");
        write("train.en", "one\n");
        QVERIFY(refusal().find("Use --language to name it") != std::string::npos);
        QVERIFY(refusal("fr").find("has no text in “fr”") != std::string::npos);
        read("en");
        QCOMPARE(Corpus::open(m_out).utterances("train", "translate").front().sourceText, std::string("one"));
    }

    void mosesNamesAreUnderstood() {
        write("News.en-de.de", "eins\n");
        write("News.en-de.en", "one\n");
        read();
        QCOMPARE(Corpus::open(m_out).utterances("News", "translate").front().sourceText, std::string("one"));
    }

    void aRecordingWithItsTextIsNoPair() {
        write("talk.wav", "x");
        write("talk.txt", "x");
        QVERIFY(recogniseCorpusKind(m_from).name != "moses");
        write("talk.de", "x");
        write("talk.en", "x");
        QCOMPARE(std::string(recogniseCorpusKind(m_from).name), std::string("moses"));
    }

    void filesThatAreNotAlignedAreRefused() {
        write("train.de", "eins\nzwei\n");
        write("train.en", "one\n");
        QVERIFY(refusal().find("train.de has 2 lines, but train.en has 1") != std::string::npos);
    }

    void moreThanTwoLanguagesAreRefused() {
        write("a.de", "eins\n");
        write("a.en", "one\n");
        write("b.es", "dos\n");
        write("b.en", "two\n");
        QVERIFY(refusal("en").find("a folder of its own") != std::string::npos);
    }

    void tablesOfTwoColumnsAreRead() {
        write("train.tsv", "de\ten\neins\tone\nzwei\nzwei\ttwo\tmore\ndrei\tthree\n");
        const ImportedCorpus made = read();
        QCOMPARE(made.kind, std::string("tsv"));
        QCOMPARE(made.leftOut, 2);
        const auto pairs = Corpus::open(m_out).utterances("train", "translate");
        QCOMPARE(pairs.size(), std::size_t(2));
        QCOMPARE(pairs[1].sourceText + "=" + pairs[1].text, std::string("drei=three"));
    }

    void aTaskOfAnotherInputIsRefused() {
        const std::string text =
            R"({"format": "headroom/corpus", "version": 1, "name": "x", "languages": ["en", "de"],
"splits": ["train"], "tasks": [{"name": "t", "source": "en", "target": "de", "input": "smoke"}]})";
        QVERIFY_EXCEPTION_THROWN(parseCorpusDocument(text, "x"), Error);
    }
};

HEADROOM_TEST(ParallelTextTest)

} // namespace headroom::testing::parallel_text_test

#include "parallel_text_test.moc"
