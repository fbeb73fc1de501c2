// SPDX-License-Identifier: GPL-3.0-or-later
// Which utterances are moved to dev and test.
#include "core/corpus/kinds/held_out.h"
#include "tests/core/corpus/kinds/source_folder.h"
#include "tests/support/runner.h"

#include <QTest>

#include <algorithm>
#include <set>

namespace headroom::testing::held_out_test {

namespace {

using Utterances = std::vector<SourceUtterance>;

/// Speakers s0 … of so many recordings of so many utterances each; no speakers: the recordings alone.
Utterances madeOf(int speakers, int recordings, int utterances, const std::string& folder = "/data") {
    Utterances all;
    for (int speaker = 0; speaker < std::max(1, speakers); ++speaker)
        for (int recording = 0; recording < recordings; ++recording)
            for (int i = 0; i < utterances; ++i) {
                SourceUtterance one;
                one.split = "all";
                one.speaker = speakers > 0 ? "s" + std::to_string(speaker) : "";
                const std::string name = std::to_string(speaker) + "-" + std::to_string(recording);
                one.audio = folder + "/" + name + ".wav";
                one.id = name + "-" + std::to_string(i);
                all.push_back(one);
            }
    return all;
}

std::set<std::string> idsOf(const Utterances& all, const std::string& split) {
    std::set<std::string> ids;
    for (const auto& one : all)
        if (one.split == split)
            ids.insert(one.id);
    return ids;
}

std::string refusalOf(Utterances all, const std::vector<HeldOut>& wanted) {
    try {
        holdOut(all, wanted);
    } catch (const Error& error) {
        return error.code() == "corpus.holdOut" ? error.what() : "";
    }
    return {};
}

/// No speaker or recording is in two splits.
bool areApart(const Utterances& all, std::string (*nameOf)(const SourceUtterance&)) {
    std::map<std::string, std::string> splits;
    return std::ranges::all_of(all, [&](const auto& one) { return splits.try_emplace(nameOf(one), one.split).first->second == one.split; });
}

} // namespace

class HeldOutTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wholeSpeakersAreHeldOut() {
        auto all = madeOf(40, 2, 5);
        const auto result = holdOut(all, {{"dev", 10}, {"test", 5}});
        QCOMPARE(idsOf(all, "dev").size(), std::size_t(40));
        QCOMPARE(idsOf(all, "test").size(), std::size_t(20));
        QCOMPARE(idsOf(all, "train").size(), std::size_t(340));
        QVERIFY(areApart(all, [](const SourceUtterance& one) { return one.speaker; }));
        QCOMPARE(result.note, std::string("“all” was divided by speaker: train 340 utterances of 34 speakers, dev 40 of 4, test 20 of 2."));
        QCOMPARE(result.made["note"], result.note);
        QCOMPARE(result.made["from"], "all");
        QCOMPARE(result.made["by"], "speaker");
        QCOMPARE(result.made["percent"], nlohmann::json::parse(R"({"dev": 10.0, "test": 5.0})"));
    }

    /// A third of the corpus was held out where a fifth was wanted, and nothing said why.
    void aShareOfWholeSpeakersIsExplained() {
        auto all = madeOf(3, 500, 1);
        QCOMPARE(holdOut(all, {{"dev", 20}}).note,
                 std::string("“all” was divided by speaker: train 1,000 utterances of 2 speakers, dev 500 of 1. dev is 33.3 % instead of 20 %, because "
                             "speakers stay together."));
        auto few = madeOf(3, 500, 1);
        QCOMPARE(holdOut(few, {{"dev", 5}}).note,
                 std::string("“all” was divided by recording: train 1,425 recordings, dev 75. Speakers may be in several splits, because whole "
                             "speakers would miss the wanted share by more than a factor of two."));
    }

    void thePlanIsWhatTheImportDoes() {
        const SourceFolder folder;
        std::string rows = "audio,text,split,speaker\n";
        for (int i = 0; i < 12; ++i) {
            folder.sound("u" + std::to_string(i) + ".wav", 0.5);
            rows += "u" + std::to_string(i) + ".wav,word,all,s" + std::to_string(i % 3) + "\n";
        }
        folder.write("list.csv", rows + "u0.wav,word,all,s0\nnowhere.wav,word,all,s1\n"); // the import leaves the last two out
        auto request = folder.request("csv");
        request.heldOut = {{"dev", 20}};
        const std::string plan = plannedHeldOut(request), end = " by speaker: train 8 utterances of 2 speakers, dev 4 of 1. dev is 33.3 % instead of "
                                                                "20 %, because speakers stay together.";
        QCOMPARE(plan, "“all” will be divided" + end);
        QVERIFY(!std::filesystem::exists(folder.out()));
        const auto made = importCorpus(request);
        QVERIFY(std::ranges::find(made.notes, "“all” was divided" + end) != made.notes.end());
        QCOMPARE(made.document.made.at("heldOut").at("note"), "“all” was divided" + end);
    }

    /// Nor does the folder: whoever imports the corpus again, elsewhere, gets the same dev.
    void theOrderOfTheListDoesNotMatter() {
        for (const int speakers : {0, 20}) {
            auto all = madeOf(speakers, 20, 3), turned = madeOf(speakers, 20, 3, "/elsewhere");
            std::ranges::reverse(turned);
            holdOut(all, {{"dev", 10}});
            holdOut(turned, {{"dev", 10}});
            QVERIFY(!idsOf(all, "dev").empty());
            QCOMPARE(idsOf(all, "dev"), idsOf(turned, "dev"));
        }
    }

    void recordingsStayWholeWithoutSpeakers() {
        auto all = madeOf(0, 20, 3);
        QCOMPARE(holdOut(all, {{"dev", 10}}).made["by"], "recording");
        QCOMPARE(idsOf(all, "dev").size(), std::size_t(6));
        QVERIFY(areApart(all, [](const SourceUtterance& one) { return one.audio.string(); }));
    }

    /// One of them would be half of the corpus.
    void recordingsAreHeldOutOfTwoSpeakers() {
        auto all = madeOf(2, 20, 1);
        const auto result = holdOut(all, {{"dev", 5}});
        QCOMPARE(result.made["by"], "recording");
        QCOMPARE(idsOf(all, "dev").size(), std::size_t(2));
    }

    void utterancesOfOneRecordingAreDivided() {
        auto all = madeOf(1, 1, 50);
        QCOMPARE(holdOut(all, {{"dev", 10}}).made["by"], "utterance");
        QCOMPARE(idsOf(all, "dev").size(), std::size_t(5));
    }

    void anyShareTakesAtLeastOneUtteranceAndLeavesOne() {
        auto all = madeOf(0, 3, 1);
        holdOut(all, {{"dev", 0.1}, {"test", 0.1}});
        QCOMPARE(idsOf(all, "train").size(), std::size_t(1));
        QCOMPARE(refusalOf(madeOf(0, 1, 1), {{"dev", 50}}), std::string("“all” has only 1 utterance, too few to hold any out."));
    }

    /// Whoever adds recordings does not want another dev.
    void aCorpusThatGrowsKeepsItsDev() {
        auto all = madeOf(0, 200, 1), grown = madeOf(0, 220, 1);
        holdOut(all, {{"dev", 10}});
        holdOut(grown, {{"dev", 10}});
        const auto before = idsOf(all, "dev"), after = idsOf(grown, "dev");
        const auto kept = std::ranges::count_if(before, [&](const std::string& id) { return after.contains(id); });
        QCOMPARE(before.size(), std::size_t(20));
        QVERIFY2(kept >= 17, qPrintable(QString::number(kept)));
    }

    void theTrainingSplitIsDividedAndKeepsItsName() {
        auto all = madeOf(0, 20, 1);
        for (auto& one : all)
            one.split = one.id < "0-15" ? "train-clean" : "test";
        const auto test = idsOf(all, "test");
        holdOut(all, {{"dev", 20}});
        QVERIFY(!idsOf(all, "dev").empty() && !idsOf(all, "train-clean").empty());
        QCOMPARE(idsOf(all, "test"), test);
    }

    void whatCannotBeDividedIsRefused() {
        auto all = madeOf(0, 4, 1);
        QVERIFY(refusalOf(all, {{"train", 10}}).starts_with("The corpus already has a split “train”"));
        QVERIFY(refusalOf(all, {{"dev", 10}, {"dev", 10}}).starts_with("The corpus already has a split “dev”"));
        QVERIFY(refusalOf(all, {{"../dev", 10}}).starts_with("“../dev” cannot be the name of a split."));
        all[0].split = "a";
        QCOMPARE(refusalOf(all, {{"dev", 10}}), std::string("The corpus has no training split to hold utterances out of; it has “a”, “all”. Build "
                                                            "one with --split train=a."));
        all[0].split = "dev";
        all[1].split = all[2].split = all[3].split = "train";
        QCOMPARE(refusalOf(all, {{"dev", 10}}), std::string("The corpus already has a split “dev”, so nothing can be held out for it."));
        all[0].split = "train-2";
        QCOMPARE(refusalOf(all, {{"dev", 10}}), std::string("The corpus has several training splits: “train”, “train-2”. Build one with --split "
                                                            "train=train,…."));
        all[0].split = "train";
        all[0].speed = 0.9;
        QVERIFY(refusalOf(all, {{"dev", 10}}).find("is a copy at another speed") != std::string::npos);
    }

    /// Copies at other speeds are made of what is left.
    void anImportHoldsOutBeforeItAddsSpeeds() {
        const SourceFolder folder;
        std::string rows = "audio,text,split\n";
        for (int i = 0; i < 10; ++i) {
            folder.sound("u" + std::to_string(i) + ".wav", 0.5);
            rows += "u" + std::to_string(i) + ".wav,word,all\n";
        }
        folder.write("list.csv", rows);
        auto request = folder.request("csv");
        request.heldOut = {{"dev", 20}};
        request.speeds = {0.9};
        const auto made = importCorpus(request);
        const auto corpus = Corpus::open(folder.out());
        QCOMPARE(corpus.document().splits, (std::vector<std::string>{"train", "dev"}));
        QCOMPARE(corpus.utterances("dev", "asr").size(), std::size_t(2));
        QCOMPARE(corpus.utterances("train", "asr").size(), std::size_t(16));
        QCOMPARE(corpus.document().made.at("heldOut").at("by"), "recording");
        QVERIFY(std::ranges::find(made.notes, "“all” was divided by recording: train 8 recordings, dev 2.") != made.notes.end());
    }

    void parallelTextIsDividedToo() {
        const SourceFolder folder;
        std::string pairs;
        for (int i = 0; i < 20; ++i)
            pairs += "word " + std::to_string(i) + "\tWort " + std::to_string(i) + "\n";
        folder.write("train.tsv", pairs);
        auto request = folder.request("tsv");
        request.heldOut = {{"dev", 10}};
        importCorpus(request);
        const auto corpus = Corpus::open(folder.out());
        QCOMPARE(corpus.utterances("dev", "translate").size(), std::size_t(2));
        QCOMPARE(corpus.utterances("train", "translate").size(), std::size_t(18));
    }
};

HEADROOM_TEST(HeldOutTest)

} // namespace headroom::testing::held_out_test

#include "held_out_test.moc"
