// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/mount.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace headroom::testing {

/// A file system of 64 MB in memory, mounted at a folder while it lives. problem() says why it could not be mounted: that needs
/// root.
class SmallDisk {
public:
    explicit SmallDisk(std::filesystem::path folder) : m_folder(std::move(folder)) {
        std::filesystem::create_directories(m_folder);
        if (::mount("tmpfs", m_folder.c_str(), "tmpfs", 0, "size=64m") != 0)
            m_problem = QString::fromUtf8(std::strerror(errno));
    }
    ~SmallDisk() {
        if (m_problem.isEmpty())
            ::umount2(m_folder.c_str(), MNT_DETACH);
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

    QString problem() const { return m_problem; }
    const std::filesystem::path& folder() const { return m_folder; }
    /// Takes what is free now but for so many kB, until empty(). A program that replaces a file gives room back afterwards: call it
    /// again until it has noticed.
    void fill(int room = 0) const {
        struct statvfs about {};
        const int file = ::open(filler().c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
        if (file >= 0 && ::statvfs(m_folder.c_str(), &about) == 0)
            if (const off_t more = static_cast<off_t>(about.f_bavail * about.f_bsize) - 1024 * static_cast<off_t>(room); more > 0)
                [[maybe_unused]] const int taken = ::posix_fallocate(file, ::lseek(file, 0, SEEK_END), more);
        ::close(file);
    }
    void setReadOnly(bool readOnly) const {
        ::mount("tmpfs", m_folder.c_str(), "tmpfs", MS_REMOUNT | (readOnly ? MS_RDONLY : 0), "size=64m");
    }
    void empty() const { ::unlink(filler().c_str()); }

private:
    std::filesystem::path filler() const { return m_folder / "filler"; }

    std::filesystem::path m_folder;
    QString m_problem;
};

} // namespace headroom::testing
