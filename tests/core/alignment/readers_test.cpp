// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/readers.h"
#include "core/audio/audio_file.h"
#include "tests/support/goldens.h"
#include "tests/support/runner.h"

#include <fstream>
#include <limits>
#include <QTemporaryDir>
#include <QtTest>
#include <sstream>

namespace headroom::testing::readers_test {

namespace fs = std::filesystem;

namespace {

/// "0.1-0.4 HH | 0.4-0.5 AH"
std::string shown(const std::vector<Interval>& intervals) {
    std::ostringstream text;
    for (const auto& interval : intervals)
        text << (&interval == &intervals.front() ? "" : " | ") << interval.start.value() << "-"
             << interval.end.value() << " " << interval.label;
    return text.str();
}

std::string codeOf(const std::string& bytes, const std::string& name = "a.ctm") {
    try {
        const auto list = parseAlignmentList(bytes, name);
        for (const auto& [utterance, listed] : list)
            if (listed.error)
                return listed.error->code() + " of " + utterance;
        return "accepted";
    } catch (const Error& error) {
        const std::string sentence = error.what();
        return sentence.starts_with(name) && sentence.ends_with(".") ? error.code()
                                                                     : "no sentence: " + sentence;
    }
}

std::string wide(const std::string& text) {
    std::string result = "\xff\xfe";
    for (const char c : text)
        result += {c, '\0'};
    return result;
}

constexpr Seconds kWhole{std::numeric_limits<double>::infinity()};

class Folder {
public:
    fs::path write(const std::string& name, const std::string& text) const {
        const auto file = path() / name;
        fs::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
        return file;
    }
    fs::path path() const { return m_folder.path().toStdString(); }

private:
    QTemporaryDir m_folder;
};

const std::string kCtm = ";; a comment\nu1 1 0.10 0.30 HH 0.99\nu1 1 0.40 0.10 AH0\nu2 A 0 0.5 T\n";

} // namespace

class ReadersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ctmHoldsManyUtterances() {
        const auto list = parseAlignmentList(kCtm, "dev.ctm");
        QCOMPARE(list.size(), std::size_t(2));
        QCOMPARE(shown(list.at("u1").phones), std::string("0.1-0.4 HH | 0.4-0.5 AH0"));
        QVERIFY(list.at("u1").words.empty());
        QCOMPARE(shown(list.at("u2").phones), std::string("0-0.5 T"));
    }

    void lineEndsAndEncodingsDoNotMatter() {
        std::string crlf;
        for (const char c : kCtm)
            crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
        for (const auto& bytes : {crlf, wide(kCtm), "\xef\xbb\xbf" + kCtm, wide(crlf)})
            QCOMPARE(shown(parseAlignmentList(bytes, "dev.ctm").at("u1").phones),
                     std::string("0.1-0.4 HH | 0.4-0.5 AH0"));
    }

    void namesAndLabelsTellWordsFromPhones() {
        const std::string words = "u 1 0 0.5 let\nu 1 0.5 0.5 me\nu 1 1 0.5 see\n";
        QVERIFY(parseAlignmentList(words, "dev.ctm").at("u").phones.empty());
        QVERIFY(parseAlignmentList(words, "phones.ctm").at("u").words.empty());
        QVERIFY(parseAlignmentList(kCtm, "words.ctm").at("u1").phones.empty());
    }

    void rowsOutOfOrderAreSortedAndSaid() {
        const auto list = parseAlignmentList("u 1 1 1 B\nu 1 0 1 AA\n", "a.ctm");
        QCOMPARE(shown(list.at("u").phones), std::string("0-1 AA | 1-2 B"));
        QCOMPARE(list.at("u").warnings.size(), std::size_t(1));
        QCOMPARE(list.at("u").warnings[0].code, std::string("alignment.order"));
        QVERIFY(list.at("u").warnings[0].sentence.find("line 2") != std::string::npos);
    }

    void roundedEndsDoNotOverlap() {
        const auto list = parseAlignmentList("u 1 0 0.51 AA\nu 1 0.5 0.5 B\n", "a.ctm");
        QVERIFY(!list.at("u").error);
        QCOMPARE(shown(list.at("u").phones), std::string("0-0.5 AA | 0.5-1 B"));
    }

    void oneBadUtteranceLeavesTheOthers() {
        const auto list = parseAlignmentList("bad 1 0 1 AA\nbad 1 0.5 1 B\ngood 1 0 1 AA\n", "a.ctm");
        QCOMPARE(list.at("bad").error->code(), std::string("alignment.overlap"));
        QCOMPARE(list.at("bad").error->values()["seconds"].get<double>(), 0.5);
        QVERIFY(std::string(list.at("bad").error->what()).find("a.ctm, line 2") != std::string::npos);
        QCOMPARE(shown(list.at("good").phones), std::string("0-1 AA"));
    }

    void onlyTheFirstChannelIsHeard() {
        const auto list = parseAlignmentList("u A 0 1 AA\nu B 0 1 B\n", "a.ctm");
        QCOMPARE(shown(list.at("u").phones), std::string("0-1 AA"));
        QCOMPARE(list.at("u").warnings.at(0).code, std::string("alignment.channels"));
    }

    void tables_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("utterance");
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("phones");
        QTest::newRow("ours") << "utterance\tstart\tend\tlabel\nu\t0\t0.5\tAA\nu\t0.5\t1\tB\n"
                              << "u"
                              << ""
                              << "0-0.5 AA | 0.5-1 B";
        QTest::newRow("begin and duration") << "Utt_ID\tBegin\tDuration\tPhone\nu\t0.25\t0.5\tx\n"
                                            << "u"
                                            << ""
                                            << "0.25-0.75 x";
        QTest::newRow("MFA's csv") << "Begin,End,Label,Type,Speaker\n0,1,\"let, \"\"us\"\"\",words,a\n"
                                      "0,0.5,L,phones,a\n0.5,1,EH1,phones,a\n"
                                   << ""
                                   << "0-1 let, \"us\""
                                   << "0-0.5 L | 0.5-1 EH1";
        QTest::newRow("Praat's table") << "tmin\ttier\ttext\ttmax\n0\tword\tsee\t1\n0\tphone\tS\t1\n"
                                          "0\tgestures\tnod\t1\n"
                                       << ""
                                       << "0-1 see"
                                       << "0-1 S";
        QTest::newRow("Audacity") << "0.000000\t0.500000\thello\n0.500000\t1.000000\tthere\n"
                                  << ""
                                  << "0-0.5 hello | 0.5-1 there"
                                  << "";
        QTest::newRow("a column of words") << "start\tend\tword\n0\t1\tAA\n"
                                           << ""
                                           << "0-1 AA"
                                           << "";
        QTest::newRow("an empty label left off") << "start\tend\tlabel\n0\t1\n1\t2\tAA\n"
                                                 << ""
                                                 << ""
                                                 << "0-1  | 1-2 AA";
    }
    void tables() {
        QFETCH(QString, text);
        QFETCH(QString, utterance);
        QFETCH(QString, words);
        QFETCH(QString, phones);
        const auto list = parseAlignmentList(text.toStdString(), "a.tsv");
        QCOMPARE(list.size(), std::size_t(1));
        const auto& listed = list.at(utterance.toStdString());
        QCOMPARE(QString::fromStdString(shown(listed.words)), words);
        QCOMPARE(QString::fromStdString(shown(listed.phones)), phones);
    }

    void librispeechListsGiveTheEndsOfWords() {
        const auto list =
            parseAlignmentList("84-1-0000 \",GO,,DO,YOU,\" \"0.490,0.890,1.270,1.380,1.490,2.09\"\n"
                               "84-1-0001 \"A\" \"0.5,0.6\"\n",
                               "84-1.alignment.txt");
        QCOMPARE(
            shown(list.at("84-1-0000").words),
            std::string("0-0.49  | 0.49-0.89 GO | 0.89-1.27  | 1.27-1.38 DO | 1.38-1.49 YOU | 1.49-2.09 "));
        QCOMPARE(list.at("84-1-0001").error->code(), std::string("alignment.badSize"));
    }

    void timitCountsSamples() {
        const auto list = parseAlignmentList("0 8000 h#\n8000 9600 sh\n9600 16000 iy\n", "sa1.phn");
        QCOMPARE(shown(list.at("").phones), std::string("0-0.5 h# | 0.5-0.6 sh | 0.6-1 iy"));
        QVERIFY(!parseAlignmentList("0 8000 she\n", "sa1.wrd").at("").words.empty());
    }

    /// 22,050 samples are one second of a recording at 22,050 Hz, wherever the two files lie.
    void timitCountsSamplesOfItsRecording() {
        const Folder folder;
        const std::string lines = "0 11025 h#\n11025 22050 sh\n";
        const std::vector<float> sound(22'050, 0.1F);
        for (const auto& [phones, recording] :
             {std::pair("b.phn", "b.wav"), std::pair("alignments/c.phn", "audio/c.wav"), std::pair("alignments/d.phn", "d.wav"),
              std::pair("f.phn", "f.aiff"), std::pair("g.phn", "g.FLAC"), std::pair("h.phn", "h.WAV.wav")}) {
            const auto file = folder.write(phones, lines);
            folder.write(recording, {});
            saveWav(folder.path() / recording, sound, SampleRate(22'050));
            QCOMPARE(shown(readAlignment(file, fs::path(recording).stem().string(), Seconds(1)).phones),
                     std::string("0-0.5 h# | 0.5-1 sh"));
        }
        const auto alone = folder.write("e.phn", "0 8000 h#\n8000 16000 sh\n"); // TIMIT's own rate
        QCOMPARE(shown(readAlignment(alone, "e", Seconds(1)).phones), std::string("0-0.5 h# | 0.5-1 sh"));
    }

    void whatIsWrongIsNamedWithItsLine_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("code");
        QTest::newRow("empty") << " \n\n"
                               << "alignment.empty";
        QTest::newRow("prose") << "Once upon a time\n"
                               << "alignment.notAlignment";
        QTest::newRow("no column") << "utterance\tstart\tlabel\nu\t0\tAA\n"
                                   << "alignment.notAlignment";
        QTest::newRow("a short row") << "u 1 0 1 AA\nu 1 0\n"
                                     << "alignment.badRow";
        QTest::newRow("a long row") << "start\tend\tlabel\n0\t1\tAA\tmore\tmore\n"
                                    << "alignment.badRow";
        QTest::newRow("words for numbers") << "u 1 0 1 AA\nu 1 one 1 B\n"
                                           << "alignment.badNumber";
        QTest::newRow("nan") << "start\tend\tlabel\nnan\t1\tAA\n"
                             << "alignment.badNumber";
        QTest::newRow("infinite") << "u 1 0 1 AA\nu 1 0 1e999 B\n"
                                  << "alignment.badNumber";
        QTest::newRow("decimal commas") << "start\tend\tlabel\n0,5\t1,5\tAA\n"
                                        << "alignment.badNumber";
        QTest::newRow("backwards") << "u 1 0 -1 AA\n"
                                   << "alignment.reversed of u";
        QTest::newRow("NUL") << QString::fromLatin1("u 1 0 1 A\0A\n", 12) << "alignment.badText";
        QTest::newRow("alternatives") << "u 1 0 1 AA\nu 1 * * <ALT_BEGIN>\n"
                                      << "alignment.badNumber";
    }
    void whatIsWrongIsNamedWithItsLine() {
        QFETCH(QString, text);
        QFETCH(QString, code);
        QCOMPARE(QString::fromStdString(codeOf(text.toStdString())), code);
        QCOMPARE(codeOf("\xff\x41 not UTF-8"), std::string("alignment.badText"));
    }

    /// "there are 1 cells" was said of a line that is cut short.
    void oneCellIsNotSeveral() {
        try {
            parseAlignmentList("start\tend\tlabel\n0\t1\tAA\n1\n", "x.tsv");
            QFAIL("the last row is too short");
        } catch (const Error& error) {
            QVERIFY2(std::string(error.what()).find("there is 1 cell, but the header has 3 columns") != std::string::npos, error.what());
        }
    }

    void oneUtteranceIsTakenFromAListAndCut() {
        const Folder folder;
        const auto file = folder.write("all.ctm", "dev/u1.wav 1 0 1 AA\ndev/u1.wav 1 1 2 B\nu2 1 0 1 T\n");
        const auto alignment = readAlignment(file, "u1", Seconds(2));
        QCOMPARE(shown(alignment.phones), std::string("0-1 AA | 1-2 B"));
        QCOMPARE(alignment.spokenEnd.value(), 3.0);
        QCOMPARE(alignment.warnings.at(0).code, std::string("alignment.longer"));
        QCOMPARE(shown(readAlignment(file, "x/u2", kWhole).phones), std::string("0-1 T"));
        try {
            readAlignment(file, "u3", kWhole);
            QFAIL("u3 is not there");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("alignment.notListed"));
            QVERIFY(std::string(error.what()).find("u3") != std::string::npos);
        }
        QVERIFY_EXCEPTION_THROWN(readAlignment(folder.path() / "none.ctm", "u", kWhole), Error);
    }

    void aListThatChangedIsReadAgain() {
        const Folder folder;
        const auto file = folder.write("all.ctm", "u 1 0 1 AA\n");
        QCOMPARE(shown(readAlignment(file, "u", kWhole).phones), std::string("0-1 AA"));
        folder.write("all.ctm", "u 1 0 1 AA\nu 1 1 1 B\n");
        QCOMPARE(shown(readAlignment(file, "u", kWhole).phones), std::string("0-1 AA | 1-2 B"));
    }

    void whatLiesBesideARecordingIsFound() {
        const Folder folder;
        const auto audio = folder.write("audio/u1.wav", "sound");
        QVERIFY(alignmentBeside(audio).empty());
        const auto list = folder.write("alignments/phones.ctm", "u1 1 0 1 AA\n");
        folder.write("alignments/aaa_words.ctm", "u1 1 0 1 see\n");
        folder.write("audio/train_asr.tsv", "id\taudio\nu1\tu1.wav\n");
        QCOMPARE(alignmentBeside(audio), list); // phones before words
        QVERIFY(alignmentBeside(folder.write("audio/u2.wav", "sound")).empty());
        const auto table = folder.write("audio/u1.tsv", "start\tend\tlabel\n0\t1\tAA\n");
        QCOMPARE(alignmentBeside(audio), table);
        const auto grid = folder.write("audio/u1.TextGrid", "a grid");
        QCOMPARE(alignmentBeside(audio), grid);
    }

    /// It counted for every recording beside it.
    void aTableThatNamesNobodyIsOfTheRecordingOfItsName() {
        const Folder folder;
        const auto first = folder.write("u1.wav", "sound"), second = folder.write("u2.wav", "sound");
        const auto table = folder.write("alignments/u1.tsv", "start\tend\tlabel\n0\t1\tAA\n");
        QCOMPARE(alignmentBeside(first), table);
        QVERIFY(alignmentBeside(second).empty());
        QVERIFY(isListed(table, "dev/u1.wav") && !isListed(table, "u2"));
        QVERIFY(isOfOneRecording(table));
        QVERIFY(!isOfOneRecording(folder.write("all.ctm", "u2 1 0 1 T\n")));
        QCOMPARE(shown(readAlignment(table, "u2", kWhole).phones), std::string("0-1 AA")); // given for this one
    }

    void aListHasAnUtteranceUnderItsIdOrAsItsRecording() {
        const Folder folder;
        const fs::path sound = folder.write("u2.wav", "sound"), part = folder.path() / "u2.wav:0:8000";
        const auto byId = folder.write("id.ctm", "utt-7 1 0 1 T\n"), byStem = folder.write("stem.ctm", "u2 1 0 1 AA\n");
        const auto both = folder.write("both.ctm", "u2 1 0 1 AA\nutt-7 1 0 1 T\n");
        for (const auto& [list, label] : {std::pair(byId, "0-1 T"), std::pair(byStem, "0-1 AA"), std::pair(both, "0-1 T")}) {
            QVERIFY(isListed(list, {"utt-7", sound}));
            QCOMPARE(shown(readAlignment(list, {"utt-7", sound}, kWhole).phones), std::string(label));
        }
        QVERIFY(isListed(byId, {"utt-7", part}) && !isListed(byStem, {"utt-7", part})); // its times are not those of the file
    }

    void aListBecomesTextGrids() {
        const Folder folder;
        const auto alignment = readAlignment(folder.write("u.ctm", "u 1 0.5 0.5 AA\n"), "u", Seconds(2));
        writeTextGrid(folder.path() / "u.TextGrid", textGridOf(alignment, Seconds(2)));
        const auto again = readAlignment(folder.path() / "u.TextGrid", "u", Seconds(2));
        QCOMPARE(shown(again.phones), std::string("0-0.5  | 0.5-1 AA | 1-2 "));
        QCOMPARE(again.fileEnd.value(), 2.0);
    }

    void gridsGoThroughTheSameDoor_data() { headroom::testing::addGoldenFolders(); }
    void gridsGoThroughTheSameDoor() {
        const auto folder = headroom::testing::goldens() / "formats" / "textgrid";
        for (const auto* name : {"ref", "utf16be_bom", "utf16le_bom", "utf8_bom", "crlf", "short"}) {
            const auto file = folder / (std::string(name) + ".TextGrid");
            std::ifstream in(file, std::ios::binary);
            std::ostringstream bytes;
            bytes << in.rdbuf();
            QVERIFY2(alignmentFormat(bytes.str(), name) == AlignmentFormat::TextGrid, name);
            QCOMPARE(readAlignment(file, "x", kWhole).phones.size(),
                     readAlignment(folder / "ref.TextGrid", "x", kWhole).phones.size());
        }
    }
};

HEADROOM_TEST(ReadersTest)

} // namespace headroom::testing::readers_test

#include "readers_test.moc"
