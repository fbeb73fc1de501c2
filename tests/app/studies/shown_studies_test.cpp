// SPDX-License-Identifier: GPL-3.0-or-later
// Which studies a session names, and what each tab shows of them.
#include "app/documents/items/paths.h"
#include "app/documents/session.h"
#include "app/studies/shown_studies.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_store.h"
#include "tests/app/studies/made_study.h"
#include "tests/support/runner.h"

#include <nlohmann/json.hpp>

#include <QFloat16>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace headroom::testing::shown_studies_test {

using namespace headroom::app;
using headroom::testing::makeWindowsStudy;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

struct Desk {
    explicit Desk(const fs::path& studies) : store(studies, &evidence) {}
    Session session;
    StudyEvidence evidence;
    StudyStore store;
    ShownStudies shown{{&session, &store, &evidence}};

    fs::path inWindows() const {
        const OpenStudyPtr study = evidence.shown(StudyKind::Windows);
        return study ? study->folder : fs::path();
    }
    bool quiet() {
        return QTest::qWaitFor([this] { return !store.isPending(); }, 60000);
    }
    bool open(const fs::path& folder) {
        store.open(folder);
        return quiet() && inWindows() == folder;
    }
};

} // namespace

class ShownStudiesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_studies = toPath(m_folder->path());
        for (const char* name : {"one", "two"})
            makeWindowsStudy(m_studies / name);
    }

    void aSessionBringsItsStudiesAndNoOther() {
        Desk desk(m_studies);
        QVERIFY(desk.shown.view().is_null()); // an old file has no key either
        QVERIFY(desk.open(m_studies / "one") && desk.open(m_studies / "two"));
        const json first = desk.shown.view();
        QCOMPARE(first["open"].size(), std::size_t(2));
        desk.shown.restore(nullptr); // a new session, or one of before
        QVERIFY(desk.evidence.open().empty() && desk.inWindows().empty());
        QVERIFY(desk.shown.view().is_null());
        QSignalSpy opened(&desk.store, &StudyStore::opened);
        desk.shown.restore(first);
        QCOMPARE(desk.shown.view(), first); // saving while they are read loses none
        QVERIFY(desk.quiet());
        QCOMPARE(desk.inWindows(), m_studies / "two");
        QCOMPARE(desk.shown.view(), first); // in their order
        QCOMPARE(opened.count(), 0); // no tab comes to the front, nothing is said
        QCOMPARE(desk.session.messages()->rowCount(), 0);
    }

    /// Another session, and the next start, showed the first model again.
    void theModelThatWasChosenInAStudyIsKept() {
        Study study = readStudy(m_studies / "one");
        study.models.push_back(study.models.front());
        study.models.back().name = "other";
        study.models.back().folder = "/models/other";
        writeStudy(m_studies / "one", study);
        Desk desk(m_studies);
        QVERIFY(desk.open(m_studies / "one"));
        QVERIFY(!desk.shown.view().contains("models"));
        desk.evidence.chooseModel(desk.evidence.shown(StudyKind::Windows), 2);
        const json view = desk.shown.view();
        desk.shown.restore(nullptr);
        QVERIFY(desk.open(m_studies / "one"));
        QCOMPARE(desk.evidence.model(*desk.evidence.shown(StudyKind::Windows)), 1); // nobody chose one in this session
        Desk next(m_studies);
        next.evidence.setCurrentModel("/models/made", std::string(64, 'a')); // before the view, as in a session
        next.shown.restore(view);
        QCOMPARE(next.shown.view(), view);
        QVERIFY(next.quiet());
        QCOMPARE(next.evidence.model(*next.evidence.shown(StudyKind::Windows)), 2);
        QCOMPARE(next.shown.view(), view);
        json wrong = view; // as somebody may write it
        wrong["models"] = {{toQString(m_studies / "one").toStdString(), 7}};
        next.shown.restore(wrong);
        QVERIFY(next.quiet());
        QCOMPARE(next.evidence.model(*next.evidence.shown(StudyKind::Windows)), 1);
    }

    void aStudyIsKeptWhereATabShowsTheUtterances() {
        Desk desk(m_studies);
        QVERIFY(desk.open(m_studies / "one"));
        desk.evidence.showLive(StudyKind::Windows);
        const json view = desk.shown.view();
        desk.shown.restore(nullptr);
        desk.shown.restore(view);
        QVERIFY(desk.quiet());
        QVERIFY(desk.inWindows().empty());
        QCOMPARE(desk.evidence.choices(StudyKind::Windows).size(), std::size_t(1));
    }

    void whatAnEarlierSessionAskedForComesToNobody() {
        Desk desk(m_studies);
        desk.shown.restore({{"open", {toQString(m_studies / "one").toStdString()}}, {"shown", json::object()}});
        desk.shown.restore(nullptr);
        QVERIFY(desk.quiet());
        QVERIFY(desk.evidence.open().empty());
    }

    void oneThatIsGoneIsNamedAndKept() {
        Desk desk(m_studies);
        QVERIFY(desk.open(m_studies / "one") && desk.open(m_studies / "two"));
        const json view = desk.shown.view();
        desk.shown.restore(nullptr);
        fs::rename(m_studies / "two", m_studies / "away");
        desk.shown.restore(view);
        QVERIFY(desk.quiet());
        QCOMPARE(desk.session.messages()->rowCount(), 1);
        QCOMPARE(desk.session.messages()->at(0).sentence,
                 QStringLiteral("The study “two” of this session has been moved or deleted: %1 does not exist.")
                     .arg(toQString(m_studies / "two")));
        QVERIFY(desk.inWindows().empty()); // not another one in its place
        json kept = desk.shown.view();
        QCOMPARE(kept["shown"], view["shown"]);
        QCOMPARE(kept["open"].size(), std::size_t(2));
        fs::rename(m_studies / "away", m_studies / "two"); // as a disk that is there again
        desk.shown.restore(kept);
        QVERIFY(desk.quiet());
        QCOMPARE(desk.inWindows(), m_studies / "two");
        QCOMPARE(desk.session.messages()->rowCount(), 0);
        fs::remove_all(m_studies / "two");
        desk.shown.restore(kept);
        QVERIFY(desk.quiet());
        desk.session.messages()->trigger(0); // Forget it
        kept = desk.shown.view();
        QCOMPARE(kept["open"], json::array({toQString(m_studies / "one").toStdString()}));
        QVERIFY(kept["shown"].empty());
        QCOMPARE(desk.session.messages()->rowCount(), 0);
    }

    void oneThatCannotBeReadIsNamedToo() {
        Desk desk(m_studies);
        QVERIFY(desk.open(m_studies / "one"));
        const json view = desk.shown.view();
        fs::remove(StudyPaths{m_studies / "one"}.results());
        desk.shown.restore(view);
        QVERIFY(desk.quiet());
        QCOMPARE(desk.session.messages()->rowCount(), 1);
        QVERIFY(desk.session.messages()->at(0).sentence.startsWith(
            QStringLiteral("The study “one” of this session could not be opened. ")));
        QCOMPARE(desk.shown.view(), view);
    }

    /// As a model that is opened. What a tab shows is a view of it.
    void openingOneChangesTheSession() {
        Desk desk(m_studies);
        QVERIFY(desk.open(m_studies / "one"));
        QVERIFY(!desk.session.isModified()); // nothing else is open
        desk.session.addText(QStringLiteral("One."));
        desk.session.saveAs(toPath(m_folder->filePath(QStringLiteral("named"))));
        QVERIFY(!desk.session.isModified());
        desk.evidence.showLive(StudyKind::Windows);
        QVERIFY(desk.open(m_studies / "one"));
        QVERIFY(!desk.session.isModified());
        QVERIFY(desk.open(m_studies / "two"));
        QVERIFY(desk.session.isModified());
    }

    void valuesThatDoNotFitAreNone() {
        Desk desk(m_studies);
        for (const char* text : {"[]", "7", R"({"open": 3})", R"({"open": [1, null, ""], "shown": []})", R"({"shown": {"windows": "/x"}})",
                                 R"({"open": [], "shown": {"windows": 3, "other": "x"}})"})
            desk.shown.restore(json::parse(text));
        QVERIFY(desk.shown.view().is_null());
        QCOMPARE(desk.session.messages()->rowCount(), 0);
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_studies;
};

HEADROOM_TEST(ShownStudiesTest)

} // namespace headroom::testing::shown_studies_test

#include "shown_studies_test.moc"
