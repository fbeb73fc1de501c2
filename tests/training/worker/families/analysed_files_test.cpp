// SPDX-License-Identifier: GPL-3.0-or-later
// The files of `analyse` against what the original libraries compute: states, labels, maps, shares on
// padding.
#include "tests/support/runner.h"
#include "tests/training/worker/worker_program.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>

namespace headroom::testing::analysed_files_test {

namespace fs = std::filesystem;
using nlohmann::json;
using Arrays = std::map<std::string, Tensor>;

namespace {

const fs::path kEncoders = fs::path(HEADROOM_SOURCE_DIR) / "tests/data/parity/encoders";

std::vector<float> floatsOf(const Arrays& arrays, const std::string& name) {
    const auto found = arrays.find(name);
    return found == arrays.end() ? std::vector<float>() : toFloats(found->second.view());
}

/// Whether `found` is part `index` of `parts` of the golden, within 1e-4 of its largest value.
bool isPart(const std::vector<float>& found, const std::vector<float>& golden, std::size_t parts,
            std::size_t index) {
    const std::size_t each = golden.size() / parts;
    float most = 0, largest = 0;
    for (const float value : golden)
        largest = std::max(largest, std::abs(value));
    for (std::size_t i = 0; i < std::min(each, found.size()); ++i)
        most = std::max(most, std::abs(found[i] - golden[index * each + i]));
    return found.size() == each && most <= 1e-4F * largest;
}

} // namespace

class AnalysedFilesTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    /// The arrays that `analyse` writes for the recording that the model's golden is of.
    Arrays analysed(const fs::path& model, const json& expected, const QStringList& options) {
        const fs::path audio = model / "expected" / expected["audio"].get<std::string>();
        const auto done =
            runWorkerProgram(QStringList{"analyse", "--model", QString::fromStdString(model.string()),
                                         QString::fromStdString(audio.string()), "--out", m_folder.path()} +
                             options);
        if (done.status != 0) {
            QTest::qFail(done.err.c_str(), __FILE__, __LINE__);
            return {};
        }
        return arraysOf(
            m_folder.filePath(QString::fromStdString(audio.stem().string()) + ".npz").toStdString());
    }
    static json expectedOf(const fs::path& model) {
        return json::parse(std::ifstream(model / "expected" / "expected.json"));
    }
    static std::vector<float> golden(const fs::path& model, const char* name) {
        return toFloats(readNpy(model / "expected" / name).view());
    }

private Q_SLOTS:
    void statesMapsAndLabelsAreThoseOfTheLibrary_data() {
        QTest::addColumn<QString>("family");
        for (const char* family :
             {"wav2vec2", "wav2vec2-adapters", "hubert-batch-norm", "wavlm", "data2vec-audio"})
            QTest::newRow(family) << family;
    }
    void statesMapsAndLabelsAreThoseOfTheLibrary() {
        QFETCH(QString, family);
        const fs::path model = kEncoders / family.toStdString();
        const json expected = expectedOf(model);
        const Arrays arrays = analysed(model, expected, {"--states", "--maps"});
        const auto states = golden(model, "hidden_states.npy"), maps = golden(model, "attention.npy"),
                   contributions = golden(model, "contribution.npy");
        const auto layers = expected["layers"].get<std::size_t>();
        QVERIFY(isPart(floatsOf(arrays, "layer.0.states"), states, layers + 1, 0));
        for (std::size_t layer = 1; layer <= layers; ++layer) {
            const std::string prefix = "layer." + std::to_string(layer);
            QVERIFY2(isPart(floatsOf(arrays, prefix + ".states"), states, layers + 1, layer), prefix.c_str());
            QVERIFY2(isPart(floatsOf(arrays, prefix + ".attention"), maps, layers, layer - 1),
                     prefix.c_str());
            QVERIFY2(isPart(floatsOf(arrays, prefix + ".contributions"), contributions, layers, layer - 1),
                     prefix.c_str());
            QVERIFY(!arrays.contains(prefix + ".padding_share")); // it has no window
        }
        const bool labelled = expected.contains("ctc");
        QCOMPARE(arrays.contains("ctc_ids"), labelled);
        if (!labelled)
            return;
        const Tensor& ids = arrays.at("ctc_ids");
        QVERIFY(ids.dtype == DType::I32);
        std::vector<std::int32_t> labels(ids.bytes.size() / sizeof(std::int32_t));
        std::memcpy(labels.data(), ids.bytes.data(), ids.bytes.size());
        QVERIFY(json(labels) == expected["ctc"]["ids"]);
    }

    void withoutTheOptionThereAreNoStates() {
        const fs::path model = kEncoders / "wav2vec2";
        for (const auto& [name, tensor] : analysed(model, expectedOf(model), {}))
            QVERIFY2(!name.ends_with(".states") && !name.ends_with(".attention"), name.c_str());
    }

    void sharesOnPaddingAreThoseOfTheLibrary() {
        const fs::path model = kEncoders / "whisper-small";
        const json expected = expectedOf(model);
        const Arrays arrays = analysed(model, expected, {"--states"});
        const auto cut = golden(model, "contribution_cut.npy"), states = golden(model, "hidden_states.npy");
        const auto layers = expected["layers"].get<std::size_t>(),
                   valid = expected["valid_tokens"].get<std::size_t>();
        const json& means = expected["contributions"]["share_on_padding_keys_of_valid_queries"];
        for (std::size_t layer = 1; layer <= layers; ++layer) {
            const std::string prefix = "layer." + std::to_string(layer);
            QVERIFY(isPart(floatsOf(arrays, prefix + ".contributions"), cut, layers, layer - 1));
            QVERIFY(isPart(floatsOf(arrays, prefix + ".states"), states, layers + 1, layer));
            const auto shares = floatsOf(arrays, prefix + ".padding_share");
            QCOMPARE(shares.size(), valid);
            const double mean =
                std::accumulate(shares.begin(), shares.end(), 0.0) / static_cast<double>(valid);
            QVERIFY2(std::abs(mean - means[layer - 1].get<double>()) < 1e-4, std::to_string(mean).c_str());
            QVERIFY(*std::min_element(shares.begin(), shares.end()) > 0 &&
                    *std::max_element(shares.begin(), shares.end()) < 1);
        }
    }
};

HEADROOM_TEST(AnalysedFilesTest)

} // namespace headroom::testing::analysed_files_test

#include "analysed_files_test.moc"
