// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace headroom::training {

struct AlignOptions {
    std::filesystem::path data;               ///< a corpus; empty: use `audio`
    std::string split;                        ///< of the corpus; empty: all
    std::vector<std::filesystem::path> audio; ///< with NAME.txt beside each, or `text` for all
    std::string text;
    std::filesystem::path out;     ///< folder for NAME.TextGrid; may be empty with `compare`
    std::filesystem::path aligner; ///< empty: the built-in one
    bool compare = false;          ///< compare with the existing alignments
    std::string measured;          ///< save the result in the aligner's record under this name; empty: no
    std::string reference;         ///< source of the existing alignments
    bool real = false;             ///< real speech
};

/// Declares `align` with its arguments, which must outlive the parser. Returns the command; the caller sets its
/// callback, which calls checkAlignArguments() first.
CLI::App* declareAlignArguments(CLI::App& app, AlignOptions& options);
/// Throws CLI::ParseError if arguments are missing or contradictory.
void checkAlignArguments(const AlignOptions& options);

} // namespace headroom::training
