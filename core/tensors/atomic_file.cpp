// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensors/atomic_file.h"

#include "core/errors/error.h"
#include "core/tensors/write_all.h"

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace headroom {

AtomicFile::AtomicFile(std::filesystem::path file, std::string code)
    : m_file(std::move(file))
    , m_target(m_file)
    , m_code(std::move(code)) {
    std::error_code ignored;
    if (std::filesystem::is_symlink(m_file, ignored)) {
        const auto real = std::filesystem::canonical(m_file, ignored);
        if (!ignored)
            m_target = real;
    }
    if (std::filesystem::is_directory(m_target, ignored))
        fail(EISDIR);
    static std::atomic<unsigned> counter{0};
    // One process writes many files at once, and two processes may write the same one: both are in the name.
    const auto unique = std::to_string(::getpid()) + "-" + std::to_string(counter++);
    m_temporary = m_target.parent_path() / (".headroom-" + unique + ".tmp");
    m_descriptor = ::open(m_temporary.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (m_descriptor < 0)
        fail(errno);
}

AtomicFile::~AtomicFile() {
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
        ::unlink(m_temporary.c_str());
    }
}

void AtomicFile::fail(int error) const {
    const auto reason = std::system_category().message(error);
    throw Error(m_code, m_file.string() + " could not be written: " + reason + ".",
                {{"file", m_file.string()}, {"reason", reason}});
}

void AtomicFile::write(std::span<const std::byte> bytes) {
    if (!writeAll(m_descriptor, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}))
        fail(errno);
    m_position += bytes.size();
}

void AtomicFile::commit() {
    if (::fsync(m_descriptor) != 0)
        fail(errno);
    if (::rename(m_temporary.c_str(), m_target.c_str()) != 0)
        fail(errno);
    ::close(m_descriptor);
    m_descriptor = -1;
    // The new name itself is on the disk only once its folder is. Some file systems cannot do this; the file
    // is whole.
    const auto folder = m_target.has_parent_path() ? m_target.parent_path() : std::filesystem::path(".");
    const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened >= 0) {
        ::fsync(opened);
        ::close(opened);
    }
}

void writeAtomically(const std::filesystem::path& file, std::span<const std::byte> bytes,
                     const std::string& code) {
    AtomicFile out(file, code);
    out.write(bytes);
    out.commit();
}

void writeAtomically(const std::filesystem::path& file, std::string_view text, const std::string& code) {
    writeAtomically(file, std::as_bytes(std::span(text.data(), text.size())), code);
}

} // namespace headroom
