// SPDX-License-Identifier: GPL-3.0-or-later
// Which file belongs to a recording.
#include "core/alignment/alignment_folders.h"
#include "core/alignment/list_text.h"

#include <algorithm>
#include <array>

namespace headroom {

namespace fs = std::filesystem;

namespace {

constexpr std::array<const char*, 6> kSuffixes{".TextGrid", ".textgrid", ".ctm", ".tsv", ".csv", ".phn"};

bool isFile(const fs::path& file) {
    std::error_code ignored;
    return fs::is_regular_file(file, ignored);
}

} // namespace

std::span<const char* const> alignmentSuffixes() {
    return kSuffixes;
}

std::vector<fs::path> alignmentListsIn(const fs::path& folder) {
    std::vector<fs::path> lists;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const auto name = at->path().filename().string();
        // Beside recordings a .tsv is a corpus' table; among alignments it is one.
        const bool table = (name.ends_with(".tsv") || name.ends_with(".csv")) &&
                           folder.filename() == "alignments" && name != "phones.tsv";
        if ((name.ends_with(".ctm") || name.ends_with(".alignment.txt") || table) && isFile(at->path()))
            lists.push_back(at->path());
    }
    // Phones before words: they are what the studies need.
    std::sort(lists.begin(), lists.end(), [](const fs::path& a, const fs::path& b) {
        const bool left = holdsPhones(a.filename().string()).value_or(false),
                   right = holdsPhones(b.filename().string()).value_or(false);
        return left != right ? left : a < b;
    });
    return lists;
}

std::vector<fs::path> alignmentFolders(const fs::path& recording) {
    const auto folder = recording.parent_path();
    std::vector<fs::path> folders{folder, folder / "alignments"};
    if (folder.filename() == "audio")
        folders.push_back(folder.parent_path() / "alignments");
    return folders;
}

fs::path alignmentBeside(const fs::path& recording) {
    const auto stem = recording.stem();
    const std::vector<fs::path> folders = alignmentFolders(recording);
    for (const fs::path& folder : folders)
        for (const char* suffix : kSuffixes)
            if (auto candidate = folder / (stem.string() + suffix); isFile(candidate))
                return candidate;
    for (const fs::path& folder : folders)
        for (const auto& list : alignmentListsIn(folder))
            if (isListed(list, stem.string()))
                return list;
    return {};
}

bool looksLikeAlignment(const fs::path& file) {
    std::string name;
    for (const char c : file.filename().string())
        name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    for (const char* suffix : {".textgrid", ".ctm", ".phn", ".wrd", ".alignment.txt"})
        if (name.ends_with(suffix))
            return true;
    return (name.ends_with(".tsv") || name.ends_with(".csv")) && name != "manifest.tsv";
}

} // namespace headroom
