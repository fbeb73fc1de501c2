// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/files/utterance_reader.h"
#include "app/documents/session.h"
#include "core/features/features.h"
#include "tests/app/documents/reading.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"

#include <QSignalSpy>
#include <QTest>

#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace headroom::testing::utterance_reader_test {

using namespace headroom::app;
using headroom::testing::Workshop;

class UtteranceReaderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSpectrogramTooLargeForTheMemoryIsSaid() {
        auto recording = std::make_shared<Recording>();
        recording->samples.resize(std::size_t{40} << 20); // 270 MB of spectrogram
        UtteranceReader reader;
        QSignalSpy ready(&reader, &UtteranceReader::linearReady), failed(&reader, &UtteranceReader::failed);
        reader.computeLinear(UtteranceId(1), std::make_shared<const Recording>()); // the pool has a thread now
        QVERIFY(QTest::qWaitFor([&] { return reader.pending() == 0; }, 60000));
        rlimit before{};
        QCOMPARE(getrlimit(RLIMIT_AS, &before), 0);
        {
            std::ifstream pages("/proc/self/statm");
            std::uint64_t used = 0;
            pages >> used;
            const rlimit narrow{used * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (rlim_t{64} << 20), before.rlim_max};
            QCOMPARE(setrlimit(RLIMIT_AS, &narrow), 0);
        }
        reader.computeLinear(UtteranceId(1), recording);
        const bool ended = QTest::qWaitFor([&] { return reader.pending() == 0; }, 60000);
        QCOMPARE(setrlimit(RLIMIT_AS, &before), 0);
        QVERIFY(ended);
        QCOMPARE(failed.count(), 1);
        QCOMPARE(failed[0][1].toString(), QStringLiteral("There is not enough free memory for the linear spectrogram."));
        QCOMPARE(ready.count(), 2);
        QVERIFY(!ready[1][1].value<std::shared_ptr<const Matrix<float>>>()); // it may be asked for again
    }

    /// It stood beside another recording, and that one's own was not computed.
    void aLinearSpectrogramIsOfTheRecordingThatIsOpen() {
        Workshop workshop;
        Session session;
        session.open({workshop.wav("one.wav", 0.5)});
        QVERIFY(waitUntilRead(session));
        const Session::KeptFiles kept = session.keptFiles(session.currentUtteranceId());
        const OpenUtterance& before = kept.utterance;
        session.setFiles(before.id, workshop.wav("other.wav", 0.8), {});
        QVERIFY(waitUntilRead(session));
        QCOMPARE(session.currentUtterance()->duration().value(), 0.8);
        session.requireLinearSpectrogram(before.id);
        session.putFiles(kept); // by undo, before it is computed
        QVERIFY(waitUntilRead(session));
        QVERIFY(!session.currentUtterance()->linear);
        session.setFiles(before.id, workshop.path() / "other.wav", {});
        QVERIFY(waitUntilRead(session));
        session.requireLinearSpectrogram(before.id);
        session.putFiles(kept);
        session.requireLinearSpectrogram(before.id);
        QVERIFY(waitUntilRead(session));
        QVERIFY(session.currentUtterance()->linear);
        QCOMPARE(session.currentUtterance()->linear->rows(), linearSpectrogram(before.recording->samples).rows());
    }

    void anAlignmentThatComesWhileItsRecordingIsReadIsTaken() {
        Workshop workshop;
        const auto recording = workshop.wav("sound/hello.wav"), folder = workshop.path() / "kept.headroom";
        {
            Session session;
            session.open({recording});
            QVERIFY(waitUntilRead(session));
            session.saveAs(folder);
        }
        workshop.wav("sound/hello.wav", 0.75);
        Session session;
        session.openSession(folder);
        session.open({workshop.grid("grids/hello.TextGrid", "later", 0.75)});
        QCOMPARE(session.currentUtterance()->state, OpenState::Reading);
        QVERIFY(waitUntilRead(session));
        QCOMPARE(session.currentUtterance()->transcript(), QStringLiteral("later"));
        // It was read once: a second time would know nothing of the session.
        QVERIFY(session.currentUtterance()->warnings.join(u' ').contains(QStringLiteral("has changed since this session last read it")));
    }
};

HEADROOM_TEST(UtteranceReaderTest)

} // namespace headroom::testing::utterance_reader_test

#include "utterance_reader_test.moc"
