// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/places/contact_text.h"
#include "tests/support/runner.h"

#include <QtTest/QtTest>

namespace headroom::testing::contact_text_test {

using namespace headroom::app;

class ContactTextTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aLostContactSaysItsAgeAndTheNextTry() {
        RunPlace place;
        place.place.name = "gpu-1";
        place.contact = RunPlace::Contact::Lost;
        place.begun = true;
        place.since = "2026-11-21T13:01:52Z";
        place.sentence = "gpu-1 does not answer.";
        const QDateTime now = QDateTime::fromString(QStringLiteral("2026-11-21T13:02:04Z"), Qt::ISODate);
        const auto said = [&] { return contactText(place, PlacedThing::Run, now); };
        QVERIFY2(said().startsWith("No contact with gpu-1 since ") &&
                     said().endsWith("gpu-1 does not answer."),
                 qPrintable(said()));
        QVERIFY2(said().contains(QStringLiteral("12\u202fs ago); trying again. The run continues there.")),
                 qPrintable(said()));
        place.nextTry = "2026-11-21T13:02:08Z";
        QVERIFY2(said().contains(QStringLiteral("12\u202fs ago); next try in 4\u202fs.")), qPrintable(said()));
        place.nextTry = "2026-11-21T13:02:04Z"; // it is being tried
        QVERIFY2(said().contains(QStringLiteral("trying again")), qPrintable(said()));
        place.begun = false;
        QVERIFY2(said().contains(QStringLiteral("What was copied is kept.")) &&
                     !said().contains("continues there"),
                 qPrintable(said()));
        place.begun = true;
        QVERIFY(contactText(place, PlacedThing::Study, now).contains("The study continues there."));
    }
    void whatIsCopiedIsNamed() {
        RunPlace place;
        place.place.name = "gpu-1";
        QCOMPARE(contactText(place, PlacedThing::Run),
                 QStringLiteral("Copying what the run needs to gpu-1."));
        place.copy = RunPlace::Copy{"MuST-C", 0.58, 109e6, 181};
        QCOMPARE(contactText(place, PlacedThing::Run), QStringLiteral("Copying MuST-C to gpu-1."));
    }
};

HEADROOM_TEST(ContactTextTest)

} // namespace headroom::testing::contact_text_test

#include "contact_text_test.moc"
