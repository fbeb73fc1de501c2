// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/phones.h"
#include "core/alignment/text_grid.h"
#include "tests/support/runner.h"
#include "tests/training/worker/worker_program.h"

#include <cmath>
#include <QFile>
#include <QtTest>

namespace headroom::testing::worker_speak_test {

namespace {

QByteArray contents(const QString& file) {
    QFile handle(file);
    return handle.open(QIODevice::ReadOnly) ? handle.readAll() : QByteArray();
}

} // namespace

class WorkerSpeakTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        const auto probe = runWorkerProgram({"speak", "hello", "--out", m_folder.filePath("probe.wav")});
        if (probe.says("espeak-ng is not installed"))
            QSKIP("espeak-ng is not installed");
        QCOMPARE(probe.status, 0);
    }

    void speechComesWithItsWordsAndPhones() {
        const auto wav = m_folder.filePath("sentence.wav");
        const auto done = runWorkerProgram(
            {"speak", "It is one of the driver's, \"quickly\" -- her village.", "--out", wav, "--json"});
        QVERIFY2(done.status == 0, done.err.c_str());
        const auto document = done.document();
        for (const char* key :
             {"format", "version", "wav", "textGrid", "sampleRate", "seconds", "words", "phones"})
            QVERIFY2(document.contains(key), key);
        QCOMPARE(document.size(), std::size_t(8));
        QCOMPARE(document["words"].get<int>(), 9);

        const auto recording = loadRecording(wav.toStdString());
        QCOMPARE(recording.originalRate.hertz(), 22050);
        const auto grid = readTextGrid(m_folder.filePath("sentence.TextGrid").toStdString());
        QCOMPARE(grid.tiers.size(), std::size_t(2));
        QCOMPARE(grid.tiers[0].name, std::string("words"));
        QCOMPARE(grid.tiers[1].name, std::string("phones"));
        std::vector<std::string> words;
        for (const auto& interval : grid.tiers[0].intervals)
            if (!interval.label.empty())
                words.push_back(interval.label);
        QCOMPARE(words, (std::vector<std::string>{"It", "is", "one", "of", "the", "driver's", "quickly",
                                                  "her", "village"}));
        for (const auto& tier : grid.tiers) {
            QCOMPARE(tier.intervals.front().start.value(), 0.0);
            QVERIFY(std::abs(tier.intervals.back().end.value() - recording.duration().value()) < 1e-4);
            for (std::size_t index = 0; index < tier.intervals.size(); ++index) {
                QVERIFY(tier.intervals[index].start < tier.intervals[index].end);
                if (index > 0) // gap-free
                    QCOMPARE(tier.intervals[index].start.value(), tier.intervals[index - 1].end.value());
            }
        }
        for (const auto& interval : grid.tiers[1].intervals)
            QVERIFY2(interval.label == "sil" || phoneClass(interval.label), interval.label.c_str());
        QVERIFY(grid.tiers[0].intervals.back().label.empty()); // the pause at the end
        QCOMPARE(grid.tiers[1].intervals.back().label, std::string("sil"));
    }

    void phonesBeginAndEndWithTheirWords() {
        QCOMPARE(runWorkerProgram({"speak", "her village", "--out", m_folder.filePath("two.wav")}).status, 0);
        const auto grid = readTextGrid(m_folder.filePath("two.TextGrid").toStdString());
        QCOMPARE(grid.tiers[0].intervals.size(), std::size_t(3));
        const auto& village = grid.tiers[0].intervals[1];
        QStringList phones;
        for (const auto& interval : grid.tiers[1].intervals)
            if (interval.start >= village.start && interval.end <= village.end)
                phones << QString::fromStdString(interval.label);
        QCOMPARE(phones.join(' '), QString("V IH L IH JH"));
    }

    void theSameTextIsTheSameBytes() {
        QStringList arguments{"speak", "the same words every time", "--rate", "200", "--pitch", "70",
                              "--out"};
        QCOMPARE(runWorkerProgram(arguments + QStringList{m_folder.filePath("one.wav")}).status, 0);
        QCOMPARE(runWorkerProgram(arguments + QStringList{m_folder.filePath("again.wav")}).status, 0);
        QVERIFY(!contents(m_folder.filePath("one.wav")).isEmpty());
        QVERIFY(contents(m_folder.filePath("one.wav")) == contents(m_folder.filePath("again.wav")));
        QVERIFY(contents(m_folder.filePath("one.TextGrid")) == contents(m_folder.filePath("again.TextGrid")));
    }

    void otherVoicesRatesAndPitchesSoundOtherwise() {
        const auto speak = [&](const QStringList& options) {
            const auto wav = m_folder.filePath("voice.wav");
            runWorkerProgram(QStringList{"speak", "the heavy driver", "--out", wav} + options);
            return contents(wav);
        };
        const auto usual = speak({});
        QVERIFY(speak({"--voice", "en-gb-scotland"}) != usual);
        QVERIFY(speak({"--pitch", "80"}) != usual);
        QVERIFY(speak({"--rate", "350"}).size() < usual.size());
    }

    void wordsThatAreNotSaidOneByOneAreRefused() {
        const auto done = runWorkerProgram({"speak", "twenty 23", "--out", m_folder.filePath("number.wav")});
        QCOMPARE(done.status, 1);
        QVERIFY2(done.says("words where the text has 2"), done.err.c_str());
        QVERIFY(!QFile::exists(m_folder.filePath("number.wav")));
    }

    void badInputHasASentence() {
        QCOMPARE(runWorkerProgram({"speak", " -- ", "--out", m_folder.filePath("x.wav")}).status, 1);
        const auto voice =
            runWorkerProgram({"speak", "hello", "--voice", "en-mars", "--out", m_folder.filePath("x.wav")});
        QCOMPARE(voice.status, 1);
        QVERIFY(voice.says("no voice en-mars"));
        const auto nowhere = runWorkerProgram({"speak", "hello", "--out", "/nowhere/at/all/x.wav"});
        QCOMPARE(nowhere.status, 1);
        QVERIFY2(nowhere.says("The folder /nowhere/at/all does not exist."), nowhere.err.c_str());
        const auto format = runWorkerProgram({"speak", "hello", "--out", m_folder.filePath("x.mp3")});
        QCOMPARE(format.status, 1);
        QVERIFY(format.says("x.mp3") && format.says("writes WAV"));
        QVERIFY(!QFile::exists(m_folder.filePath("x.mp3")));
    }

private:
    QTemporaryDir m_folder;
};

HEADROOM_TEST(WorkerSpeakTest)

} // namespace headroom::testing::worker_speak_test

#include "worker_speak_test.moc"
