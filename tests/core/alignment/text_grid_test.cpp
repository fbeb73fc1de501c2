// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/label_at.h"
#include "core/alignment/text_grid.h"
#include "tests/support/goldens.h"
#include "tests/support/runner.h"

#include <fstream>
#include <QTemporaryDir>
#include <QtTest>

namespace headroom::testing::text_grid_test {

namespace {

const std::string kGrid =
    "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\n"
    "xmin = 0\nxmax = 2\ntiers? <exists>\nsize = 2\nitem []:\n"
    "    item [1]:\n        class = \"IntervalTier\"\n        name = \"words\"\n"
    "        xmin = 0\n        xmax = 2\n        intervals: size = 2\n"
    "        intervals [1]:\n            xmin = 0\n            xmax = 0.5\n            text = \"\"\n"
    "        intervals [2]:\n            xmin = 0.5\n            xmax = 2\n            text = \"a "
    "\"\"b\"\"\"\n"
    "    item [2]:\n        class = \"TextTier\"\n        name = \"tones\"\n"
    "        xmin = 0\n        xmax = 2\n        points: size = 1\n"
    "        points [1]:\n            number = 1.25\n            mark = \"H*\"\n";

bool same(const TextGrid& a, const TextGrid& b) {
    bool equal = a.start == b.start && a.end == b.end && a.tiers.size() == b.tiers.size();
    for (std::size_t t = 0; equal && t < a.tiers.size(); ++t) {
        const auto &x = a.tiers[t], &y = b.tiers[t];
        equal = x.name == y.name && x.isPointTier == y.isPointTier &&
                x.intervals.size() == y.intervals.size() && x.points.size() == y.points.size();
        for (std::size_t i = 0; equal && i < x.intervals.size(); ++i)
            equal = x.intervals[i].start == y.intervals[i].start &&
                    x.intervals[i].end == y.intervals[i].end && x.intervals[i].label == y.intervals[i].label;
        for (std::size_t i = 0; equal && i < x.points.size(); ++i)
            equal = x.points[i].time == y.points[i].time && x.points[i].label == y.points[i].label;
    }
    return equal;
}

QString codeOf(const std::string& bytes) {
    try {
        parseTextGrid(bytes, "a.TextGrid");
    } catch (const Error& error) {
        const QString sentence = error.what();
        if (!sentence.startsWith("a.TextGrid") || !sentence.endsWith('.'))
            return "no sentence: " + sentence;
        return QString::fromStdString(error.code());
    }
    return "accepted";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    if (at == std::string::npos)
        throw std::logic_error("nothing to replace: " + from);
    return text.replace(at, from.size(), to);
}

} // namespace

class TextGridTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// An interval holds its start but not its end; between intervals, before and behind them there is no label.
    void aTimeIsInOneInterval() {
        const std::vector<Interval> tier{
            {Seconds(0.5), Seconds(1), "a"}, {Seconds(1), Seconds(1.5), "b"}, {Seconds(2), Seconds(3), "c"}};
        for (const auto& [time, label] :
             {std::pair(0.4, ""), std::pair(0.5, "a"), std::pair(1.0, "b"), std::pair(1.5, ""),
              std::pair(1.9, ""), std::pair(2.5, "c"), std::pair(3.0, "")})
            QCOMPARE(labelAt(tier, Seconds(time)), std::string(label));
        QVERIFY(!intervalAt({}, Seconds(0)) && intervalAt(tier, Seconds(2)) == &tier[2]);
    }

    void theLongFormatIsRead() {
        const auto grid = parseTextGrid(kGrid, "a.TextGrid");
        QCOMPARE(grid.end, Seconds(2));
        QCOMPARE(grid.tiers.size(), std::size_t(2));
        QCOMPARE(grid.tiers[0].intervals.size(), std::size_t(2));
        QCOMPARE(grid.tiers[0].intervals[1].start, Seconds(0.5));
        QCOMPARE(grid.tiers[0].intervals[1].label, std::string("a \"b\""));
        QVERIFY(grid.tiers[1].isPointTier);
        QCOMPARE(grid.tiers[1].points.at(0).time, Seconds(1.25));
        QVERIFY(grid.warnings.empty());
    }

    void sentencesHaveNumbersAsPeopleWriteThem() {
        const auto sentenceOf = [](const std::string& bytes) {
            try {
                parseTextGrid(bytes, "a.TextGrid");
            } catch (const Error& error) {
                return QString(error.what());
            }
            return QString();
        };
        const QString many = sentenceOf(replaced(kGrid, "intervals: size = 2", "intervals: size = 4e9"));
        QVERIFY2(many.contains("it declares 4,000,000,000 intervals"), qPrintable(many));
        const QString small = sentenceOf(
            replaced(kGrid, "xmin = 0.5\n            xmax = 2", "xmin = 0.61\n            xmax = 1e-6"));
        QVERIFY2(small.contains("ends at 0.000001 s, before it starts at 0.61 s"), qPrintable(small));
        const QString negative = sentenceOf(replaced(kGrid, "points: size = 1", "points: size = -2"));
        QVERIFY2(negative.contains(QStringLiteral("it declares \u22122 points")), qPrintable(negative));
    }

    void writtenGridsComeBack() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("a.TextGrid").toStdString();
        auto grid = parseTextGrid(kGrid, "a.TextGrid");
        grid.tiers[0].intervals[1].end = Seconds(2 - 1.0 / 3);
        grid.tiers[0].intervals.push_back({Seconds(2 - 1.0 / 3), Seconds(2), "ü\n\"\""});
        writeTextGrid(file, grid);
        QVERIFY(same(readTextGrid(file), grid));
        grid.tiers.clear();
        writeTextGrid(file, grid);
        QVERIFY(same(readTextGrid(file), grid));
    }

    void gapsAreWrittenAsSilence() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("a.TextGrid").toStdString();
        TextGrid grid;
        grid.end = Seconds(3);
        grid.tiers.push_back({"words", false, {{Seconds(1), Seconds(2), "one"}}, {}});
        writeTextGrid(file, grid);
        const auto read = readTextGrid(file);
        QCOMPARE(read.tiers[0].intervals.size(), std::size_t(3));
        QCOMPARE(read.tiers[0].intervals[0].label, std::string());
        QCOMPARE(read.tiers[0].intervals[1].label, std::string("one"));
        QCOMPARE(read.tiers[0].intervals[2].end, Seconds(3));
    }

    void mistakesAreToldByTheirCode_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* name, const char* from, const char* to, const char* code) {
            QTest::newRow(name) << QString(from) << QString(to) << (*code == 'a' ? QString(code) : QString());
        };
        row("nothing wrong", "words", "words", "accepted");
        row("a word for a number", "xmax = 2", "xmax = two", "alignment.badNumber");
        row("not a number", "xmin = 0", "xmin = nan", "alignment.badNumber");
        row("infinite", "xmax = 2", "xmax = inf", "alignment.badNumber");
        row("infinite by size", "xmax = 2", "xmax = 1e999", "alignment.badNumber");
        row("comma", "0.5", "0,5", "alignment.badNumber");
        row("grid reversed", "xmax = 2", "xmax = -2", "alignment.reversed");
        row("interval reversed", "xmax = 0.5", "xmax = -0.5", "alignment.reversed");
        row("overlap", "xmax = 0.5", "xmax = 0.75", "alignment.overlap");
        row("rounding", "xmax = 0.5", "xmax = 0.500001", "accepted");
        row("too many tiers", "size = 2", "size = 3", "alignment.truncated");
        row("four thousand million", "intervals: size = 2", "intervals: size = 4000000000",
            "alignment.badSize");
        row("beyond every count", "intervals: size = 2", "intervals: size = 1e300", "alignment.badSize");
        row("negative", "intervals: size = 2", "intervals: size = -2", "alignment.badSize");
        row("broken count", "intervals: size = 2", "intervals: size = 1.5", "alignment.badSize");
        row("another class", "IntervalTier", "PitchTier", "alignment.notTextGrid");
        row("another file", "ooTextFile", "wav", "alignment.notTextGrid");
        row("binary", "File type", "ooBinaryFile", "alignment.notTextGrid");
        row("label not closed", "text = \"\"\n", "text = \"\n", "alignment.badText");
        row("invalid UTF-8", "words", "w\xf6rds", "alignment.badText");
        row("comment", "xmax = 2", "xmax = 2 ! \"seconds\" 7", "accepted");
        row("no tiers", "<exists>", "exists", "alignment.notTextGrid");
    }

    void mistakesAreToldByTheirCode() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, code);
        if (qstrcmp(QTest::currentDataTag(), "invalid UTF-8") == 0) {
            QCOMPARE(codeOf(replaced(kGrid, "words", "w\xf6rds")), code);
            return;
        }
        QCOMPARE(codeOf(replaced(kGrid, from.toStdString(), to.toStdString())), code);
    }

    void everyPrefixIsRefused() {
        for (std::size_t length = 0; length + 1 < kGrid.size(); ++length)
            QVERIFY2(codeOf(kGrid.substr(0, length)).startsWith("alignment."),
                     kGrid.substr(0, length).c_str());
        QCOMPARE(codeOf(""), QString("alignment.empty"));
        QCOMPARE(codeOf(" \r\n\n"), QString("alignment.empty"));
        QCOMPARE(codeOf(kGrid.substr(0, kGrid.size() - 5)), QString("alignment.truncated"));
    }

    void whatFollowsIsWarnedOf() {
        const auto grid = parseTextGrid(kGrid + "\"more\"\n", "a.TextGrid");
        QCOMPARE(grid.warnings.size(), std::size_t(1));
        QCOMPARE(grid.warnings[0].code, std::string("alignment.rest"));
    }

    void lineEndsAndEncodingsDoNotMatter() {
        const auto grid = parseTextGrid(replaced(kGrid, "H*", "ü€😀"), "a.TextGrid");
        const auto text = QString::fromStdString(replaced(kGrid, "H*", "ü€😀"));
        const auto as = [&](const char* end) {
            auto other = text;
            return parseTextGrid(other.replace("\n", end).toStdString(), "a.TextGrid");
        };
        QVERIFY(same(as("\r\n"), grid));
        QVERIFY(same(as("\r"), grid));
        for (const bool mark : {true, false})
            for (const bool big : {true, false}) {
                std::string bytes;
                for (const auto unit : (mark ? QString(QChar(0xfeff)) : QString()) + text) {
                    const char low = static_cast<char>(unit.unicode() & 0xff),
                               high = static_cast<char>(unit.unicode() >> 8);
                    bytes += big ? std::string{high, low} : std::string{low, high};
                }
                QVERIFY(same(parseTextGrid(bytes, "a.TextGrid"), grid));
                QCOMPARE(codeOf(bytes.substr(0, bytes.size() - 1)), QString("alignment.badText"));
            }
        QVERIFY(same(parseTextGrid("\xef\xbb\xbf" + text.toStdString(), "a.TextGrid"), grid));
    }

    void tiersAreFoundByName() {
        auto grid = parseTextGrid(kGrid, "a.TextGrid");
        auto alignment = alignmentFrom(grid, Seconds(2), "a.TextGrid");
        QCOMPARE(alignment.words.size(), std::size_t(2));
        QVERIFY(alignment.phones.empty());
        QCOMPARE(alignment.warnings.size(), std::size_t(1));
        QCOMPARE(alignment.warnings[0].code, std::string("alignment.noPhones"));
        for (const auto* name : {"Phones", "phone", "PHONEMES", "spk 1 - phones"}) {
            grid.tiers[1] = {name, false, {{Seconds(0), Seconds(1), "AH0"}}, {}};
            QCOMPARE(alignmentFrom(grid, Seconds(2), "a").phones.size(), std::size_t(1));
        }
        grid.tiers[0].name = "Mary - notes";
        alignment = alignmentFrom(grid, Seconds(2), "a.TextGrid");
        QCOMPARE(alignment.warnings.at(0).code, std::string("alignment.noWords"));
        grid.tiers[0].name = "b - phones";
        alignment = alignmentFrom(grid, Seconds(2), "a.TextGrid");
        QVERIFY(std::any_of(alignment.warnings.begin(), alignment.warnings.end(),
                            [](const Warning& warning) { return warning.code == "alignment.manyTiers"; }));
    }

    void intervalsBeyondTheRecordingAreCut() {
        auto grid = parseTextGrid(kGrid, "a.TextGrid");
        auto alignment = alignmentFrom(grid, Seconds(1.5), "a.TextGrid");
        QCOMPARE(alignment.words.back().end, Seconds(1.5));
        const auto& warning = alignment.warnings.back();
        QCOMPARE(warning.code, std::string("alignment.longer"));
        QVERIFY(QString::fromStdString(warning.sentence).contains("2.00 s"));
        QVERIFY(QString::fromStdString(warning.sentence).contains("1.50 s"));
        auto halves = parseTextGrid(kGrid, "a.TextGrid"); // where it is cut at 1.125 s, that is 1.13 s, as everywhere
        QVERIFY(QString::fromStdString(alignmentFrom(halves, Seconds(1.125), "a").warnings.back().sentence).contains("1.13 s"));
        try {
            readTextGrid("/nowhere/a.TextGrid");
            QFAIL("read");
        } catch (const Error& error) {
            QCOMPARE(QString::fromStdString(error.what()), QStringLiteral("/nowhere/a.TextGrid does not exist."));
        }
        QCOMPARE(alignmentFrom(grid, Seconds(0.5), "a").words.size(), std::size_t(1));
        alignment = alignmentFrom(grid, Seconds(1.9999), "a.TextGrid");
        QVERIFY(alignment.warnings.back().code != "alignment.longer"); // rounding
        QCOMPARE(alignment.words.back().end, Seconds(1.9999));
    }

    void theTortureSetBehavesAsItSays_data() { addGoldenFolders(); }
    void theTortureSetBehavesAsItSays() {
        std::ifstream in(goldens() / "formats" / "formats.tsv");
        std::string line;
        int files = 0;
        while (std::getline(in, line)) {
            const auto cells = QString::fromStdString(line).split('\t');
            if (!cells.at(0).startsWith("textgrid/"))
                continue;
            const auto file = goldens() / "formats" / cells.at(0).toStdString();
            QString outcome = "parse";
            std::string sentence;
            try {
                const auto grid = readTextGrid(file);
                QVERIFY2(!grid.tiers.empty(), file.c_str());
            } catch (const Error& error) {
                outcome = "reject";
                sentence = error.what();
                QVERIFY2(sentence.find(file.filename().string()) != std::string::npos, sentence.c_str());
            }
            QVERIFY2(
                cells.at(2).split("-or-").contains(outcome),
                qPrintable(cells.at(0) + " should " + cells.at(2) + ": " + outcome + " " + sentence.c_str()));
            ++files;
        }
        QCOMPARE(files, goldens() == repositoryGoldens() ? 34 : 37);
    }

    void encodingsOfOneGridAreTheSameGrid_data() { addGoldenFolders(); }
    void encodingsOfOneGridAreTheSameGrid() {
        const auto folder = goldens() / "formats" / "textgrid";
        const auto reference = readTextGrid(folder / "ref.TextGrid");
        QCOMPARE(reference.tiers.size(), std::size_t(2));
        for (const auto* name : {"utf8_bom", "utf16be_bom", "utf16le_bom", "crlf", "cr_only"}) {
            auto grid = readTextGrid(folder / (std::string(name) + ".TextGrid"));
            for (std::size_t t = 0; t < 2; ++t) // the variants differ in one label, on purpose
                QCOMPARE(grid.tiers[t].intervals.size(), reference.tiers[t].intervals.size());
            QCOMPARE(grid.end, reference.end);
        }
    }

    void everyGridOfTheRecordingsIsReadAndComesBack_data() { addGoldenFolders(); }
    void everyGridOfTheRecordingsIsReadAndComesBack() {
        const bool ours = goldens() == repositoryGoldens();
        const std::filesystem::path top = ours ? std::filesystem::path(HEADROOM_SOURCE_DIR) : goldens();
        const std::vector<const char*> folders =
            ours ? std::vector{"resources/demo"}
                 : std::vector{"aligned", "librispeech-sample", "speech-translation"};
        QTemporaryDir temporary;
        const std::filesystem::path copy = temporary.filePath("copy.TextGrid").toStdString();
        int files = 0;
        for (const auto* folder : folders)
            for (const auto& entry : std::filesystem::recursive_directory_iterator(top / folder)) {
                if (entry.path().extension() != ".TextGrid")
                    continue;
                const auto grid = readTextGrid(entry.path());
                QVERIFY2(!grid.tiers.empty() && grid.warnings.empty(), entry.path().c_str());
                writeTextGrid(copy, grid);
                const auto once = readTextGrid(copy);
                writeTextGrid(copy, once);
                QVERIFY2(same(readTextGrid(copy), once), entry.path().c_str());
                ++files;
            }
        QVERIFY(files >= (ours ? 1 : 246));
    }
};

HEADROOM_TEST(TextGridTest)

} // namespace headroom::testing::text_grid_test

#include "text_grid_test.moc"
