// SPDX-License-Identifier: GPL-3.0-or-later
// What studies are called: by their folders, by what they measure, by what tells them apart; and the colours of their models.
#include "app/documents/items/paths.h"
#include "app/studies/study_colours.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_names.h"
#include "app/studies/study_settings.h"
#include "app/studies/study_store.h"
#include "tests/app/studies/made_study.h"
#include "tests/support/runner.h"

#include <QDateTime>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace headroom::testing::study_names_test {

using namespace headroom::app;
using headroom::testing::makeWindowsStudy;

class StudyNamesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_studies = toPath(m_folder->path());
    }

    void studiesOfOneNameSayWhereTheyLie() {
        const QTemporaryDir elsewhere;
        const auto other = toPath(elsewhere.path()) / "one";
        for (const auto& folder : {m_studies / "one", m_studies / "two", other})
            makeWindowsStudy(folder);
        QSet<QString> names;
        const auto seen = lookAtStudies(m_studies, {other}, {}, nullptr);
        for (const StudyItem& item : seen->items)
            names << item.name();
        QCOMPARE(names, (QSet<QString>{"one in " + toQString(m_studies), "one in " + elsewhere.path(), "two"}));
    }

    void aStudyThatNobodyNamedIsCalledByWhatItMeasures() {
        using namespace std::string_literals;
        const QStringList models{"demo"};
        QCOMPARE(studyName("/s/2026-11-21T10-31_windows_demo", StudyKind::Windows, models), QStringLiteral("Windows of demo"));
        QCOMPARE(studyName("/s/2026-11-21T10-31-05_latency_a-draft", StudyKind::Latency, {"a draft"}),
                 QStringLiteral("Latency of a draft"));
        QCOMPARE(studyName("/s/2026-11-21T10-31_windows_a-b-c-d", StudyKind::Windows, {"a", "b", "c", "d"}),
                 QStringLiteral("Windows of a, b and 2 more"));
        QCOMPARE(studyName("/s/2026-11-21T10-31_windows_a", StudyKind::Windows, {"demo", "demo, layers 4–8 changed, seed 1"}),
                 QStringLiteral("Windows of demo; demo, layers 4–8 changed, seed 1"));
        // A name that somebody gave stays, also one that begins with a date or names another kind.
        for (const char* own : {"before the holidays", "2026-11-21", "2026-11-21T10-31_heads_demo"})
            QCOMPARE(studyName("/s/"s + own, StudyKind::Windows, models), QString::fromLatin1(own));
    }

    void whatWasMeasuredIsSaidAsOneAskedForIt() {
        StudyItem study;
        study.kind = StudyKind::Latency;
        study.folder = "/s/2026-11-21T10-31-05_latency_demo";
        study.models = QStringList{"demo", "demo, layer 6: full → 29"};
        QCOMPARE(finishedSentence(study), QStringLiteral("The latencies of “demo” and “demo, layer 6: full → 29” were measured."));
        study.models = QStringList{"demo"};
        QCOMPARE(finishedSentence(study), QStringLiteral("The latency of “demo” was measured."));
        study.folder = "/s/before the holidays";
        QCOMPARE(finishedSentence(study), QStringLiteral("The study “before the holidays” has finished."));
        study.folder = "/s/2026-11-21T10-31_windows_demo";
        study.kind = StudyKind::Windows;
        QCOMPARE(finishedSentence(study), QStringLiteral("The study “Windows of demo” has finished."));
    }

    void studiesOfOneNameAreToldApartByWhatDiffers() {
        const auto make = [this](const char* name, const char* created, int utterances, const char* corpus) {
            auto study = makeWindowsStudy(m_studies / name, 3, utterances);
            study.created = created;
            study.data = corpus;
            writeStudy(m_studies / name, study);
        };
        make("2026-11-21T10-31_windows_made", "2026-11-21T10:31:05Z", 5, "/corpora/demo");
        make("2026-11-21T10-32_windows_made", "2026-11-21T10:32:05Z", 7, "/corpora/demo");
        const auto names = [this] {
            QStringList all;
            const auto seen = lookAtStudies(m_studies, {}, {}, nullptr);
            for (const StudyItem& item : seen->items)
                all << item.name();
            return all;
        };
        QCOMPARE(names(), (QStringList{"Windows of made, 7 utterances", "Windows of made, 5 utterances"}));
        make("2026-11-21T10-33_windows_made", "2026-11-21T10:33:05Z", 5, "/corpora/other");
        make("2026-11-21T10-34_windows_made", "2026-11-21T10:34:05Z", 5, "/corpora/other");
        QCOMPARE(names(), (QStringList{"Windows of made, other, 5 utterances, 2026-11-21 10:34:05",
                                       "Windows of made, other, 5 utterances, 2026-11-21 10:33:05",
                                       "Windows of made, demo, 7 utterances", "Windows of made, demo, 5 utterances"}));
    }

    /// Two studies of one minute were told apart by their seconds.
    void studiesWithOtherSettingsAreNamedByThem() {
        const auto made = [this](const char* folder, const char* units, int window) {
            Study study;
            study.kind = StudyKind::Mixing;
            study.state = RunState::Finished;
            study.created = "2026-11-29T19:17:17Z";
            study.settings = {{"measures", "attention,attention-norm"}, {"units", units}, {"pooling", "mean"}, {"window", window}};
            study.models.resize(1);
            study.models[0].name = "mms";
            return itemOf(study, m_studies / folder);
        };
        std::vector<StudyItem> studies{made("2026-11-29T19-17_mixing_mms", "phones", 17), made("2026-11-29T19-17_mixing_mms_2", "tokens", 17)};
        tellApart(studies);
        QCOMPARE(studies[0].name(), QStringLiteral("Mixing of mms, units: phones")); // not how their values were found, which follows
        QCOMPARE(studies[1].name(), QStringLiteral("Mixing of mms, units: tokens"));
        studies.push_back(made("2026-11-29T19-17_mixing_mms_3", "phones", 9));
        studies.push_back(made("2026-11-29T19-17_mixing_mms_4", "phones", 9));
        StudyItem begun;
        begun.state = StudyItem::State::Starting;
        begun.kind = StudyKind::Mixing;
        begun.folder = m_studies / "2026-11-29T19-18_mixing_mms";
        begun.models = QStringList{"mms"};
        studies.push_back(begun); // has not said what it does
        tellApart(studies);
        QCOMPARE(studies[0].name(), QStringLiteral("Mixing of mms, units: phones, window of CL, in units: 17"));
        QVERIFY(studies[2].name().startsWith(QStringLiteral("Mixing of mms, units: phones, window of CL, in units: 9, 2026-11-29 19:17:17")));
        QVERIFY(studies[3].name() != studies[2].name());
        QCOMPARE(studies[4].name(), QStringLiteral("Mixing of mms"));
    }

    /// Below a figure the second of two studies of the same models was called as the first.
    void captionsSayWhenAStudyThatNobodyNamedWasBegun() {
        OpenStudy study;
        study.document.kind = StudyKind::Phones;
        study.document.created = "2026-11-29T20:35:46Z";
        study.document.models.resize(1);
        study.document.models[0].name = "hubert-base";
        study.folder = m_studies / "2026-11-29T20-35_phones_hubert-base";
        QCOMPARE(whoseNumbers(study, 1), QStringLiteral("Study “Phones of hubert-base” of 2026-11-29 20:35:46, model hubert-base."));
        study.folder = m_studies / "probe-1";
        QCOMPARE(whoseNumbers(study, 1), QStringLiteral("Study “probe-1”, model hubert-base."));
    }

    /// The name of the folder, models and all, followed the names of the models.
    void studiesThatWroteNothingAreToldApartByWhenTheyWereStarted() {
        std::vector<StudyItem> studies(2);
        const char* folders[] = {"2026-11-21T10-31_windows_demo-moved-s2t-reference-a-data-s2t-reference", "2026-11-21T10-32-05_windows_demo-moved-s2t-reference-a-data-s2t-reference_2"};
        for (std::size_t i = 0; i < studies.size(); ++i) {
            studies[i].folder = m_studies / folders[i];
            studies[i].models = QStringList{"demo", "moved/s2t-reference"};
            studies[i].state = StudyItem::State::Failed;
        }
        tellApart(studies);
        const auto started = [](int minute, int second, int letters) { // times are UTC, as those of other studies
            return QDateTime(QDate(2026, 11, 21), QTime(10, minute, second)).toUTC().toString(QStringLiteral("yyyy-MM-dd hh:mm:ss")).left(letters);
        };
        QCOMPARE(studies[0].name(), QStringLiteral("Windows of demo, moved/s2t-reference, ") + started(31, 0, 16));
        QCOMPARE(studies[1].name(), QStringLiteral("Windows of demo, moved/s2t-reference, ") + started(32, 5, 19));
    }

    void whatIsNotKnownYetIsNoDifference() {
        std::vector<StudyItem> studies(3);
        const char* folders[] = {"2026-11-21T10-31_windows_made", "2026-11-21T10-32_windows_made", "2026-11-21T10-33_windows_made"};
        for (std::size_t i = 0; i < studies.size(); ++i) {
            studies[i].folder = m_studies / folders[i];
            studies[i].models = QStringList{"made"};
            studies[i].state = StudyItem::State::Finished;
            studies[i].utterances = i == 0 ? 5 : 7;
            studies[i].data = QStringLiteral("demo");
        }
        studies[2].state = StudyItem::State::Starting;
        studies[2].utterances = 0;
        studies[2].data.clear();
        tellApart(studies);
        QCOMPARE(studies[0].name(), QStringLiteral("Windows of made, 5 utterances"));
        QCOMPARE(studies[1].name(), QStringLiteral("Windows of made, 7 utterances"));
        QCOMPARE(studies[2].name(), QStringLiteral("Windows of made"));
    }

    void whatFailedIsNotCounted() {
        OpenStudy study;
        study.document.utterances.resize(3);
        study.document.utterances[1].error = "It is silent.";
        QCOMPARE(study.summary(), QStringLiteral("windows, 2 of 3 utterances"));
    }

    void everyKindHasItsWords() {
        for (const StudyKind kind : kStudyKinds) {
            QVERIFY(!kindTitle(kind).isEmpty());
            QVERIFY(!kindSentence(kind).isEmpty());
            QVERIFY(!studySettings(kind).empty());
        }
    }

    void aModelHasTheColourOfTheSession() {
        Study study;
        study.models.resize(4);
        const char* const folders[] = {"/models/trained", "/models/moved", "/models/demo", "/models/gone"};
        for (std::size_t i = 0; i < 4; ++i) {
            study.models[i].folder = folders[i];
            study.models[i].weightsHash = std::string(64, static_cast<char>('a' + i));
        }
        std::vector<ModelColour> open{{"/models/demo", "", "demo", 0},
                                      {"/models/s2t", "", "s2t", 1},
                                      {"/elsewhere", std::string(64, 'b'), "moved", 4},
                                      {"/models/trained", std::string(64, 'x'), "trained", 2}}; // trained since
        StudyColours colours;
        QVERIFY(colours.setOpen(open) && !colours.setOpen(open));
        const std::vector<int> before = colours.of(study);
        QCOMPARE(before, (std::vector{2, 4, 0, before[3]}));
        const auto isOfAnOpenOne = [&](int colour) { return std::ranges::any_of(open, [&](const auto& one) { return one.colour == colour; }); };
        QVERIFY(!isOfAnOpenOne(before[3]));
        open.push_back({"/models/another", "", "another", 3});
        QVERIFY(colours.setOpen(open));
        QCOMPARE(colours.of(study), before); // it went by what was free beside the open ones
        std::swap(study.models[0], study.models[3]);
        QCOMPARE(colours.of(study), (std::vector{before[3], 4, 0, 2})); // whatever the study
        study.models.resize(kModelStyles - open.size());
        for (std::size_t i = 0; i < study.models.size(); ++i)
            study.models[i].folder = study.models[i].weightsHash = std::to_string(i);
        StudyColours more;
        more.setOpen(open);
        const std::vector<int> many = more.of(study);
        QVERIFY(std::ranges::all_of(many, [](int colour) { return colour >= 0 && colour < kModelStyles; }));
        QVERIFY(std::ranges::none_of(many, isOfAnOpenOne));
    }

    /// What Design measures the latency of is written down as an architecture, and had not the colour of the model that it is of.
    void anArchitectureHasTheColourOfTheModelThatItIsCalledBy() {
        Study study;
        study.models.resize(2);
        study.models[0].name = "demo";
        study.models[1].name = "demo, layer 4 changed";
        StudyColours colours;
        colours.setOpen({{"/models/s2t", "", "s2t", 0}, {"/models/demo", std::string(64, 'a'), "demo", 1}});
        const std::vector<int> before = colours.of(study);
        QCOMPARE(before.front(), 1);
        QVERIFY(before.back() > 1);
        study.models[0].weightsHash = std::string(64, 'b'); // other weights: another model of that name
        QVERIFY(colours.of(study).front() != 1);
    }

    /// The name of the model stood twice in the name of a file.
    void aFileOfOneModelNamesItOnce() {
        OpenStudy study;
        const auto inFileName = [&](const char* folder, bool ofOneModel) {
            study.folder = std::filesystem::path("/studies") / folder;
            return studyInFileName(study, ofOneModel);
        };
        QCOMPARE(inFileName("2026-11-30T04-42_windows_demo-s2t-reference", true), QStringLiteral("2026-11-30T04-42_windows"));
        QCOMPARE(inFileName("2026-11-30T04-42_windows_demo-s2t-reference_2", true), QStringLiteral("2026-11-30T04-42_windows_2"));
        QCOMPARE(inFileName("2026-11-30T04-42_windows_demo-s2t-reference", false), QStringLiteral("2026-11-30T04-42_windows_demo-s2t-reference"));
        QCOMPARE(inFileName("demo against s2t", true), QStringLiteral("demo against s2t")); // somebody's own
    }

    /// Of two studies that one model shares, the second figure was offered under the name of the first.
    void filesOfStudiesOfOneMinuteHaveTwoNames() {
        OpenStudy one, other;
        one.folder = "/studies/2026-11-30T04-42_windows_demo-small";
        one.document.created = "2026-11-30T04:42:05Z";
        other.folder = "/studies/2026-11-30T04-42_windows_demo-s2t";
        other.document.created = "2026-11-30T04:42:48Z";
        QVERIFY2(studyInFileName(one, true) != studyInFileName(other, true), qPrintable(studyInFileName(one, true)));
        QVERIFY2(studyInFileName(one, true).endsWith(QStringLiteral("-05_windows")), qPrintable(studyInFileName(one, true)));
        QCOMPARE(studyInFileName(one, false), QStringLiteral("2026-11-30T04-42_windows_demo-small"));
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path m_studies;
};

HEADROOM_TEST(StudyNamesTest)

} // namespace headroom::testing::study_names_test

#include "study_names_test.moc"
