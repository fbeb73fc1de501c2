// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "tests/support/runner.h"
#include "training/alignment/aligner_record.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <fstream>

namespace headroom::testing::aligner_record_test {

using namespace headroom::training;

namespace {

AlignerRecord example() {
    AlignerRecord record;
    record.name = "test";
    record.labels = {"AA", "SIL"};
    record.silence = 1;
    record.priorWeight = 0.5;
    record.logPriors = {-1, -0.5};
    record.doubtfulBelow = -6;
    MeasuredErrors synthetic{"demo test", "espeak-ng", false, "2026-11-21", 3, {30, 6.4, 12, 0.9, 1}, {}};
    synthetic.words.median = std::nan("");
    record.measured.push_back(synthetic);
    return record;
}

} // namespace

class AlignerRecordTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string write(const std::string& text) {
        const auto file = m_folder.filePath("aligner.json").toStdString();
        std::ofstream(file, std::ios::binary) << text;
        return file;
    }
    std::string refusal(const std::string& text) {
        try {
            readAlignerRecord(write(text));
        } catch (const Error& error) {
            return error.code();
        }
        return "nothing was refused";
    }

private Q_SLOTS:
    void isReadAsItWasWritten() {
        const auto text = alignerRecordText(example());
        const auto record = readAlignerRecord(write(text));
        QCOMPARE(alignerRecordText(record), text);
        QVERIFY(std::isnan(record.measured.at(0).words.median));
    }

    void onlyRealSpeechIsShown() {
        auto record = example();
        QVERIFY(record.shown() == nullptr);
        QCOMPARE(record.origin(), std::string("built-in aligner, error on real speech not measured"));
        auto real = record.measured.at(0);
        real.set = "LibriSpeech sample";
        real.real = true;
        real.phones.median = 22.6;
        record.measured.push_back(real);
        QCOMPARE(record.origin(),
                 std::string("built-in aligner, median error 23 ms on real speech (LibriSpeech sample)"));
    }

    void badRecordsAreRefused() {
        const auto good = alignerRecordText(example());
        const auto with = [&](const std::string& what, const std::string& by) {
            auto text = good;
            return text.replace(text.find(what), what.size(), by);
        };
        QCOMPARE(refusal(with("\"version\": 1", "\"version\": 2")), std::string("aligner.newer"));
        QCOMPARE(refusal(with("headroom/aligner", "headroom/other")), std::string("aligner.badRecord"));
        QCOMPARE(refusal(with("\"silence\": \"SIL\"", "\"silence\": \"B\"")),
                 std::string("aligner.badRecord"));
        QCOMPARE(refusal(with("-1.0,", "")), std::string("aligner.badRecord"));
        QCOMPARE(refusal("{"), std::string("aligner.badRecord"));
        try {
            readAlignerRecord(m_folder.filePath("none.json").toStdString());
            QFAIL("a missing record was read");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("aligner.missing"));
        }
    }
};

HEADROOM_TEST(AlignerRecordTest)

} // namespace headroom::testing::aligner_record_test

#include "aligner_record_test.moc"
