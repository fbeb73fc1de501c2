// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace headroom {

/// A new folder for temporary files, which goes with its owner.
class ScratchFolder {
public:
    /// Makes it in the system's temporary folder; its name begins with `name`. Throws Error `code`, with `advice` as the
    /// sentence's last part.
    ScratchFolder(const std::string& name, const std::string& code, const std::string& advice = {});
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

} // namespace headroom
