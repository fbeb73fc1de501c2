// SPDX-License-Identifier: GPL-3.0-or-later
// Studies in the tabs CAD and PAR, in place of the current utterance.
#include "app/workspaces/analyse/common/metrics_note.h"
#include "app/workspaces/analyse/heads/cad_panel.h"
#include "app/workspaces/analyse/phones/phones_panel.h"
#include "tests/app/workspaces/analyse/heads_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/study_table/study_table_view.h"

#include <QSignalSpy>
#include <QTest>

namespace headroom::testing::head_studies_test {

using namespace headroom::app;
using widgets::PhonePair;

namespace {

/// Of the phones of a model of two layers and two heads: 1.5 everywhere, in all utterances.
std::shared_ptr<OpenStudy> phonesStudy(std::size_t utterances) {
    auto study = std::make_shared<OpenStudy>();
    study->folder = "/studies/phones-1";
    study->document.kind = StudyKind::Phones;
    study->document.models.push_back({"small", "", "", "", 2, 2, false, 0, 0});
    study->document.utterances.resize(utterances);
    const std::vector<float> par(2 * 2 * 36 * 36, 1.5F);
    study->arrays["1.par"] = Tensor::of<float>({2, 2, 36, 36}, std::span<const float>(par));
    const std::vector<std::int32_t> counts(36 * 36, static_cast<std::int32_t>(utterances));
    study->arrays["1.par_count"] = Tensor::of<std::int32_t>({36, 36}, std::span<const std::int32_t>(counts));
    return study;
}

} // namespace

class HeadStudiesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void aStudyTakesThePlaceOfTheUtteranceAndItsCellsAskForPlaces() {
        HeadsDesk desk;
        desk.front(desk.part<PhonesPanel>());
        QSignalSpy places(&desk.evidence, &StudyEvidence::placesRequested);
        desk.evidence.add(phonesStudy(5));
        QVERIFY(desk.settle());
        PhonesPanel* panel = desk.part<PhonesPanel>();
        QCOMPARE(panel->map()->map().par(3, 4), 1.5);
        QCOMPARE(panel->map()->map().counts(3, 4), 5);
        desk.session.closeModel(desk.session.currentModelId()); // the study stays open, and says whose numbers these are
        QVERIFY(desk.settle());
        QVERIFY2(panel->note()->sentence().startsWith(QStringLiteral("Study “phones-1”, model small. ")), qPrintable(panel->note()->sentence()));
        panel->map()->setSelected(PhonePair{3, 4});
        QTest::keyClick(panel->map(), Qt::Key_Return);
        QCOMPARE(places.count(), 1);
        const auto query = places.first().first().value<PlacesQuery>();
        QCOMPARE(query.set, std::string("cell"));
        QVERIFY((query.index == std::vector<std::int64_t>{0, 0, 3, 4}));
        desk.evidence.showLive(StudyKind::Phones);
        QVERIFY(desk.settle());
        QVERIFY(panel->map()->map().par.empty());
    }

    void aStudyOfOneUtteranceIsNoMean() {
        HeadsDesk desk;
        desk.front(desk.part<PhonesPanel>());
        desk.evidence.add(phonesStudy(1));
        QVERIFY(desk.settle());
        const QString said = desk.part<PhonesPanel>()->note()->sentence();
        QVERIFY2(said.contains(QStringLiteral("model small. Of 1 utterance.")) && !said.contains(QStringLiteral("1 utterances")), qPrintable(said));
    }

    /// With the last session, a study is read before its model is open.
    void aStudyNamesTheKindsOfHeadsOnceItsModelIsOpen() {
        HeadsDesk desk;
        desk.front(desk.part<CadPanel>());
        auto study = std::make_shared<OpenStudy>();
        study->folder = "/studies/heads-1";
        study->document.kind = StudyKind::Heads;
        study->document.models.push_back({"small", "", "", "", 6, 4, false, 0, 0});
        study->document.models.back().weightsHash = "abc"; // as the worker says it
        study->document.utterances.resize(5);
        const std::vector<float> cad(6 * 4 * 5, 0.5F);
        study->arrays["1.cad"] = Tensor::of<float>({6, 4, 5}, std::span<const float>(cad));
        desk.evidence.add(study);
        QVERIFY(desk.settle());
        const StudyTable& table = desk.part<CadPanel>()->table()->study()->table();
        QCOMPARE(table.rows.size(), std::size_t(24));
        QCOMPARE(table.columns.at(2).key, std::string("cad"));
        desk.open();
        QVERIFY(desk.settle());
        QCOMPARE(table.rows.size(), std::size_t(24));
        QCOMPARE(table.columns.at(2).key, std::string("kind"));
        QVERIFY(!std::get<std::string>(table.rows.at(0).at(2)).empty());
    }
};

HEADROOM_TEST(HeadStudiesTest)

} // namespace headroom::testing::head_studies_test

#include "head_studies_test.moc"
