// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/safetensors.h"
#include "models/networks/speech_model.h"
#include "tests/models/test_data.h"

#include <QTemporaryDir>
#include <QTest>

#include <functional>

namespace headroom::testing {

namespace fs = std::filesystem;

inline void writeText(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
}

using Named = std::vector<std::pair<std::string, Tensor>>;

inline Named readAll(const fs::path& file) {
    const Safetensors weights(file);
    Named tensors;
    for (const std::string& name : weights.names()) {
        const TensorView view = weights.tensor(name);
        tensors.emplace_back(name, Tensor{view.dtype, view.shape, {view.bytes.begin(), view.bytes.end()}});
    }
    return tensors;
}

inline void writeAll(const fs::path& file, const Named& tensors) {
    std::vector<std::pair<std::string, TensorView>> views;
    for (const auto& [name, tensor] : tensors)
        views.emplace_back(name, tensor.view());
    fs::remove(file);
    writeSafetensors(file, views);
}

inline Tensor& find(Named& tensors, const std::string& name) {
    for (auto& [other, tensor] : tensors)
        if (other == name)
            return tensor;
    throw std::runtime_error("no " + name);
}

/// Copies of models to spoil, in a temporary folder of their own.
class ModelFolders {
protected:
    fs::path fresh() {
        return fs::path(m_temporary.path().toStdString()) / ("model-" + std::to_string(++m_folders));
    }
    fs::path copyOfDemo() {
        const fs::path folder = fresh();
        fs::copy(referenceModel(), folder);
        for (const auto& entry : fs::directory_iterator(folder))
            fs::permissions(entry, fs::perms::owner_all);
        return folder;
    }
    /// The small model of a family in the repository's goldens, without what is expected of it.
    fs::path copyOf(const char* family) {
        const fs::path folder = fresh();
        fs::create_directories(folder);
        for (const auto& entry : fs::directory_iterator(repositoryGoldens() / "parity" / "encoders" / family))
            if (entry.is_regular_file())
                fs::copy(entry, folder / entry.path().filename());
        return folder;
    }
    /// Samples for the models that read the waveform, [sample, 1].
    static Matrix<float> noise(std::size_t samples) {
        const Matrix<float> made = madeFeatures(samples);
        Matrix<float> column(samples, 1);
        for (std::size_t i = 0; i < samples; ++i)
            column(i, 0) = made(i, 0);
        return column;
    }
    static void editWeights(const fs::path& folder, const std::function<void(Named&)>& edit) {
        Named tensors = readAll(folder / "model.safetensors");
        edit(tensors);
        writeAll(folder / "model.safetensors", tensors);
    }
    static void editConfig(const fs::path& folder, const std::function<void(nlohmann::json&)>& edit,
                           const char* name = "config.json") {
        nlohmann::json config = readJson(folder / name);
        edit(config);
        writeText(folder / name, config.dump(1));
    }
    /// Opening must fail with `code`, and the sentence must name each of `words` and end with a full stop.
    static void refused(const fs::path& folder, const std::string& code,
                        const std::vector<std::string>& words) {
        try {
            models::SpeechModel::open(folder);
        } catch (const Error& error) {
            const std::string sentence = error.what();
            QVERIFY2(error.code() == code, (error.code() + ": " + sentence).c_str());
            for (const std::string& word : words)
                QVERIFY2(sentence.find(word) != std::string::npos, (sentence + " [" + word + "]").c_str());
            QVERIFY2(sentence.back() == '.', sentence.c_str());
            QVERIFY2(sentence.find('\n') == std::string::npos, sentence.c_str());
            return;
        }
        QFAIL(("opened: " + code).c_str());
    }

private:
    QTemporaryDir m_temporary;
    int m_folders = 0;
};

} // namespace headroom::testing
