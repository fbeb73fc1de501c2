// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/problems_of.h"

#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <fstream>

namespace headroom::testing::problems_of_test {

class ProblemsOfTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tablesOfOtherSplitsAndTasksAreLeftOut() {
        const QTemporaryDir place;
        const std::filesystem::path folder = place.path().toStdString();
        CorpusDocument document;
        document.name = "x";
        document.languages = {"en", "de"};
        document.splits = {"train", "dev"};
        document.tasks = {{"asr", "en", "en"}, {"st_de", "en", "de"}};
        writeCorpusDocument(folder / "corpus.json", document);
        for (const char* split : {"train", "dev"})
            for (const char* task : {"asr", "st_de"})
                std::ofstream(folder / corpusTableName(split, task)) << "id\taudio\tn_frames\ttgt_text\tspeaker\tsrc_text\n1\tmissing.wav\t8\ta\t\tb\n";
        const Corpus corpus = Corpus::open(folder);
        const auto files = [&](const std::string& task, const std::set<std::string>& splits) {
            std::set<std::string> names;
            for (const CorpusProblem& problem : problemsOf(corpus, task, splits))
                names.insert(problem.file);
            return names;
        };
        QVERIFY((files("asr", {"dev"}) == std::set<std::string>{"dev_asr.tsv"}));
        QVERIFY((files("", {"dev"}) == std::set<std::string>{"dev_asr.tsv", "dev_st_de.tsv"}));
        QVERIFY((files("asr", {}) == std::set<std::string>{"dev_asr.tsv", "train_asr.tsv"}));
        QCOMPARE(problemsOf(corpus, "", {}).size(), corpus.problems().size());
    }
};

HEADROOM_TEST(ProblemsOfTest)

} // namespace headroom::testing::problems_of_test

#include "problems_of_test.moc"
