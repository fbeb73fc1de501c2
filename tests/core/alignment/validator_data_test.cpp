// SPDX-License-Identifier: GPL-3.0-or-later
// How often the validator is right on real recordings: correct alignments, and alignments of other recordings of
// similar length.
#include "core/alignment/readers.h"
#include "core/alignment/validator.h"
#include "core/audio/audio_file.h"
#include "tests/support/runner.h"
#include "tests/support/shared_data.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

namespace headroom::testing::validator_data_test {

namespace {

constexpr std::int64_t kFewPhones = 15; // fewer say nothing (core/alignment/README.md)
constexpr std::size_t kOthers = 6;

struct Item {
    std::string id;
    std::filesystem::path alignment;
    Recording recording;
};

std::vector<Item> itemsOf(const std::filesystem::path& folder) {
    std::vector<Item> items;
    std::ifstream file(folder / "manifest.tsv");
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
        std::vector<std::string> cells;
        std::stringstream row(line);
        for (std::string cell; std::getline(row, cell, '\t');)
            cells.push_back(cell);
        if (cells.size() > 6 && !cells[6].empty())
            items.push_back({cells[0], folder / cells[6], loadRecording(folder / cells[1])});
    }
    return items;
}

/// The report of one recording with the alignment of another, or its own.
AlignmentReport reportOf(const Item& sound, const Item& labels) {
    const Seconds duration = sound.recording.duration();
    const auto own = readAlignment(labels.alignment, labels.id, labels.recording.duration());
    LabelCounts counts;
    for (const Interval& phone : own.phones)
        ++counts[phone.label];
    return readCheckedAlignment(labels.alignment, labels.id, duration, PhoneMap::fitting(counts),
                                sound.recording.samples)
        .report;
}

bool isCalledWrong(const AlignmentReport& report) {
    return std::any_of(report.findings.begin(), report.findings.end(), [](const AlignmentFinding& finding) {
        return finding.severity == AlignmentFinding::Severity::Error &&
               (finding.code == "alignment.otherFile" || finding.code == "alignment.shifted");
    });
}

struct Said {
    int doubted = 0, refused = 0; ///< sentences whose numbers were checked
    QString problem;              ///< a sentence that contradicts itself; empty: none
};

/// Whether the numbers in the sentence lead to the verdict that it gives.
void takeSentence(const AlignmentReport& report, Said& said) {
    static const QRegularExpression kSum(
        QStringLiteral("say in ([0-9.]+) % .* is (−?[0-9.]+)[, ].*half the correlation is (−?[0-9.]+), below the limit of ([0-9.]+)\\. "));
    for (const AlignmentFinding& finding : report.findings) {
        const bool refused = finding.code == "alignment.otherFile";
        if (!refused && finding.code != "alignment.poorFit")
            continue;
        const QString sentence = QString::fromStdString(finding.sentence);
        const bool saysLowFit = sentence.contains(QStringLiteral(", below the limit of 0.45"));
        const auto found = kSum.match(sentence);
        const auto value = [&](int part) { return found.captured(part).replace(QStringLiteral("−"), QStringLiteral("-")).toDouble(); };
        // Each number is rounded: to a hundredth, and half of the second counts.
        const bool agrees = found.hasMatch() ? std::abs(value(1) / 100 + value(2) / 2 - value(3)) < 0.0131 && value(3) < value(4) &&
                                                   value(4) == (refused ? 0.95 : 1.0)
                                             : !refused && saysLowFit;
        if (!agrees || saysLowFit != (report.fit < 0.45) || refused != sentence.contains(QStringLiteral("less than two thirds")))
            said.problem = sentence;
        if (found.hasMatch())
            ++(refused ? said.refused : said.doubted);
    }
}

} // namespace

class ValidatorDataTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void correctAlignmentsPassAndExchangedOnesAreFound_data() {
        QTest::addColumn<QString>("set");
        for (const char* set : {"aligned", "librispeech-sample", "speech-translation"})
            QTest::newRow(set) << QString::fromLatin1(set);
    }

    void correctAlignmentsPassAndExchangedOnesAreFound() {
        QFETCH(QString, set);
        const auto folder = sharedData() / set.toStdString();
        if (sharedData().empty() || !std::filesystem::exists(folder / "manifest.tsv"))
            QSKIP(kNoSharedData);
        const auto items = itemsOf(folder);
        QVERIFY(!items.empty());
        int correct = 0, called = 0, exchanged = 0, found = 0;
        Said said;
        for (const Item& item : items) {
            const auto own = reportOf(item, item);
            takeSentence(own, said);
            if (own.phones >= kFewPhones) {
                ++correct;
                called += isCalledWrong(own);
            }
            std::vector<const Item*> others;
            for (const Item& other : items)
                if (&other != &item)
                    others.push_back(&other);
            const auto distance = [&](const Item* other) {
                return std::abs((other->recording.duration() - item.recording.duration()).value());
            };
            std::sort(others.begin(), others.end(),
                      [&](const Item* a, const Item* b) { return distance(a) < distance(b); });
            others.resize(std::min(others.size(), kOthers));
            for (const Item* other : others) {
                const auto report = reportOf(item, *other);
                takeSentence(report, said);
                if (report.phones < kFewPhones)
                    continue;
                ++exchanged;
                found += isCalledWrong(report);
            }
        }
        const QString shares = QStringLiteral("%1: %2 of %3 correct called wrong, %4 of %5 exchanged found")
                                   .arg(set)
                                   .arg(called)
                                   .arg(correct)
                                   .arg(found)
                                   .arg(exchanged);
        qInfo("%s", qPrintable(shares));
        QVERIFY2(called <= 0.01 * correct, qPrintable(shares));
        QVERIFY2(found >= 0.9 * exchanged, qPrintable(shares));
        // Both numbers were in the range that was printed beside them, and the alignment was doubted or refused.
        QVERIFY2(said.problem.isEmpty(), qPrintable(said.problem));
        QVERIFY2(said.doubted > 0 && said.refused > 0, qPrintable(shares));
    }

    /// In the first recording, a click of 50 ms at 0.35 s was called as loud as speech; in the second, the end of a breath.
    void whatIsNotAsLoudAsSpeechIsNotCalledSo() {
        const auto folder = sharedData() / "librispeech-sample";
        if (sharedData().empty() || !std::filesystem::exists(folder / "manifest.tsv"))
            QSKIP(kNoSharedData);
        const auto items = itemsOf(folder);
        const auto placesOf = [&](const char* id) {
            QStringList places;
            const auto item = std::find_if(items.begin(), items.end(), [&](const Item& one) { return one.id == id; });
            if (item == items.end())
                return QStringList(QStringLiteral("no such recording"));
            for (const AlignmentFinding& finding : reportOf(*item, *item).findings)
                if (finding.code == "alignment.speechWithoutPhones")
                    places << QString::number(finding.start.value(), 'f', 2);
            return places;
        };
        QCOMPARE(placesOf("1688-142285-0000").join(u' '), QStringLiteral("7.45 9.92 12.68"));
        QCOMPARE(placesOf("1688-142285-0001").join(u' '), QString());
        QCOMPARE(placesOf("1688-142285-0006").join(u' '), QStringLiteral("1.85"));
    }
};

HEADROOM_TEST(ValidatorDataTest)

} // namespace headroom::testing::validator_data_test

#include "validator_data_test.moc"
