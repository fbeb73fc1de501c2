// SPDX-License-Identifier: GPL-3.0-or-later
// The real program on the demo sentence: what a study says beside naive loops over what `analyse --maps`
// writes.
#include "core/alignment/phones.h"
#include "core/alignment/text_grid.h"
#include "core/studies/places.h"
#include "core/tensors/npy.h"
#include "tests/support/runner.h"
#include "tests/training/worker/worker_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>

namespace headroom::testing::phone_studies_test {

namespace {

const QString kDemo = QStringLiteral(HEADROOM_SOURCE_DIR "/resources/demo/");

/// PAR straight from the equations: one token after the other, in double, sharing nothing with the program
/// but the names of the phones.
class DemoSentence {
public:
    DemoSentence(const std::filesystem::path& npz, const std::filesystem::path& grid) {
        for (auto& [name, array] : readNpz(npz))
            m_arrays[name] = std::move(array);
        const std::vector<double> seconds = toDoubles(m_arrays.at("token_seconds").view());
        const Alignment alignment = alignmentFrom(readTextGrid(grid), Seconds(1e9), "demo");
        for (const double second : seconds) {
            int said = kSilenceClass;
            for (const Interval& phone : alignment.phones)
                if (phone.start.value() <= second && second < phone.end.value())
                    said = phoneClass(phone.label).value_or(-1);
            m_phones.push_back(said);
        }
    }
    int tokens() const { return static_cast<int>(m_phones.size()); }
    int phone(int token) const { return m_phones[static_cast<std::size_t>(token)]; }
    bool isSpoken(int token) const { return phone(token) >= 0 && phone(token) < kSilenceClass; }
    double seconds(int token) const {
        return toDoubles(m_arrays.at("token_seconds").view())[static_cast<std::size_t>(token)];
    }

    /// [36 · 36] of one head, layer and head from 1.
    std::vector<double> par(int layer, int head) const {
        const std::vector<float> maps =
            toFloats(m_arrays.at("layer." + std::to_string(layer) + ".attention").view());
        const int n = tokens();
        const auto raw = [&](int i, int j) {
            return static_cast<double>(maps[static_cast<std::size_t>(((head - 1) * n + i) * n + j)]);
        };
        std::vector<double> rowSums(static_cast<std::size_t>(n));
        double length = 0;
        for (int i = 0; i < n; ++i) {
            length += isSpoken(i) ? 1 : 0;
            for (int j = 0; j < n; ++j)
                rowSums[static_cast<std::size_t>(i)] += isSpoken(j) ? raw(i, j) : 0;
        }
        const auto a = [&](int i, int j) { return raw(i, j) / rowSums[static_cast<std::size_t>(i)]; };
        const auto sameRun = [&](int i, int j) {
            for (int k = std::min(i, j); k <= std::max(i, j); ++k)
                if (phone(k) != phone(i))
                    return false;
            return true;
        };
        std::vector<double> result(36 * 36, std::numeric_limits<double>::quiet_NaN());
        for (int p = 0; p < 36; ++p)
            for (int q = 0; q < 36; ++q) {
                double sum = 0, rows = 0, columns = 0, means = 0, counted = 0;
                for (int i = 0; i < n; ++i) {
                    rows += phone(i) == p ? 1 : 0;
                    columns += phone(i) == q ? 1 : 0;
                    double others = 0, own = 0;
                    for (int j = 0; j < n; ++j) {
                        if (phone(i) != p || phone(j) != q)
                            continue;
                        sum += a(i, j);
                        own += sameRun(i, j) ? 0 : a(i, j);
                        others += sameRun(i, j) ? 0 : 1;
                    }
                    if (others > 0) {
                        means += own / others;
                        ++counted;
                    }
                }
                double& cell = result[static_cast<std::size_t>(p * 36 + q)];
                if (p != q && rows > 0 && columns > 0)
                    cell = length / (rows * columns) * sum;
                if (p == q && counted > 0)
                    cell = length / counted * means;
            }
        return result;
    }

private:
    std::map<std::string, Tensor> m_arrays;
    std::vector<int> m_phones;
};

} // namespace

class PhoneStudiesWorkerTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    QString at(const char* name) const { return m_folder.filePath(QString::fromUtf8(name)); }
    Finished study(const char* kind, const QString& out, const QStringList& more) const {
        return runWorkerProgram(
            QStringList{"study", kind, "--model", kDemo + "model", "--out", out, "--cache", at("cache")} +
            more);
    }

private Q_SLOTS:
    void phoneAttentionIsWhatANaiveLoopFinds() {
        const Finished analysed = runWorkerProgram(
            {"analyse", "--model", kDemo + "model", kDemo + "demo.wav", "--out", at("maps"), "--maps"});
        QVERIFY2(analysed.status == 0, analysed.err.c_str());
        const QString out = at("phones");
        const Finished finished = study("phones", out, {"--audio", kDemo + "demo.wav"});
        QVERIFY2(finished.status == 0, finished.err.c_str());

        const DemoSentence demo(at("maps/demo.npz").toStdString(), (kDemo + "demo.TextGrid").toStdString());
        const StudyArrays arrays = readStudyArrays(out.toStdString());
        const std::vector<float> par = toFloats(arrays.at("1.par").view());
        const std::vector<double> counts = toDoubles(arrays.at("1.par_count").view());
        const std::vector<std::int64_t> shape = arrays.at("1.par").shape;
        QCOMPARE(shape.at(0), 8);
        int defined = 0;
        for (int layer = 1; layer <= shape[0]; ++layer)
            for (int head = 1; head <= shape[1]; ++head) {
                const std::vector<double> expected = demo.par(layer, head);
                for (std::size_t cell = 0; cell < expected.size(); ++cell) {
                    const auto found = static_cast<double>(
                        par[static_cast<std::size_t>((layer - 1) * shape[1] + head - 1) * 36 * 36 + cell]);
                    QCOMPARE(std::isnan(found), std::isnan(expected[cell]));
                    QCOMPARE(counts[cell], std::isnan(found) ? 0.0 : 1.0);
                    if (std::isnan(found))
                        continue;
                    ++defined;
                    QVERIFY2(std::abs(found - expected[cell]) <= 1e-5 * std::max(1.0, expected[cell]),
                             std::to_string(found).c_str());
                }
            }
        QVERIFY(defined > 1000);

        // The strongest pair of a head: attending → attended, as on the screen.
        const Study read = readStudy(out.toStdString());
        const auto heads = std::ranges::find(read.tables, std::string("phones-heads"), &StudyTable::name);
        QVERIFY(heads != read.tables.end());
        QVERIFY(heads->caption.find("attending → attended") != std::string::npos);
        const auto column = [&](const std::string& key) {
            return static_cast<std::size_t>(std::ranges::find(heads->columns, key, &StudyColumn::key) - heads->columns.begin());
        };
        int pairs = 0;
        for (const std::vector<StudyCell>& row : heads->rows) {
            const auto& pair = std::get<std::string>(row.at(column("strongest")));
            const std::size_t arrow = pair.find(" → ");
            QVERIFY2(arrow != std::string::npos, pair.c_str());
            const auto attending = static_cast<std::size_t>(*phoneClass(pair.substr(0, arrow)));
            const auto attended = static_cast<std::size_t>(*phoneClass(pair.substr(arrow + std::string(" → ").size())));
            const std::vector<double> expected = demo.par(static_cast<int>(std::get<double>(row.at(column("layer")))),
                                                          static_cast<int>(std::get<double>(row.at(column("head")))));
            const double strongest = std::get<double>(row.at(column("strongest_par")));
            QVERIFY2(std::abs(expected[attending * 36 + attended] - strongest) <= 1e-5 * std::max(1.0, strongest), pair.c_str());
            ++pairs;
        }
        QCOMPARE(pairs, static_cast<int>(shape[0] * shape[1]));

        // A place of the strongest cell: both tokens say what the cell is of.
        const auto s = static_cast<std::int64_t>(*phoneClass("S")),
                   t = static_cast<std::int64_t>(*phoneClass("T"));
        StudyArrays stored;
        for (auto& [name, array] : readNpz((out + "/places.npz").toStdString()))
            stored[name] = std::move(array);
        const PlaceSet places = PlaceSet::read("1.cell", stored, "places.npz");
        const std::vector<StudyPlace> found = places.at(std::array<std::int64_t, 4>{2, 0, s, t});
        QCOMPARE(found.size(), std::size_t(1));
        const auto tokenAt = [&](double seconds) {
            for (int token = 0; token < demo.tokens(); ++token)
                if (std::abs(demo.seconds(token) - seconds) < 1e-3)
                    return token;
            return -1;
        };
        QCOMPARE(demo.phone(tokenAt(found[0].query)), static_cast<int>(s));
        QCOMPARE(demo.phone(tokenAt(found[0].key)), static_cast<int>(t));
    }

    void labelsInAnotherAlphabetGiveTheSameNumbers() {
        const std::map<std::string, std::string> ipa{
            {"AA", "ɑ"}, {"AE", "æ"}, {"AH", "ə"}, {"AO", "ɔ"}, {"AY", "aɪ"}, {"B", "b"},  {"CH", "tʃ"},
            {"D", "d"},  {"DH", "ð"}, {"EH", "ɛ"}, {"ER", "ɝ"}, {"F", "f"},   {"G", "ɡ"},  {"IH", "ɪ"},
            {"IY", "i"}, {"K", "k"},  {"L", "l"},  {"M", "m"},  {"N", "n"},   {"P", "p"},  {"R", "ɹ"},
            {"S", "s"},  {"T", "t"},  {"UH", "ʊ"}, {"Z", "z"},  {"AW", "aʊ"}, {"NG", "ŋ"}, {"W", "w"}};
        TextGrid grid = readTextGrid((kDemo + "demo.TextGrid").toStdString());
        for (Tier& tier : grid.tiers)
            for (Interval& interval : tier.intervals) {
                const auto found = ipa.find(std::string(withoutStress(interval.label)));
                if (tier.name == "phones" && !isSilence(interval.label))
                    interval.label = found == ipa.end() ? "?" : found->second;
            }
        const std::filesystem::path folder = at("ipa").toStdString();
        std::filesystem::create_directories(folder);
        writeTextGrid(folder / "demo.TextGrid", grid);
        std::filesystem::copy_file((kDemo + "demo.wav").toStdString(), folder / "demo.wav");
        const Finished here = study("phones", at("in-ipa"), {"--audio", at("ipa/demo.wav")});
        QVERIFY2(here.status == 0, here.err.c_str());
        const Finished there = study("phones", at("in-arpabet"), {"--audio", kDemo + "demo.wav"});
        QVERIFY2(there.status == 0, there.err.c_str());
        const StudyArrays ours = readStudyArrays(at("in-ipa").toStdString());
        for (const auto& [name, array] : readStudyArrays(at("in-arpabet").toStdString()))
            QVERIFY2(ours.at(name).bytes == array.bytes, name.c_str());
        QCOMPARE(readStudy(at("in-ipa").toStdString()).settings.at("phoneMap").get<std::string>(),
                 std::string("ipa"));
    }

    void coverageOfTheModelByItselfIsRefused() {
        const Finished refused =
            study("phones", at("itself"), {"--audio", kDemo + "demo.wav", "--set", "reference=model 1"});
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.says("always covers itself"), refused.err.c_str());
        const Finished onPurpose = study("phones", at("on-purpose"),
                                         {"--audio", kDemo + "demo.wav", "--set", "reference=model 1",
                                          "--set", "allowSame=true", "--set", "referenceLayers=1"});
        QVERIFY2(onPurpose.status == 0, onPurpose.err.c_str());
        const StudyArrays arrays = readStudyArrays(at("on-purpose").toStdString());
        QVERIFY(std::abs(toDoubles(arrays.at("1.coverage").view()).at(0) - 1) < 1e-9);
    }

    void latencyNeedsNoRecordings() {
        const QString out = at("latency");
        const Finished finished =
            study("latency", out, {"--set", "lengths=[8, 16]", "--set", "repeats=3", "--set", "warmUp=1"});
        QVERIFY2(finished.status == 0, finished.err.c_str());
        const StudyArrays arrays = readStudyArrays(out.toStdString());
        const Tensor& times = arrays.at("1.milliseconds");
        QCOMPARE(times.shape, (std::vector<std::int64_t>{2, 3, 3}));
        const std::vector<double> values = toDoubles(times.view());
        for (std::size_t length = 0; length < 2; ++length)
            for (std::size_t repeat = 0; repeat < 3; ++repeat) {
                const auto part = [&](std::size_t which) {
                    return values[(length * 3 + which) * 3 + repeat];
                };
                QVERIFY(part(0) > 0 && part(1) > 0);
                QVERIFY(std::abs(part(0) + part(1) - part(2)) < 1e-9);
            }
        QVERIFY(std::filesystem::exists(out.toStdString() + "/tables/latency.csv"));
    }

    void anArchitectureAloneIsTimedAndNothingElse() {
        const QString document =
            QStringLiteral(HEADROOM_SOURCE_DIR "/resources/architectures/shim-8h4x2.json");
        const QString out = at("drawn");
        const Finished finished =
            runWorkerProgram({"study", "latency", "--model", document, "--out", out, "--set", "lengths=8",
                              "--set", "repeats=3", "--set", "warmUp=0"});
        QVERIFY2(finished.status == 0, finished.err.c_str());
        QVERIFY2(finished.says("random, from seed 1"), finished.err.c_str());
        const Study study = readStudy(out.toStdString());
        QCOMPARE(study.models.front().layers, 16);
        QVERIFY(study.models.front().weightsHash.empty());
        QVERIFY(study.tables.front().caption.find("Models: “shim-8h4x2” (random weights; ") != std::string::npos);
        const Finished refused = runWorkerProgram(
            {"study", "windows", "--model", document, "--audio", kDemo + "demo.wav", "--out", at("refused")});
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.says("without weights"), refused.err.c_str());
    }

    void aProbeHearsMoreThanTheMostFrequentClass() {
        const QString recordings = at("spoken");
        std::filesystem::create_directories(recordings.toStdString());
        int number = 0;
        for (const char* text :
             {"The girl gives the brother an apple.", "He sees the old house near the river.",
              "The teacher reads a long book at night.", "My friend sings in the garden."}) {
            const Finished spoken =
                runWorkerProgram({"speak", text, "--out", recordings + QString("/u%1.wav").arg(++number)});
            if (spoken.says("espeak-ng is not installed"))
                QSKIP("espeak-ng is not installed");
            QVERIFY2(spoken.status == 0, spoken.err.c_str());
        }
        const Finished first = study("probe", at("probed"), {"--data", recordings, "--set", "seeds=2"});
        QVERIFY2(first.status == 0, first.err.c_str());
        const StudyArrays arrays = readStudyArrays(at("probed").toStdString());
        QCOMPARE(arrays.at("1.accuracy").shape, (std::vector<std::int64_t>{9, 2}));
        const double majority = toDoubles(arrays.at("1.majority").view()).at(0);
        QVERIFY(majority > 0 && majority < 0.6);
        for (const double accuracy : toDoubles(arrays.at("1.accuracy").view()))
            QVERIFY2(accuracy > majority && accuracy <= 1, std::to_string(accuracy).c_str());
        // Each test token is counted once per seed.
        double counted = 0;
        for (const double cell : toDoubles(arrays.at("1.confusion").view()))
            counted += cell;
        const Study finished = readStudy(at("probed").toStdString());
        const auto sides = toDoubles(arrays.at("1.test").view());
        double tokens = 0;
        for (std::size_t u = 0; u < sides.size(); ++u)
            tokens += sides[u] == 1 ? static_cast<double>(finished.utterances[u].tokens) : 0;
        QCOMPARE(counted, 9 * 2 * tokens);
        bool said = false;
        for (const std::string& note : finished.notes)
            said = said || note.find("split by utterance") != std::string::npos;
        QVERIFY(said);
        // Again, from the cache and on one thread: the same bytes.
        const Finished second =
            study("probe", at("again"), {"--data", recordings, "--set", "seeds=2", "--threads", "1"});
        QVERIFY2(second.status == 0, second.err.c_str());
        for (const auto& [name, array] : readStudyArrays(at("again").toStdString()))
            QVERIFY2(arrays.at(name).bytes == array.bytes, name.c_str());
    }

    void aProbeWithOneRecordingIsRefusedInWords() {
        const Finished refused = study("probe", at("probe"), {"--audio", kDemo + "demo.wav"});
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.says("two utterances"), refused.err.c_str());
    }
};

HEADROOM_TEST(PhoneStudiesWorkerTest)

} // namespace headroom::testing::phone_studies_test

#include "phone_studies_test.moc"
