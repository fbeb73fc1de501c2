// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensors/mapped_file.h"

#include "core/errors/error.h"
#include "core/errors/unread_file.h"

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <iterator>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace headroom {

namespace {

/// The mappings of this process: start and end.
struct Mappings {
    std::mutex mutex;
    std::map<const std::byte*, const std::byte*> ends;
};
Mappings& mappings() {
    static Mappings& all = *new Mappings; // outlives every static MappedFile
    return all;
}

} // namespace

MappedFile::MappedFile(const std::filesystem::path& file, const std::string& code) {
    const auto fail = [&](const std::string& reason) {
        throw Error(code, unreadText(file, reason), {{"file", file.string()}, {"reason", reason}});
    };
    const auto message = [](int error) { return std::system_category().message(error); };
    // O_NONBLOCK: a named pipe given by mistake is refused below instead of waited for.
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        fail(message(errno));
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) {
        const int error = errno;
        ::close(descriptor);
        fail(message(error));
    }
    if (!S_ISREG(status.st_mode)) {
        ::close(descriptor);
        fail(S_ISDIR(status.st_mode) ? "it is a folder" : "it is not a regular file");
    }
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size > 0) {
        void* const start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        const int error = errno;
        ::close(descriptor);
        if (start == MAP_FAILED)
            fail(message(error));
        m_bytes = {static_cast<const std::byte*>(start), size};
        const std::lock_guard lock(mappings().mutex);
        mappings().ends.emplace(m_bytes.data(), m_bytes.data() + size);
        return;
    }
    ::close(descriptor);
}

MappedFile::~MappedFile() {
    if (m_bytes.empty())
        return;
    {
        const std::lock_guard lock(mappings().mutex);
        mappings().ends.erase(m_bytes.data());
    }
    ::munmap(const_cast<std::byte*>(m_bytes.data()), m_bytes.size());
}

void MappedFile::forget(std::span<const std::byte> bytes) {
    const std::lock_guard lock(mappings().mutex); // nobody unmaps meanwhile
    const auto next = mappings().ends.upper_bound(bytes.data());
    if (bytes.empty() || next == mappings().ends.begin() ||
        bytes.data() + bytes.size() > std::prev(next)->second)
        return; // memory of another kind would lose its content
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto first = (reinterpret_cast<std::uintptr_t>(bytes.data()) + page - 1) / page * page;
    const auto end = reinterpret_cast<std::uintptr_t>(bytes.data() + bytes.size()) / page * page;
    if (first < end)
        ::madvise(reinterpret_cast<void*>(first), end - first, MADV_DONTNEED);
}

} // namespace headroom
