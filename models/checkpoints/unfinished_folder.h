// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::models {

inline constexpr const char* kUnwritable = "model.unwritable";

/// A folder under construction beside its destination. It appears under its name as a whole or not at all,
/// and a failure leaves nothing behind. Every failure throws Error "model.unwritable" or "model.exists".
class UnfinishedFolder {
public:
    /// `out` must not exist, or be empty.
    explicit UnfinishedFolder(const std::filesystem::path& out);
    ~UnfinishedFolder();
    UnfinishedFolder(const UnfinishedFolder&) = delete;
    UnfinishedFolder& operator=(const UnfinishedFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    const std::filesystem::path& target() const { return m_out; } ///< the destination, absolute
    const std::vector<std::string>& files() const { return m_files; }

    void write(const std::string& name, const std::string& text);
    void copy(const std::string& name, const std::filesystem::path& from);
    /// Records a file that was written into path() directly.
    void wrote(const std::string& name) { m_files.push_back(name); }
    void commit();

private:
    [[noreturn]] void fail(const std::string& why) const;

    std::filesystem::path m_out, m_path;
    std::string m_shown;
    std::vector<std::string> m_files;
};

} // namespace headroom::models
