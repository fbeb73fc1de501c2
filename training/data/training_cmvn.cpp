// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/data/training_cmvn.h"

#include "core/audio/audio_file.h"
#include "core/audio/audio_name.h"
#include "core/corpus/feature_archive.h"
#include "core/errors/count_text.h"
#include "core/features/kaldi_pitch.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

namespace headroom::training {

namespace {

Matrix<float> columnsOf(const AudioName& name, int columns) {
    Matrix<float> features = readArchivedFeatures(name);
    if (features.columns() != static_cast<std::size_t>(columns))
        throw Error("data.features", name.path().filename().string() + " has " + std::to_string(features.columns()) +
                                         " features in a frame, and the model reads " + std::to_string(columns) + ".");
    return features;
}

CmvnSums sumsOf(const Example& example, LogMelFilterbank& filterbank, int columns) {
    try {
        CmvnSums sums;
        if (const AudioName name = audioName(example.audio); name.holdsFeatures())
            sums.add(columnsOf(name, columns));
        else
            sums.add(kaldiFeatures(filterbank, loadRecording(example.audio).samples, columns));
        return sums;
    } catch (const Error& error) {
        throw Error(error.code(), "Utterance " + example.id + ": " + error.what(), error.values());
    }
}

} // namespace

std::filesystem::path cmvnFileOf(const std::filesystem::path& corpus) {
    return corpus / "cmvn.ark";
}

std::optional<KaldiCmvn> storedCmvn(const std::filesystem::path& corpus, int columns) {
    const std::filesystem::path file = cmvnFileOf(corpus);
    if (!std::filesystem::exists(file))
        return std::nullopt;
    KaldiCmvn found = readKaldiCmvn(file);
    if (found.cmvn.mean.size() != static_cast<std::size_t>(columns))
        throw Error("train.cmvn",
                    file.string() + " has statistics of " + std::to_string(found.cmvn.mean.size()) +
                        " features, and the model reads " + std::to_string(columns) +
                        ". Remove the file to compute them from the training data.",
                    {{"file", file.string()}, {"features", columns}});
    return found;
}

std::string takeKaldiCmvn(const std::filesystem::path& from, const std::filesystem::path& corpus) {
    namespace fs = std::filesystem;
    std::vector<fs::path> found;
    std::error_code ignored;
    if (fs::exists(from / "cmvn.ark"))
        found.push_back(from / "cmvn.ark");
    for (const auto& entry : fs::directory_iterator(from, ignored))
        if (entry.path().filename().string().starts_with("train") && fs::exists(entry.path() / "cmvn.ark"))
            found.push_back(entry.path() / "cmvn.ark");
    if (found.empty())
        return {};
    if (found.size() > 1)
        return "There are several cmvn.ark for training (" + found[0].string() + ", " + found[1].string() +
               " …), so none was taken: global CMVN is computed from the training data.";
    try {
        const KaldiCmvn statistics = readKaldiCmvn(found.front());
        fs::copy_file(found.front(), cmvnFileOf(corpus), fs::copy_options::overwrite_existing);
        return "Global CMVN was taken from " + found.front().string() + ": " +
               std::to_string(statistics.cmvn.mean.size()) + " features, " + counted(statistics.frames, "frame") +
               ". Training with data.cmvn global uses it.";
    } catch (const std::exception& problem) {
        return problem.what();
    }
}

GlobalCmvn cmvnOf(const std::vector<Example>& examples, int columns, std::int64_t threads) {
    constexpr std::size_t kBlock =
        1024; // sums are added in the order of the examples, so that their rounding is the same
    CmvnSums all;
    for (std::size_t start = 0; start < examples.size(); start += kBlock) {
        const std::size_t count = std::min(kBlock, examples.size() - start);
        std::vector<CmvnSums> sums(count);
        std::atomic<std::size_t> next = 0;
        std::exception_ptr problem;
        std::mutex mutex;
        const auto work = [&] {
            LogMelFilterbank filterbank;
            for (std::size_t i = next++; i < count; i = next++)
                try {
                    sums[i] = sumsOf(examples[start + i], filterbank, columns);
                } catch (...) {
                    const std::lock_guard guard(mutex);
                    problem = std::current_exception();
                    next = count;
                }
        };
        std::vector<std::thread> others;
        for (std::int64_t thread = 1; thread < threads; ++thread)
            others.emplace_back(work);
        work();
        for (std::thread& thread : others)
            thread.join();
        if (problem)
            std::rethrow_exception(problem);
        for (const CmvnSums& one : sums)
            all.add(one);
    }
    return all.result();
}

} // namespace headroom::training
