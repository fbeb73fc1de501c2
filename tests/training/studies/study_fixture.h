// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/text_grid.h"
#include "core/audio/audio_file.h"
#include "core/features/features.h"
#include "core/tensors/npy.h"
#include "tests/support/random_model.h"
#include "tests/support/refusals.h"
#include "training/studies/study_request.h"

#include <QTemporaryDir>

#include <algorithm>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace headroom::testing {

/// A folder with a small model and recordings of noise, and studies of them in this process.
class StudyFixture {
public:
    explicit StudyFixture(int recordings = 6, const std::vector<std::string>& layers = {"2 full", "2 full"})
        : m_model(folder() / "model", layers, 16) {
        std::filesystem::create_directory(data());
        for (int i = 0; i < recordings; ++i)
            record(i, 0.4 + 0.17 * i);
    }
    std::filesystem::path folder() const { return m_folder.path().toStdString(); }
    std::filesystem::path data() const { return folder() / "data"; }
    std::filesystem::path model() const { return m_model.folder(); }

    std::filesystem::path record(int number, double seconds, unsigned seed = 1) const {
        std::mt19937 generator(seed + 100 * static_cast<unsigned>(number));
        std::normal_distribution<float> normal(0, 0.1F);
        std::vector<float> samples(static_cast<std::size_t>(seconds * 16000));
        for (std::size_t i = 0; i < samples.size(); ++i)
            samples[i] = normal(generator) * (i / 1600 % 2 ? 0.2F : 1.0F);
        const auto file = data() / ("r" + std::to_string(number) + ".wav");
        saveWav(file, samples, kModelSampleRate);
        return file;
    }

    /// An alignment beside recording `number` of so many seconds: words of a quarter of a second, each of two phones, and
    /// silence first.
    void align(int number, double seconds) const {
        TextGrid grid;
        grid.start = Seconds(0);
        grid.end = Seconds(seconds);
        std::vector<Interval> words{{Seconds(0), Seconds(0.1), ""}}, phones = words;
        for (double from = 0.1; from < seconds; from += 0.25) {
            const double end = std::min(from + 0.25, seconds), middle = (from + end) / 2;
            words.push_back({Seconds(from), Seconds(end), "word"});
            phones.push_back({Seconds(from), Seconds(middle), "AA1"});
            phones.push_back({Seconds(middle), Seconds(end), "T"});
        }
        grid.tiers.push_back({"words", false, words, {}});
        grid.tiers.push_back({"phones", false, phones, {}});
        writeTextGrid(data() / ("r" + std::to_string(number) + ".TextGrid"), grid);
    }

    training::StudyRequest request(const std::string& out, StudyKind kind = StudyKind::Windows) const {
        training::StudyRequest request;
        request.kind = kind;
        request.models = {model()};
        request.data = data();
        request.out = folder() / out;
        request.cache = folder() / "cache";
        request.threads = 2;
        return request;
    }

private:
    QTemporaryDir m_folder;
    RandomModel m_model;
};

/// What a study said beside its document.
struct Heard {
    std::vector<std::string> notes, problems;
    StudyProgress last;
    std::function<bool(const StudyProgress&)> stopAt; ///< asked with what is known when it is asked

    training::StudyListener listener() {
        training::StudyListener listener;
        listener.progress = [this](const StudyProgress& progress) {
            if (progress.stage.starts_with("Measuring"))
                last = progress;
        };
        listener.note = [this](const std::string& sentence) { notes.push_back(sentence); };
        listener.problem = [this](const std::string& sentence) { problems.push_back(sentence); };
        listener.stop = [this] { return stopAt && stopAt(last); };
        return listener;
    }
};

inline Study runStudy(const training::StudyRequest& request, Heard* heard = nullptr) {
    Heard none;
    const auto listener = (heard ? *heard : none).listener();
    return training::runStudy(request, listener);
}

inline Matrix<float> featuresOf(const std::filesystem::path& audio) {
    auto features = LogMelFilterbank().compute(loadRecording(audio).samples);
    applyUtteranceCmvn(features);
    return features;
}

inline std::string bytesOf(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

} // namespace headroom::testing
