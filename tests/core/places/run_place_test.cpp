// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/places/run_place.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>

namespace headroom::testing::run_place_test {

class RunPlaceTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsWrittenIsReadAgain() {
        RunPlace place;
        place.place.name = "gpu-1";
        place.place.host = "gpu-1";
        place.place.folder = "~/headroom";
        place.folder = "headroom/runs/a";
        place.since = "2026-11-21T13:01:52Z";
        place.copy = RunPlace::Copy{"the “corpus”", 0.58, 1.5e6, -1};
        writeRunPlace(folder(), place);
        QVERIFY(readRunPlace(folder()) == place);
        place.copy.reset();
        place.contact = RunPlace::Contact::Lost;
        place.nextTry = "2026-11-21T13:02:08Z";
        writeRunPlace(folder(), place);
        QVERIFY(readRunPlace(folder()) == place);
    }
    void anotherAttemptIsAskedForOnce() {
        QVERIFY(!takeReconnect(folder()));
        askToReconnect(folder());
        QVERIFY(takeReconnect(folder()));
        QVERIFY(!takeReconnect(folder()));
    }

private:
    std::filesystem::path folder() const { return m_folder.path().toStdString(); }
    QTemporaryDir m_folder;
};

HEADROOM_TEST(RunPlaceTest)

} // namespace headroom::testing::run_place_test

#include "run_place_test.moc"
