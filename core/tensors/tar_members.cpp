// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensors/tar_members.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/errors/first_bytes.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace headroom {

namespace {

constexpr std::size_t kBlock = 512, kMostMembers = 100'000;

/// What extended headers say about the next member.
struct TarOverrides {
    std::string name;     ///< empty: the header's own
    bool hasSize = false; ///< false: the header's own
    std::uint64_t size = 0;
};

class TarReader {
public:
    TarReader(std::span<const std::byte> archive, const std::string& name) : m_archive(archive), m_name(name) {}

    std::vector<TarMember> members() {
        if (const char* instead = notDownloaded(firstText(m_archive)))
            refuse("tar.badHeader", std::string("it ") + instead);
        if (m_archive.size() > 2 && m_archive[0] == std::byte{0x1f} && m_archive[1] == std::byte{0x8b})
            refuse("tar.compressed", "it is compressed with gzip. Decompress it (gzip -d), and open the result");
        std::vector<TarMember> found;
        TarOverrides next;
        for (std::size_t at = 0;;) {
            const std::string_view header = text(at, kBlock);
            if (header.empty() || header.find_first_not_of('\0') == std::string_view::npos)
                return found; // two empty blocks end an archive; some writers forget them
            checkHeader(header);
            const char type = header[156];
            const std::uint64_t size = next.hasSize ? next.size : number(header.substr(124, 12));
            at += kBlock;
            const std::size_t start = at;
            if (size > m_archive.size() - at)
                refuse("tar.truncated", "it ends inside " + quoted(nameIn(header)));
            const std::string_view content = size == 0 ? std::string_view() : text(at, static_cast<std::size_t>(size));
            at = std::min(at + (static_cast<std::size_t>(size) + kBlock - 1) / kBlock * kBlock, m_archive.size());
            if (type == 'L') { // GNU: the name of the next member
                next.name = std::string(content.substr(0, content.find('\0')));
                continue;
            }
            if (type == 'x') { // POSIX: records "LENGTH KEY=VALUE\n" on the next member
                readExtended(content, next);
                continue;
            }
            if (type == '0' || type == '\0')
                found.push_back({next.name.empty() ? nameIn(header) : next.name,
                                 m_archive.subspan(start, content.size())});
            else if (type != '5' && type != 'g')
                refuse("tar.badHeader", quoted(nameIn(header)) + " in it is neither a file nor a folder");
            next = {};
            if (found.size() > kMostMembers)
                refuse("tar.badHeader", "it has more than " + std::to_string(kMostMembers) + " files");
        }
    }

private:
    [[noreturn]] void refuse(const char* code, const std::string& what) const {
        throw Error(code, m_name + " is not a usable tar archive: " + what + ".", {{"file", m_name}});
    }

    /// Empty at the end of the archive.
    std::string_view text(std::size_t at, std::size_t size) const {
        if (at == m_archive.size())
            return {};
        if (size > m_archive.size() - at)
            refuse("tar.truncated", "it ends inside a header");
        return {reinterpret_cast<const char*>(m_archive.data()) + at, size};
    }

    /// Octal digits, or, with the highest bit set, 256-ary ones.
    std::uint64_t number(std::string_view field) const {
        std::uint64_t value = 0;
        if (static_cast<unsigned char>(field[0]) & 0x80) {
            for (const char digit : field.substr(field.size() - 8))
                value = value << 8 | static_cast<unsigned char>(digit);
            return value;
        }
        for (const char digit : field) {
            if (digit == ' ' || digit == '\0')
                continue;
            if (digit < '0' || digit > '7')
                refuse("tar.badHeader", "a size is no number");
            value = value << 3 | static_cast<std::uint64_t>(digit - '0');
        }
        return value;
    }

    void checkHeader(std::string_view header) const {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < header.size(); ++i)
            sum += i >= 148 && i < 156 ? ' ' : static_cast<unsigned char>(header[i]);
        if (header.substr(257, 5) != "ustar" || sum != number(header.substr(148, 8)))
            refuse("tar.badHeader", "it does not begin as one, or a header in it is damaged");
    }

    static std::string quoted(const std::string& name) { return "“" + validText(name).substr(0, 80) + "”"; }

    static std::string nameIn(std::string_view header) {
        const auto field = [&](std::size_t at, std::size_t size) {
            const std::string_view bytes = header.substr(at, size);
            return std::string(bytes.substr(0, bytes.find('\0')));
        };
        const std::string prefix = header.substr(257, 6) == std::string_view("ustar\0", 6) ? field(345, 155) : "";
        return prefix.empty() ? field(0, 100) : prefix + "/" + field(0, 100);
    }

    static void readExtended(std::string_view records, TarOverrides& next) {
        while (!records.empty()) {
            const std::size_t space = records.find(' '), equals = records.find('=');
            std::size_t length = 0;
            for (const char digit : records.substr(0, std::min(space, std::size_t(9))))
                length = length * 10 + static_cast<std::size_t>(digit - '0');
            if (space == std::string_view::npos || equals == std::string_view::npos || equals < space ||
                length <= equals + 1 || length > records.size())
                return; // damaged: the header's own name and size count
            const std::string_view key = records.substr(space + 1, equals - space - 1),
                                   value = records.substr(equals + 1, length - equals - 2);
            if (key == "path")
                next.name = std::string(value);
            if (key == "size" && !value.empty() && value.size() < 19 &&
                value.find_first_not_of("0123456789") == std::string_view::npos) {
                next.size = std::stoull(std::string(value));
                next.hasSize = true;
            }
            records.remove_prefix(length);
        }
    }

    std::span<const std::byte> m_archive;
    const std::string& m_name;
};

} // namespace

std::vector<TarMember> readTar(std::span<const std::byte> archive, const std::string& name) {
    return TarReader(archive, name).members();
}

} // namespace headroom
