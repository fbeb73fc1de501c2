// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/text_grid.h"
#include "core/audio/audio_file.h"
#include "core/corpus/corpus.h"
#include "core/text/tokenizer.h"
#include "tests/support/runner.h"
#include "training/alignment/aligner_record.h"
#include "training/alignment/phone_tasks.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace headroom::testing::phone_tasks_test {

using namespace headroom::training;
namespace fs = std::filesystem;

class PhoneTasksTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    /// Half a second of nothing with sil 0.1, K 0.2, AO 0.3, rest sil; twice, the second with `phone` for K.
    fs::path makeCorpus(const char* name, const std::string& phone) {
        const fs::path folder = fs::path(m_folder.path().toStdString()) / name;
        fs::create_directories(folder / "audio");
        fs::create_directories(folder / "alignments");
        CorpusDocument document;
        document.name = name;
        document.languages = {"en"};
        document.splits = {"train"};
        document.tasks = {{"asr", "en", "en"}};
        std::vector<Utterance> utterances;
        for (const auto& [id, label] : {std::pair<std::string, std::string>{"a", "K"}, {"b", phone}}) {
            Utterance utterance;
            utterance.id = id;
            utterance.audio = folder / "audio" / (id + ".wav");
            utterance.text = "call";
            saveWav(utterance.audio, std::vector<float>(8000), kModelSampleRate);
            TextGrid grid;
            grid.end = Seconds(0.5);
            grid.tiers.push_back({"phones",
                                  false,
                                  {{Seconds(0), Seconds(0.1), "sil"},
                                   {Seconds(0.1), Seconds(0.2), label},
                                   {Seconds(0.2), Seconds(0.3), "AO1"},
                                   {Seconds(0.3), Seconds(0.5), ""}},
                                  {}});
            writeTextGrid(folder / "alignments" / (id + ".TextGrid"), grid);
            utterances.push_back(utterance);
        }
        writeCorpusTable(folder, "train", document.tasks[0], utterances);
        writeCorpusDocument(folder / "corpus.json", document);
        return folder;
    }

private Q_SLOTS:
    void everyFrameHasTheLabelAtItsCentre() {
        const auto folder = makeCorpus("good", "G");
        QCOMPARE(addPhoneTasks(folder).utterances.at("train"), std::int64_t(2));
        const auto corpus = Corpus::open(folder);
        QCOMPARE(corpus.utterances("train", "phones").at(0).text, std::string("K AA"));
        std::istringstream words(corpus.utterances("train", "phone_frames").at(0).text);
        const std::vector<std::string> labels{std::istream_iterator<std::string>(words), {}};
        QCOMPARE(labels.size(), std::size_t(48)); // 1 + (8000 − 400)/160
        for (std::size_t frame = 0; frame < labels.size(); ++frame) {
            const double centre = 0.0125 + 0.01 * static_cast<double>(frame);
            const auto* expected = centre < 0.1 ? "SIL" : centre < 0.2 ? "K" : centre < 0.3 ? "AA" : "SIL";
            QCOMPARE(labels[frame], std::string(expected));
        }
        const Tokenizer tokenizer(folder / "phone_frames.sentencepiece.model");
        QCOMPARE(tokenizer.size(), 41);
        QCOMPARE(tokenizer.encode("K AA SIL").size(), std::size_t(3));
    }

    void theRecordHasThePriorsOfTheFrames() {
        const auto folder = makeCorpus("priors", "G");
        addPhoneTasks(folder);
        const auto record = readAlignerRecord(folder / "aligner.json");
        const Tokenizer tokenizer(folder / "phone_frames.sentencepiece.model");
        double sum = 0;
        for (std::size_t i = 0; i < record.labels.size(); ++i) {
            QCOMPARE(tokenizer.piece(record.firstLabel + static_cast<int>(i)), "\u2581" + record.labels[i]);
            sum += std::exp(record.logPriors[i]);
        }
        QVERIFY(std::abs(sum - 1) < 1e-2);
        QCOMPARE(record.labels.at(static_cast<std::size_t>(record.silence)), std::string("SIL"));
        QVERIFY(record.logPriors.at(static_cast<std::size_t>(record.silence)) > -1);
    }

    void aPhoneOfNoClassIsLeftOutAndSaid() {
        const auto summary = addPhoneTasks(makeCorpus("unknown", "PT"));
        QCOMPARE(summary.utterances.at("train"), std::int64_t(1));
        QCOMPARE(summary.leftOutCount, std::int64_t(1));
        QVERIFY(QString::fromStdString(summary.leftOut.at(0)).contains("PT"));
    }

    void againChangesNothing() {
        const auto folder = makeCorpus("again", "G");
        addPhoneTasks(folder);
        const auto before = corpusDocumentText(readCorpusDocument(folder / "corpus.json"));
        addPhoneTasks(folder);
        QCOMPARE(corpusDocumentText(readCorpusDocument(folder / "corpus.json")), before);
    }
};

HEADROOM_TEST(PhoneTasksTest)

} // namespace headroom::testing::phone_tasks_test

#include "phone_tasks_test.moc"
