// SPDX-License-Identifier: GPL-3.0-or-later
// What a corpus lacks for an experiment, and what stands in for it.
#include "core/experiments/experiment_corpora.h"
#include "core/experiments/scale.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

namespace headroom::testing::experiment_corpora_test {

namespace {

namespace fs = std::filesystem;

/// A corpus in a folder "text", as the guide's command makes it: translations of German texts, no recordings.
fs::path textCorpus(const QTemporaryDir& folder) {
    const fs::path corpus = fs::path(folder.path().toStdString()) / "text";
    fs::create_directories(corpus);
    CorpusDocument document{"text", "", SampleRate{16000}, {"en", "de", "es"}, {"train", "dev", "test"},
                            {{"mt_de", "en", "de", true}, {"mt_es", "en", "es", true}}};
    writeCorpusDocument(corpus / "corpus.json", document);
    return corpus;
}

ExperimentPlan planOf(const char* name, double scale) {
    const ExperimentFolders resources{HEADROOM_SOURCE_DIR "/resources", {}};
    return planExperiment(readExperiment(experimentFile(name, resources)), 1, scale, resources);
}

std::vector<std::string> missingAt(const char* name, double scale, const fs::path& data) {
    const ExperimentPlan plan = planOf(name, scale);
    return ExperimentCorpora(plan, data).missing();
}

} // namespace

class ExperimentCorporaTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anotherLanguageStandsInOnlyBelowScaleOne() {
        const QTemporaryDir folder;
        const fs::path text = textCorpus(folder);
        const std::vector<std::string> atOne{"The corpus “text” has no translation into “en”, only into “de”, “es”, which can stand in for "
                                             "it at a scale below 1."};
        QCOMPARE(missingAt("relaxed-figure-7", 1, text), atOne);
        QVERIFY(missingAt("relaxed-figure-7", 0.0002, text).empty());
    }

    /// It has German, but nothing that could be heard.
    void parallelTextHasNoSpeech() {
        const QTemporaryDir folder;
        const fs::path text = textCorpus(folder);
        for (const char* name : {"locality-1", "locality-2", "relaxed-1"})
            QCOMPARE(missingAt(name, 0.0002, text), (std::vector<std::string>{"The corpus “text” has no speech: it is parallel text."}));
    }

    /// As the field of the dialogue shows it, not "2e-04"; and "self-1" was γ 0.1.
    void numbersAreWrittenAsTheyAreTyped() {
        QVERIFY2(scaleSentence(0.0002).starts_with("Scaled by 0.0002: updates and schedule × 0.0002 × 0.0141 "), scaleSentence(0.0002).c_str());
        const ExperimentPlan plan = planOf("relaxed-figure-7", 1);
        for (const auto& [step, heads] : {std::pair("train-self-gamma-0_01-seed1", "4 full relaxed 0.01 matched"),
                                          std::pair("train-self-gamma-0_1-seed1", "4 full relaxed 0.1 matched")}) {
            QVERIFY2(plan.find(step), step);
            QCOMPARE(toText(plan.find(step)->architecture.encoder.layers.front().heads), std::string(heads));
        }
    }

    void notesQuoteTheNameOfTheCorpus() {
        const QTemporaryDir folder;
        const fs::path text = textCorpus(folder);
        const ExperimentPlan plan = planOf("relaxed-figure-7", 0.0002);
        const std::vector<std::string> notes = ExperimentCorpora(plan, text).notes();
        const std::string sentence = "The texts of the corpus “text” stand in for the additional text of the language model.";
        QVERIFY2(std::find(notes.begin(), notes.end(), sentence) != notes.end(), joinedSentences(notes).c_str());
    }
};

HEADROOM_TEST(ExperimentCorporaTest)

} // namespace headroom::testing::experiment_corpora_test

#include "experiment_corpora_test.moc"
