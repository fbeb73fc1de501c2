// SPDX-License-Identifier: GPL-3.0-or-later
// Architectures of a session that cannot be read: the others come back, and these are kept and offered.
#include "tests/app/documents/one_draft.h"
#include "tests/support/runner.h"

#include <QSignalSpy>
#include <QTest>

#include <fstream>

namespace headroom::testing::unread_drafts_test {

using namespace headroom::app;
using nlohmann::json;
namespace fs = std::filesystem;

class UnreadDraftsTest : public QObject, private OneDraft {
    Q_OBJECT

private Q_SLOTS:
    void init() { reset(); }

    void oneThatCannotBeReadLosesNoOther() {
        const json view = threeDocuments();
        m_drafts->restoreView(view);
        QCOMPARE(m_drafts->keys().size(), std::size_t(3)); // the model's, the first and the third
        QCOMPARE(m_drafts->name(m_drafts->keys()[1]), QStringLiteral("A"));
        QCOMPARE(m_drafts->name(m_drafts->keys()[2]), QStringLiteral("C"));
        QCOMPARE(m_drafts->current(), m_drafts->keys()[2]); // it was the third before
        QCOMPARE(m_session->messages()->count(Severity::Warning), 1);
        const QString said = m_session->messages()->at(0).sentence;
        QVERIFY2(said.startsWith(QStringLiteral("The architecture “B” of the session could not be restored. session.json, encoder.kind: ")), qPrintable(said));
        QVERIFY2(said.endsWith(QStringLiteral(". The session keeps it.")), qPrintable(said));
        QCOMPARE(m_drafts->viewState()["documents"].size(), std::size_t(3));
        QVERIFY(m_drafts->viewState()["documents"][2] == view["documents"][1]); // as it was, for a version that can read it
    }

    void eachHasAMessage() {
        json view = threeDocuments();
        view["documents"][2] = view["documents"][1];
        broken(view["documents"][2], "C");
        view["documents"].push_back(5);
        view["models"] = {{{"folder", 3}}, {{"folder", "x"}, {"written", json::array()}}};
        view["current"] = "none";
        m_drafts->restoreView(view);
        QCOMPARE(m_session->messages()->count(Severity::Warning), 4);
        QVERIFY(m_session->messages()->at(1).sentence.contains(QStringLiteral("“C”")));
        QVERIFY(m_session->messages()->at(2).sentence.contains(QStringLiteral("“B”")));
        QVERIFY(m_drafts->viewState()["models"][0]["folder"] == "x"); // the model beside the nonsense
    }

    void itsTextIsSavedAsAFile() {
        const json view = threeDocuments();
        m_drafts->restoreView(view);
        QSignalSpy wanted(m_drafts, &Drafts::unreadRequested), edited(m_drafts, &Drafts::documentsEdited);
        m_session->messages()->trigger(0);
        QCOMPARE(wanted.size(), 1);
        const int number = wanted[0][0].toInt();
        QCOMPARE(m_drafts->unreadName(number), QStringLiteral("B"));
        QVERIFY_EXCEPTION_THROWN(m_drafts->saveUnread(number, m_workshop->path() / "nowhere" / "b.json"), Error);
        QVERIFY(m_drafts->hasUnread());
        const fs::path file = m_workshop->path() / "b.json";
        m_drafts->saveUnread(number, file);
        std::ifstream in(file, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(in), {}};
        QCOMPARE(bytes, view["documents"][1]["architecture"].get<std::string>());
        QVERIFY(!m_drafts->hasUnread());
        QCOMPARE(edited.size(), 1); // the session has changed
        QCOMPARE(m_session->messages()->count(Severity::Warning), 0);
        QCOMPARE(m_drafts->viewState()["documents"].size(), std::size_t(2));
    }

    /// It refused the whole session.
    void aSessionOpensWithoutTheDraftOfAModel() {
        m_drafts->setWindow(key(), {2, 17});
        const fs::path folder = m_workshop->path() / "work.headroom";
        m_session->saveAs(folder);
        json root = json::parse(std::ifstream(folder / kSessionFileName));
        root["models"][0]["draft"]["colour"] = 1;
        std::ofstream(folder / kSessionFileName) << root.dump(2);
        Session session;
        session.openSession(folder);
        QCOMPARE(session.models()->count(), 1);
        QCOMPARE(session.messages()->count(Severity::Warning), 1);
        QVERIFY(session.messages()->at(0).sentence.contains(QStringLiteral("models[0].draft, colour: unknown key")));
        const json view = session.drafts()->viewState();
        QVERIFY(json::parse(view["documents"][0]["architecture"].get<std::string>()) == root["models"][0]["draft"]);
        session.drafts()->restoreView(view); // kept with the view, and still in session.json: once
        QCOMPARE(session.messages()->count(Severity::Warning), 1);
        QCOMPARE(session.drafts()->viewState()["documents"].size(), std::size_t(1));
        session.clear();
        QVERIFY(!session.drafts()->hasUnread());
        QCOMPARE(session.messages()->count(Severity::Warning), 0);
    }

    /// It was left out, and saving the session lost it.
    void aDraftThatNoLongerFitsItsModelIsKept() {
        m_drafts->setWindow(key(), {2, 17});
        m_drafts->write(key(), {{3, 1, 1, QStringLiteral("lokal 5")}}); // a mistake
        const fs::path folder = m_workshop->path() / "work.headroom";
        m_session->saveAs(folder);
        const json view = m_drafts->viewState();
        const std::string text = canonicalText(m_drafts->architecture(key()));
        const auto opened = [&](Session& session) {
            const ModelId model = session.models()->at(0).id;
            session.setModelOpened(model, Workshop::info(6));
            QCOMPARE(session.messages()->count(Severity::Warning), 1);
            const QString said = session.messages()->at(0).sentence;
            QCOMPARE(said, QStringLiteral("The architecture “%1” of the session could not be restored. It is a draft of the model of the same name, "
                                          "which now has different layers or heads. The session keeps it.").arg(session.models()->at(0).name));
            QVERIFY(!session.drafts()->isEdited({model, 0}));
        };
        json kept;
        {
            Session session;
            session.openSession(folder);
            session.drafts()->restoreView(view);
            opened(session);
            session.save();
            kept = json::parse(session.drafts()->viewState().dump());
            QVERIFY(kept["models"].empty());
            QCOMPARE(kept["documents"][0]["written"][0]["layer"].get<int>(), 3);
        }
        Session session;
        session.openSession(folder);
        session.drafts()->restoreView(kept);
        opened(session);
        QCOMPARE(session.drafts()->keys().size(), std::size_t(1)); // no document of its own
        QSignalSpy wanted(session.drafts(), &Drafts::unreadRequested);
        session.messages()->trigger(0);
        QCOMPARE(wanted.size(), 1);
        const fs::path file = m_workshop->path() / "m.json";
        session.drafts()->saveUnread(wanted[0][0].toInt(), file);
        QCOMPARE(canonicalText(readArchitecture(file)), text);
        QVERIFY(!session.drafts()->hasUnread());
    }

private:
    static void broken(json& document, const std::string& name) {
        for (const char* key : {"architecture", "base", "original"}) {
            json text = json::parse(document[key].get<std::string>());
            text["encoder"]["kind"] = "of a later version";
            text["name"] = name;
            document[key] = text.dump();
        }
    }
    /// A, B and C, the last of them current, as a session keeps them; B cannot be read.
    json threeDocuments() {
        for (const char* name : {"A", "B", "C"}) {
            Architecture architecture = readArchitecture(HEADROOM_SOURCE_DIR "/resources/architectures/shim-4h4x4.json");
            architecture.name = name;
            const DraftKey document = m_drafts->newDocument(architecture, {});
            m_drafts->write(document, {{2, 1, 1, QStringLiteral("local 5")}});
        }
        json view = json::parse(m_drafts->viewState().dump());
        broken(view["documents"][1], "B");
        return view;
    }
};

HEADROOM_TEST(UnreadDraftsTest)

} // namespace headroom::testing::unread_drafts_test

#include "unread_drafts_test.moc"
