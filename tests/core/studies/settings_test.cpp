// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/phone_map.h"
#include "core/errors/error.h"
#include "core/studies/settings.h"
#include "core/studies/settings_text.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <fstream>

namespace headroom::testing::settings_test {

using nlohmann::json;
using Kind = StudySettingField::Kind;

namespace {

constexpr StudyKind kAllKinds[] = {StudyKind::Windows, StudyKind::Diagonality, StudyKind::Heads,
                                StudyKind::Phones,  StudyKind::Probe,       StudyKind::Latency,
                                StudyKind::Mixing,      StudyKind::Similarity};

/// The sentence with which a value is refused; empty where it is accepted.
std::string refusal(StudyKind kind, const json& settings) {
    try {
        readStudySettings(kind, settings);
    } catch (const Error& error) {
        return error.code() == "study.setting" ? error.what() : "another code: " + error.code();
    }
    return {};
}

/// What `--help`, study.json and older scripts rely on, as it was before the table: defaults, and values that
/// are just possible and just not.
struct Pinned {
    StudyKind kind;
    const char* key;
    json unset;
    std::vector<json> possible, refused;
};

std::vector<Pinned> pinned() {
    const auto list = [](std::vector<int> values) { return json(values); };
    std::vector<Pinned> all{
        {StudyKind::Windows, "threshold", 0.01, {0, 1, 0.5}, {-0.001, 1.001, "0.1", nullptr, true}},
        {StudyKind::Windows, "patience", 0.1, {0, 1}, {-1, 2}},
        {StudyKind::Windows, "shortest", 0.0, {0, 1, 0.5, 3600}, {-0.1, 3601, "1"}},
        {StudyKind::Windows, "fewestWords", 0, {0, 10, 1000}, {-1, 1001, 1.5}},
        {StudyKind::Windows, "statistic", "table-compatible", {"as-printed"}, {"both", 2, "", nullptr}},
        {StudyKind::Heads, "split", 0.75, {0, 1}, {1.5}},
        {StudyKind::Heads, "relevance", "pooled", {"notebook"}, {"mean"}},
        {StudyKind::Heads, "augment", false, {true, false}, {0, "yes"}},
        {StudyKind::Heads, "silence", "auto", {"remove", "keep"}, {true}},
        {StudyKind::Phones, "mode", "mean", {"pooled"}, {"median"}},
        {StudyKind::Phones, "reference", "", {"model 2", "/a/study"}, {2}},
        {StudyKind::Phones, "referenceModel", 1, {1, 99}, {0, 100, 1.5, "1"}},
        {StudyKind::Phones, "referenceLayers", 0, {0, 999}, {-1, 1000}},
        {StudyKind::Phones, "allowSame", false, {true}, {"true", 1}},
        {StudyKind::Phones, "largest", 10, {1, 36}, {0, 37}},
        {StudyKind::Phones, "places", 8, {0, 50}, {-1, 51}},
        {StudyKind::Probe, "seeds", 3, {1, 100}, {0, 101, 2.5}},
        {StudyKind::Probe, "places", 8, {0, 50}, {51}},
        {StudyKind::Probe, "testShare", 0.25, {0.01, 0.99}, {0, 1}},
        {StudyKind::Probe, "normalise", "standard", {"none", "token"}, {"both"}},
        {StudyKind::Probe, "epochs", 15, {1, 10000}, {0, 10001}},
        {StudyKind::Probe, "rate", 0.1, {1e-6, 100}, {0, 101}},
        {StudyKind::Probe, "momentum", 0.9, {0, 0.9999}, {1}},
        {StudyKind::Probe, "decay", 0.001, {0, 10}, {11}},
        {StudyKind::Probe, "stepEpochs", 3, {1, 10000}, {0}},
        {StudyKind::Probe, "stepFactor", 0.1, {0, 1}, {2}},
        {StudyKind::Probe, "batch", 256, {1, 1000000}, {0, 1000001}},
        {StudyKind::Latency, "lengths", list({96, 128, 192, 256, 384, 512, 768}),
         {list({1}), list({5, 100000}), 64}, {list({}), list({0}), 100001, list({5, 100001}), "64"}},
        {StudyKind::Latency, "warmUp", 2, {0, 100}, {-1, 101}},
        {StudyKind::Latency, "repeats", 15, {3, 1000}, {2, 1001}},
        {StudyKind::Latency, "threads", 1, {1, 256}, {0, 257}},
        {StudyKind::Mixing, "measures", "quick", {"all", "alti,rollout-alti"}, {1}},
        {StudyKind::Mixing, "units", "tokens", {"phones", "words"}, {"frames"}},
        {StudyKind::Mixing, "pooling", "mean", {"maximum"}, {"sum"}},
        {StudyKind::Mixing, "window", 17, {1, 99999}, {0, 100000}},
        {StudyKind::Similarity, "places", "tokens", {"phones", "words", "frames"}, {"letters", "Frames"}},
        {StudyKind::Similarity, "perUtterance", 50, {1, 100000}, {0, 100001}},
    };
    for (const StudyKind kind : {StudyKind::Windows, StudyKind::Diagonality}) {
        all.push_back({kind, "source", "auto", {"contributions", "attention"}, {"both", ""}});
        all.push_back({kind, "example", "", {"r1", "any text"}, {1}});
    }
    for (const StudyKind kind : {StudyKind::Heads, StudyKind::Phones, StudyKind::Probe}) {
        all.push_back({kind, "phoneMap", "auto", {"ipa", "/a/file.tsv"}, {1}});
        all.push_back({kind, "phoneMapFingerprint", "", {"0a1b2c3d4e5f"}, {1}});
    }
    return all;
}

/// A value of a field that its range does not hold; null where every value of its type is possible.
json outside(const StudySettingField& field) {
    switch (field.kind) {
    case Kind::Number:
    case Kind::Whole:
        return field.most + 1;
    case Kind::Wholes:
        return json::array();
    case Kind::Flag:
        return 1;
    case Kind::Word:
        return "no such word";
    case Kind::Text:
        return 1;
    }
    return {};
}

} // namespace

class StudySettingsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theGuideNamesEveryKind() {
        std::ifstream guide(HEADROOM_SOURCE_DIR "/resources/guide/words.md");
        std::string row;
        while (!row.starts_with("| kind |") && std::getline(guide, row)) {
        }
        std::string kinds;
        for (const StudyKind kind : kAllKinds)
            kinds += (kinds.empty() ? " " : ", ") + std::string(toText(kind));
        QVERIFY2(row.ends_with(":" + kinds + " |"), row.c_str());
    }

    void nothingElseIsAcceptedOrRefusedThanBefore() {
        std::size_t fields = 0;
        for (const StudyKind kind : kAllKinds)
            fields += studySettingFields(kind).size();
        const auto all = pinned();
        QCOMPARE(all.size(), fields); // each setting of each kind, once
        for (const Pinned& one : all) {
            const json defaults = readStudySettings(one.kind, json::object());
            QVERIFY2(defaults.at(one.key) == one.unset, one.key);
            for (const json& value : one.possible)
                QVERIFY2(refusal(one.kind, {{one.key, value}}).empty(),
                         (one.key + (" = " + value.dump())).c_str());
            for (const json& value : one.refused) {
                const std::string sentence = refusal(one.kind, {{one.key, value}});
                QVERIFY2(sentence.find("“" + std::string(one.key) + "” of " + toText(one.kind)) !=
                             std::string::npos,
                         (one.key + (" = " + value.dump()) + ": " + sentence).c_str());
            }
        }
    }

    void theTableAndTheParserAgree() {
        for (const StudyKind kind : kAllKinds) {
            const json defaults = readStudySettings(kind, json::object());
            QCOMPARE(defaults.size(), studySettingFields(kind).size());
            QVERIFY(readStudySettings(kind, defaults) == defaults); // as a study that goes on gives them
            for (const StudySettingField& field : studySettingFields(kind)) {
                const std::string key(field.key);
                QVERIFY2(defaults.contains(key), key.c_str());
                QCOMPARE(findStudySetting(kind, key), &field);
                const std::string sentence = refusal(kind, {{key, outside(field)}});
                QVERIFY2(sentence.find(rangeText(field)) != std::string::npos, sentence.c_str());
                for (const std::string_view word : field.words)
                    QVERIFY2(refusal(kind, {{key, word}}).empty(), key.c_str());
            }
            QVERIFY(!findStudySetting(kind, "treshold"));
        }
    }

    void theHelpListsEverySettingWithItsRangeAndDefault() {
        for (const StudyKind kind : kAllKinds) {
            const std::string help = studySettingsHelp(kind);
            std::size_t at = 0;
            for (const StudySettingField& field : studySettingFields(kind)) {
                const auto found = help.find("\n  " + std::string(field.key) + "\n", at);
                QVERIFY2(found != std::string::npos, help.c_str());
                at = found + 1;
                QVERIFY(!field.meaning.empty());
                QVERIFY(help.find(std::string(field.meaning), at) != std::string::npos);
                QVERIFY(help.find(rangeText(field) + "; default: " + unsetText(field) + "\n", at) !=
                        std::string::npos);
            }
        }
        const std::string windows = studySettingsHelp(StudyKind::Windows);
        QVERIFY(windows.find("a number from 0 to 1; default: 0.01") != std::string::npos);
        QVERIFY(windows.find("one of “table-compatible”, “as-printed”; default: “table-compatible”") !=
                std::string::npos);
        QVERIFY(studySettingsHelp(StudyKind::Latency)
                    .find("whole numbers from 1 to 100,000; default: [96,128,192,256,384,512,768]") !=
                std::string::npos);
    }

    /// A length that was given twice was measured twice, and the plots of a study need them ascending.
    void aListAscendsAndNamesEachNumberOnce() {
        const auto lengths = readStudySettings(StudyKind::Latency, {{"lengths", {96, 64, 96}}}).at("lengths");
        QVERIFY2(lengths == nlohmann::json({64, 96}), lengths.dump().c_str());
    }

    void aTextThatIsRefusedHasTheQuotationMarksOfTheSentence() {
        try {
            readStudySettings(StudyKind::Latency, {{"lengths", "96 64"}});
            QFAIL("accepted");
        } catch (const Error& error) {
            QCOMPARE(QString::fromUtf8(error.what()), QStringLiteral("The setting “lengths” of latency is a list of whole numbers from 1 to "
                                                                     "100,000, not “96 64”."));
        }
    }

    void unknownKeysAreNamedWithThoseThatThereAre() {
        const std::string sentence = refusal(StudyKind::Latency, {{"treshold", 0.1}});
        QVERIFY2(sentence.find("“treshold”") != std::string::npos, sentence.c_str());
        QVERIFY2(sentence.find("it has lengths, repeats, threads, warmUp.") != std::string::npos,
                 sentence.c_str());
    }

    /// Studies, scripts and forms of earlier versions go on, and nobody reads two words for one thing.
    void tokensWereCalledFramesBefore() {
        QVERIFY(readStudySettings(StudyKind::Similarity, {{"places", "frames"}}).at("places") == "tokens");
        QCOMPARE(studySettingsHelp(StudyKind::Similarity).find("frames"), std::string::npos);
        QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString();
        Study study;
        study.kind = StudyKind::Similarity;
        study.settings = {{"places", "frames"}, {"perUtterance", 5}};
        writeStudy(path, study);
        const json read = readStudy(path).settings;
        QVERIFY2(read.at("places") == "tokens" && read.at("perUtterance") == 5, read.dump().c_str());
    }

    void valuesHaveTheTypeOfTheirField() {
        const json windows = readStudySettings(StudyKind::Windows, {{"threshold", 1}});
        QCOMPARE(windows.at("threshold").dump(), std::string("1.0"));
        const json latency = readStudySettings(StudyKind::Latency, {{"lengths", 64}});
        QCOMPARE(latency.at("lengths").dump(), std::string("[64]"));
    }

    void augmentationFollowsTheRelevanceOfTheNotebook() {
        QCOMPARE(readStudySettings(StudyKind::Heads, {{"relevance", "notebook"}}).at("augment").get<bool>(), true);
        QCOMPARE(readStudySettings(StudyKind::Heads, {{"relevance", "pooled"}}).at("augment").get<bool>(), false);
        const json own = readStudySettings(StudyKind::Heads, {{"relevance", "notebook"}, {"augment", false}});
        QCOMPARE(own.at("augment").get<bool>(), false);
    }

    void thePhoneMapsThatComeAlongAreWordsOfTheSetting() {
        std::vector<std::string> words;
        for (const std::string_view word : findStudySetting(StudyKind::Heads, "phoneMap")->words)
            words.emplace_back(word);
        std::vector<std::string> expected{"auto"};
        expected.insert(expected.end(), PhoneMap::names().begin(), PhoneMap::names().end());
        QCOMPARE(words, expected);
    }

    void anAssignmentIsJsonOrAText() {
        json settings = json::object();
        setStudySetting(settings, "threshold=0.02");
        setStudySetting(settings, "statistic=as-printed");
        setStudySetting(settings, "lengths=[64,128]");
        setStudySetting(settings, "example=a=b");
        QCOMPARE(settings.dump(), std::string(R"({"example":"a=b","lengths":[64,128],"statistic":"as-printed",)"
                                              R"("threshold":0.02})"));
        QVERIFY_EXCEPTION_THROWN(setStudySetting(settings, "threshold"), Error);
        QVERIFY_EXCEPTION_THROWN(setStudySetting(settings, "=3"), Error);
    }

    void captionsNameSettingsInWords() {
        const auto text = [](StudyKind kind, json given) { return settingsText(kind, readStudySettings(kind, given)); };
        for (const StudyKind kind : kAllKinds) {
            for (const StudySettingField& field : studySettingFields(kind))
                settingTitle(kind, field.key); // throws where there is none
            const std::string shown = text(kind, {});
            for (const char* internal : {"allowSame", "phoneMap", "referenceLayers", "testShare", "table-compatible", "false", "auto"})
                QVERIFY2(shown.find(internal) == std::string::npos, shown.c_str());
        }
        const json map{{"phoneMap", "arpabet"}, {"phoneMapFingerprint", "75accf5eafb1"}};
        QCOMPARE(text(StudyKind::Phones, map), std::string("averaging: mean of utterances; phone map: ARPABET (75accf5eafb1)"));
        json covered = map;
        covered.update({{"reference", "model 2"}, {"phoneMap", "/maps/ARPABET-edited.tsv"}});
        QCOMPARE(text(StudyKind::Phones, covered),
                 std::string("averaging: mean of utterances; phone map: ARPABET-edited.tsv (75accf5eafb1); reference of coverage: "
                             "model 2; lowest layers of the reference: lower half; cells of each row in coverage: 10"));
        QCOMPARE(text(StudyKind::Similarity, {{"places", "phones"}}), std::string("compared at: phones"));
        QCOMPARE(settingsText(StudyKind::Mixing, json::object()), std::string());
    }
};

HEADROOM_TEST(StudySettingsTest)

} // namespace headroom::testing::settings_test

#include "settings_test.moc"
