// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/study_settings.h"
#include "app/workspaces/analyse/studies/study_values.h"
#include "tests/support/runner.h"

#include <QtTest>

namespace headroom::testing::study_values_test {

using namespace headroom::app;

namespace {

/// A study of a corpus with two splits that can be run; each test spoils one thing.
StudyValues whole() {
    StudyValues values;
    values.models = {{QStringLiteral("small"), "/models/small", OpenState::Ready, QStringLiteral("80 mel bands")}};
    values.data = "/corpus";
    StudyData facts;
    facts.folder = values.data;
    facts.splits = QStringList{QStringLiteral("train"), QStringLiteral("test")};
    facts.counts = {{900, 900, 1}, {40, 30, 5}};
    values.facts = facts;
    values.split = 1;
    values.when = QStringLiteral("2026-11-22T10-31");
    values.studies = "/studies";
    return values;
}

const QString kData = QStringLiteral("data"), kName = QStringLiteral("name");

} // namespace

class StudyValuesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsWholeCanBeRun() {
        const StudyReport report = validate(whole());
        QVERIFY2(report.reason.isEmpty() && report.mistakes.empty(), qPrintable(report.reason));
        QCOMPARE(report.request.split, QStringLiteral("test"));
        QCOMPARE(report.request.modelNames, QStringList{QStringLiteral("small")});
        QCOMPARE(report.name, QStringLiteral("2026-11-22T10-31_windows_small"));
        QVERIFY(report.request.folder == "/studies/2026-11-22T10-31_windows_small");
        QCOMPARE(report.notes.at(kData), QStringLiteral("40 utterances, 5 speakers, 30 with an alignment"));
        QVERIFY(report.hasData && report.hasSplits && report.hasCount);
        QCOMPARE(report.sentence, QStringLiteral("It continues when this window is closed."));
    }

    /// They were given to the worker as a model, and the study failed at once.
    void importedMapsAreStudiedAlone() {
        StudyValues values = whole();
        values.models = {{QStringLiteral("maps"), "/models/maps.npz", OpenState::Ready, QString()}};
        values.models[0].maps = true;
        const StudyReport alone = validate(values);
        QVERIFY2(alone.reason.isEmpty(), qPrintable(alone.reason));
        const StudyOptions options = optionsOf(alone.request);
        QVERIFY(options.maps == "/models/maps.npz" && options.models.empty());
        QVERIFY(optionsOf(validate(whole()).request).maps.empty());
        values.place = "gpu-1";
        QVERIFY2(validate(values).reason.contains(QStringLiteral("on this machine")), qPrintable(validate(values).reason));
        values = whole();
        values.models.push_back({QStringLiteral("maps"), "/models/maps.npz", OpenState::Ready, QString()});
        values.models[1].maps = true;
        QVERIFY2(validate(values).reason.contains(QStringLiteral("Tick maps alone")), qPrintable(validate(values).reason));
        values.models[1].state = OpenState::Failed; // it is left out
        QVERIFY2(validate(values).reason.isEmpty(), qPrintable(validate(values).reason));
    }

    /// A study of the open utterances left out what the session had no problem with.
    void openRecordingsHaveTheSessionsPhoneMap() {
        StudyValues values = whole();
        values.kind = StudyKind::Phones;
        values.phoneMap = PhoneMap();
        values.phoneMap->set("ə", 3);
        values.phoneMap->setTitle("ARPABET, edited");
        QVERIFY(!validate(values).request.settings.contains("phoneMap")); // a corpus has its own
        QVERIFY(validate(values).request.phoneMap.empty());
        const auto isUsed = [&] {
            const StudyRequest request = validate(values).request;
            const auto file = request.settings.value("phoneMap", std::string());
            const auto set = optionsOf(request).set;
            return file.starts_with("/studies/phone-maps/ARPABET-edited_") && file.ends_with(".tsv") &&
                   request.phoneMap == values.phoneMap->text() &&
                   std::find(set.begin(), set.end(), "phoneMap=\"" + file + "\"") != set.end();
        };
        values.settings["phoneMap"] = kSessionPhoneMap;
        QVERIFY(isUsed()); // unless the session's is chosen
        values.settings.erase("phoneMap");
        values.data.clear();
        values.recordings = {{{"/a.wav"}, true}};
        QVERIFY(isUsed());
        const auto before = validate(values).request.settings.at("phoneMap");
        values.phoneMap->set("ə", 4);
        QVERIFY(isUsed() && validate(values).request.settings.at("phoneMap") != before); // another map, another file
        values.settings["phoneMap"] = "timit";
        QCOMPARE(validate(values).request.settings.at("phoneMap").get<std::string>(), std::string("timit"));
        values.settings.erase("phoneMap");
        values.phoneMap = PhoneMap::named("ipa");
        QCOMPARE(validate(values).request.settings.at("phoneMap").get<std::string>(), std::string("ipa"));
        QVERIFY(validate(values).request.phoneMap.empty());
        values.kind = StudyKind::Windows; // which has no phone map
        QVERIFY(validate(values).request.settings.empty());
    }

    void modelsSayWhyTheyCannotBeStudied() {
        StudyValues values = whole();
        values.models[0].state = OpenState::Reading;
        QCOMPARE(validate(values).reason, QStringLiteral("A model is being opened."));
        values.models[0].state = OpenState::Failed;
        QCOMPARE(validate(values).reason, QStringLiteral("Tick at least one model in Models."));
        values = whole();
        values.models.push_back({QStringLiteral("other"), "/models/other", OpenState::Ready, QStringLiteral("waveform")});
        const StudyReport mixed = validate(values);
        QVERIFY2(mixed.reason.startsWith(QStringLiteral("The front ends differ: small reads 80 mel bands; other reads")),
                 qPrintable(mixed.reason));
        QVERIFY(mixed.notes.at(QStringLiteral("models")).contains(QStringLiteral("utterances")));
        QVERIFY2(mixed.reason.endsWith(QStringLiteral("Tick only models with the same front end.")), qPrintable(mixed.reason));
        values.kind = StudyKind::Latency; // which compares no tokens, and reads no utterances
        QCOMPARE(validate(values).reason, QString());
        QVERIFY(!validate(values).notes.at(QStringLiteral("models")).contains(QStringLiteral("utterances")));
        values.kind = StudyKind::Similarity;
        QVERIFY2(validate(values).reason.contains(QStringLiteral("Choose phones or words in Places")),
                 qPrintable(validate(values).reason));
        for (const char* places : {"phones", "words"}) { // the same places whatever the tokens are
            values.settings = {{"places", places}};
            QCOMPARE(validate(values).reason, QString());
        }
    }

    /// The advice was one model at a time, where leaving out one was enough.
    void modelsWithTheSameFrontEndAreStudiedTogether() {
        StudyValues values = whole();
        values.models.push_back({QStringLiteral("trained"), "/models/trained", OpenState::Ready, values.models[0].frontEnd});
        values.models.push_back({QStringLiteral("other"), "/models/other", OpenState::Ready, QStringLiteral("waveform")});
        QVERIFY2(validate(values).reason.endsWith(QStringLiteral("Tick only models with the same front end.")),
                 qPrintable(validate(values).reason));
        values.models.pop_back();
        QCOMPARE(validate(values).reason, QString());
        QCOMPARE(validate(values).request.models.size(), std::size_t(2));
    }

    void dataThatCannotBeStudiedSaysSoAtItsField() {
        StudyValues values = whole();
        values.facts->mistake = QStringLiteral("corpus: corpus.json is missing.");
        QCOMPARE(validate(values).mistakes.at(kData), values.facts->mistake);
        values = whole();
        values.facts->folder = "/another"; // still being read
        QVERIFY(validate(values).mistakes.empty());
        QCOMPARE(validate(values).reason, QStringLiteral("Loading the data…"));
        values = whole();
        values.facts->counts[1] = {};
        QCOMPARE(validate(values).reason, QStringLiteral("This data has no readable utterance."));
        values = whole();
        values.kind = StudyKind::Phones;
        values.facts->counts[1].aligned = 0;
        QVERIFY(validate(values).mistakes.at(kData).startsWith(QStringLiteral("A study of ")));
    }

    void aProbeNeedsTwoUtterancesWithPhones() {
        StudyValues values = whole();
        values.kind = StudyKind::Probe;
        QCOMPARE(validate(values).reason, QString());
        values.utterances = 1;
        QCOMPARE(validate(values).mistakes.at(QStringLiteral("count")), validate(values).reason);
        values.facts->counts[1].aligned = 1;
        QVERIFY(validate(values).mistakes.at(kData).contains(QStringLiteral("two utterances with phones")));
        values.data.clear();
        values.recordings = {{{"/a.wav"}, true}};
        QVERIFY(validate(values).reason.contains(QStringLiteral("two utterances with phones")));
        values.recordings.push_back({{"/b.wav"}, true});
        QCOMPARE(validate(values).reason, QString()); // the number is of a corpus
        values.kind = StudyKind::Phones;
        values.recordings.pop_back();
        QCOMPARE(validate(values).reason, QString());
    }

    void openRecordingsAreStudiedWithoutACorpus() {
        StudyValues values = whole();
        values.data.clear();
        QCOMPARE(validate(values).reason, QStringLiteral("Open recordings, or choose a folder of them."));
        values.recordings = {{{"/a.wav"}, true}, {{"/b.wav"}, false}};
        const StudyReport report = validate(values);
        QCOMPARE(report.reason, QString());
        QVERIFY(!report.hasSplits && !report.hasCount && report.request.data.empty());
        QCOMPARE(report.request.recordings.size(), std::size_t(2));
        QCOMPARE(report.notes.at(kData), QStringLiteral("2 utterances, 1 with an alignment"));
        // What the session shows is what is measured, wherever the alignment lies and whatever a list calls the recording.
        QVERIFY(optionsOf(report.request).alignments.empty() && optionsOf(report.request).ids.empty());
        values.recordings[0].alignment = "/elsewhere/phones.TextGrid";
        values.recordings[0].id = "a";
        const StudyOptions shown = optionsOf(validate(values).request);
        QVERIFY((shown.alignments == std::vector<std::filesystem::path>{"/elsewhere/phones.TextGrid", kNoAlignment}) && shown.ids.empty());
        values.recordings[0].id = "4507-16021";
        QVERIFY((optionsOf(validate(values).request).ids == std::vector<std::string>{"4507-16021", "b"}));
        values.recordings[1].isPart = true;
        QCOMPARE(validate(values).notes.at(kData), QStringLiteral("2 utterances, 1 with an alignment. Of one, only the selection is analysed here; a study "
                                                                  "measures whole recordings."));
        values.kind = StudyKind::Latency;
        QVERIFY(validate(values).request.recordings.empty() && !validate(values).hasData);
    }

    /// The study failed after the start, without a word about its model.
    void recordingsThatNoModelCanReadAreSaidBefore() {
        StudyValues values = whole();
        values.data.clear();
        values.recordings = {{{"/a.wav"}, true, false, Seconds(10)}, {{"/b.wav"}, false, false, Seconds(0.4)}};
        values.models.push_back({QStringLiteral("ast"), "/models/ast", OpenState::Ready, values.models[0].frontEnd});
        QCOMPARE(validate(values).reason, QString());
        values.models[1].longest = Seconds(0.5);
        QCOMPARE(validate(values).reason, QString()); // one can be measured
        values.kind = StudyKind::Phones;
        QCOMPARE(validate(values).mistakes.at(kData),
                 QStringLiteral("ast accepts recordings of at most 0.50\u202fs, but none of those with an alignment is that short. "
                                "Untick it in Models, or choose shorter recordings."));
        values.models[1].state = OpenState::Failed; // it is left out
        QCOMPARE(validate(values).reason, QString());
        values.models[1].state = OpenState::Ready;
        values.models.erase(values.models.begin());
        values.kind = StudyKind::Windows;
        values.recordings.pop_back();
        QCOMPARE(validate(values).reason,
                 QStringLiteral("ast accepts recordings of at most 0.50\u202fs, but none of these is that short. Choose shorter recordings."));
        values = whole(); // a corpus says how long its recordings are, a folder does not
        values.models[0].longest = Seconds(0.5);
        QCOMPARE(validate(values).reason, QString());
        values.facts->counts[1].shortest = Seconds(0.6);
        QVERIFY2(validate(values).mistakes.at(kData).startsWith(QStringLiteral("small accepts recordings of at most")), qPrintable(validate(values).reason));
    }

    void alignmentsThatASettingNeedsAreMissedBefore() {
        StudyValues values = whole();
        values.facts->counts[1].aligned = 0;
        const QString units = QStringLiteral("Phones and words need alignments, but none of these recordings has one. Choose tokens.");
        for (const auto& [kind, key] : {std::pair{StudyKind::Similarity, "places"}, {StudyKind::Mixing, "units"}}) {
            values.kind = kind;
            values.settings = nlohmann::json::object();
            QCOMPARE(validate(values).reason, QString());
            for (const char* where : {"phones", "words"}) {
                values.settings = {{key, where}};
                QCOMPARE(validate(values).mistakes.at(kData), units);
            }
        }
        values.kind = StudyKind::Heads;
        values.settings = {{"silence", "remove"}};
        QVERIFY2(validate(values).reason.startsWith(QStringLiteral("Removing silence needs alignments")), qPrintable(validate(values).reason));
        values.facts->counts[1].aligned = 1;
        QCOMPARE(validate(values).reason, QString());
    }

    void openTextsAreStudiedByAModelThatReadsText() {
        StudyValues values = whole();
        values.data.clear();
        values.models[0].readsText = true;
        values.recordings = {{{"/a.wav"}, true}};
        QCOMPARE(validate(values).reason, QStringLiteral("Open texts, or choose a corpus of parallel text."));
        values.texts = {"one", "two"};
        const StudyReport report = validate(values);
        QCOMPARE(report.reason, QString());
        QVERIFY(report.takesTexts && report.request.recordings.empty());
        QCOMPARE(report.request.texts.size(), std::size_t(2));
        QCOMPARE(report.notes.at(kData), QStringLiteral("2 texts"));
        values.kind = StudyKind::Phones;
        QCOMPARE(validate(values).reason, QStringLiteral("A study of phones needs alignments, and texts have none."));
        values.kind = StudyKind::Similarity;
        QCOMPARE(validate(values).reason, QString());
        values.settings = {{"places", "words"}};
        QCOMPARE(validate(values).reason, QStringLiteral("Phones and words need alignments, and texts have none. Choose tokens."));
    }

    /// The worker refused them after the start.
    void textsOfACorpusAreRefusedAsOpenOnesAre() {
        StudyValues values = whole();
        values.facts->counts[1] = {40, 0, 0, true};
        QCOMPARE(validate(values).mistakes.at(kData), QStringLiteral("small reads speech, but this data is parallel text. Choose recordings."));
        values.models[0].readsText = true;
        values.models[0].frontEnd = QStringLiteral("text");
        QCOMPARE(validate(values).reason, QString());
        QCOMPARE(validate(values).notes.at(kData), QStringLiteral("40 texts"));
        values.kind = StudyKind::Phones;
        QCOMPARE(validate(values).mistakes.at(kData), QStringLiteral("A study of phones needs alignments, and texts have none."));
        values.kind = StudyKind::Similarity;
        values.settings = {{"places", "phones"}};
        QCOMPARE(validate(values).reason, QStringLiteral("Phones and words need alignments, and texts have none. Choose tokens."));
        values.settings = nlohmann::json::object();
        values.facts->counts[1] = {40, 30, 5, false};
        QCOMPARE(validate(values).mistakes.at(kData), QStringLiteral("small reads text, but this data is recordings. Choose a corpus of parallel text."));
    }

    void countsHaveACommaForThousands() {
        StudyValues values = whole();
        values.facts->counts[1] = {1971, 1000, 1200};
        QCOMPARE(validate(values).notes.at(kData), QStringLiteral("1,971 utterances, 1,200 speakers, 1,000 with an alignment"));
    }

    void lengthsThatAModelDoesNotAcceptAreSaidBefore() {
        StudyValues values = whole();
        values.kind = StudyKind::Latency;
        values.models[0].longestTokens = 64;
        QCOMPARE(validate(values).reason, QStringLiteral("small accepts at most 64 tokens. Set shorter Lengths."));
        QCOMPARE(validate(values).mistakes.at(QStringLiteral("lengths")), validate(values).reason);
        values.settings = {{"lengths", {32, 64}}};
        QCOMPARE(validate(values).reason, QString());
        values.settings = {{"lengths", "32, many"}};
        QVERIFY2(validate(values).reason.contains(QStringLiteral("“lengths”")), qPrintable(validate(values).reason));
    }

    void aSuggestedNameMovesAsideAnOwnOneMustBeFree() {
        StudyValues values = whole();
        values.taken = {QStringLiteral("2026-11-22T10-31_windows_small"),
                        QStringLiteral("2026-11-22T10-31_windows_small_2"), QStringLiteral("mine")};
        QCOMPARE(validate(values).name, QStringLiteral("2026-11-22T10-31_windows_small_3"));
        QVERIFY(validate(values).mistakes.empty());
        values.name = QStringLiteral("mine");
        QVERIFY(validate(values).mistakes.at(kName).contains(QStringLiteral("already exists")));
        for (const char* bad : {"a/b", ".hidden"}) {
            values.name = QString::fromLatin1(bad);
            const StudyReport report = validate(values);
            QVERIFY(report.mistakes.at(kName).contains(QStringLiteral("must not contain")));
            QCOMPARE(report.reason, report.mistakes.at(kName));
        }
    }
};

HEADROOM_TEST(StudyValuesTest)

} // namespace headroom::testing::study_values_test

#include "study_values_test.moc"
