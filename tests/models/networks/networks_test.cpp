// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/checkpoint.h"
#include "models/networks/s2t_decoder.h"
#include "models/networks/s2t_encoder.h"
#include "tests/models/observed_maps.h"
#include "tests/models/test_data.h"
#include "tests/support/runner.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

#include <QTest>

namespace headroom::testing::networks_test {

using namespace headroom::models;
using headroom::testing::madeFeatures;
using headroom::testing::mapsOfAllHeads;

namespace {

at::Tensor toTensor(const Matrix<float>& matrix) {
    const auto rows = static_cast<std::int64_t>(matrix.rows()),
               columns = static_cast<std::int64_t>(matrix.columns());
    return at::from_blob(const_cast<float*>(matrix.values().data()), {rows, columns}, at::kFloat).clone();
}

at::Tensor readTensor(const std::filesystem::path& file) {
    const Tensor tensor = readNpy(file);
    std::vector<float> values = toFloats(tensor.view());
    return at::from_blob(values.data(), tensor.shape, at::kFloat).clone();
}

at::Tensor padded(const std::vector<at::Tensor>& recordings, std::vector<std::int64_t>& frames) {
    std::int64_t longest = 0;
    for (const at::Tensor& recording : recordings) {
        frames.push_back(recording.size(0));
        longest = std::max(longest, recording.size(0));
    }
    at::Tensor batch = at::zeros({static_cast<std::int64_t>(recordings.size()), longest, 80});
    for (std::size_t i = 0; i < recordings.size(); ++i)
        batch.select(0, static_cast<std::int64_t>(i)).narrow(0, 0, frames[i]).copy_(recordings[i]);
    return batch;
}

double largest(const at::Tensor& difference) {
    return difference.abs().max().item<double>();
}

void setHeads(Architecture& architecture, const std::string& heads) {
    for (Architecture::Layer& layer : architecture.encoder.layers)
        layer.heads = parseHeads(heads);
}

} // namespace

class NetworksTest : public QObject {
    Q_OBJECT
    Checkpoint m_reference;

private Q_SLOTS:
    void initTestCase() {
        m_reference = readCheckpoint(testing::referenceModel());
    }

    void batchNeighboursChangeNothing() { // O19
        const at::Tensor brief = toTensor(madeFeatures(101)), long_ = toTensor(madeFeatures(410, 2));
        std::vector<std::int64_t> frames;
        const at::Tensor batch = padded({brief, long_}, frames);
        const Architecture& architecture = m_reference.info.architecture;
        const at::Tensor together = encodeBatch(m_reference.parameters, architecture, batch, frames);
        for (const std::int64_t item : {0, 1}) {
            const at::Tensor alone =
                encodeBatch(m_reference.parameters, architecture, (item == 0 ? brief : long_).unsqueeze(0),
                            {frames[static_cast<std::size_t>(item)]});
            const at::Tensor valid = together.select(0, item).narrow(0, 0, alone.size(1));
            QVERIFY(largest(valid.sub(alone.squeeze(0))) <= 1e-4);
        }
        // The reference's way of padding does change them: the test above is able to fail.
        const at::Tensor unsafe =
            encodeBatch(m_reference.parameters, architecture, batch, frames, Padding::AsReference);
        const at::Tensor alone = encodeBatch(m_reference.parameters, architecture, brief.unsqueeze(0), {101});
        QVERIFY(largest(unsafe.select(0, 0).narrow(0, 0, alone.size(1)).sub(alone.squeeze(0))) > 1e-3);
    }

    void batchNeighboursChangeNothingWithLocalHeads() { // O19, O8
        Architecture architecture = m_reference.info.architecture;
        setHeads(architecture, "2 full + 2 local 5");
        const at::Tensor brief = toTensor(madeFeatures(57)), long_ = toTensor(madeFeatures(410, 2));
        std::vector<std::int64_t> frames;
        const at::Tensor together =
            encodeBatch(m_reference.parameters, architecture, padded({brief, long_}, frames), frames);
        const at::Tensor alone = encodeBatch(m_reference.parameters, architecture, brief.unsqueeze(0), {57});
        QVERIFY(largest(together.select(0, 0).narrow(0, 0, alone.size(1)).sub(alone.squeeze(0))) <= 1e-4);
        QVERIFY(together.isfinite().all().item<bool>());
    }

    void windowsAsWideAsTheUtteranceAreTheFullModel() { // O8
        Architecture architecture = m_reference.info.architecture;
        const at::Tensor features = toTensor(madeFeatures(200)).unsqueeze(0); // 50 tokens
        const at::Tensor full = encodeBatch(m_reference.parameters, architecture, features, {200});
        setHeads(architecture, "4 local 99");
        QVERIFY(largest(encodeBatch(m_reference.parameters, architecture, features, {200}).sub(full)) <=
                1e-5);
        setHeads(architecture, "4 local 97");
        QVERIFY(largest(encodeBatch(m_reference.parameters, architecture, features, {200}).sub(full)) > 1e-6);
    }

    void
    whatLiesOutsideTheWindowsDoesNotReachAToken() { // O8: eight layers of reach 2 see 16 tokens on each side
        Architecture architecture = m_reference.info.architecture;
        setHeads(architecture, "4 local 5");
        Matrix<float> changed = madeFeatures(400); // 100 tokens
        const at::Tensor before =
            encodeBatch(m_reference.parameters, architecture, toTensor(changed).unsqueeze(0), {400});
        for (std::size_t bin = 0; bin < 80; ++bin)
            changed(200, bin) += 3.0F; // frame 200 is read by tokens 49 to 51
        const at::Tensor after =
            encodeBatch(m_reference.parameters, architecture, toTensor(changed).unsqueeze(0), {400});
        const at::Tensor moved = after.sub(before).abs().squeeze(0).amax(-1); // [token]
        QVERIFY(moved.narrow(0, 0, 49 - 16).max().item<double>() <= 1e-5);
        QVERIFY(moved.narrow(0, 51 + 17, 100 - 51 - 17).max().item<double>() <= 1e-5);
        QVERIFY(moved[50].item<double>() > 1e-2);
    }

    void decoderFedTokenByTokenSaysTheSame() {
        const at::Tensor features = toTensor(madeFeatures(200)).unsqueeze(0);
        const at::Tensor memory =
            encodeBatch(m_reference.parameters, m_reference.info.architecture, features, {200});
        const std::vector<int> tokens{2,  29, 1,
                                      92, 9,  107}; // with a <pad> in the middle, which has no position
        S2tDecoder whole(m_reference.parameters, m_reference.info.architecture, memory);
        const at::Tensor expected = whole.feed(tokens);
        S2tDecoder stepwise(m_reference.parameters, m_reference.info.architecture, memory);
        std::vector<at::Tensor> rows{stepwise.feed({tokens[0], tokens[1], tokens[2]})};
        for (std::size_t t = 3; t < tokens.size(); ++t)
            rows.push_back(stepwise.feed({tokens[t]}));
        QVERIFY(largest(at::cat(rows).sub(expected)) <= 1e-4);
    }

    void layerInputsAndAttentionsEqualTheReference_data() {
        QTest::addColumn<QString>("goldens");
        QTest::addColumn<QString>("name");
        for (const auto& [folder, path] : testing::goldenFolders())
            for (const char* name : {"short", "medium", "long"})
                QTest::addRow("%s, %s", name, folder) << QString::fromStdString(path.string()) << name;
    }
    void layerInputsAndAttentionsEqualTheReference() {
        QFETCH(QString, name);
        const std::string id = name.toStdString();
        const auto parity = testing::goldens() / "parity";
        const Checkpoint tiny = readCheckpoint(parity / "s2t-tiny");
        const auto expected = parity / "s2t-tiny" / "expected";
        const auto features =
            id == "long" ? expected / "long.features.npy" : parity / "fbank" / (id + ".cmvn.npy");
        nlohmann::json description;
        for (const auto& utterance : testing::readJson(expected / "utterances.json"))
            if (utterance["name"] == id)
                description = utterance;
        const auto layers = description["layers_encoder"].get<std::vector<int>>();
        const auto rows = description["rows_encoder"].get<std::vector<std::int64_t>>();
        const at::Tensor inputs =
            readTensor(expected / (id + ".encoder_layer_inputs.npy")); // [layer, token, width]
        const at::Tensor attentions =
            readTensor(expected / (id + ".encoder_attention.npy")); // [layer, head, row, key]
        int compared = 0;
        const auto observers = [&](int layer) -> AttentionObserver {
            const auto place = std::find(layers.begin(), layers.end(), layer - 1);
            if (place == layers.end())
                return {};
            return [&, index = place - layers.begin()](const AttentionStep& step) {
                const double input = largest(step.input.squeeze(0).sub(inputs[index]));
                QVERIFY2(input <= 1e-4, std::to_string(input).c_str());
                const at::Tensor maps = mapsOfAllHeads(step);
                for (std::size_t r = 0; r < rows.size(); ++r)
                    QVERIFY(largest(maps.squeeze(0)
                                        .select(1, rows[r])
                                        .sub(attentions[index].select(1, static_cast<std::int64_t>(r)))) <=
                            1e-4);
                ++compared;
            };
        };
        const at::Tensor input = readTensor(features);
        encodeBatch(tiny.parameters, tiny.info.architecture, input.unsqueeze(0), {input.size(0)},
                    Padding::Safe, observers);
        QCOMPARE(compared, static_cast<int>(layers.size()));
    }

    void paddedAsTheReferenceEqualsTheReferenceBatch_data() { testing::addGoldenFolders(); }
    void paddedAsTheReferenceEqualsTheReferenceBatch() {
        const auto parity = testing::goldens() / "parity";
        const Checkpoint tiny = readCheckpoint(parity / "s2t-tiny");
        const auto expected = parity / "s2t-tiny" / "expected";
        std::vector<std::int64_t> frames;
        const at::Tensor batch = padded({readTensor(parity / "fbank" / "short.cmvn.npy"),
                                         readTensor(parity / "fbank" / "medium.cmvn.npy"),
                                         readTensor(expected / "long.features.npy")},
                                        frames);
        const at::Tensor output =
            encodeBatch(tiny.parameters, tiny.info.architecture, batch, frames, Padding::AsReference);
        for (const auto& [item, name] : {std::pair{0, "short"}, std::pair{1, "medium"}}) {
            const at::Tensor wanted =
                readTensor(expected / ("padded_batch." + std::string(name) + ".encoder_output.npy"));
            QVERIFY(largest(output.select(0, item).narrow(0, 0, wanted.size(0)).sub(wanted)) <= 1e-4);
        }
    }
};

HEADROOM_TEST(NetworksTest)

} // namespace headroom::testing::networks_test

#include "networks_test.moc"
