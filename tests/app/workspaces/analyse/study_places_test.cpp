// SPDX-License-Identifier: GPL-3.0-or-later
// The places behind a number of a study: the list, and the way to one of them.
#include "app/documents/session.h"
#include "app/workspaces/analyse/sound/sound_transport.h"
#include "app/workspaces/analyse/studies/place_opener.h"
#include "app/workspaces/analyse/studies/places_panel.h"
#include "tests/app/studies/made_study.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTest>

namespace headroom::testing::study_places_test {

using namespace headroom::app;

class StudyPlacesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void theListOfPlacesSaysWhatToClick() {
        makeWindowsStudy(m_workshop.path() / "one");
        PlacesPanel places;
        const auto said = [&] { return places.findChild<QLabel*>(QStringLiteral("placesSentence"))->text(); };
        QVERIFY(said().startsWith(QStringLiteral("Open a study and click a number")));
        places.setStudyIsOpen(true);
        QVERIFY(said().startsWith(QStringLiteral("Click a number in a table of the study")));
    }

    /// The messages would be laid over the list at every click.
    void aPlaceWithoutSoundIsSaidInTheList() {
        const auto folder = m_workshop.path() / "one";
        const auto sound = m_workshop.wav("talk.wav", 3);
        makeWindowsStudy(folder, 3, 5, sound);
        Session session;
        widgets::TimeAxis axis;
        SoundDevices none("nowhere");
        SoundTransport transport(&none, &axis);
        PlaceOpener opener(&session, &axis, &transport);
        session.setCurrentUtterance(session.openUtterance(sound));
        QVERIFY(QTest::qWaitFor([&] { return !session.isReading(); }, 60000));
        axis.setExtent(Seconds(3));
        transport.setRecording(session.currentUtterance()->recording);
        QSignalSpy said(&opener, &PlaceOpener::failed), posted(&transport, &SoundTransport::failed);
        PlacesQuery query;
        query.study = openStudy(folder);
        PlaceRow place;
        place.audio = sound;
        place.place = {0, 0.5, 1.5, 0.01};
        opener.open(place, query);
        QTRY_VERIFY_WITH_TIMEOUT(!said.isEmpty(), 60000);
        QVERIFY2(said.last()[0].toString().contains(QStringLiteral("nowhere")), qPrintable(said.last()[0].toString()));
        QCOMPARE(posted.count(), 0);
        QCOMPARE(axis.cursor()->value(), 0.5); // the place is shown all the same
        transport.play();
        QCOMPARE(posted.count(), 1); // the button that does nothing still says why
    }

private:
    const Workshop m_workshop;
};

HEADROOM_TEST(StudyPlacesTest)

} // namespace headroom::testing::study_places_test

#include "study_places_test.moc"
