// SPDX-License-Identifier: GPL-3.0-or-later
// What recordings and models are called that have one name.
#include "app/documents/items/names_apart.h"

#include "app/documents/drafts/drafts.h"
#include "app/documents/session.h"
#include "tests/app/documents/reading.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"

#include <QSignalSpy>
#include <QTest>

namespace headroom::testing::names_apart_test {

using namespace headroom::app;
using headroom::testing::Workshop;
namespace fs = std::filesystem;

namespace {

QString apart(const std::vector<fs::path>& folders) {
    QStringList names;
    for (const QString& name : namesApart(QStringLiteral("talk"), folders))
        names << (name.isEmpty() ? QStringLiteral("-") : name);
    return names.join(u' ');
}

QString shown(QAbstractItemModel* list) {
    QStringList names;
    for (int row = 0; row < list->rowCount(); ++row)
        names << list->index(row, 0).data().toString();
    return names.join(u' ');
}

} // namespace

class NamesApartTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theShortestEndOfTheFolderThatDiffers() {
        QCOMPARE(apart({"/x/a"}), QStringLiteral("-"));
        QCOMPARE(apart({"/x/a", "/x/b"}), QStringLiteral("a/talk b/talk"));
        QCOMPARE(apart({"/x/a/1", "/x/b/1", "/x/2"}), QStringLiteral("a/1/talk b/1/talk 2/talk"));
        QCOMPARE(apart({"/x", "/x/x"}), QStringLiteral("x/talk x/x/talk"));
        QCOMPARE(apart({"/x/a", ""}), QStringLiteral("a/talk -")); // recorded here
        QCOMPARE(apart({"/x/a", "/x/a"}), QStringLiteral("- -"));  // parts of one file
        QCOMPARE(namesApart({QStringLiteral("talk"), QStringLiteral("other"), QStringLiteral("talk")}, {"/x/a", "/x/b", "/x/c"}),
                 (std::vector{QStringLiteral("a/talk"), QString(), QStringLiteral("c/talk")}));
    }

    /// Two rows read "talk", and so did titles and messages.
    void recordingsOfOneNameShowTheirFolder() {
        Workshop workshop;
        Session session;
        session.open({workshop.wav("a/talk.wav"), workshop.wav("other.wav")});
        QCOMPARE(shown(session.utterances()), QStringLiteral("talk other"));
        QSignalSpy changed(&session, &Session::utteranceChanged);
        const UtteranceId second = session.openUtterance(workshop.wav("b/talk.wav"));
        QCOMPARE(shown(session.utterances()), QStringLiteral("a/talk other b/talk"));
        QCOMPARE(session.currentUtterance()->title(), QStringLiteral("a/talk"));
        QCOMPARE(session.currentUtterance()->name, QStringLiteral("talk")); // what alignments and files are called by
        QVERIFY(waitUntilRead(session));
        const auto toldOf = [&](UtteranceId id) {
            return std::any_of(changed.begin(), changed.end(), [&](const auto& one) { return one.front().template value<UtteranceId>() == id; });
        };
        QVERIFY(toldOf(session.currentUtteranceId())); // its title is other than before
        session.saveAs(workshop.path() / "two");
        Session again;
        again.openSession(workshop.path() / "two.headroom");
        QCOMPARE(shown(again.utterances()), QStringLiteral("a/talk other b/talk"));
        QVERIFY(waitUntilRead(again));
        session.closeUtterance(second);
        QCOMPARE(shown(session.utterances()), QStringLiteral("talk other"));
    }

    void whatMovesIsCalledByItsNewFolder() {
        Workshop workshop;
        Session session;
        const auto first = workshop.wav("a/talk.wav");
        session.open({first, workshop.wav("b/talk.wav")});
        QVERIFY(waitUntilRead(session));
        fs::rename(workshop.path() / "a", workshop.path() / "c");
        session.retryUtterance(session.utterances()->at(0).id);
        session.setFiles(session.utterances()->at(0).id, workshop.path() / "c/talk.wav", {});
        QCOMPARE(shown(session.utterances()), QStringLiteral("c/talk b/talk"));
        QVERIFY(waitUntilRead(session));
    }

    void modelsOfOneNameShowTheirFolder() {
        Workshop workshop;
        Session session;
        const ModelId first = session.openModel(workshop.model("a/small")), second = session.openModel(workshop.model("b/small"));
        QCOMPARE(shown(session.models()), QStringLiteral("a/small b/small"));
        session.setModelOpened(first, Workshop::info(2)); // which calls itself "small"
        session.setModelOpened(second, Workshop::info(2));
        QCOMPARE(shown(session.models()), QStringLiteral("a/small b/small"));
        QCOMPARE(session.drafts()->name({first, 0}), QStringLiteral("small")); // runs are named after it
        QCOMPARE(session.drafts()->shownName({first, 0}), QStringLiteral("a/small"));
        session.renameModel(second, QStringLiteral("large"));
        QCOMPARE(shown(session.models()), QStringLiteral("small large"));
        QCOMPARE(session.drafts()->shownName({first, 0}), QStringLiteral("small"));
        QVERIFY(waitUntilRead(session));
    }

    /// Models are called as their folders, or by themselves.
    void modelsThatCallThemselvesAlikeShowTheirOwnFolder() {
        Workshop workshop;
        Session session;
        for (const char* folder : {"one", "two"})
            session.setModelOpened(session.openModel(workshop.model(folder)), Workshop::info(2));
        QCOMPARE(shown(session.models()), QStringLiteral("one/small two/small"));
        QVERIFY(waitUntilRead(session));
    }
};

HEADROOM_TEST(NamesApartTest)

} // namespace headroom::testing::names_apart_test

#include "names_apart_test.moc"
