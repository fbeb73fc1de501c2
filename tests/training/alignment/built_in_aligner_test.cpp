// SPDX-License-Identifier: GPL-3.0-or-later
// What resources/aligner promises: its own record, recomputed.
#include "core/alignment/readers.h"
#include "core/audio/audio_file.h"
#include "core/features/features.h"
#include "tests/support/runner.h"
#include "training/alignment/aligner.h"
#include "training/alignment/boundary_errors.h"

#include <QTest>

#include <cmath>

namespace headroom::testing::built_in_aligner_test {

using namespace headroom::training;
namespace fs = std::filesystem;

namespace {

const fs::path kResources = fs::path(HEADROOM_SOURCE_DIR) / "resources";
constexpr const char* kSaid = "The big man looks for the pictures in the forest at night.";

Matrix<float> featuresOf(const std::vector<float>& samples) {
    LogMelFilterbank filterbank;
    auto features = filterbank.compute(samples);
    applyUtteranceCmvn(features);
    return features;
}

bool warns(const Alignment& alignment, const std::string& code) {
    for (const auto& warning : alignment.warnings)
        if (warning.code == code)
            return true;
    return false;
}

} // namespace

class BuiltInAlignerTest : public QObject {
    Q_OBJECT

    std::unique_ptr<Aligner> m_aligner;
    std::vector<float> m_samples; ///< of demo.wav
    Seconds m_duration;

    AlignedUtterance align(const std::string& text) {
        return m_aligner->align(featuresOf(m_samples), m_duration, spokenPhones(text));
    }

private Q_SLOTS:
    void initTestCase() {
        try {
            spokenPhones("yes");
        } catch (const Error& error) {
            QSKIP(error.what());
        }
        m_aligner = Aligner::open(kResources / "aligner");
        auto recording = loadRecording(kResources / "demo" / "demo.wav");
        m_duration = recording.duration();
        m_samples = std::move(recording.samples);
    }

    void isSmall() {
        std::uintmax_t bytes = 0;
        for (const auto& entry : fs::directory_iterator(kResources / "aligner"))
            bytes += entry.file_size();
        QVERIFY2(bytes <= 3'000'000, qPrintable(QString::number(bytes)));
    }

    void findsThePhonesOfTheDemoUtterance() {
        const auto found = align(kSaid);
        const auto exact = readAlignment(kResources / "demo" / "demo.TextGrid", "demo", m_duration);
        BoundaryComparison comparison;
        comparison.add(found.alignment, exact);
        QVERIFY(comparison.phones().count >= 35);
        QVERIFY2(comparison.phones().median <= 15, qPrintable(QString::number(comparison.phones().median)));
        QCOMPARE(comparison.words().count, std::int64_t(12));
        QVERIFY(!warns(found.alignment, "align.doubtful"));
        QCOMPARE(found.alignment.origin, m_aligner->record().origin());
        QVERIFY(QString::fromStdString(found.alignment.origin).contains("median error"));
    }

    void tiersHaveNoGap() {
        const auto found = align(kSaid).alignment;
        for (const auto* tier : {&found.words, &found.phones}) {
            QCOMPARE(tier->front().start.value(), 0.0);
            QCOMPARE(tier->back().end.value(), m_duration.value());
            for (std::size_t i = 1; i < tier->size(); ++i) {
                QCOMPARE(tier->at(i).start.value(), tier->at(i - 1).end.value());
                QVERIFY(tier->at(i).end > tier->at(i).start);
            }
        }
    }

    void anotherTextIsDoubtful() {
        const auto found = align("Seven yellow onions never answered our uncle.");
        QVERIFY(found.confidence < m_aligner->record().doubtfulBelow);
        QVERIFY(warns(found.alignment, "align.doubtful"));
        // With minus signs, as everywhere else.
        const QString sentence = QString::fromStdString(found.alignment.warnings.back().sentence);
        QVERIFY2(sentence.contains(QString::fromUtf8(" is −")) && sentence.contains(QString::fromUtf8(" threshold of −")), qPrintable(sentence));
        // A file of it says so too, where the accuracy would stand.
        const Alignment read = alignmentFrom(textGridOf(found.alignment, m_duration), m_duration, "another");
        QVERIFY(warns(read, "align.doubtful"));
        QVERIFY(!QString::fromStdString(read.origin).contains("median error"));
    }

    void moreThanTheRecordingCanHoldIsASentence() {
        m_samples.resize(8000);
        try {
            align(kSaid);
            QFAIL("a sentence fitted into half a second");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("align.tooManyPhones"));
            QVERIFY(QString(error.what()).contains("has only 24 tokens"));
        }
        m_samples = loadRecording(kResources / "demo" / "demo.wav").samples;
    }

    void withoutWordsAllIsSilence() {
        const auto found = m_aligner->align(featuresOf(m_samples), m_duration, {});
        QCOMPARE(found.alignment.phones.size(), std::size_t(1));
        QCOMPARE(found.alignment.phones[0].label, std::string("sil"));
        QCOMPARE(found.alignment.words.size(), std::size_t(1));
        QVERIFY(found.alignment.words[0].label.empty());
        QVERIFY(std::isnan(found.confidence));
    }

    void silenceIsDoubtful() {
        std::vector<float> silence(32000);
        for (std::size_t i = 0; i < silence.size(); ++i)
            silence[i] = i % 2 == 0 ? 1e-4F : -1e-4F;
        const auto found = m_aligner->align(featuresOf(silence), Seconds(2), spokenPhones("Good morning."));
        QVERIFY(warns(found.alignment, "align.doubtful"));
    }
};

HEADROOM_TEST(BuiltInAlignerTest)

} // namespace headroom::testing::built_in_aligner_test

#include "built_in_aligner_test.moc"
