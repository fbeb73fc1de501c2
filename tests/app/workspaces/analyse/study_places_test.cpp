// SPDX-License-Identifier: GPL-3.0-or-later
// The places behind a number of a study: the list, and the way to one of them.
#include "app/documents/session.h"
#include "app/workspaces/analyse/sound/sound_transport.h"
#include "app/workspaces/analyse/studies/place_opener.h"
#include "app/workspaces/analyse/studies/places_model.h"
#include "app/workspaces/analyse/studies/places_panel.h"
#include "core/alignment/text_grid.h"
#include "core/tensors/sha256.h"
#include "tests/app/documents/reading.h"
#include "tests/app/studies/made_study.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/table_text.h"

#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <span>

namespace headroom::testing::study_places_test {

using namespace headroom::app;

namespace {

/// A window without a sound device.
struct Desk {
    Session session;
    widgets::TimeAxis axis;
    SoundDevices none{"nowhere"};
    SoundTransport transport{&none, &axis};
    PlaceOpener opener{&session, &axis, &transport};
};

} // namespace

class StudyPlacesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void theListOfPlacesSaysWhatToClick() {
        makeWindowsStudy(m_workshop.path() / "one");
        PlacesPanel places;
        const auto said = [&] { return places.findChild<QLabel*>(QStringLiteral("placesSentence"))->text(); };
        QVERIFY(said().startsWith(QStringLiteral("Open a study of windows, heads, phones or a probe, and click")));
        places.setStudyIsOpen(true);
        QVERIFY(said().startsWith(QStringLiteral("Click a number in a table of windows or heads, or a cell")));
    }

    /// In a small window the columns beside the list became narrower, and stayed so.
    void whoAlignedDoesNotWidenThePanel() {
        PlacesPanel places;
        const int before = places.minimumSizeHint().width();
        places.say(QStringLiteral("Alignment: built-in aligner, median error 23 ms on real speech (LibriSpeech sample): 2 of 42 places"));
        QCOMPARE(places.minimumSizeHint().width(), before);
        QVERIFY(before < 50 * widgets::Sizes::unit());
    }

    /// In a new session, the words of the one before hid the places that one listed.
    void theFilterEndsWithItsStudy() {
        PlacesPanel places;
        places.filterField()->setText(QStringLiteral("the"));
        places.clear();
        QCOMPARE(places.filterField()->text(), QString());
    }

    /// The messages would be laid over the list at every click.
    void aPlaceWithoutSoundIsSaidInTheList() {
        const auto folder = m_workshop.path() / "one";
        const auto sound = m_workshop.wav("talk.wav", 3);
        makeWindowsStudy(folder, 3, 5, sound);
        Desk desk;
        desk.session.setCurrentUtterance(desk.session.openUtterance(sound));
        QVERIFY(waitUntilRead(desk.session));
        desk.axis.setExtent(Seconds(3));
        desk.transport.setRecording(desk.session.currentUtterance()->recording);
        QSignalSpy said(&desk.opener, &PlaceOpener::failed), posted(&desk.transport, &SoundTransport::failed);
        PlacesQuery query;
        query.study = openStudy(folder);
        PlaceRow place;
        place.audio = sound;
        place.place = {0, 0.5, 1.5, 0.01};
        desk.opener.open(place, query);
        QTRY_VERIFY_WITH_TIMEOUT(!said.isEmpty(), 60000);
        QVERIFY2(said.last()[0].toString().contains(QStringLiteral("nowhere")), qPrintable(said.last()[0].toString()));
        QCOMPARE(posted.count(), 0);
        QCOMPARE(desk.axis.cursor()->value(), 0.5); // the place is shown all the same
        desk.transport.play();
        QCOMPARE(posted.count(), 1); // the button that does nothing still says why
    }

    /// Segments of one file were all called as the file, and the way back opened a second one.
    void anUtteranceIsOpenedWithItsNameAndTexts() {
        const auto sound = m_workshop.wav("long talk.wav", 3), folder = m_workshop.path() / "segments";
        Study study = makeWindowsStudy(folder, 3, 2);
        study.utterances[1].id = "talk_1";
        study.utterances[1].audio = sound.string() + ":16000:16000";
        study.utterances[1].transcript = "one two";
        study.utterances[1].translation = "eins zwei";
        writeStudy(folder, study);
        PlacesQuery query = placesOfLayer(folder, 1);
        const PlaceList list = readPlaces(query);
        const auto row = std::ranges::find(list.rows, QStringLiteral("talk_1"), &PlaceRow::utterance);
        QVERIFY(row != list.rows.end() && (row->texts == CorpusTexts{"one two", "eins zwei"}));
        Desk desk;
        desk.session.openUtterance(sound.parent_path() / "." / "long talk.wav:0:16000"); // another part
        query.model = 0;
        desk.opener.open(*row, query);
        desk.opener.open(*row, query);
        QCOMPARE(desk.session.utterances()->count(), 2);
        QCOMPARE(desk.session.currentUtterance()->name, QStringLiteral("talk_1"));
        QCOMPARE(desk.session.currentUtterance()->givenText(), QStringLiteral("eins zwei"));
        QVERIFY(waitUntilRead(desk.session));
    }

    /// After Locate… they were still missing.
    void aRecordingThatIsOpenFromElsewhereIsFound() {
        const auto sound = m_workshop.wav("before/talk.wav", 3), folder = m_workshop.path() / "located";
        Study study = makeWindowsStudy(folder, 3, 2, sound);
        study.utterances[0].hash = sha256OfFile(sound);
        study.utterances[0].alignment = (sound.parent_path() / "talk.TextGrid").string();
        study.utterances[1].audio += ":16000:16000";
        const std::string part = study.utterances[0].hash + ":16000:16000"; // as the worker hashes a part
        study.utterances[1].hash = sha256OfBytes(std::as_bytes(std::span(part)));
        writeStudy(folder, study);
        TextGrid grid;
        grid.end = Seconds(3);
        grid.tiers.push_back({"words", false, {{Seconds(0), Seconds(3), "talk"}}, {}});
        writeTextGrid(m_workshop.path() / "before/talk.TextGrid", grid);
        std::filesystem::rename(m_workshop.path() / "before", m_workshop.path() / "after");
        Session session;
        const auto now = m_workshop.path() / "after" / "talk.wav";
        session.openUtterance(now);
        session.openUtterance(CorpusUtterance{now.string() + ":16000:16000", QStringLiteral("part"), {}});
        QVERIFY(waitUntilRead(session));
        PlacesQuery query = placesOfLayer(folder, 1);
        for (const PlaceRow& row : readPlaces(query).rows)
            QVERIFY(row.isMissing);
        for (int row = 0; row < session.utterances()->count(); ++row) {
            const OpenUtterance& open = session.utterances()->at(row);
            query.opened[studyHash(open)] = {open.file, open.alignmentFile};
        }
        const PlaceList list = readPlaces(query);
        QCOMPARE(list.rows.size(), std::size_t(2));
        for (const PlaceRow& row : list.rows) {
            QVERIFY(!row.isMissing);
            if (row.place.utterance == 0)
                QVERIFY(row.audio == std::filesystem::canonical(now) && row.queryWord == QStringLiteral("talk"));
            else
                QCOMPARE(row.audio, std::filesystem::path(std::filesystem::canonical(now).string() + ":16000:16000"));
        }
    }

    /// In a corpus they lie in a folder of their own; a list has utterances under their ids. A click on another place while the
    /// first recording was being read left that one without.
    void anUtteranceIsOpenedWithTheAlignmentOfItsCorpus() {
        const auto folder = m_workshop.path() / "of corpus", elsewhere = m_workshop.path() / "elsewhere";
        std::filesystem::create_directories(elsewhere);
        TextGrid grid;
        grid.end = Seconds(3);
        grid.tiers.push_back({"phones", false, {{Seconds(0), Seconds(3), "AA"}}, {}});
        writeTextGrid(elsewhere / "talk-1.TextGrid", grid);
        m_workshop.text("elsewhere/all.ctm", "talk-2 1 0.00 1.00 one\ntalk-2 1 1.00 2.00 two\n");
        Study study = makeWindowsStudy(folder, 3, 2);
        study.utterances[0].id = "talk-1";
        study.utterances[0].audio = m_workshop.wav("first.wav", 3).string();
        study.utterances[0].alignment = (elsewhere / "talk-1.TextGrid").string();
        study.utterances[1].id = "talk-2";
        study.utterances[1].audio = m_workshop.wav("second.wav", 3).string();
        study.utterances[1].alignment = (elsewhere / "all.ctm").string();
        writeStudy(folder, study);
        PlacesQuery query = placesOfLayer(folder, 1);
        const PlaceList list = readPlaces(query);
        QCOMPARE(list.rows.size(), std::size_t(2));
        for (const PlaceRow& row : list.rows) { // one file has phones alone, the other words
            QCOMPARE(row.hasPhones, row.utterance == QStringLiteral("talk-1"));
            QCOMPARE(row.hasWords, row.utterance == QStringLiteral("talk-2"));
        }
        query.model = 0;
        Desk desk;
        for (const PlaceRow& row : list.rows)
            desk.opener.open(row, query);
        const auto open = [&](const char* name) -> const OpenUtterance* {
            for (int row = 0; row < desk.session.utterances()->count(); ++row)
                if (desk.session.utterances()->at(row).name == QLatin1String(name))
                    return &desk.session.utterances()->at(row);
            return nullptr;
        };
        QVERIFY(open("talk-1") && open("talk-2"));
        QTRY_VERIFY_WITH_TIMEOUT(open("talk-1")->alignment, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(open("talk-2")->alignment, 60000);
        QCOMPARE(open("talk-2")->alignment->words.size(), std::size_t(2));
        QVERIFY(open("talk-2")->warnings.isEmpty());
        // It is found again with the session.
        desk.session.saveAs(m_workshop.path() / "aligned.headroom");
        Session again;
        again.openSession(m_workshop.path() / "aligned.headroom");
        QVERIFY(waitUntilRead(again));
        for (int row = 0; row < 2; ++row)
            QVERIFY2(again.utterances()->at(row).alignment, qPrintable(again.utterances()->at(row).name));
    }

    /// One of two alignments is not both.
    void whoAlignedIsSaidOfThePlacesThatTheyAligned() {
        const auto folder = m_workshop.path() / "aligned";
        Study study = makeWindowsStudy(folder, 3, 2);
        const auto file = m_workshop.path() / "one.TextGrid";
        TextGrid grid;
        grid.end = Seconds(3);
        for (const auto& [tier, label] : {std::pair("phones", "AA"), std::pair("origin", "built-in aligner, median error 23 ms")})
            grid.tiers.push_back({tier, false, {{Seconds(0), Seconds(3), label}}, {}});
        writeTextGrid(file, grid);
        const auto said = [&](std::size_t aligned) {
            for (std::size_t i = 0; i < study.utterances.size(); ++i) {
                study.utterances[i].alignment = i < aligned ? file.string() : std::string();
                study.utterances[i].seconds = 3;
            }
            writeStudy(folder, study);
            return readPlaces(placesOfLayer(folder, 1)).alignedBy;
        };
        QCOMPARE(said(2), QStringLiteral("built-in aligner, median error 23 ms"));
        QCOMPARE(said(1), QStringLiteral("built-in aligner, median error 23 ms: 1 of 2 places"));
        QCOMPARE(said(0), QString());
    }

    void placesOfTextsAreTokens() {
        const auto folder = m_workshop.path() / "texts";
        Study study = makeWindowsStudy(folder, 3, 2);
        for (StudyUtterance& utterance : study.utterances) {
            utterance.audio.clear();
            utterance.text = "My child dances.";
        }
        writeStudy(folder, study);
        PlaceList list = readPlaces(placesOfLayer(folder, 1));
        QCOMPARE(list.rows.size(), std::size_t(2));
        QVERIFY(!list.rows[0].isMissing);
        for (PlaceRow& row : list.rows) {
            row.place = {0, 3, 11, 0.25};
            row.hasPhones = true;
        }
        list.rows[0].hasWords = true;
        list.rows[0].queryWord = QStringLiteral("child");
        list.rows[0].queryPhone = QStringLiteral("CH");
        list.rows[0].keyPhone = QStringLiteral("S");
        list.rows[1].keyPhone = QStringLiteral("AE");
        PlacesModel model;
        model.setPlaces(std::move(list));
        const auto head = [&](int column) { return model.headerData(column, Qt::Horizontal).toString(); };
        const auto cell = [&](int column, int role = Qt::DisplayRole) { return model.index(0, column).data(role).toString(); };
        QCOMPARE(head(PlacesModel::Query) + head(PlacesModel::Key) + head(PlacesModel::Offset),
                 QStringLiteral("Query, tokenKey, tokenOffset, tokens"));
        QCOMPARE(cell(PlacesModel::Query), QStringLiteral("3"));
        QCOMPARE(cell(PlacesModel::Key), QStringLiteral("11"));
        QCOMPARE(cell(PlacesModel::Offset), QStringLiteral("+8"));
        QCOMPARE(cell(PlacesModel::Value), QStringLiteral("0.250"));
        QCOMPARE(cell(PlacesModel::Words), QStringLiteral("child → silence")); // as in the tiers
        QCOMPARE(model.index(1, PlacesModel::Phones).data().toString(), QStringLiteral("sil → AE"));
        QCOMPARE(model.index(1, PlacesModel::Words).data().toString(), QStringLiteral("–")); // not known
        PlaceList silent{{}, {PlaceRow{}}, {}, {}};
        silent.rows[0].place = {0, 3, 11, 0.25};
        silent.rows[0].hasWords = true;
        PlacesModel between;
        between.setPlaces(std::move(silent));
        QCOMPARE(between.index(0, PlacesModel::Words).data().toString(), QStringLiteral("silence → silence"));
        QCOMPARE(cell(PlacesModel::Phones), QStringLiteral("CH → S")); // attending → attended, as in the tables
        QCOMPARE(cell(PlacesModel::Utterance), QStringLiteral("“My child dances.”")); // as in the list of utterances
        QCOMPARE(cell(PlacesModel::Utterance, widgets::kCopyRole), QStringLiteral("My child dances."));
        QVERIFY(cell(PlacesModel::Utterance, Qt::ToolTipRole).endsWith(QStringLiteral("My child dances.")));
        model.setPlaying(0);
        QVERIFY(!model.index(0, PlacesModel::Utterance).data(Qt::DecorationRole).isValid()); // neither missing nor heard
    }

    /// Its tokens are known when it was analysed; then both are marked. The same sentence is not opened twice.
    void aPlaceInATextIsOpened() {
        const auto folder = m_workshop.path() / "one text";
        Study study = makeWindowsStudy(folder);
        study.data.clear(); // of open texts, which it numbers
        writeStudy(folder, study);
        Desk desk;
        desk.session.setModelOpened(desk.session.openModel(m_workshop.path() / "fsmt"), Workshop::info(2));
        QSignalSpy said(&desk.opener, &PlaceOpener::failed);
        PlacesQuery query;
        query.study = openStudy(folder);
        query.model = 0; // of no model, so that the current one stays
        PlaceRow place;
        place.utterance = QStringLiteral("text 7");
        place.text = QStringLiteral("My child dances.");
        place.place = {0, 3, 11, 0.25};
        desk.opener.open(place, query);
        QCOMPARE(desk.session.utterances()->count(), 1);
        QVERIFY(desk.session.currentUtterance()->isText);
        QCOMPARE(desk.session.currentUtterance()->name, QStringLiteral("text 1")); // “text 7” is its number in the study
        QCOMPARE(desk.session.currentUtterance()->text, place.text);
        QVERIFY(!desk.axis.pointer());
        desk.axis.setExtent(Seconds(20), widgets::AxisUnit::Tokens); // as when the text was analysed
        QVERIFY(desk.axis.cursor() && desk.axis.pointer() && desk.axis.selection());
        QCOMPARE(desk.axis.cursor()->value(), 3.5);
        QCOMPARE(desk.axis.pointer()->value(), 11.5);
        QVERIFY(*desk.axis.selection() == (widgets::TimeSpan{Seconds(3), Seconds(12)}));
        place.place = {0, 5, 2, 0.25};
        desk.opener.open(place, query);
        QCOMPARE(desk.session.utterances()->count(), 1);
        QCOMPARE(desk.axis.cursor()->value(), 5.5);
        QCOMPARE(desk.axis.pointer()->value(), 2.5);
        QVERIFY2(said.isEmpty(), said.isEmpty() ? "" : qPrintable(said.last()[0].toString()));
    }

    /// Its folder is that of the study no longer; another model's map would be shown.
    void aModelThatWasMovedIsKnownByItsWeights() {
        const auto folder = m_workshop.path() / "of a moved model";
        makeWindowsStudy(folder); // in /models/made, which is not there
        Desk desk;
        PlacesQuery query;
        query.study = openStudy(folder);
        query.model = 1;
        ModelDescription info = Workshop::info(3);
        const ModelId other = desk.session.openModel(m_workshop.path() / "other"), moved = desk.session.openModel(m_workshop.path() / "moved");
        desk.session.setModelOpened(other, info);
        info.hash = QString(64, u'a');
        desk.session.setModelOpened(moved, info);
        desk.session.setCurrentModel(other);
        QSignalSpy said(&desk.opener, &PlaceOpener::failed);
        PlaceRow place;
        place.text = QStringLiteral("My child dances.");
        desk.opener.open(place, query);
        QCOMPARE(desk.session.currentModelId(), moved);
        QVERIFY(said.isEmpty());
        desk.session.closeModel(moved);
        desk.opener.open(place, query);
        QCOMPARE(desk.session.currentModelId(), other);
        QCOMPARE(said.count(), 1);
    }

private:
    const Workshop m_workshop;
};

HEADROOM_TEST(StudyPlacesTest)

} // namespace headroom::testing::study_places_test

#include "study_places_test.moc"
