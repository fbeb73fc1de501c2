// SPDX-License-Identifier: GPL-3.0-or-later
// From utterances to one map, its coverage, and what coverage may be measured against.
#include "core/alignment/phone_order.h"
#include "core/tensors/npy.h"
#include "tests/support/runner.h"
#include "tests/training/studies/made_source.h"
#include "training/studies/phone_labels.h"
#include "training/studies/phones/phone_reference.h"
#include "training/studies/phones/phones_summary.h"
#include "training/studies/study_text.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace headroom::testing::phones_summary_test {

using namespace headroom::training;

namespace {

MadeSource::Options optionsOf(unsigned seed) {
    MadeSource::Options options;
    options.seed = seed;
    options.layers = 3;
    options.tokens = 30;
    options.convHead = 1;
    return options;
}

/// A study of `count` utterances of two models, as the runner hands it over.
struct MadeStudy {
    Study study;
    std::vector<ModelMeasurements> measured;

    explicit MadeStudy(unsigned count = 6, bool withFailure = true) {
        const PhoneMap map = phoneMapOf("arpabet");
        study.kind = StudyKind::Phones;
        for (int m = 0; m < 2; ++m) {
            ModelMeasurements& one = measured.emplace_back();
            for (unsigned u = 0; u < count; ++u) {
                MadeSource source(optionsOf(100 * static_cast<unsigned>(m) + u + 1));
                one.model = source.model();
                one.model.name = m == 0 ? "first" : "second";
                one.model.weightsHash = m == 0 ? "aaaaaaaabb" : "ccccccccdd";
                const MadeUtterance utterance(madeLabels(30, u));
                one.utterances.push_back(withFailure && u == 2
                                             ? Measurement()
                                             : measurePhones(source, utterance.input, map, nullptr));
            }
            study.models.push_back(one.model);
        }
        for (unsigned u = 0; u < count; ++u) {
            StudyUtterance document;
            document.id = "u" + std::to_string(u);
            document.speaker = u % 2 ? "even" : "odd";
            document.error = withFailure && u == 2 ? "Not measured." : "";
            study.utterances.push_back(document);
        }
    }
    StudyResults summarised(const nlohmann::json& settings, Study* changed = nullptr) const {
        const auto work = phonesStudy(settings);
        const Study& document = changed ? *changed : study;
        auto copy = measured;
        copy.resize(document.models.size());
        const models::CancelFlag cancel = false;
        return work->summarise(
            document, std::move(copy), {}, [](auto, auto, const auto&, auto) {}, cancel);
    }
};

std::string refusal(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.code() == "study.reference" ? error.what() : error.code();
    }
    return "nothing thrown";
}

double cellAt(const StudyResults& results, const std::string& name, std::size_t at) {
    return toDoubles(results.arrays.at(name).view()).at(at);
}

} // namespace

class PhonesSummaryTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

private Q_SLOTS:
    void theMapIsTheMeanOfTheUtterances_data() {
        QTest::addColumn<bool>("pooled");
        QTest::newRow("mean") << false;
        QTest::newRow("pooled") << true;
    }
    void theMapIsTheMeanOfTheUtterances() {
        QFETCH(bool, pooled);
        const MadeStudy made;
        const StudyResults results = made.summarised({{"mode", pooled ? "pooled" : "mean"}});
        QCOMPARE(results.arrays.at("1.par").shape, (std::vector<std::int64_t>{3, 2, 36, 36}));
        int defined = 0;
        for (std::size_t l = 0; l < 3; ++l)
            for (std::size_t p = 0; p < 36; ++p)
                for (std::size_t q = 0; q < 36; ++q) {
                    double sum = 0, weights = 0, count = 0;
                    for (const Measurement& utterance : made.measured[0].utterances) {
                        if (utterance.empty())
                            continue;
                        const PhoneMeasurement found(utterance);
                        const auto place = [&](std::size_t phone) {
                            return static_cast<std::size_t>(
                                std::find(found.classes().begin(), found.classes().end(), phone) -
                                found.classes().begin());
                        };
                        if (place(p) == found.classes().size() || place(q) == found.classes().size())
                            continue;
                        const auto par = static_cast<double>(
                            found.par(static_cast<std::int64_t>(l), 0, place(p), place(q)));
                        if (std::isnan(par))
                            continue;
                        const double pairs =
                            p == q ? found.partnered()[place(p)]
                                   : static_cast<double>(found.tokens()[place(p)]) * found.tokens()[place(q)];
                        const double weight = pooled ? pairs : 1;
                        sum += weight * par;
                        weights += weight;
                        ++count;
                    }
                    const double found = cellAt(results, "1.par", ((l * 2) * 36 + p) * 36 + q);
                    QCOMPARE(cellAt(results, "1.par_count", p * 36 + q), count);
                    QCOMPARE(std::isnan(found), count == 0);
                    if (count == 0)
                        continue;
                    ++defined;
                    QVERIFY(std::abs(found - sum / weights) <= 1e-5 * std::abs(found));
                    // The other head has no map of tokens: the layer is this head alone.
                    QVERIFY(std::isnan(cellAt(results, "1.par", ((l * 2 + 1) * 36 + p) * 36 + q)));
                    QCOMPARE(cellAt(results, "1.par_layer", (l * 36 + p) * 36 + q), found);
                }
        QVERIFY(defined > 50);
    }

    void placesLeadToTheStrongestPairs() {
        const MadeStudy made;
        const StudyResults results = made.summarised({{"places", 2}});
        const PlaceSet places = PlaceSet::read("1.cell", results.places, "made");
        const auto s = static_cast<std::int64_t>(*phoneClass("S")),
                   t = static_cast<std::int64_t>(*phoneClass("T"));
        std::vector<double> values;
        for (const Measurement& utterance : made.measured[0].utterances) {
            if (utterance.empty())
                continue;
            const PhoneMeasurement found(utterance);
            for (std::size_t p = 0; p < found.classes().size(); ++p)
                for (std::size_t q = 0; q < found.classes().size(); ++q)
                    if (found.classes()[p] == s && found.classes()[q] == t)
                        values.push_back(static_cast<double>(found.pair(1, 0, p, q).value));
        }
        std::sort(values.rbegin(), values.rend());
        const std::array<std::int64_t, 4> index{1, 0, s, t};
        const std::vector<StudyPlace> found = places.at(index);
        QCOMPARE(found.size(), std::min<std::size_t>(2, values.size()));
        QVERIFY(!found.empty());
        for (std::size_t i = 0; i < found.size(); ++i)
            QVERIFY(std::abs(found[i].value - values[i]) < 1e-5);
        QVERIFY(PlaceSet::read("1.cell", results.places, "made")
                    .at(std::array<std::int64_t, 4>{1, 1, s, t})
                    .empty());
    }

    void aModelIsNeverItsOwnReference() {
        const MadeStudy made;
        const StudyResults results = made.summarised({{"reference", "model 1"}});
        QVERIFY(std::isnan(cellAt(results, "1.coverage", 0)));
        const double other = cellAt(results, "2.coverage", 0);
        QVERIFY2(other > 0.3 && other < 1, std::to_string(other).c_str());
        bool said = false;
        for (const std::string& note : results.notes)
            said =
                said || note.find("first (aaaaaaaa) was left out: it is the reference") != std::string::npos;
        QVERIFY(said);

        Study alone = made.study;
        alone.models.resize(1);
        QVERIFY(refusal([&] {
                    phonesStudy({{"reference", "model 1"}})->prepare(alone);
                }).find("always covers itself") != std::string::npos);
        QVERIFY(refusal([&] {
                    phonesStudy({{"reference", "model 3"}})->prepare(made.study);
                }).find("this study has 2") != std::string::npos);
        // On purpose: what it covers of itself is everything.
        const StudyResults own =
            made.summarised({{"reference", "model 1"}, {"referenceLayers", 1}, {"allowSame", true}}, &alone);
        QVERIFY(std::abs(cellAt(own, "1.coverage", 0) - 1) < 1e-12); // O16
        QVERIFY(std::abs(cellAt(own, "1.accumulated_coverage", 0) - 1) < 1e-12);
        QVERIFY(cellAt(own, "1.coverage", 1) < 1);
    }

    void anotherStudyIsAReference() {
        const MadeStudy made;
        Study first = made.study;
        first.models.resize(1);
        first.state = RunState::Finished;
        const std::string folder = m_folder.filePath("reference").toStdString();
        std::filesystem::create_directories(folder);
        writeStudy(folder, first);
        {
            const StudyResults results = made.summarised({}, &first);
            NpzWriter writer(std::filesystem::path(folder) / "results.npz");
            for (const auto& [name, array] : results.arrays)
                writer.add(name, array.view());
            writer.close();
        }
        Study second = made.study;
        second.models.erase(second.models.begin());
        const nlohmann::json settings{{"reference", folder}};
        phonesStudy(settings)->prepare(second);
        QVERIFY(refusal([&] { phonesStudy(settings)->prepare(first); }).find("first (aaaaaaaa)") !=
                std::string::npos);
        phonesStudy({{"reference", folder}, {"allowSame", true}})->prepare(first);
        QVERIFY(refusal([&] {
                    phonesStudy({{"reference", folder}, {"referenceModel", 2}})->prepare(second);
                }).find("models 1 to 1") != std::string::npos);
        QVERIFY(refusal([&] {
                    phonesStudy({{"reference", folder}, {"referenceLayers", 4}})->prepare(second);
                }).find("3 layers") != std::string::npos);

        // The same numbers as with both models in one study.
        const StudyResults together = made.summarised({{"reference", "model 1"}});
        MadeStudy apart = made;
        apart.measured.erase(apart.measured.begin());
        const StudyResults alone = apart.summarised(settings, &second);
        for (std::size_t l = 0; l < 3; ++l)
            QVERIFY(std::abs(cellAt(alone, "1.coverage", l) - cellAt(together, "2.coverage", l)) < 1e-6);

        Study unfinished = first;
        unfinished.state = RunState::Stopped;
        writeStudy(folder, unfinished);
        QVERIFY(refusal([&] { phonesStudy(settings)->prepare(second); }).find("not finished") !=
                std::string::npos);
        unfinished.kind = StudyKind::Windows;
        writeStudy(folder, unfinished);
        QVERIFY(refusal([&] { phonesStudy(settings)->prepare(second); }).find("study of windows") !=
                std::string::npos);
        QCOMPARE(refusal([&] {
                     phonesStudy({{"reference", "/nowhere"}})->prepare(second);
                 }),
                 std::string("study.missing"));
    }

    void everyTableIsWhole() {
        const MadeStudy made;
        const StudyResults results = made.summarised({{"reference", "model 1"}});
        std::set<std::string> names;
        for (const StudyTable& table : results.tables) {
            names.insert(table.name);
            QVERIFY(table.caption.size() > 40 && table.caption.back() == '.');
            QVERIFY(!table.rows.empty());
            for (const auto& row : table.rows)
                QCOMPARE(row.size(), table.columns.size());
            QVERIFY(!csvText(table).empty() && !latexText(table).empty());
            if (table.name == "phones-coverage") {
                QCOMPARE(table.rows.size(), std::size_t(3)); // of the second model
                const auto& row = table.rows.front();
                QVERIFY(std::get<double>(row[3]) <= std::get<double>(row[2]) &&
                        std::get<double>(row[2]) <= std::get<double>(row[4]) + 1e-9);
            }
        }
        for (const char* name : {"phones-heads", "phones-layers", "phones-coverage", "phones-classes",
                                 "phones-maps", "phones-counts", "phones-comparison"})
            QVERIFY2(names.count(name) == 1, name);
    }

    /// It always said five.
    void theCaptionSaysHowManyUtterancesHaveTheStrongestPair_data() {
        QTest::addColumn<unsigned>("utterances");
        QTest::addColumn<QString>("said");
        QTest::newRow("one") << 1U << "largest PAR of different phones. ";
        QTest::newRow("four") << 4U << "among the pairs that all 4 utterances have. ";
        QTest::newRow("five") << 5U << "among the pairs that all 5 utterances have. ";
        QTest::newRow("seven") << 7U << "among the pairs that at least 5 utterances have. ";
    }
    void theCaptionSaysHowManyUtterancesHaveTheStrongestPair() {
        QFETCH(unsigned, utterances);
        QFETCH(QString, said);
        const StudyResults results = MadeStudy(utterances, false).summarised({});
        const StudyTable& heads = results.tables.front();
        QVERIFY2(QString::fromStdString(heads.caption).contains(said), heads.caption.c_str());
        const double least = std::min(utterances, 5U);
        for (const auto& row : heads.rows)
            if (const auto* n = std::get_if<double>(&row.back()))
                QVERIFY(*n >= least);
    }
    /// Screen and files had different orders, and the arrays no names.
    void tablesHaveTheOrderOfTheMapsAndArraysTheirNames() {
        const StudyResults results = MadeStudy().summarised({});
        for (const StudyTable& table : results.tables) {
            const bool isMap = table.name == "phones-maps" || table.name == "phones-counts";
            if (!isMap && table.name != "phones-classes")
                continue;
            const std::size_t before = table.name == "phones-maps" ? 3 : 2; // columns
            for (std::size_t place = 0; place < kPhones; ++place) {
                const std::string name(kPhoneClasses[static_cast<std::size_t>(phoneOrder()[place])]);
                QCOMPARE(std::get<std::string>(table.rows[place][before - 1]), name);
                if (isMap)
                    QCOMPARE(table.columns[before + place].key, name);
            }
            if (table.name == "phones-counts")
                for (std::size_t p = 0; p < kPhones; ++p)
                    for (std::size_t q = 0; q < kPhones; ++q)
                        QCOMPARE(std::get<double>(table.rows[p][before + q]),
                                 cellAt(results, "1.par_count", static_cast<std::size_t>(phoneOrder()[p]) * kPhones + static_cast<std::size_t>(phoneOrder()[q])));
        }
        const Tensor& names = results.arrays.at("phones");
        QCOMPARE(names.shape, (std::vector<std::int64_t>{36, 3}));
        const std::vector<double> letters = toDoubles(names.view());
        for (std::size_t phone = 0; phone < kPhones; ++phone) {
            std::string name;
            for (std::size_t i = 0; i < 3; ++i)
                if (const double letter = letters[3 * phone + i]; letter > 0)
                    name += static_cast<char>(letter);
            QCOMPARE(name, std::string(kPhoneClasses[phone]));
        }
    }
    /// The intervals were those of the utterances, under a caption that told of speakers.
    void numbersOfOneSpeakerHaveNoIntervalAndTheCaptionSaysWhy() {
        MadeStudy made(6, false);
        for (std::size_t u = 0; u < 6; ++u) {
            made.study.utterances[u].speaker = u < 5 ? "odd" : "even";
            if (u < 5)
                continue;
            for (ModelMeasurements& one : made.measured) { // no phone occurs twice: no diagonal
                MadeSource source(optionsOf(7));
                std::vector<std::string> labels(30, "sil");
                labels[3] = "S";
                labels[9] = "T";
                one.utterances[u] = measurePhones(source, MadeUtterance(labels).input, phoneMapOf("arpabet"), nullptr);
            }
        }
        StudyResults results = made.summarised({});
        const std::string why = " “–”: intervals and tests need numbers of at least two speakers.";
        for (StudyTable& table : results.tables) {
            explainMissing(made.study, table);
            const bool hasBoth = table.name == "phones-heads" || table.name == "phones-layers" || table.name == "phones-comparison";
            QCOMPARE(table.caption.find(why) != std::string::npos, hasBoth);
            if (table.name != "phones-layers")
                continue;
            QVERIFY(table.caption.find("2 speakers as clusters") != std::string::npos);
            for (const auto& row : table.rows) {
                QCOMPARE(std::get<double>(row[6]), 5.0);
                QCOMPARE(shownText(table.columns[4], row[4]), std::string("–"));
                QVERIFY(shownText(table.columns[2], row[2]) != "–");
            }
        }
    }
    void percentilesAndDrawsAreWhatTheyShouldBe() {
        std::vector<double> values;
        for (int i = 0; i <= 1000; ++i)
            values.push_back(i);
        values.push_back(std::nan(""));
        QCOMPARE(interval95(values).low, 25.0);
        QCOMPARE(interval95(values).high, 975.0);
        QVERIFY(std::isnan(interval95({}).low));
        QCOMPARE(spreadAround(10, values).low, 10 + 25.0 - 500);
        QCOMPARE(spreadAround(10, values).high, 10 + 975.0 - 500);
        const std::vector<bool> present{true, true, false, true, true};
        const std::vector<int> clusters{1, 1, 1, 2, 2};
        for (const std::vector<int>& counts : resampledCounts(present, clusters, 1, 50)) {
            QCOMPARE(counts[0], counts[1]);
            QCOMPARE(counts[2], 0);
            QCOMPARE(counts[3], counts[4]);
            QCOMPARE(counts[0] + counts[3], 2);
        }
        QCOMPARE(resampledCounts(present, {}, 1, 50), resampledCounts(present, {}, 1, 50));
        QVERIFY(resampledCounts(present, {}, 1, 50) != resampledCounts(present, {}, 2, 50));
        QVERIFY(resampledCounts({true, false}, {}, 1, 50).empty());
    }
};

HEADROOM_TEST(PhonesSummaryTest)

} // namespace headroom::testing::phones_summary_test

#include "phones_summary_test.moc"
