// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of folders that are not quite the corpus that somebody meant.
#include "core/corpus/corpus_summary.h"
#include "core/corpus/kinds/corpus_kinds.h"
#include "core/corpus/kinds/import_hints.h"
#include "tests/core/corpus/kinds/source_folder.h"
#include "tests/support/runner.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>

namespace headroom::testing::import_hints_test {

namespace {

QString notesOf(const ImportedCorpus& made) {
    QString all;
    for (const auto& note : made.notes)
        all += QString::fromStdString(note) + '\n';
    return all;
}

/// The sentences about tables that were not read.
QString unreadIn(const ImportedCorpus& made) {
    QString all;
    for (const auto& problem : made.problems)
        if (problem.code == "corpus.unreadTable")
            all += QString::fromStdString(problem.sentence) + '\n';
    return all;
}

template <class Function>
QString sentenceOf(Function function) {
    try {
        function();
    } catch (const Error& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

std::string utf16(const std::string& text) {
    std::string bytes = "\xff\xfe";
    for (const char c : text)
        bytes += {c, '\0'};
    return bytes;
}

} // namespace

class ImportHintsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// A table that cannot be read makes a folder of plain recordings of a corpus: each says why it was not read.
    void tablesThatNoKindReadsAreNamed_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const std::string& bytes, const char* said) {
            QTest::addRow("%s, %s", name, said) << name << QByteArray::fromStdString(bytes) << said;
        };
        row("train.csv", utf16("audio,text\na.wav,one\n"), "it is UTF-16; save it as UTF-8");
        row("train_manifest.json", utf16("{\"audio_filepath\": \"a.wav\"}\n"), "it is UTF-16; save it as UTF-8");
        row("train_manifest.json", "[{\"audio_filepath\": \"a.wav\", \"text\": \"one\"}]", "it is one JSON list");
        row("train_manifest.json", "", "it has 0 bytes");
        row("train.csv", "recording;words\na.wav;one\n", "it has no columns or keys that name recordings and texts");
        row("train.csv", "<html>404</html>", "it is a web page");
        row("data.jsonl", std::string(33u << 20, ' '), "line 1 is longer than 32 MB");
    }
    void tablesThatNoKindReadsAreNamed() {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        QFETCH(QString, said);
        const SourceFolder folder;
        folder.sound("a.wav", 1);
        folder.write("a.csv", "start,end,label\n0,1,one\n"); // an alignment
        folder.write(name.toStdString(), bytes.toStdString());
        const auto made = folder.import("");
        QCOMPARE(made.kind, std::string("folder"));
        QVERIFY2(unreadIn(made).startsWith(name + ": the table was not read because " + said), qPrintable(unreadIn(made)));
        QVERIFY2(!unreadIn(made).contains("a.csv"), qPrintable(unreadIn(made)));
        QCOMPARE(made.leftOut, std::int64_t(0));
        // Whoever looks at the corpus later sees it, too.
        const auto summary = summariseCorpus(Corpus::open(folder.out()), "", {});
        const auto defect = std::ranges::find(summary->defects, "corpus.unreadTable", &CorpusDefect::code);
        QVERIFY(defect != summary->defects.end());
        QCOMPARE(QString::fromStdString(defect->utterances.front().sentence) + '\n', unreadIn(made));
        QCOMPARE(unreadIn(folder.import("folder")), QString()); // it was asked for
    }

    void pathsOfAnotherMachineAreFoundHere() {
        const SourceFolder folder;
        folder.sound("wavs/a.wav", 1);
        const std::string here = folder.from().string();
        using Map = std::pair<std::string, std::string>;
        QCOMPARE(*suggestedMap("/home/alice/data/corpus/wavs/a.wav", folder.from()), Map("/home/alice/data/corpus", here));
        QCOMPARE(*suggestedMap("/a.wav/elsewhere/a.wav", folder.from()), Map("/a.wav/elsewhere", here + "/wavs"));
        QCOMPARE(*suggestedMap("C:\\Users\\bob\\wavs\\a.wav", folder.from()), Map("C:\\Users\\bob", here));
        QVERIFY(!suggestedMap("/home/alice/b.wav", folder.from()));
        folder.sound("more/a.wav", 1);
        QVERIFY(!suggestedMap("/home/alice/a.wav", folder.from())); // two of this name
    }

    void theMapThatIsSaidImportsTheCorpus_data() {
        QTest::addColumn<QString>("before");
        QTest::newRow("POSIX") << "/home/alice/corpus/wavs/";
        QTest::newRow("Windows") << "C:\\Users\\bob\\wavs\\";
    }
    void theMapThatIsSaidImportsTheCorpus() {
        QFETCH(QString, before);
        const SourceFolder folder;
        folder.sound("wavs/a.wav", 1);
        folder.write("train.csv", "audio,text\n" + before.toStdString() + "a.wav,one\n");
        const QString said = sentenceOf([&] { folder.import("csv"); });
        const auto first = said.indexOf("set --map '"), end = said.indexOf("'.", first);
        QVERIFY2(first > 0 && end > first, qPrintable(said));
        const std::string map = said.mid(first + 11, end - first - 11).toStdString();
        auto request = folder.request("csv");
        request.maps = {{map.substr(0, map.find('=')), map.substr(map.find('=') + 1)}};
        const auto made = importCorpus(request);
        QCOMPARE(made.splits.at("train").utterances, std::int64_t(1));
    }

    void aDownloadThatDidNotEndIsSaid() {
        const SourceFolder folder;
        folder.sound("a.wav", 1);
        folder.write("b.wav.part", "RIFF");
        folder.write("train.csv", "audio,text\na.wav,one\nb.wav,two\n");
        QVERIFY2(notesOf(folder.import("csv")).contains("b.wav is not there. Its download did not end"), qPrintable(notesOf(folder.import("csv"))));
        folder.write("train.csv", "audio,text\na.wav,one\nc.wav,two\n");
        QVERIFY2(!notesOf(folder.import("csv")).contains("is not there"), qPrintable(notesOf(folder.import("csv")))); // the problem says it
    }

    void archivesHaveToBeUnpacked() {
        const SourceFolder folder;
        folder.write("dev-clean.tar.gz", "x");
        folder.write("train.tgz", "x");
        QVERIFY(sentenceOf([&] { recogniseCorpusKind(folder.from()); }).contains("it holds archives (dev-clean.tar.gz and 1 more), which have to be unpacked"));
    }

    void videosBesideTranscriptsAreProblems() {
        const SourceFolder folder;
        folder.sound("a.wav", 1);
        folder.write("a.txt", "one");
        folder.write("b.mp4", "x");
        folder.write("b.txt", "two");
        folder.write("film.mkv", "x"); // nobody meant this one
        const auto made = folder.import("folder");
        QCOMPARE(made.problems.size(), std::size_t(1));
        QVERIFY2(sentencesOf(made.problems).startsWith("audio.notAudio | b.mp4: it is a video"), qPrintable(sentencesOf(made.problems)));
    }

    void linesOfOldMacsAreSaid() {
        const SourceFolder folder;
        folder.sound("a.wav", 1);
        folder.write("train.csv", "audio,text\ra.wav,one\r");
        const QString said = sentenceOf([&] { folder.import("csv"); });
        QVERIFY2(said.contains("a carriage return alone"), qPrintable(said));
    }

    /// Looked at again with each line, a quotation that never ends would take the square of the table's length.
    void aQuotationThatNeverEndsIsLeftSoon() {
        const SourceFolder folder;
        folder.sound("a.wav", 1);
        std::string table = "audio,text\na.wav,one\na.wav,\"she said\n";
        for (int i = 0; i < 200'000; ++i)
            table += "a.wav,line " + std::to_string(i) + "\n";
        folder.write("train.csv", table);
        QElapsedTimer clock;
        clock.start();
        const auto made = folder.import("csv");
        QVERIFY2(sentencesOf(made.problems).contains("The quotation that begins in line 3 does not end within 1 MB"), qPrintable(sentencesOf(made.problems)));
        QCOMPARE(made.splits.at("train").utterances, std::int64_t(1));
    }

    void aSegmentBeforeItsRecordingIsSaid() {
        const SourceFolder folder;
        folder.sound("a.wav", 2);
        folder.write("wav.scp", "a a.wav\n");
        folder.write("segments", "s a 0 1\nt a -1 1\n");
        folder.write("text", "s one\nt two\n");
        QVERIFY(sentencesOf(folder.import("kaldi").problems).contains("the segment from -1 to 1 begins before the recording"));
    }

    void aFileIsNoFolder() {
        const SourceFolder folder;
        folder.write("train.tsv", "audio\ttext\nx\n");
        folder.write("other.csv", "audio,text,speaker\nx,y\n");
        auto request = folder.request("csv");
        request.from /= "train.tsv";
        const QString expected = QStringLiteral("train.tsv is a file. Name the folder that holds it.");
        for (const QString& said : {sentenceOf([&] { importCorpus(request); }), sentenceOf([&] { Corpus::open(request.from); })})
            QVERIFY2(said.endsWith(expected), qPrintable(said));
        QVERIFY(sentenceOf([&] { Corpus::open(folder.path() / "none"); }).endsWith(QStringLiteral(" does not exist.")));
        const QString tooLong = sentenceOf([&] { Corpus::open(folder.path() / std::string(300, 'x')); }); // it may be there
        QVERIFY2(tooLong.contains(QStringLiteral(" could not be read: ")), qPrintable(tooLong));
        const QString nothing = sentenceOf([&] { folder.import("csv"); });
        QVERIFY2(nothing.contains(QStringLiteral("the row has 2 fields where the header has 3")), qPrintable(nothing));
        std::filesystem::remove(folder.from() / "other.csv");
        const QString one = sentenceOf([&] { folder.import("csv"); });
        QVERIFY2(one.contains(QStringLiteral("the row has 1 field where the header has 2")), qPrintable(one));
    }
};

HEADROOM_TEST(ImportHintsTest)

} // namespace headroom::testing::import_hints_test

#include "import_hints_test.moc"
