// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/used_files.h"

#include "core/audio/audio_name.h"
#include "core/corpus/corpus.h"
#include "core/errors/error.h"

namespace headroom::training {

namespace {

namespace fs = std::filesystem;

/// Recordings below the folder that no utterance of the task and the splits names.
std::set<std::string> spareRecordings(const fs::path& folder, const std::string& task, const std::set<std::string>& splits) {
    const Corpus corpus = Corpus::open(folder);
    std::set<std::string> used, spare;
    if (corpus.kind() != Corpus::Kind::Tables)
        return spare;
    for (const CorpusTable& table : corpus.tables()) {
        auto& recordings = table.task == task && splits.contains(table.split) ? used : spare;
        for (const Utterance& utterance : table.utterances)
            if (!utterance.audio.empty())
                recordings.insert(audioName(utterance.audio).file.lexically_relative(corpus.folder()).string());
    }
    if (used.empty())
        return {};
    for (const std::string& recording : used)
        spare.erase(recording);
    return spare;
}

} // namespace

std::vector<std::string> usedFiles(const fs::path& corpus, const std::string& task, const std::set<std::string>& splits) {
    std::vector<std::string> files;
    try {
        const std::set<std::string> spare = spareRecordings(corpus, task, splits);
        if (spare.empty())
            return {};
        for (const auto& entry : fs::recursive_directory_iterator(corpus)) {
            if (entry.is_symlink() && entry.is_directory())
                return {}; // what is behind it is not looked through
            const std::string name = entry.path().lexically_relative(corpus).string();
            if (entry.is_regular_file() && !spare.contains(name))
                files.push_back(name);
        }
    } catch (const Error&) {
        return {}; // the worker there says what is wrong with it
    } catch (const fs::filesystem_error&) {
        return {}; // rsync says it
    }
    return files;
}

} // namespace headroom::training
