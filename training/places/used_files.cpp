// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/used_files.h"

#include "core/audio/audio_name.h"
#include "core/corpus/corpus.h"
#include "core/errors/error.h"

#include <algorithm>
#include <array>

namespace headroom::training {

namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

struct Use {
    const Corpus& corpus;
    const std::string& task;
    const std::set<std::string>& splits;

    bool of(const CorpusTable& table) const { return (task.empty() || table.task == task) && splits.contains(table.split); }
    std::string name(const fs::path& file) const { return file.lexically_relative(corpus.folder()).string(); }
    std::string recording(const Utterance& utterance) const { return name(audioName(utterance.audio).file); }
};

/// Recordings below the folder that no utterance of the task and the splits names. Empty: there is none, or nothing is used.
Names spareRecordings(const Use& use) {
    Names used, spare;
    for (const CorpusTable& table : use.corpus.tables())
        for (const Utterance& utterance : table.utterances)
            if (!utterance.audio.empty())
                (use.of(table) ? used : spare).insert(use.recording(utterance));
    if (used.empty())
        return {};
    for (const std::string& recording : used)
        spare.erase(recording);
    return spare;
}

/// The tables of parallel text that the task and the splits do not read. Empty also where it is not about parallel text.
Names spareTexts(const Use& use) {
    const auto isText = [&](const std::string& name) {
        const CorpusTask* task = use.corpus.document().task(name);
        return task && task->isText;
    };
    Names spare;
    for (const CorpusTable& table : use.corpus.tables())
        if (isText(use.task) && isText(table.task) && !use.of(table))
            spare.insert(corpusTableName(table.split, table.task));
    return spare;
}

/// What the utterances name; empty where they name nothing.
Names namedFiles(const Use& use) {
    const bool isFolder = use.corpus.kind() == Corpus::Kind::Recordings;
    Names named;
    for (const CorpusTable& table : use.corpus.tables()) {
        if (use.corpus.kind() != Corpus::Kind::Manifest && !use.of(table)) // a manifest is one table with two texts
            continue;
        for (const Utterance& utterance : table.utterances) {
            if (utterance.audio.empty() || (isFolder && utterance.text.empty()))
                continue;
            named.insert(use.recording(utterance));
            if (!utterance.alignment.empty())
                named.insert(use.name(utterance.alignment));
            if (const fs::path text = fs::path(audioName(utterance.audio).file).replace_extension(".txt");
                isFolder && fs::is_regular_file(text))
                named.insert(use.name(text));
        }
    }
    return named;
}

/// Files that lie in the folder itself and may belong to its documents.
Names documents(const Use& use) {
    constexpr std::array<std::string_view, 8> kEndings{".json", ".tsv", ".model", ".vocab", ".ark", ".txt", ".yaml", ".md"};
    const bool hasTables = use.corpus.kind() == Corpus::Kind::Tables;
    Names found;
    for (const auto& entry : fs::directory_iterator(use.corpus.folder())) {
        const std::string ending = entry.path().extension().string();
        const bool isDocument = hasTables || std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
        if (entry.is_regular_file() && isDocument)
            found.insert(entry.path().filename().string());
    }
    return found;
}

bool linksFolders(const fs::path& folder) {
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_symlink() && entry.is_directory())
            return true;
    return false;
}

std::vector<std::string> without(const fs::path& folder, const Names& spare) {
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (std::string name = entry.path().lexically_relative(folder).string();
            entry.is_regular_file() && !spare.contains(name))
            files.push_back(std::move(name));
    return files;
}

std::vector<std::string> usedOf(const Use& use) {
    const fs::path& folder = use.corpus.folder();
    if (use.corpus.kind() == Corpus::Kind::Tables) {
        Names spare = spareTexts(use);
        if (!linksFolders(folder)) {
            spare.merge(spareRecordings(use));
            return spare.empty() ? std::vector<std::string>() : without(folder, spare);
        }
    }
    Names all = namedFiles(use);
    if (all.empty())
        return {};
    all.merge(documents(use));
    return {all.begin(), all.end()};
}

} // namespace

std::vector<std::string> usedFiles(const fs::path& corpus, const std::string& task, const std::set<std::string>& splits) {
    try {
        const Corpus opened = Corpus::open(corpus);
        return usedOf({opened, task, splits});
    } catch (const Error&) {
        return {}; // the worker there says what is wrong with it
    } catch (const fs::filesystem_error&) {
        return {}; // rsync says it
    }
}

} // namespace headroom::training
