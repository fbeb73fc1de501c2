// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/corpus.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

/// What the header of an utterance's recording says.
struct RecordingLook {
    std::optional<std::int64_t>
        frames; ///< of 10 ms, as loading and resampling give them; `nullopt`: not known without decoding
    /// "corpus.unreadable", "corpus.cutShort" or "corpus.otherLength"; empty: nothing is wrong.
    std::string code;
    std::string sentence;
    bool isUsable = true; ///< false: a training that comes to this utterance fails
};

/// Looks at recordings through their headers: whether each can be opened, is whole, and is as long as its
/// table says. A lossy recording whose table gives its length is not decoded, so that its length and its end
/// are not known. A file with many parts is opened once. Not thread-safe; uses several threads inside.
class RecordingLooks {
public:
    /// Looks at so many utterances. Blocks.
    std::vector<RecordingLook> at(std::span<const Utterance> utterances);

private:
    struct File {
        int rate = 0; ///< Hz
        std::int64_t samples = 0;
        bool lengthIsKnown = false, isTruncated = false;
        std::string problem; ///< why it cannot be opened
    };
    static File fileAt(const std::filesystem::path& file, bool decodes);
    static RecordingLook lookAt(const Utterance& utterance, const File* known);

    std::map<std::pair<std::string, bool>, File>
        m_parted; ///< files with parts, and whether they were decoded
};

} // namespace headroom
