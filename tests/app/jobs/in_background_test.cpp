// SPDX-License-Identifier: GPL-3.0-or-later
// buildInBackground: when its second half is called, and when not.
#include "app/jobs/in_background.h"
#include "tests/support/runner.h"

#include <QTest>

#include <stdexcept>

namespace headroom::testing::in_background_test {

using app::buildInBackground;
using app::Built;

class InBackgroundTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// However quick the work was, the caller has gone on first: it may still set what `then` takes back.
    void theResultNeverComesBeforeTheCallReturned() {
        for (int time = 0; time < 200; ++time) {
            bool returned = false, came = false, early = false;
            buildInBackground(
                this, [] { return 7; },
                [&](const Built<int>& built) {
                    came = built.value == 7 && built.mistake.isEmpty();
                    early = !returned;
                });
            QThreadPool::globalInstance()->waitForDone();
            returned = true;
            QVERIFY(!came);
            QTRY_VERIFY_WITH_TIMEOUT(came, 60000);
            QVERIFY(!early);
        }
    }

    void aMistakeIsItsSentence() {
        QString sentence;
        buildInBackground(
            this, []() -> int { throw std::runtime_error("no such folder"); },
            [&](const Built<int>& built) { sentence = built.mistake; });
        QTRY_COMPARE_WITH_TIMEOUT(sentence, QStringLiteral("no such folder"), 60000);
    }

    void whoHasEndedIsNotCalled() {
        bool called = false, after = false;
        auto context = std::make_unique<QObject>();
        buildInBackground(
            context.get(), [] { return 1; }, [&](const Built<int>&) { called = true; });
        context.reset();
        QThreadPool::globalInstance()->waitForDone();
        buildInBackground(
            this, [] { return 1; }, [&](const Built<int>&) { after = true; });
        QTRY_VERIFY_WITH_TIMEOUT(after, 60000);
        QVERIFY(!called);
    }
};

HEADROOM_TEST(InBackgroundTest)

} // namespace headroom::testing::in_background_test

#include "in_background_test.moc"
