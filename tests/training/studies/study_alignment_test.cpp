// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/readers.h"
#include "core/commands/worker_commands.h"
#include "tests/support/runner.h"
#include "tests/training/studies/study_fixture.h"
#include "training/studies/input.h"

#include <QtTest/QtTest>

#include <cmath>

namespace headroom::testing::study_alignment_test {

namespace fs = std::filesystem;

namespace {

/// Two recordings of eight seconds in which vowels sound and pauses do not, each with its alignment.
class Spoken {
public:
    Spoken() : fixture(0) {
        for (int i = 0; i < 2; ++i) {
            std::mt19937 generator(static_cast<unsigned>(7 + i));
            std::normal_distribution<float> noise(0, 1);
            std::vector<float> samples;
            Alignment alignment;
            while (samples.size() < 8 * 16000) {
                const bool isVowel = alignment.phones.size() % 2 == 1;
                const std::size_t length =
                    std::min<std::size_t>(800 * (1 + generator() % 4), 8 * 16000 - samples.size());
                const Seconds start(static_cast<double>(samples.size()) / 16000);
                for (std::size_t s = 0; s < length; ++s)
                    samples.push_back((isVowel ? 0.2F : 0.0005F) * noise(generator));
                alignment.phones.push_back({start, Seconds(static_cast<double>(samples.size()) / 16000),
                                            !isVowel                           ? "sil"
                                            : alignment.phones.size() % 4 == 1 ? "AA1"
                                                                               : "IY0"});
            }
            alignment.origin = i == 0 ? "a made aligner, median error 12 ms" : "";
            saveWav(sound(i), samples, kModelSampleRate);
            alignments.push_back(alignment);
            write(i, i);
        }
    }
    fs::path sound(int i) const { return fixture.data() / ("s" + std::to_string(i) + ".wav"); }
    /// The alignment of recording `of` beside recording `beside`.
    void write(int of, int beside, bool phones = true) const {
        Alignment alignment = alignments[static_cast<std::size_t>(of)];
        if (!phones)
            alignment.phones.swap(alignment.words);
        writeTextGrid(sound(beside).replace_extension(".TextGrid"), textGridOf(alignment, Seconds(8)));
    }

    StudyFixture fixture;
    std::vector<Alignment> alignments;
};

bool says(const std::vector<std::string>& notes, const std::string& what) {
    return std::any_of(notes.begin(), notes.end(),
                       [&](const std::string& note) { return note.find(what) != std::string::npos; });
}

std::string identityOf(const StudyUtterance& utterance) {
    return training::alignmentIdentity(utterance, training::alignmentAsWritten(utterance));
}

} // namespace

class StudyAlignmentTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void alignmentsOfEachOtherAreFoundOutByTheSound() {
        const Spoken spoken;
        auto request = spoken.fixture.request("right", StudyKind::Heads);
        for (const StudyUtterance& utterance : runStudy(request).utterances)
            QVERIFY2(utterance.error.empty(), utterance.error.c_str());
        spoken.write(0, 1);
        spoken.write(1, 0);
        request.out = spoken.fixture.folder() / "swapped"; // the same cache
        QCOMPARE(codeOf([&] { runStudy(request); }), std::string("study.nothingMeasured"));
        for (const StudyUtterance& utterance : readStudy(request.out).utterances)
            QVERIFY2(utterance.error.find("The alignment of") != std::string::npos, utterance.error.c_str());
    }

    /// Only a file with the recording's name was found, whatever the session showed.
    void anAlignmentOfAnotherNameIsTheOneThatIsNamed() {
        const Spoken spoken;
        const auto beside = [&](int i) { return spoken.sound(i).replace_extension(".TextGrid"); };
        auto request = spoken.fixture.request("beside", StudyKind::Heads);
        request.data.clear();
        request.audio = {spoken.sound(0), spoken.sound(1)};
        const auto expected = runStudy(request);
        QVERIFY(expected.utterances[1].alignment == beside(1));
        const fs::path elsewhere = spoken.fixture.folder() / "phones of the second.TextGrid";
        fs::rename(beside(1), elsewhere);
        request.out = spoken.fixture.folder() / "named";
        request.alignments = {kNoAlignment, elsewhere}; // the first has one beside it, which the session does not show
        request.ids = {"first", "second"};
        const auto named = runStudy(request);
        QVERIFY(named.utterances[0].alignment.empty() && named.utterances[1].alignment == elsewhere);
        QCOMPARE(named.utterances[1].id, std::string("second"));
        const auto cad = [&](const Study& study) { return toDoubles(readStudyArrays(spoken.fixture.folder() / study.id).at("1.cad").view()); };
        QCOMPARE(named.settings.at("silence").get<std::string>(), std::string("keep")); // one of two has none
        QVERIFY(cad(named) != cad(expected));
        request.out = spoken.fixture.folder() / "both";
        request.alignments[0] = beside(0);
        QVERIFY(cad(runStudy(request)) == cad(expected));
        request.alignments[1] = beside(0); // another request
        QCOMPARE(codeOf([&] { runStudy(request); }), std::string("study.other"));
    }

    /// The study failed, whether or not it needed one.
    void anAlignmentThatIsGoneIsLeftOut() {
        const Spoken spoken;
        auto request = spoken.fixture.request("windows", StudyKind::Windows);
        request.data.clear();
        request.audio = {spoken.sound(0), spoken.sound(1)};
        const fs::path kept = spoken.sound(0).replace_extension(".TextGrid"), gone = spoken.fixture.folder() / "gone.TextGrid";
        request.alignments = {kept, gone};
        const std::string sentence = "The alignment of s1.wav was not found, so it was left out: " + gone.string() + ".";
        for (const StudyKind kind : {StudyKind::Windows, StudyKind::Heads}) {
            request.kind = kind;
            request.out = spoken.fixture.folder() / toText(kind);
            const Study study = runStudy(request);
            QVERIFY(study.utterances[0].error.empty() && study.utterances[1].error.empty());
            QCOMPARE(std::count(study.notes.begin(), study.notes.end(), sentence), 1);
        }
        QCOMPARE(readStudy(request.out).settings.at("silence").get<std::string>(), std::string("keep")); // that of one is not known
        request.kind = StudyKind::Phones;
        request.out = spoken.fixture.folder() / "phones";
        const Study phones = runStudy(request);
        QVERIFY(phones.utterances[0].error.empty());
        QCOMPARE(phones.utterances[1].error, "The alignment of s1.wav was not found: " + gone.string() + ".");
        QVERIFY(!says(phones.notes, "was left out: " + gone.string()));
    }

    /// A list may call a recording by the name that its corpus gives it.
    void aListIsSearchedForTheNameOfTheRequest() {
        const Spoken spoken;
        const fs::path list = spoken.fixture.folder() / "all.ctm";
        std::ofstream text(list);
        for (const Interval& phone : spoken.alignments[1].phones)
            text << "corpus-17 1 " << phone.start.value() << ' ' << phone.end.value() - phone.start.value() << ' ' << phone.label << '\n';
        text.close();
        auto request = spoken.fixture.request("listed", StudyKind::Phones);
        request.data.clear();
        request.audio = {spoken.sound(1)};
        request.alignments = {list};
        QCOMPARE(codeOf([&] { runStudy(request); }), std::string("study.nothingMeasured"));
        request.ids = {"corpus-17"};
        request.out = spoken.fixture.folder() / "listed-2";
        QVERIFY(runStudy(request).utterances[0].error.empty());
    }

    void aStudyOfNothingSaysWhatIsWrongWithThoseThatAreAligned() {
        const Spoken spoken;
        spoken.write(0, 1); // of another recording
        fs::remove(spoken.sound(0).replace_extension(".TextGrid"));
        const auto request = spoken.fixture.request("nothing", StudyKind::Phones);
        QCOMPARE(codeOf([&] { runStudy(request); }), std::string("study.nothingMeasured"));
        const std::string error = readStudy(request.out).error;
        QVERIFY2(error.starts_with("None of the utterances could be measured. 1 has no alignment; the first of the others: ") &&
                     error.find("The alignment of s1.wav") != std::string::npos,
                 error.c_str());
    }

    void whoMadeTheAlignmentsStandsInNotesAndCaptions() {
        const Spoken spoken;
        const auto request = spoken.fixture.request("study", StudyKind::Phones);
        const Study study = runStudy(request);
        const std::string expected =
            "Alignment: a made aligner, median error 12 ms, 1 utterance; not known by "
            "whom, 1 utterance.";
        for (const StudyUtterance& utterance : study.utterances)
            QVERIFY2(utterance.error.empty(), utterance.error.c_str());
        QVERIFY2(says(study.notes, expected), nlohmann::json(study.notes).dump().c_str());
        for (const StudyTable& table : study.tables)
            QVERIFY2(table.caption.find(expected) != std::string::npos, table.caption.c_str());
    }

    void wordsAloneKeepTheSilenceAndOtherPhonesStillSayWhereItIs() {
        const Spoken spoken;
        spoken.write(1, 1, false);
        const auto request = spoken.fixture.request("study", StudyKind::Heads);
        const Study study = runStudy(request);
        QCOMPARE(study.settings.at("silence").get<std::string>(), std::string("keep"));
        for (const StudyUtterance& utterance : study.utterances)
            QVERIFY2(utterance.error.empty(), utterance.error.c_str());
        const auto share = toDoubles(readStudyArrays(request.out).at("1.silence_share").view());
        QVERIFY(share[0] > 0 && share[0] < 1 && std::isnan(share[1]));
        QVERIFY(says(study.notes, "Share on silence: over 1 utterance with phones in the alignment."));
        QVERIFY(says(study.notes, "CAD: of the whole maps, with silence, because not every utterance has"));
    }

    /// The note left open which of the two it was.
    void silenceThatWasToBeKeptIsSaidToBe() {
        const Spoken spoken;
        auto request = spoken.fixture.request("study", StudyKind::Heads);
        request.settings = {{"silence", "keep"}};
        const Study study = runStudy(request);
        QVERIFY2(says(study.notes, "CAD: of the whole maps, with silence, because the settings keep it."), nlohmann::json(study.notes).dump().c_str());
        QVERIFY(!says(study.notes, "not every utterance"));
    }

    /// A study at words left out what has no phones, or phones of another map.
    void wordsAreStudiedWithoutTheirPhones() {
        Spoken spoken;
        spoken.write(0, 0, false);
        Alignment& foreign = spoken.alignments[1];
        foreign.words = foreign.phones;
        for (Interval& phone : foreign.phones)
            if (phone.label != "sil")
                phone.label = "zzz";
        spoken.write(1, 1);
        for (const auto kind : {StudyKind::Similarity, StudyKind::Mixing})
            for (const char* units : {"words", "phones"}) {
                const bool words = units == std::string("words");
                const std::string name = toText(kind) + std::string(units);
                auto request = spoken.fixture.request(name, kind);
                request.settings = kind == StudyKind::Mixing ? nlohmann::json{{"measures", "alti"}, {"units", units}}
                                                             : nlohmann::json{{"places", units}};
                if (!words) {
                    QCOMPARE(codeOf([&] { runStudy(request); }), std::string("study.nothingMeasured"));
                    continue;
                }
                for (const StudyUtterance& utterance : runStudy(request).utterances)
                    QVERIFY2(utterance.error.empty(), utterance.error.c_str());
            }
    }

    void placesOfAMapWithoutSilenceAreSpoken() {
        const Spoken spoken;
        const auto request = spoken.fixture.request("study", StudyKind::Heads);
        const Study study = runStudy(request);
        QCOMPARE(study.settings.at("silence").get<std::string>(), std::string("remove"));
        const auto& columns = study.tables.front().columns;
        QVERIFY(std::any_of(columns.begin(), columns.end(), [](const auto& one) { return one.key == "side"; }));
        const StudyArrays places = [&] {
            StudyArrays arrays;
            for (auto& [name, array] : readNpz(request.out / "places.npz"))
                arrays[name] = std::move(array);
            return arrays;
        }();
        const auto utterances = toDoubles(places.at("1.head_utterance").view());
        int found = 0;
        for (const char* end : {"1.head_query", "1.head_key"}) {
            const auto times = toDoubles(places.at(end).view());
            for (std::size_t i = 0; i < times.size(); ++i) {
                if (utterances[i] < 0)
                    continue;
                for (const Interval& phone :
                     spoken.alignments[static_cast<std::size_t>(utterances[i])].phones)
                    if (phone.start.value() <= times[i] && times[i] < phone.end.value()) {
                        QVERIFY2(phone.label != "sil", std::to_string(times[i]).c_str());
                        ++found;
                    }
            }
        }
        QVERIFY(found >= 8);
    }

    void ofAListOnlyTheEntryCounts() {
        const StudyFixture fixture(2);
        const auto list = fixture.data() / "phones.ctm";
        const auto write = [&](const char* ofOther) {
            std::ofstream(list) << "r0 1 0.00 0.20 AA\nr0 1 0.20 0.10 S\nr1 1 0.00 0.20 " << ofOther << "\n";
        };
        StudyUtterance utterance;
        utterance.alignment = list.string();
        utterance.id = "r0";
        write("IY");
        const std::string before = identityOf(utterance);
        auto other = utterance;
        other.id = "r1";
        const std::string otherBefore = identityOf(other);
        write("AA"); // as long as before: nothing but the time of the file tells them apart
        fs::last_write_time(list, fs::file_time_type::clock::now() + std::chrono::seconds(2));
        QCOMPARE(identityOf(utterance), before);
        QVERIFY(identityOf(other) != otherBefore);
        QVERIFY(before != otherBefore);
    }

    void aReferenceReadByAnotherMapIsRefused() {
        const Spoken spoken;
        const RandomModel other(spoken.fixture.folder() / "other", {"2 full"}, 16);
        auto request = spoken.fixture.request("reference", StudyKind::Phones);
        request.models = {other.folder()};
        request.settings = {{"mode", "pooled"}};
        runStudy(request);
        auto measured = spoken.fixture.request("measured", StudyKind::Phones);
        measured.settings = {{"reference", request.out.string()}};
        QCOMPARE(codeOf([&] { runStudy(measured); }), std::string("study.reference"));
        measured.out = spoken.fixture.folder() / "of another map";
        measured.settings = {{"reference", request.out.string()}, {"mode", "pooled"}, {"phoneMap", "ipa"}};
        QCOMPARE(codeOf([&] { runStudy(measured); }), std::string("study.reference"));
        measured.out = spoken.fixture.folder() / "alike";
        measured.settings = {{"reference", request.out.string()}, {"mode", "pooled"}};
        const Study study = runStudy(measured);
        QVERIFY(std::any_of(study.tables.begin(), study.tables.end(), [](const StudyTable& table) {
            return table.caption.find("study reference with n = 2 of 2 utterances") != std::string::npos;
        }));
    }

    void aPhoneMapThatChangedMeanwhileIsRefused() {
        const Spoken spoken;
        const auto map = spoken.fixture.folder() / "map.tsv";
        PhoneMap().write(map);
        auto request = spoken.fixture.request("study", StudyKind::Phones);
        request.settings = {{"phoneMap", map.string()}};
        Study study = runStudy(request);
        QCOMPARE(study.settings.at("phoneMapFingerprint").get<std::string>().size(), std::size_t(12));
        study.state = RunState::Stopped;
        writeStudy(request.out, study);
        PhoneMap changed;
        changed.set("AA", 5);
        changed.write(map);
        training::StudyRequest resumed;
        resumed.out = request.out;
        resumed.cache = request.cache;
        resumed.resume = true;
        QCOMPARE(codeOf([&] { runStudy(resumed); }), std::string("study.changedMap"));
    }

    /// A map edited for the study gives numbers that can be had again once its file, or the study, is elsewhere.
    void aPhoneMapFromAFileIsKeptWithTheStudy() {
        const Spoken spoken;
        const auto map = spoken.fixture.folder() / "map.tsv";
        PhoneMap edited;
        edited.set("AA1", 5);
        edited.write(map);
        auto request = spoken.fixture.request("study", StudyKind::Phones);
        request.settings = {{"phoneMap", map.string()}};
        Study study = runStudy(request);
        QVERIFY(PhoneMap::read(request.out / "phones.tsv") == edited);
        study.state = RunState::Stopped;
        writeStudy(request.out, study);
        fs::remove(map);
        const auto moved = spoken.fixture.folder() / "moved";
        fs::rename(request.out, moved);
        training::StudyRequest resumed;
        resumed.out = moved;
        resumed.cache = request.cache;
        resumed.resume = true;
        const Study again = runStudy(resumed);
        QVERIFY(again.state == RunState::Finished);
        QCOMPARE(again.settings.at("phoneMap").get<std::string>(), (moved / "phones.tsv").string());
        QCOMPARE(again.settings.at("phoneMapFingerprint"), study.settings.at("phoneMapFingerprint"));
        // Nothing of somebody else's is overwritten.
        request.out = spoken.fixture.folder() / "taken";
        fs::create_directories(request.out);
        PhoneMap().write(request.out / "phones.tsv");
        edited.write(map);
        QCOMPARE(codeOf([&] { runStudy(request); }), std::string("study.otherFolder"));
    }
};

HEADROOM_TEST(StudyAlignmentTest)

} // namespace headroom::testing::study_alignment_test

#include "study_alignment_test.moc"
