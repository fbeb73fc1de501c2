// SPDX-License-Identifier: GPL-3.0-or-later
// The column Pieces of the Data view, with the real worker.
#include "app/workspaces/train/data/pieces_panel.h"
#include "tests/support/made_corpus.h"
#include "tests/support/pair_corpus.h"
#include "tests/support/runner.h"

#include <filesystem>
#include <fstream>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

namespace headroom::testing::pieces_panel_test {

using namespace headroom::app;
namespace fs = std::filesystem;

class PiecesPanelTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    fs::path m_corpus;

    std::shared_ptr<const ReadCorpus> read(const std::string& task) const {
        auto read = std::make_shared<ReadCorpus>();
        read->folder = m_corpus;
        read->corpus = std::make_shared<Corpus>(Corpus::open(m_corpus));
        read->summary = *summariseCorpus(*read->corpus, task);
        return read;
    }
    static bool wait(PiecesPanel& panel, QPushButton* button) {
        QSignalSpy finished(&panel, &PiecesPanel::finished);
        button->click();
        return finished.count() > 0 || finished.wait(60000);
    }

private Q_SLOTS:
    void initTestCase() {
        m_corpus = m_folder.path().toStdString() + "/made";
        makeCorpus(m_corpus);
        qputenv("HEADROOM_WORKER", HEADROOM_REAL_WORKER);
    }
    void cleanupTestCase() { qunsetenv("HEADROOM_WORKER"); }

    void aTrialSaysWhatThePiecesDoAndWritesNothing() {
        PiecesPanel panel;
        QVERIFY(!panel.trainButton()->isEnabled()); // no corpus
        panel.setCorpus(read("asr"));
        QVERIFY(panel.trainButton()->isEnabled());
        QVERIFY2(panel.state().contains("no pieces"), qPrintable(panel.state()));
        QVERIFY(!panel.exampleField()->isEnabled());
        QCOMPARE(panel.options().size, 5000);
        panel.sizeField()->setValue(40);
        panel.normaliseField()->setCurrentIndex(1); // lower case
        QCOMPARE(panel.options().normalisation, std::string("nmt_nfkc_cf"));
        QVERIFY2(wait(panel, panel.tryButton()), qPrintable(panel.state()));
        QVERIFY2(panel.state().contains("Nothing was written"), qPrintable(panel.state()));
        QVERIFY(!fs::exists(m_corpus / corpusTokenizerName("asr")));
        QVERIFY2(panel.heldFacts().startsWith("dev, 1") && panel.heldFacts().contains("pieces per word"),
                 qPrintable(panel.heldFacts()));
        QVERIFY2(panel.pieces().contains("ln P"), qPrintable(panel.pieces()));
        // (Applause) is written in lower case: what goes is struck out, what comes is underlined.
        QVERIFY2(panel.changed().contains("<s style") && panel.changed().contains("(Applause)</s>") &&
                     panel.changed().contains("(applause)</u>"),
                 qPrintable(panel.changed()));
    }

    /// The line showed two blanks as one: “before” and “after” looked alike. What was said of other pieces stayed below an error.
    void blanksThatGoAreShownAndAFailureLeavesNothing() {
        const fs::path folder = fs::path(m_folder.path().toStdString()) / "blanks";
        CorpusDocument document;
        document.name = "blanks";
        document.languages = {"en"};
        document.splits = {"train"};
        document.tasks = {{"asr", "en", "en"}};
        fs::create_directories(folder);
        writeCorpusDocument(folder / "corpus.json", document);
        for (const char* name : {"a.wav", "b.wav"})
            saveWav(folder / name, std::vector<float>(16000, 0.1F), kModelSampleRate);
        std::ofstream(folder / "train_asr.tsv") << "id\taudio\tn_frames\ttgt_text\tspeaker\n"
                                                << "one\ta.wav\t100\tthe  dog sees a cat\tx\n"
                                                << "two\tb.wav\t100\tthe dog sees a house\tx\n";
        auto spaced = std::make_shared<ReadCorpus>();
        spaced->folder = folder;
        spaced->corpus = std::make_shared<Corpus>(Corpus::open(folder));
        spaced->summary = *summariseCorpus(*spaced->corpus, "asr");
        PiecesPanel panel;
        panel.setCorpus(spaced);
        panel.sizeField()->setValue(30);
        QVERIFY2(wait(panel, panel.tryButton()), qPrintable(panel.state()));
        QVERIFY2(panel.changed().startsWith("One text is changed:"), qPrintable(panel.changed()));
        QVERIFY2(panel.changed().contains(QStringLiteral("␣</s>dog")) && panel.changed().contains("the dog sees"), qPrintable(panel.changed()));
        QVERIFY2(!panel.heldFacts().contains(" 0 pieces are never"), qPrintable(panel.heldFacts()));
        panel.sizeField()->setValue(5); // the texts have more characters
        QSignalSpy failed(&panel, &PiecesPanel::failed);
        QVERIFY(wait(panel, panel.tryButton()));
        QCOMPARE(failed.count(), 1);
        QVERIFY2(panel.heldFacts().isEmpty() && panel.changed().isEmpty() && panel.pieces().isEmpty(), qPrintable(panel.heldFacts()));
    }

    void sizesThatTheTextsCannotFillAreNotReported() {
        PiecesPanel panel;
        panel.setCorpus(read("asr")); // 5,000 pieces of a few sentences
        QVERIFY2(wait(panel, panel.tryButton()), qPrintable(panel.state()));
        QVERIFY2(panel.state().contains("The texts have no more than "), qPrintable(panel.state()));
        for (const QLabel* label : panel.findChildren<QLabel*>())
            QVERIFY2(!label->text().startsWith("Pieces per word:"), qPrintable(label->text()));
    }

    void trainedPiecesAreInTheCorpusAndTakeTextsApart() {
        PiecesPanel panel;
        panel.setCorpus(read("st_de"));
        QCOMPARE(panel.options().size, 8000);
        panel.modelField()->setCurrentIndex(1);
        panel.sizeField()->setValue(60);
        QCOMPARE(panel.options().model, std::string("bpe"));
        QVERIFY2(wait(panel, panel.trainButton()), qPrintable(panel.state()));
        QVERIFY2(panel.state().contains("in the corpus now"), qPrintable(panel.state()));
        QVERIFY(fs::exists(m_corpus / corpusTokenizerName("st_de")));
        QVERIFY(fs::exists(fs::path(m_corpus / corpusTokenizerName("st_de")).replace_extension(".vocab")));
        QVERIFY(panel.exampleField()->isEnabled());
        panel.exampleField()->clear();
        QTest::keyClicks(panel.exampleField(), "der Hund");
        QVERIFY2(panel.pieces().contains(QStringLiteral("\u2581")), qPrintable(panel.pieces()));
        panel.setCorpus(read("st_de")); // read again
        QVERIFY2(panel.state().startsWith("The corpus has "), qPrintable(panel.state()));
    }

    void parallelTextHasOneVocabularyOrTwo() {
        const fs::path folder = makePairs(fs::path(m_folder.path().toStdString()) / "text", {"train"});
        auto parallel = std::make_shared<ReadCorpus>();
        parallel->folder = folder;
        parallel->corpus = std::make_shared<Corpus>(Corpus::open(folder));
        parallel->summary = *summariseCorpus(*parallel->corpus, "translate");
        PiecesPanel panel;
        panel.setCorpus(parallel);
        QVERIFY(!panel.options().separate && !panel.options().joint);
        auto* joint = panel.findChild<QCheckBox*>();
        QVERIFY(joint && joint->isEnabled() && joint->isChecked());
        joint->setChecked(false);
        QVERIFY(panel.options().separate && !panel.options().joint);
        const auto words = arguments(panel.options());
        QVERIFY(std::find(words.begin(), words.end(), "--separate") != words.end());
        panel.setCorpus(read("st_de"));
        QVERIFY(!panel.options().separate);
    }

    /// What was being learnt ended without a word, and wrote its end over what is said of the corpus that was chosen then.
    void anotherCorpusEndsTheLearningAndItIsSaid() {
        PiecesPanel panel;
        panel.setCorpus(read("asr"));
        QSignalSpy failed(&panel, &PiecesPanel::failed), finished(&panel, &PiecesPanel::finished);
        panel.tryButton()->click();
        panel.setCorpus(read("asr")); // read again: it goes on
        QCOMPARE(panel.state(), QStringLiteral("Learning pieces…"));
        panel.setCorpus(read("st_de"));
        const QString state = panel.state();
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 60000);
        QCOMPARE(panel.state(), state);
        QCOMPARE(failed.count(), 1);
        QVERIFY2(failed[0][0].toString().contains(QStringLiteral("made, asr")), qPrintable(failed[0][0].toString()));
        QVERIFY(panel.tryButton()->isEnabled());
    }

    void aWorkerThatIsNotThereIsSaid() {
        PiecesPanel panel;
        panel.setCorpus(read("asr"));
        qputenv("HEADROOM_WORKER", "/nowhere/headroom-worker");
        QSignalSpy failed(&panel, &PiecesPanel::failed);
        panel.tryButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(failed.count() == 1, 60000);
        QVERIFY(panel.tryButton()->isEnabled());
        qputenv("HEADROOM_WORKER", HEADROOM_REAL_WORKER);
    }
};

HEADROOM_TEST(PiecesPanelTest)

} // namespace headroom::testing::pieces_panel_test

#include "pieces_panel_test.moc"
