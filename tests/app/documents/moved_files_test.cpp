// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings and models of a session that were moved since it was saved.
#include "app/documents/saving/moved_files.h"

#include "app/documents/drafts/drafts.h"
#include "app/documents/session.h"
#include "tests/app/documents/located.h"
#include "tests/app/documents/reading.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"

#include <QTest>
#include <QUndoStack>

#include <algorithm>

namespace headroom::testing::moved_files_test {

using namespace headroom::app;
namespace fs = std::filesystem;

namespace {

/// Three recordings in two folders, of which two are called the same, one with an alignment; saved, moved and opened again.
struct Moved {
    Workshop workshop;
    Session session;
    fs::path old = workshop.path() / "data", now = workshop.path() / "elsewhere" / "speech";

    Moved() {
        const auto one = workshop.wav("data/ann/a.wav", 0.5), other = workshop.wav("data/bob/a.wav", 0.75);
        workshop.wav("data/ann/b.wav", 1);
        workshop.grid("data/ann/b.TextGrid", "one", 1);
        session.open({one, other, old / "ann" / "b.wav"});
        wait();
        session.setPart(at(2).id, Part{Seconds(0.25), Seconds(0.75)});
        session.saveAs(workshop.path() / "kept");
        fs::create_directories(now.parent_path());
        fs::rename(old, now);
        session.openSession(workshop.path() / "kept.headroom");
        wait();
    }
    void wait() { QVERIFY(waitUntilRead(session)); }
    const OpenUtterance& at(int row) { return session.utterances()->at(row); }
    qsizetype missing() {
        qsizetype count = 0;
        for (int row = 0; row < session.utterances()->count(); ++row)
            count += at(row).state == OpenState::Failed && at(row).isMissing;
        return count;
    }
    QString lastMessage() {
        return session.messages()->rowCount() == 0 ? QString() : session.messages()->at(0).sentence;
    }
};

/// Two models of one folder, the first with an edited draft; saved, moved and opened again.
struct MovedModels {
    Workshop workshop;
    Session session;
    fs::path old = workshop.path() / "models", now = workshop.path() / "elsewhere" / "trained";

    MovedModels() {
        const auto one = workshop.model("models/one"), two = workshop.model("models/two");
        session.open({one, two});
        session.setModelOpened(at(0).id, Workshop::info(3));
        session.setModelOpened(at(1).id, Workshop::info(12));
        QVERIFY(waitUntilRead(session));
        session.drafts()->setWindow(draft(), {2, 7});
        session.saveAs(workshop.path() / "kept");
        fs::create_directories(now.parent_path());
        fs::rename(old, now);
        session.openSession(workshop.path() / "kept.headroom");
        QVERIFY(waitUntilRead(session));
    }
    const OpenModel& at(int row) { return session.models()->at(row); }
    DraftKey draft() { return {at(0).id, 0}; }
    bool areMissing() { return at(0).isMissing && at(1).isMissing && at(0).state == OpenState::Failed; }
    QString lastMessage() { return session.messages()->at(0).sentence; }
};

} // namespace

class MovedFilesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void allThatMovedTogetherAreFoundAtOnce() {
        Moved moved;
        QCOMPARE(moved.missing(), 3);
        locateMissing(&moved.session, moved.at(0).id, moved.now / "ann");
        moved.wait();
        QCOMPARE(moved.missing(), 0);
        QCOMPARE(moved.at(0).file, moved.now / "ann" / "a.wav");
        QCOMPARE(moved.at(1).file, moved.now / "bob" / "a.wav"); // not the one of the same name that was chosen
        QCOMPARE(moved.at(1).duration().value(), 0.75);
        QCOMPARE(moved.at(2).alignmentFile, moved.now / "ann" / "b.TextGrid");
        QVERIFY(moved.at(2).alignment && moved.at(2).warnings.isEmpty());
        QVERIFY(moved.at(2).part); // what was set for them stays
        QVERIFY(moved.session.isModified());
        QVERIFY2(moved.lastMessage().contains(QLatin1String("3 recordings were found")), qPrintable(moved.lastMessage()));
    }

    void theFolderAboveWillDoToo() {
        Moved moved;
        locateMissing(&moved.session, moved.at(1).id, moved.now);
        moved.wait();
        QCOMPARE(moved.missing(), 0);
        QCOMPARE(moved.at(1).file, moved.now / "bob" / "a.wav");
    }

    /// Only a folder could be chosen, and in it the recording was looked for by its name alone.
    void aRenamedRecordingIsFoundByItsContentOrChosen_data() {
        QTest::addColumn<QString>("chosen");
        QTest::newRow("its folder") << QString();
        QTest::newRow("the file") << QStringLiteral("take 2.wav");
    }
    void aRenamedRecordingIsFoundByItsContentOrChosen() {
        QFETCH(QString, chosen);
        Moved moved;
        fs::rename(moved.now / "ann" / "a.wav", moved.now / "ann" / "take 2.wav");
        moved.workshop.wav("elsewhere/speech/ann/take 1.wav", 0.5001); // another one
        locateMissing(&moved.session, moved.at(0).id, moved.now / "ann" / chosen.toStdString());
        moved.wait();
        QCOMPARE(moved.missing(), 0);
        QCOMPARE(moved.at(0).file, moved.now / "ann" / "take 2.wav");
        QVERIFY2(moved.at(0).warnings.isEmpty(), qPrintable(moved.at(0).warnings.join(u' ')));
        QCOMPARE(moved.at(1).file, moved.now / "bob" / "a.wav");
        QVERIFY2(moved.lastMessage().contains(QLatin1String("3 recordings were found")) &&
                     moved.lastMessage().endsWith(QLatin1String("a.wav is now take 2.wav.")),
                 qPrintable(moved.lastMessage()));
    }

    void itIsOneStepThatCanBeUndone() {
        Moved moved;
        const int steps = moved.session.undoStack()->count();
        locateMissing(&moved.session, moved.at(2).id, moved.now / "ann");
        QCOMPARE(moved.session.undoStack()->count(), steps + 1);
        moved.wait();
        moved.session.undoStack()->undo();
        moved.wait();
        QCOMPARE(moved.missing(), 3);
        QCOMPARE(moved.at(0).file, moved.old / "ann" / "a.wav");
        moved.session.undoStack()->redo();
        moved.wait();
        QCOMPARE(moved.missing(), 0);
    }

    void whatIsNotThereIsSaid() {
        Moved moved;
        fs::remove(moved.now / "bob" / "a.wav");
        locateMissing(&moved.session, moved.at(0).id, moved.workshop.path());
        QCOMPARE(moved.missing(), 3);
        QVERIFY2(moved.lastMessage().contains(QLatin1String("a.wav is not in ")), qPrintable(moved.lastMessage()));
        locateMissing(&moved.session, moved.at(0).id, moved.now / "ann");
        moved.wait();
        QCOMPARE(moved.missing(), 1);
        QVERIFY2(moved.lastMessage().contains(QLatin1String("2 recordings were found")) &&
                     moved.lastMessage().contains(QLatin1String("1 is still missing: bob/a.")),
                 qPrintable(moved.lastMessage()));
    }

    void modelsThatMovedTogetherAreFoundAtOnce() {
        MovedModels moved;
        QVERIFY(moved.areMissing());
        const int steps = moved.session.undoStack()->count();
        locateMissingModel(&moved.session, moved.at(0).id, moved.now / "one"); // the model itself
        QVERIFY(moved.at(0).state == OpenState::Reading && moved.at(1).state == OpenState::Reading);
        QCOMPARE(moved.at(0).folder, moved.now / "one");
        QCOMPARE(moved.at(1).folder, moved.now / "two");
        QCOMPARE(moved.session.undoStack()->count(), steps + 1);
        QVERIFY(moved.session.isModified());
        QVERIFY2(moved.lastMessage().contains(QLatin1String("2 models were found")), qPrintable(moved.lastMessage()));
        moved.session.setModelOpened(moved.at(0).id, Workshop::info(3));
        QCOMPARE(moved.session.drafts()->window(moved.draft(), 2), std::optional(7)); // what was edited stays
        moved.session.undoStack()->undo();
        QCOMPARE(moved.at(0).folder, moved.old / "one");
        QCOMPARE(moved.session.drafts()->window(moved.draft(), 2), std::optional(7));
        moved.session.undoStack()->redo();
        QCOMPARE(moved.at(1).folder, moved.now / "two");
    }

    /// What is written in a draft, mistakes included, waits for its model by the folder.
    void whatIsWrittenMovesWithItsModel() {
        MovedModels moved;
        const nlohmann::json layer{{"layer", 2}, {"text", "4 × loc"}};
        nlohmann::json view{{"models", {{{"folder", moved.at(0).folder.string()}, {"written", {layer}}}}}};
        moved.session.drafts()->restoreView(view);
        locateMissingModel(&moved.session, moved.at(0).id, moved.now);
        QCOMPARE(moved.session.drafts()->viewState()["models"][0]["folder"].get<std::string>(), (moved.now / "one").string());
    }

    void aFolderOfAnotherNameWillDoForAModel() {
        MovedModels moved;
        fs::rename(moved.now / "one", moved.now / "renamed");
        locateMissingModel(&moved.session, moved.at(0).id, moved.workshop.path());
        QVERIFY(moved.areMissing());
        QVERIFY2(moved.lastMessage().contains(QLatin1String("one is not in ")), qPrintable(moved.lastMessage()));
        locateMissingModel(&moved.session, moved.at(0).id, moved.now / "renamed");
        QCOMPARE(moved.at(0).folder, moved.now / "renamed");
        QVERIFY(moved.at(1).isMissing);
        QVERIFY2(moved.lastMessage().contains(QLatin1String("1 is still missing: two/small.")), qPrintable(moved.lastMessage()));
    }

    void aModelThatIsOpenAlreadyIsNotOpenedTwice() {
        MovedModels moved;
        moved.session.openModel(moved.now / "one");
        locateMissingModel(&moved.session, moved.at(0).id, moved.now);
        QVERIFY(moved.at(0).isMissing);
        QCOMPARE(moved.at(1).folder, moved.now / "two");
    }

    /// What is missing was only offered to be removed.
    void messagesOfferToLocate() {
        Moved moved;
        MovedModels models;
        int asked = 0;
        QObject::connect(&moved.session, &Session::locateRequested, &moved.session, [&](UtteranceId id) { asked += id == moved.at(2).id; });
        QObject::connect(&models.session, &Session::locateModelRequested, &models.session, [&](ModelId id) { asked += id == models.at(1).id; });
        for (Messages* messages : {moved.session.messages(), models.session.messages()})
            for (int row = 0; row < messages->rowCount(); ++row) {
                QCOMPARE(messages->at(row).actionText, QStringLiteral("Locate…"));
                messages->trigger(row);
            }
        QCOMPARE(asked, 2);
    }

    /// Another recording of that name is said to be another one.
    void aChangedRecordingIsSaid() {
        Moved moved;
        moved.workshop.wav("elsewhere/speech/ann/a.wav", 0.6);
        locateMissing(&moved.session, moved.at(0).id, moved.now / "ann");
        moved.wait();
        QVERIFY2(moved.at(0).warnings.join(u' ').contains(QLatin1String("has changed since this session last read it")),
                 qPrintable(moved.at(0).warnings.join(u' ')));
    }
};

HEADROOM_TEST(MovedFilesTest)

} // namespace headroom::testing::moved_files_test

#include "moved_files_test.moc"
