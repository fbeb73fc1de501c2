// SPDX-License-Identifier: GPL-3.0-or-later
// Models into Hugging Face's Speech2Text form, and back.
#include "core/text/tokenizer.h"
#include "models/checkpoints/import.h"
#include "tests/models/model_folders.h"
#include "tests/support/runner.h"

namespace headroom::testing::export_test {

using namespace headroom::models;

class ExportTest : public QObject, ModelFolders {
    Q_OBJECT

    static std::string bytesOf(const fs::path& file) {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    fs::path exported(const fs::path& source) {
        ImportOptions options;
        options.format = ModelFormat::HuggingFace;
        return importModel(source, fresh(), options).model.folder;
    }
    void refusedByName(const std::function<void(Architecture&)>& edit, const std::string& word) {
        const fs::path ours = fresh();
        Architecture architecture = importModel(referenceModel(), ours).model.architecture;
        edit(architecture);
        writeText(ours / "architecture.json", canonicalText(architecture));
        try {
            exported(ours);
        } catch (const Error& error) {
            QVERIFY2(error.code() == "model.notSpeech2Text", error.what());
            QVERIFY2(std::string(error.what()).find(word) != std::string::npos, error.what());
            return;
        }
        QFAIL(("exported: " + word).c_str());
    }

private Q_SLOTS:
    void aRoundTripKeepsEveryByteOfTheWeights() {
        const fs::path ours = fresh();
        importModel(referenceModel(), ours);
        const fs::path theirs = exported(ours), again = fresh();
        for (const char* name :
             {"config.json", "generation_config.json", "preprocessor_config.json", "model.safetensors",
              "sentencepiece.bpe.model", "vocab.json", "tokenizer_config.json", "special_tokens_map.json"})
            QVERIFY2(fs::exists(theirs / name), name);
        importModel(theirs, again);
        QVERIFY(bytesOf(ours / "model.safetensors") == bytesOf(theirs / "model.safetensors"));
        QVERIFY(bytesOf(ours / "model.safetensors") == bytesOf(again / "model.safetensors"));
        QVERIFY(bytesOf(ours / "sentencepiece.model") == bytesOf(again / "sentencepiece.model"));
        QVERIFY(bytesOf(ours / "front_end.json") == bytesOf(again / "front_end.json"));
        Architecture first = SpeechModel::open(ours)->info().architecture,
                     second = SpeechModel::open(again)->info().architecture;
        first.name = second.name;
        QCOMPARE(second, first);
        QVERIFY(SpeechModel::open(theirs)->info().report.assumed.empty()); // everything is said
        const auto provenance = readJson(again / "provenance.json");
        QVERIFY(provenance["before"]["sourceKind"] == "Headroom"); // the way it went
        QVERIFY(provenance["before"]["before"]["sourceKind"] == "Hugging Face Speech2Text");
    }

    void exportedVocabularyIsTheTokenizers() {
        const fs::path theirs = exported(referenceModel());
        const auto vocabulary = readJson(theirs / "vocab.json");
        const Tokenizer tokenizer(theirs / "sentencepiece.bpe.model");
        QCOMPARE(vocabulary.size(), std::size_t(tokenizer.size()));
        for (int id = 0; id < tokenizer.size(); ++id)
            QVERIFY(vocabulary.at(tokenizer.piece(id)) == id);
        QVERIFY(readJson(theirs / "config.json")["vocab_size"] == tokenizer.size());
    }

    void activationDropoutTravels() {
        const fs::path card = copyOfDemo(), ours = fresh();
        editConfig(card, [](nlohmann::json& config) { config["activation_dropout"] = 0.05; });
        QCOMPARE(importModel(card, ours).model.architecture.encoder.activationDropout, std::optional(0.05));
        QVERIFY(readJson(exported(ours) / "config.json")["activation_dropout"] == 0.05);
    }

    void licencesTravel() {
        const fs::path card = copyOfDemo();
        writeText(card / "README.md", "---\nlicense: cc-by-4.0\n---\n");
        const fs::path ours = fresh();
        QCOMPARE(importModel(card, ours).licence, std::string("cc-by-4.0"));
        const fs::path theirs = exported(ours);
        QCOMPARE(importModel(theirs, fresh()).licence, std::string("cc-by-4.0"));
    }

    void tiedModelsStayTied() {
        const fs::path folder = copyOfDemo();
        editConfig(folder, [](nlohmann::json& config) { config["tie_word_embeddings"] = true; });
        editWeights(folder, [](Named& tensors) {
            std::erase_if(tensors, [](const auto& tensor) { return tensor.first == "lm_head.weight"; });
        });
        const fs::path ours = fresh();
        const ImportReport report = importModel(folder, ours);
        QVERIFY(report.model.architecture.decoder->tiedEmbeddings);
        QVERIFY(SpeechModel::open(ours)->info().report.assumed.empty());
        const fs::path theirs = exported(ours);
        QVERIFY(readJson(theirs / "config.json")["tie_word_embeddings"] == true);
        QCOMPARE(SpeechModel::open(theirs)->info().tensors, report.model.tensors);
    }

    void whatHasNoWordThereIsRefusedByName() {
        refusedByName([](Architecture& a) { a.encoder.layers[1].heads = parseHeads("4 local 7"); },
                      "4 local 7");
        refusedByName([](Architecture& a) { a.encoder.layers[2].heads = parseHeads("2 full + 2 local 7"); },
                      "layer 3");
    }

    void failuresLeaveNothing() {
        const fs::path out = fresh();
        fs::create_directories(out);
        writeText(out / "mine.txt", "keep");
        ImportOptions options;
        options.format = ModelFormat::HuggingFace;
        QVERIFY_EXCEPTION_THROWN(importModel(referenceModel(), out, options), Error);
        QVERIFY(fs::exists(out / "mine.txt"));
        const fs::path broken = copyOfDemo(), nowhere = fresh();
        fs::resize_file(broken / "model.safetensors", 1000);
        QVERIFY_EXCEPTION_THROWN(importModel(broken, nowhere, options), Error);
        QVERIFY(!fs::exists(nowhere));
    }
};

HEADROOM_TEST(ExportTest)

} // namespace headroom::testing::export_test

#include "export_test.moc"
