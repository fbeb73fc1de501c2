// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/unfinished_folder.h"

#include "core/errors/error.h"
#include "core/errors/whole_path.h"
#include "core/tensors/atomic_file.h"

#include <unistd.h>

namespace headroom::models {

namespace fs = std::filesystem;

UnfinishedFolder::UnfinishedFolder(const fs::path& out)
    : m_out(wholePath(out))
    , m_shown(out.string()) {
    std::error_code problem;
    if (fs::exists(m_out) && !(fs::is_directory(m_out) && fs::is_empty(m_out, problem)))
        throw Error("model.exists", m_shown + " already exists and is not an empty folder.",
                    {{"folder", m_shown}});
    m_path =
        m_out.parent_path() / ("." + m_out.filename().string() + ".importing-" + std::to_string(::getpid()));
    fs::remove_all(m_path, problem);
    if (!fs::create_directories(m_path, problem))
        throw Error(kUnwritable, m_path.string() + " could not be created: " + problem.message() + ".");
}

UnfinishedFolder::~UnfinishedFolder() {
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
}

void UnfinishedFolder::fail(const std::string& why) const {
    throw Error(kUnwritable, m_shown + " could not be written: " + why + ".", {{"folder", m_shown}});
}

void UnfinishedFolder::write(const std::string& name, const std::string& text) {
    writeAtomically(m_path / name, std::string_view(text), kUnwritable);
    m_files.push_back(name);
}

void UnfinishedFolder::copy(const std::string& name, const fs::path& from) {
    std::error_code problem;
    if (!fs::copy_file(from, m_path / name, problem))
        fail(problem.message());
    m_files.push_back(name);
}

void UnfinishedFolder::commit() {
    std::error_code problem;
    if (fs::exists(m_out))
        fs::remove(m_out, problem);
    fs::rename(m_path, m_out, problem);
    if (problem)
        fail(problem.message());
}

} // namespace headroom::models
