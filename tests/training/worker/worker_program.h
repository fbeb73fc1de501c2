// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audio/audio_file.h"
#include "core/tensors/npy.h"
#include "tests/support/written_files.h"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <QProcess>
#include <QStringList>
#include <set>
#include <string>
#include <vector>

namespace headroom::testing {

inline const QString kWorker = QStringLiteral(HEADROOM_BINARY_DIR "/bin/headroom-worker");
inline const QString kModel = QStringLiteral(HEADROOM_SOURCE_DIR "/tests/data/s2t-reference");

struct Finished {
    int status = -1; ///< −1: it crashed, was killed or did not end
    std::string out, err;

    nlohmann::json document() const { return nlohmann::json::parse(out, nullptr, false); }
    bool says(const std::string& text) const { return err.find(text) != std::string::npos; }
};

/// Runs a program to its end; kills it after `killAfter` milliseconds where that is not negative.
inline Finished runProgram(const QString& program, const QStringList& arguments, int killAfter = -1) {
    QProcess process;
    process.start(program, arguments);
    process.closeWriteChannel();
    if (killAfter >= 0 && !process.waitForFinished(killAfter))
        process.kill();
    Finished finished;
    if (process.waitForFinished(400000) && process.exitStatus() == QProcess::NormalExit)
        finished.status = process.exitCode();
    finished.out = process.readAllStandardOutput().toStdString();
    finished.err = process.readAllStandardError().toStdString();
    return finished;
}
inline Finished runWorkerProgram(const QStringList& arguments, int killAfter = -1) {
    return runProgram(kWorker, arguments, killAfter);
}

/// Something like speech to a filterbank: a gliding tone in bursts, with a little seeded noise. 16 kHz.
inline std::vector<float> sound(double seconds) {
    std::vector<float> samples(static_cast<std::size_t>(std::lround(seconds * 16000)));
    std::uint32_t state = 12345;
    double phase = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const double time = static_cast<double>(i) / 16000;
        state = state * 1664525U + 1013904223U;
        const double noise = static_cast<double>(state >> 8) / (1 << 24) - 0.5;
        phase += 2 * M_PI * (200 + 300 * std::sin(3 * time)) / 16000;
        const double loudness = 0.5 + 0.5 * std::sin(2 * M_PI * 4 * time);
        samples[i] = static_cast<float>(0.4 * loudness * std::sin(phase) + 0.02 * noise);
    }
    return samples;
}

inline void writeSound(const std::string& file, double seconds) {
    saveWav(file, sound(seconds), kModelSampleRate);
}

/// What a JSON object or an .npz file holds, by name.
inline std::set<std::string> keysOf(const nlohmann::json& object) {
    std::set<std::string> keys;
    for (const auto& [key, value] : object.items())
        keys.insert(key);
    return keys;
}
inline std::map<std::string, Tensor> arraysOf(const std::string& file) {
    std::map<std::string, Tensor> arrays;
    for (auto& [name, tensor] : readNpz(file))
        arrays.emplace(name, std::move(tensor));
    return arrays;
}

} // namespace headroom::testing
