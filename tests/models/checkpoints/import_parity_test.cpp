// SPDX-License-Identifier: GPL-3.0-or-later
// One small model in four files, through every importer, against what the field's libraries compute of it.
#include "models/checkpoints/import.h"
#include "tests/models/model_folders.h"
#include "tests/support/runner.h"
#include "tests/support/small_model.h"

namespace headroom::testing::import_parity_test {

using namespace headroom::models;

class ImportParityTest : public QObject, ModelFolders {
    Q_OBJECT
    fs::path m_tiny, m_expected;
    std::map<std::string, std::unique_ptr<SpeechModel>> m_models;

    Matrix<float> features(const std::string& name) const {
        return readMatrix(name == "long" ? m_expected / "long.features.npy"
                                         : m_tiny.parent_path() / "fbank" / (name + ".cmvn.npy"));
    }

private Q_SLOTS:
    void initTestCase_data() { addGoldenFolders(); }
    void init() {
        const fs::path tiny = classGoldens() / "parity" / "s2t-tiny";
        if (tiny == m_tiny)
            return;
        m_tiny = tiny;
        m_expected = m_tiny / "expected";
        const std::pair<const char*, const char*> files[]{
            {"model.safetensors", "float32 safetensors"},
            {"pytorch_model.bin", "float32 PyTorch"},
            {"old_format.bin", "float32 PyTorch before 1.6"},
            {"fairseq_checkpoint.pt", "float32 fairseq, PyTorch"}};
        for (const auto& [file, storedAs] : files) {
            const ImportReport report = importModel(m_tiny / file, fresh());
            QCOMPARE(report.sourceStoredAs, std::string(storedAs));
            QCOMPARE(report.model.tensors, 126);
            QCOMPARE(report.model.parameters, smallModelParameters(classGoldens()));
            QVERIFY(!report.model.tokenizer.empty());
            QVERIFY(report.model.report.missing.empty() && report.model.report.unexpected.empty());
            m_models[file] = SpeechModel::open(report.model.folder);
        }
    }

    void everyImporterGivesTheReference_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("name");
        for (const char* file :
             {"model.safetensors", "pytorch_model.bin", "old_format.bin", "fairseq_checkpoint.pt"})
            for (const char* name : {"short", "medium", "long"})
                QTest::newRow((std::string(file) + ", " + name).c_str()) << file << name;
    }
    void everyImporterGivesTheReference() {
        QFETCH(QString, file);
        QFETCH(QString, name);
        SpeechModel& model = *m_models.at(file.toStdString());
        const std::string id = name.toStdString();
        const Matrix<float> input = features(id);
        const Matrix<float> states = readMatrix(m_expected / (id + ".encoder_output.npy"));
        QVERIFY(largestDifference(model.encode(input).values(), states.values()) <= 1e-4);

        for (const auto& utterance : readJson(m_expected / "utterances.json"))
            if (utterance["name"] == id) {
                const auto tokens = utterance["decoder_input_ids"].get<std::vector<int>>();
                const Matrix<float> logits = readMatrix(m_expected / (id + ".decoder_logits.npy"));
                QVERIFY(largestDifference(model.forcedLogits(input, tokens).values(), logits.values()) <=
                        1e-4);
            }
        const auto generation = readJson(m_expected / (id + ".generation.json"));
        auto ids = generation["greedy"]["ids"].get<std::vector<int>>();
        ids.erase(ids.begin()); // the start token
        QCOMPARE(model.greedy(input, generation.value("max_new_tokens", 200)), ids);
    }

    void everyImporterWritesTheSameWeights() {
        const Named expected = readAll(m_tiny / "model.safetensors");
        for (const auto& [file, model] : m_models) {
            Named found = readAll(model->info().folder / "model.safetensors");
            QCOMPARE(found.size(), expected.size());
            for (const auto& [name, tensor] : expected)
                QVERIFY2(find(found, name).bytes == tensor.bytes, (file + ": " + name).c_str());
        }
    }

    void maliciousFilesAreRefusedByName() {
        const auto refusal = [&](const fs::path& file) {
            try {
                importModel(file, fresh());
            } catch (const Error& error) {
                return error.code() + " " + error.what();
            }
            return std::string("imported");
        };
        const std::string sentence = refusal(m_tiny / "malicious.bin");
        QVERIFY2(sentence.starts_with("model.forbidden ") && sentence.find("os.system") != std::string::npos,
                 sentence.c_str());
        QVERIFY(!fs::exists("PWNED_BY_PICKLE"));
        for (const char* name : {"badheader.safetensors", "overlap.safetensors", "truncated.safetensors"}) {
            const std::string other = refusal(m_tiny / name);
            QVERIFY2(other.starts_with("model.") && other.find(name) != std::string::npos &&
                         other.back() == '.',
                     other.c_str());
        }
    }
};

HEADROOM_TEST(ImportParityTest)

} // namespace headroom::testing::import_parity_test

#include "import_parity_test.moc"
