// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/corpus_document.h"
#include "core/corpus/tab_separated.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::corpus_document_test {

namespace {

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const auto at = text.find(what);
    if (at == std::string::npos)
        qFatal("the document does not hold what is to be replaced");
    return text.replace(at, what.size(), by);
}

CorpusDocument example() {
    CorpusDocument document;
    document.name = "demo";
    document.about = "Sentences \"of\" a small grammar.";
    document.languages = {"en", "de"};
    document.splits = {"train", "tst-COMMON"};
    document.tasks = {{"asr", "en", "en"}, {"st_de", "en", "de"}};
    document.made = {{"seed", 7}};
    return document;
}

const char* const kText = "{\n"
                          "  \"format\": \"headroom/corpus\",\n"
                          "  \"version\": 1,\n"
                          "  \"name\": \"demo\",\n"
                          "  \"about\": \"Sentences \\\"of\\\" a small grammar.\",\n"
                          "  \"sampleRate\": 16000,\n"
                          "  \"languages\": [\n"
                          "    \"en\",\n"
                          "    \"de\"\n"
                          "  ],\n"
                          "  \"splits\": [\n"
                          "    \"train\",\n"
                          "    \"tst-COMMON\"\n"
                          "  ],\n"
                          "  \"tasks\": [\n"
                          "    {\n"
                          "      \"name\": \"asr\",\n"
                          "      \"source\": \"en\",\n"
                          "      \"target\": \"en\"\n"
                          "    },\n"
                          "    {\n"
                          "      \"name\": \"st_de\",\n"
                          "      \"source\": \"en\",\n"
                          "      \"target\": \"de\"\n"
                          "    }\n"
                          "  ],\n"
                          "  \"made\": {\n"
                          "    \"seed\": 7\n"
                          "  }\n"
                          "}\n";

} // namespace

class CorpusDocumentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isReadBackAsItWasWritten() {
        const auto text = corpusDocumentText(example());
        const auto read = parseCorpusDocument(text, "corpus.json");
        QCOMPARE(read.name, example().name);
        QCOMPARE(read.about, example().about);
        QCOMPARE(read.sampleRate.hertz(), 16000);
        QVERIFY(read.languages == example().languages && read.splits == example().splits);
        QCOMPARE(read.tasks.size(), std::size_t(2));
        QCOMPARE(read.tasks[1].target, std::string("de"));
        QVERIFY(!read.tasks[0].isTranslation() && read.tasks[1].isTranslation());
        QCOMPARE(read.made["seed"].get<int>(), 7);
        QCOMPARE(corpusDocumentText(read), text);
    }

    void aTaskIsFoundByItsName() {
        const auto document = example();
        QVERIFY(document.task("st_de") == &document.tasks[1]);
        QVERIFY(!document.task("st"));
    }

    void theSchemaIsPinned() { QCOMPARE(corpusDocumentText(example()), std::string(kText)); }

    void mistakesAreRefusedByName_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("by");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* what, const char* by, const char* code,
                            const char* says) { QTest::newRow(name) << what << by << code << says; };
        row("no JSON", "{", "(", "corpus.badJson", "line 1");
        row("another format", "headroom/corpus", "headroom/run", "corpus.badDocument", "headroom/corpus");
        row("a newer version", "\"version\": 1", "\"version\": 2", "corpus.newer", "version 2");
        row("an unknown key", "\"about\"", "\"abuot\"", "corpus.badDocument", "abuot");
        row("a key twice", "\"about\"", "\"name\"", "corpus.badDocument", "twice");
        row("a missing key", "\"sampleRate\": 16000,", "", "corpus.badDocument", "sampleRate");
        row("no number", "16000", "\"fast\"", "corpus.badDocument", "whole number");
        row("no rate", "16000", "0", "corpus.badDocument", "whole number");
        row("a rate beyond all", "16000", "18446744073709551615", "corpus.badDocument", "whole number");
        row("a split that leads out", "tst-COMMON", "../../etc", "corpus.badDocument", "../../etc");
        row("a split with an underscore", "tst-COMMON", "tst_COMMON", "corpus.badDocument", "tst_COMMON");
        row("a split twice", "tst-COMMON", "train", "corpus.badDocument", "twice");
        row("a task that leads out", "st_de", "/st", "corpus.badDocument", "/st");
        row("a task twice", "st_de", "asr", "corpus.badDocument", "twice");
        row("a language of no one", "\"target\": \"de\"", "\"target\": \"fr\"", "corpus.badDocument",
            "\"fr\"");
    }
    void mistakesAreRefusedByName() {
        QFETCH(QString, what);
        QFETCH(QString, by);
        QFETCH(QString, code);
        QFETCH(QString, says);
        const auto text = replaced(corpusDocumentText(example()), what.toStdString(), by.toStdString());
        try {
            parseCorpusDocument(text, "corpus.json");
            QFAIL("it was read");
        } catch (const Error& error) {
            QCOMPARE(QString::fromStdString(error.code()), code);
            QVERIFY2(QString(error.what()).contains(says), error.what());
            QVERIFY2(QString(error.what()).startsWith("corpus.json"), error.what());
            QVERIFY2(QString(error.what()).endsWith('.'), error.what());
        }
    }

    void deepNestingIsRefused() {
        const auto deep = std::string(100000, '[');
        QVERIFY_EXCEPTION_THROWN(parseCorpusDocument(deep, "corpus.json"), Error);
    }

    void aLineIsReadBackAsItWasWritten() {
        const std::vector<std::string> fields{
            "plain",        "",  "a\tb", "C:\\new\\\\x", "two\nlines\r\nthree", "\"quoted\" 'so'",
            "grün – ¿qué?", "\\"};
        const auto line = tabSeparatedLine(fields);
        TabSeparatedReader reader(line);
        const auto row = reader.next();
        QVERIFY(row && row->fields == fields);
        QVERIFY(!reader.next());
    }

    void writesAsPythonDoesWithoutQuotes() {
        QCOMPARE(tabSeparatedLine({"a\tb", "c\\d", "\"e\""}), std::string("a\\\tb\tc\\\\d\t\"e\"\n"));
    }

    void carriageReturnsMarksAndLoneBackslashesAreTolerated() {
        TabSeparatedReader reader("\xEF\xBB\xBFid\ttext\r\n\r\na\tC:\\new\r\nb\t");
        QVERIFY((reader.next()->fields == std::vector<std::string>{"id", "text"}));
        const auto second = reader.next();
        QCOMPARE(second->line, 3);
        QVERIFY((second->fields == std::vector<std::string>{"a", "C:\\new"}));
        const auto third = reader.next();
        QCOMPARE(third->line, 4);
        QVERIFY((third->fields == std::vector<std::string>{"b", ""}));
        QVERIFY(!reader.next());
    }

    void textIsToldFromBytes() {
        QVERIFY(isText("grün – 文 😀"));
        QVERIFY(isText(""));
        for (const std::string bytes :
             {"\xC0\x80", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\xE2\x82", "\xFF", "\x80"})
            QVERIFY(!isText(bytes));
        QVERIFY(!isText(std::string_view("\0", 1)));
    }
};

HEADROOM_TEST(CorpusDocumentTest)

} // namespace headroom::testing::corpus_document_test

#include "corpus_document_test.moc"
