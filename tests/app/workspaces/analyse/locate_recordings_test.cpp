// SPDX-License-Identifier: GPL-3.0-or-later
// “Locate…” among sounds of other names, whose content is read.
#include "app/workspaces/analyse/opened/locate_recordings.h"

#include "app/documents/session.h"
#include "tests/app/documents/reading.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/held_pool.h"
#include "tests/support/runner.h"

#include <QProgressBar>
#include <QProgressDialog>
#include <QPushButton>
#include <QTest>
#include <QUndoStack>

#include <optional>

namespace headroom::testing::locate_recordings_test {

using namespace headroom::app;
namespace fs = std::filesystem;

class LocateRecordingsTest : public QObject {
    Q_OBJECT

    Workshop m_workshop;
    QWidget m_window;
    int m_answers = 0;

    /// A recording that is called otherwise now, among others.
    void open(Session& session) {
        const fs::path folder = m_workshop.path() / "sounds";
        fs::remove_all(folder);
        for (const char* name : {"a", "b", "c", "d", "e", "f", "g"})
            session.openUtterance(m_workshop.wav("sounds/" + std::string(name) + ".wav", 0.1 + 0.1 * (*name - 'a')));
        QVERIFY(waitUntilRead(session));
        session.saveAs(m_workshop.path() / "kept");
        for (const char* name : {"a", "b", "c", "d", "e", "f", "g"})
            fs::rename(folder / (std::string(name) + ".wav"), folder / (std::string("take ") + name + ".wav"));
        session.openSession(m_workshop.path() / "kept.headroom");
        QVERIFY(waitUntilRead(session));
        m_answers = 0;
    }
    void locate(Session& session) {
        locateRecordings(&session, session.utterances()->at(0).id, m_workshop.path() / "sounds", &m_window, [this] { ++m_answers; });
    }
    QProgressDialog* dialog() const { return m_window.findChild<QProgressDialog*>(QStringLiteral("locating")); }

private Q_SLOTS:
    /// They were read on the window's thread, which stood still.
    void theWindowGoesOnMeanwhile() {
        Session session;
        open(session);
        {
            const HeldPool pool; // no events meanwhile: Qt paints with its help
            locate(session);
            QVERIFY(session.utterances()->at(0).isMissing);
            QVERIFY(dialog() && !dialog()->isVisible()); // it shows itself where it takes long
            QCOMPARE(dialog()->minimumDuration(), 500);
            QVERIFY2(dialog()->labelText().startsWith(QStringLiteral("Looking for a.wav in ")), qPrintable(dialog()->labelText()));
        }
        QTRY_COMPARE(m_answers, 1);
        QVERIFY(waitUntilRead(session));
        QTRY_VERIFY(!dialog());
        for (int row = 0; row < session.utterances()->count(); ++row)
            QVERIFY(session.utterances()->at(row).state == OpenState::Ready);
        const QString said = session.messages()->at(0).sentence;
        QVERIFY2(said.contains(QStringLiteral("7 recordings were found in ")) && said.contains(QStringLiteral(" 7 have other names: a.wav is now take a.wav, ")),
                 qPrintable(said));
    }

    void cancelLeavesTheSessionAsItIs() {
        Session session;
        open(session);
        const int messages = session.messages()->rowCount();
        {
            const HeldPool pool;
            locate(session);
            dialog()->findChild<QPushButton*>()->click();
        }
        QTRY_VERIFY(!dialog());
        QCOMPARE(m_answers, 0);
        QVERIFY(session.utterances()->at(0).isMissing);
        QCOMPARE(session.undoStack()->count(), 0);
        QCOMPARE(session.messages()->rowCount(), messages);
    }

    /// It was closed before the answer came.
    void theWindowMayEndMeanwhile() {
        Session session;
        open(session);
        auto window = std::make_optional<QWidget>();
        {
            const HeldPool pool;
            locateRecordings(&session, session.utterances()->at(0).id, m_workshop.path() / "sounds", &*window, [this] { ++m_answers; });
            window.reset();
        }
        QCoreApplication::processEvents();
        QCOMPARE(m_answers, 0);
        QVERIFY(session.utterances()->at(0).isMissing);
    }
};

HEADROOM_TEST(LocateRecordingsTest)

} // namespace headroom::testing::locate_recordings_test

#include "locate_recordings_test.moc"
