// SPDX-License-Identifier: GPL-3.0-or-later
// What the Data view calls the texts of a corpus, and how it writes lengths.
#include "app/workspaces/train/data/data_tables.h"
#include "core/time/seconds_text.h"
#include "tests/support/made_corpus.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QTest>

namespace headroom::testing::data_tables_test {

using namespace headroom::app;

namespace {

/// A summary of one split whose texts are in these languages.
CorpusSummary summaryIn(const std::vector<std::string>& languages) {
    CorpusSummary summary;
    SplitFacts split;
    split.name = "all";
    for (const std::string& language : languages) {
        summary.vocabularies.emplace_back().language = language;
        TextFacts& text = split.texts.emplace_back();
        text.language = language;
        text.words = 5;
        text.seconds = 2;
        text.vocabulary.different = 4;
    }
    summary.trainingSplits = {"all"};
    summary.splits = {split};
    return summary;
}

} // namespace

class DataTablesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// “2.53, target 2.93 per second”, without a legend: an import without a language writes “und” where a manifest has “source”.
    void textsOfUnknownLanguagesAreSourceAndTarget() {
        for (const auto& unknown : std::vector<std::vector<std::string>>{{"source", "target"}, {"und", "target"}, {"text", "und"}}) {
            const CorpusSummary summary = summaryIn(unknown);
            QCOMPARE(ratesText(summary.splits[0]), QStringLiteral("source 2.50, target 2.50 per second"));
            QCOMPARE(vocabularyShares(summary, summary.splits[0]), QStringLiteral("source 4, target 4 in “all”"));
            QCOMPARE(textName(unknown[0], 0, 2), QStringLiteral("source"));
            QCOMPARE(textName(unknown[1], 1, 2), QStringLiteral("target"));
            QCOMPARE(languagesText(summary), QStringLiteral("not stated"));
        }
        const CorpusSummary one = summaryIn({"en", "target"});
        QCOMPARE(ratesText(one.splits[0]), QStringLiteral("en 2.50, target 2.50 per second"));
        QCOMPARE(languagesText(one), QStringLiteral("en → not stated"));
        QCOMPARE(languagesText(summaryIn({"en", "de"})), QStringLiteral("en → de"));
        // The only text needs no name.
        const CorpusSummary only = summaryIn({"und"});
        QCOMPARE(ratesText(only.splits[0]), QStringLiteral("2.50 per second"));
        QCOMPARE(languagesText(only), QStringLiteral("not stated"));
        QCOMPARE(languagesText(summaryIn({"en"})), QStringLiteral("en"));
    }

    /// “1.48” stood beside “17 words in 1.49 s”.
    void aLengthIsRoundedAsInTheSentenceBesideIt() {
        QTemporaryDir folder;
        const Corpus corpus = Corpus::open(makeCorpus(folder.path().toStdString()));
        CorpusDefect defect{"corpus.tooFast", DefectKind::Suspicious, {}, 0};
        for (int frames = 1; frames < 2000; ++frames)
            defect.utterances.push_back({"train_0", "train", 0, headroom::secondsText(Seconds(secondsOfFrames(frames))), secondsOfFrames(frames)});
        const StudyTable table = defectiveTable(defect, corpus, "asr");
        for (const auto& row : table.rows)
            QCOMPARE(QString::fromStdString(shownText(table.columns[3], row[3])) + QStringLiteral(" s"),
                     QString::fromStdString(std::get<std::string>(row[5])));
    }
};

HEADROOM_TEST(DataTablesTest)

} // namespace headroom::testing::data_tables_test

#include "data_tables_test.moc"
