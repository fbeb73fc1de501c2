// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "tests/support/runner.h"
#include "training/worker/recordings.h"

#include <QtTest>

namespace headroom::testing::recordings_test {

using namespace headroom::training;

namespace {

QString names(const std::vector<std::filesystem::path>& recordings) {
    QStringList result;
    for (const auto& name : resultNames(recordings))
        result << (name ? QString::fromStdString(*name) : "–");
    return result.join(' ');
}

} // namespace

class RecordingsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void resultsAreNamedByTheStem() { QCOMPARE(names({"a/x.wav", "b/y.flac", "z"}), QString("x y z")); }

    void collidingStemsKeepTheWholeFileName() {
        QCOMPARE(names({"x.wav", "y.wav", "b/x.flac"}), QString("x.wav y x.flac"));
    }

    void aNameThatIsTakenIsNotGivenAgain() {
        QCOMPARE(names({"a/x.wav", "b/x.wav"}), QString("x.wav –"));
        QCOMPARE(names({"x.wav", "x.flac", "x.wav.ogg"}), QString("x.wav x.flac –"));
    }

    void theFileIsNamedOnce() {
        QCOMPARE(sentenceAbout("d/x.wav", Error("a", "x.wav is empty.")), std::string("x.wav is empty."));
        QCOMPARE(sentenceAbout("d/x.wav", Error("a", "It is empty.")), std::string("x.wav: It is empty."));
    }
};

HEADROOM_TEST(RecordingsTest)

} // namespace headroom::testing::recordings_test

#include "recordings_test.moc"
