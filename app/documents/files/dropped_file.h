// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <filesystem>
#include <vector>

namespace headroom::app {

/// What a path is that was dropped or given on the command line. A value.
struct DroppedFile {
    enum class Kind {
        Audio,     ///< a file that is not one of the others: the reader decides by its content
        Text,      ///< *.txt that is no alignment: one text a line
        Alignment, ///< *.TextGrid, *.ctm, *.tsv … (looksLikeAlignment)
        Model,     ///< a folder with architecture.json, or of a Hugging Face model of any kind, also an adapter or
                   ///< weights of another program, which the worker refuses; maps from elsewhere (open_model.h)
        Session,   ///< *.headroom with session.json
        Unknown,   ///< `sentence` says what was looked for
    };
    Kind kind = Kind::Unknown;
    std::filesystem::path path; ///< absolute
    QString sentence;           ///< Unknown: one sentence
};

/// Classifies one path by looking at names and, for a folder, at its configuration. A folder that is neither
/// model nor session gives one Audio entry per audio file directly in it (by suffix, sorted), or Unknown
/// where there is none. Videos and sound in their form (M4A) are Unknown, all in one entry behind the others, and so are
/// the folders in it that hold recordings, which are not opened with it.
/// Reads a directory: milliseconds.
std::vector<DroppedFile> classify(const std::filesystem::path& path);

} // namespace headroom::app
