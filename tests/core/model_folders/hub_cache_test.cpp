// SPDX-License-Identifier: GPL-3.0-or-later
// A Hugging Face cache made as huggingface_hub makes it: blobs, snapshots of links, refs.
#include "core/model_folders/hub_cache.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QTest>

#include <cstdlib>
#include <fstream>

namespace headroom::testing::hub_cache_test {

namespace fs = std::filesystem;

class HubCacheTest : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> m_folder;

    fs::path cache() const { return m_folder->path().toStdString(); }
    /// A file of a snapshot: a link to a blob of the repository.
    void file(const std::string& repository, const std::string& hash, const std::string& name,
              const std::string& content) const {
        const fs::path place = cache() / repository, snapshot = place / "snapshots" / hash;
        fs::create_directories(place / "blobs");
        fs::create_directories((snapshot / name).parent_path());
        const std::string blob = std::to_string(std::hash<std::string>()(hash + name));
        std::ofstream(place / "blobs" / blob, std::ios::binary) << content;
        fs::create_symlink((place / "blobs" / blob).lexically_relative((snapshot / name).parent_path()), snapshot / name);
    }
    void main(const std::string& repository, const std::string& hash) const {
        fs::create_directories(cache() / repository / "refs");
        std::ofstream(cache() / repository / "refs" / "main") << hash;
    }
    /// A repository with one snapshot, config.json, and weights of so many bytes.
    void model(const std::string& repository, const std::string& config, std::size_t bytes = 1000,
               const std::string& weights = "model.safetensors") const {
        file(repository, "abc", "config.json", config);
        if (bytes > 0)
            file(repository, "abc", weights, std::string(bytes, 'w'));
        main(repository, "abc");
    }
    static const CachedModel& named(const std::vector<CachedModel>& models, const char* name) {
        for (const CachedModel& model : models)
            if (model.name == name)
                return model;
        throw std::runtime_error(std::string("no ") + name);
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void speechModelsAreListedByName() {
        model("models--openai--whisper-tiny", R"({"model_type": "whisper"})");
        model("models--facebook--wav2vec2-base-960h", R"({"model_type": "wav2vec2"})", 5000);
        model("models--bert-base", R"({"model_type": "bert"})");
        model("models--google--new", R"({"model_type": "gemma9", "architectures": ["Gemma9ForCausalLM"]})");
        model("datasets--a--b", R"({"model_type": "wav2vec2"})");
        fs::create_directories(cache() / ".locks" / "models--openai--whisper-tiny");
        const auto models = cachedSpeechModels(cache());
        QCOMPARE(models.size(), std::size_t(2));
        QCOMPARE(models[0].name, std::string("facebook/wav2vec2-base-960h"));
        QCOMPARE(models[0].family, std::string("wav2vec 2.0"));
        QCOMPARE(models[0].bytes, std::int64_t(5000 + 26));
        QVERIFY(models[0].reason.empty());
        QVERIFY(models[0].snapshot == cache() / "models--facebook--wav2vec2-base-960h" / "snapshots" / "abc");
        QCOMPARE(models[1].name, std::string("openai/whisper-tiny"));
        QCOMPARE(models[1].family, std::string("Whisper"));
    }

    void trainingsOfEspnetAreOfferedByTheirFolder() {
        const auto training = [this](const char* repository, const std::string& name, const std::string& config,
                                     const char* weights) {
            file(repository, "abc", "exp/" + name + "/config.yaml", config);
            file(repository, "abc", "exp/" + name + std::string("/") + weights, std::string(2000, 'w'));
            main(repository, "abc");
        };
        const std::string speech = "log_level: INFO\nfrontend: default\nfrontend_conf:\n    fs: 16k\nencoder: ";
        training("models--espnet--owls", "asr_train_conformer", speech + "conformer\n", "valid.acc.ave_10best.pth");
        file("models--espnet--owls", "abc", "exp/asr_stats/train/feats_stats.npz", "numbers");
        training("models--espnet--owls", "lm_train", "lm: transformer\n", "valid.loss.ave.pth");
        training("models--espnet--stream", "asr_train", speech + "contextual_block_conformer\n", "3epoch.pth");
        training("models--espnet--ssl", "asr_train", "frontend: s3prl\nencoder: conformer\n", "3epoch.pth");
        training("models--espnet--voice", "tts_train", "tts: fastspeech2\nencoder: conformer\n", "3epoch.pth");
        const auto models = cachedSpeechModels(cache());
        QCOMPARE(models.size(), std::size_t(3));
        const CachedModel& whole = named(models, "espnet/owls");
        QCOMPARE(whole.family, std::string("ESPnet"));
        QVERIFY(whole.reason.empty());
        QVERIFY(whole.snapshot == cache() / "models--espnet--owls" / "snapshots" / "abc" / "exp" / "asr_train_conformer");
        QCOMPARE(whole.memory, std::int64_t(2000));
        QVERIFY(named(models, "espnet/stream").reason.find("contextual_block_conformer") != std::string::npos);
        QVERIFY(named(models, "espnet/ssl").reason.find("s3prl") != std::string::npos);
    }

    void memoryIsThatOfTheWeightsInSinglePrecision() {
        model("models--a--single", R"({"model_type": "hubert"})", 4000);
        file("models--a--single", "abc", "pytorch_model.bin", std::string(4000, 'w')); // the same, and not opened
        model("models--b--half", R"({"model_type": "whisper", "torch_dtype": "float16"})", 3000, "pytorch_model.bin");
        const char* parts = "models--c--parts";
        model(parts, R"({"model_type": "wavlm", "dtype": "bfloat16"})", 0);
        file(parts, "abc", "model.safetensors.index.json", R"({"weight_map": {"a": "1.st", "b": "2.st", "c": "1.st"}})");
        file(parts, "abc", "1.st", std::string(100, 'w'));
        file(parts, "abc", "2.st", std::string(20, 'w'));
        const auto models = cachedSpeechModels(cache());
        QCOMPARE(named(models, "a/single").memory, std::int64_t(4000));
        QCOMPARE(named(models, "b/half").memory, std::int64_t(6000));
        QCOMPARE(named(models, "c/parts").memory, std::int64_t(240));
    }

    void mainNamesTheSnapshot() {
        const char* place = "models--a--b";
        for (const char* hash : {"old", "new"})
            file(place, hash, "config.json", R"({"model_type": "hubert"})");
        main(place, "old");
        QVERIFY(cachedSpeechModels(cache()).front().snapshot.filename() == "old");
        fs::last_write_time(cache() / place / "snapshots" / "old",
                            fs::file_time_type::clock::now() - std::chrono::hours(1));
        for (const char* reference : {"gone", "../../x", ""}) { // no snapshot of that name: the newest
            main(place, reference);
            QVERIFY(cachedSpeechModels(cache()).front().snapshot.filename() == "new");
        }
    }

    void whatCannotBeOpenedSaysWhy() {
        model("models--a--moon", R"({"model_type": "moonshine"})");
        model("models--a--clap", R"({"model_type": "clap"})");
        model("models--a--novel", R"({"model_type": "quux", "architectures": ["QuuxForCTC"]})");
        model("models--a--int8", R"({"model_type": "whisper", "quantization_config": {"quant_method": "x"}})");
        model("models--a--empty", R"({"model_type": "wavlm"})", 0);
        model("models--a--parts", R"({"model_type": "wavlm"})", 0);
        file("models--a--parts", "abc", "model.safetensors.index.json",
             R"({"weight_map": {"x": "model-00001-of-00002.safetensors", "y": "model-00002-of-00002.safetensors"}})");
        file("models--a--parts", "abc", "model-00001-of-00002.safetensors", "w");
        model("models--a--tf", R"({"model_type": "wav2vec2"})", 10, "tf_model.h5");
        model("models--a--faster", R"({"alignment_ids": []})", 10, "model.bin");
        model("models--a--nemo", "{}", 10, "parakeet.nemo");
        file("models--a--lora", "abc", "adapter_config.json",
             R"({"base_model_name_or_path": "openai/whisper-small"})");
        const auto models = cachedSpeechModels(cache());
        QCOMPARE(models.size(), std::size_t(10));
        const auto says = [&](const char* name, const char* words) {
            const std::string& reason = named(models, name).reason;
            QVERIFY2(reason.find(words) != std::string::npos, reason.c_str());
            QVERIFY2(reason.starts_with(name) && reason.ends_with('.'), reason.c_str());
        };
        says("a/moon", "does not open: it needs the convolutions of Moonshine");
        says("a/clap", "it needs the shifted windows of patches of CLAP");
        says("a/novel", "is a speech model that Headroom does not open.");
        says("a/int8", "quantised weights");
        says("a/empty", "is not downloaded completely: model.safetensors is missing");
        says("a/parts", "model-00002-of-00002.safetensors is missing");
        says("a/tf", "weights for TensorFlow (tf_model.h5)");
        says("a/faster", "CTranslate2 weights, as faster-whisper uses them (model.bin)");
        QCOMPARE(named(models, "a/nemo").family, std::string("NeMo")); // which is opened
        QVERIFY(named(models, "a/nemo").reason.empty());
        QCOMPARE(named(models, "a/nemo").memory, std::int64_t(10));
        says("a/lora", "only an adapter for another model");
    }

    void anInterruptedDownloadIsNotOffered() {
        model("models--a--b", R"({"model_type": "wav2vec2"})");
        QVERIFY(cachedSpeechModels(cache()).front().reason.empty());
        const fs::path weights = cache() / "models--a--b/snapshots/abc/model.safetensors";
        fs::remove(fs::canonical(weights)); // the link stays
        const auto models = cachedSpeechModels(cache());
        QVERIFY(models.front().reason.find("not downloaded completely") != std::string::npos);
    }

    /// What one sees in a file dialogue is the repository, not the snapshot.
    void aRepositoryOpensItsSnapshot() {
        const fs::path repository = cache() / "models--a--b", snapshots = repository / "snapshots";
        file("models--a--b", "abc", "config.json", "{}");
        QVERIFY(isRepository(repository) && !isRepository(snapshots / "abc"));
        QVERIFY(modelFolderIn(repository) == snapshots / "abc");
        QVERIFY(modelFolderIn(snapshots / "abc") == snapshots / "abc");
        file("models--a--b", "def", "config.json", "{}");
        QVERIFY(modelFolderIn(repository) == repository); // which of them?
        main("models--a--b", "abc");
        QVERIFY(modelFolderIn(repository) == snapshots / "abc");
        main("models--a--b", "../../..");
        QVERIFY(modelFolderIn(repository) == repository);
        fs::create_directories(cache() / "models--empty" / "snapshots");
        QVERIFY(modelFolderIn(cache() / "models--empty") == cache() / "models--empty");
    }

    void weightsThatEndTooEarlyAreNotOffered() {
        const std::string header = R"({"w": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}})";
        const std::string start = std::string(1, char(header.size())) + std::string(7, '\0') + header;
        for (const auto& [name, content] : {std::pair{"whole", start + "12345678"}, {"cut", start + "1234567"}, {"header", start.substr(0, 30)}, {"length", start.substr(0, 5)}}) {
            const std::string repository = std::string("models--") + name;
            file(repository, "abc", "config.json", R"({"model_type": "wavlm"})");
            file(repository, "abc", "model.safetensors", content);
            main(repository, "abc");
        }
        const auto models = cachedSpeechModels(cache());
        QCOMPARE(named(models, "whole").reason, std::string());
        for (const char* name : {"cut", "header", "length"})
            QCOMPARE(named(models, name).reason, std::string(name) + " is not downloaded completely: model.safetensors ends too early. Download it again.");
    }

    void damagedFoldersAreLeftOut() {
        model("models--a--damaged", "{\"model_type\": \"wav2");
        model("models--a--list", R"(["wav2vec2"])");
        fs::create_directories(cache() / "models--a--nothing");
        std::ofstream(cache() / "models--a--file") << "x";
        QVERIFY(cachedSpeechModels(cache()).empty());
        QVERIFY(cachedSpeechModels(cache() / "nowhere").empty());
        QVERIFY(cachedSpeechModels({}).empty());
    }

    void theEnvironmentNamesTheCache() {
        const auto set = [](const char* name, const char* value) {
            if (value)
                ::setenv(name, value, 1);
            else
                ::unsetenv(name);
        };
        for (const char* name : {"HF_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME"})
            set(name, nullptr);
        const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "";
        QCOMPARE(hubCacheFolder().string(), home.empty() ? home : home + "/.cache/huggingface/hub");
        set("XDG_CACHE_HOME", "/x");
        QCOMPARE(hubCacheFolder().string(), std::string("/x/huggingface/hub"));
        set("HF_HOME", "/h");
        QCOMPARE(hubCacheFolder().string(), std::string("/h/hub"));
        set("HF_HUB_CACHE", "/c");
        QCOMPARE(hubCacheFolder().string(), std::string("/c"));
    }
};

HEADROOM_TEST(HubCacheTest)

} // namespace headroom::testing::hub_cache_test

#include "hub_cache_test.moc"
