// SPDX-License-Identifier: GPL-3.0-or-later
// The container since PyTorch 1.6: a ZIP with NAME/data.pkl and one stored member NAME/data/KEY per storage.
#include "core/tensors/pickle/pickle_builder.h"
#include "core/tensors/pickle/pickle_reader.h"
#include "core/tensors/pickle/torch_storages.h"
#include "core/tensors/zip_records.h"

#include <algorithm>
#include <map>

namespace headroom {

namespace {

constexpr std::uint64_t kMostUnpacking = 16, kAlwaysAllowed = 16u << 20;
constexpr std::string_view kPickleName = "/data.pkl";

class ZipStorages : public TorchStorages {
public:
    ZipStorages(std::span<const std::byte> archive, ZipWords words)
        : m_archive(archive)
        , m_words(std::move(words)) {
        auto members = readZipDirectory(archive, m_words);
        checkRoom(members);
        for (auto& member : members) {
            const auto name = member.name;
            if (!m_members.emplace(name, std::move(member)).second)
                refuse("it has two members “" + quotable(name) + "”", "pickle.badHeader");
        }
        for (const auto& [name, member] : m_members)
            if (name.ends_with(kPickleName) && name.find('/') == name.size() - kPickleName.size())
                m_folder = name.substr(0, name.size() - kPickleName.size() + 1);
        if (m_folder.empty())
            refuse("it has no data.pkl", "pickle.badHeader");
        if (m_members.contains(m_folder + "constants.pkl"))
            refuse("it is a TorchScript program", "pickle.badHeader");
        if (m_members.contains(m_folder + "byteorder")) {
            const auto order = member("byteorder");
            if (std::string_view(reinterpret_cast<const char*>(order.data()), order.size()) != "little")
                refuse("its numbers are not little-endian", "pickle.badHeader");
        }
    }

    /// A member of the archive's one folder, unpacked where it is packed.
    std::span<const std::byte> member(const std::string& name) {
        const auto found = m_members.find(m_folder + name);
        if (found == m_members.end())
            refuse("it has no member " + name, "pickle.badHeader");
        const auto known = m_ready.find(name);
        if (known != m_ready.end())
            return known->second;
        std::span<const std::byte> bytes;
        if (found->second.isStored())
            bytes = storedZipMember(m_archive, found->second, m_words);
        else
            bytes = m_unpacked.emplace(name, readZipMember(m_archive, found->second, m_words)).first->second;
        return m_ready.emplace(name, bytes).first->second;
    }

    std::span<const std::byte> bytes(const PickleStorage& storage) override {
        const auto name = "data/" + storage.key;
        const auto found = m_members.find(m_folder + name);
        if (found == m_members.end())
            refuse("storage “" + quotable(storage.key) + "” is not there", "pickle.badTensor");
        checkStorageSize(storage, found->second.size, m_words.name); // before it is unpacked
        return member(name);
    }

private:
    [[noreturn]] void refuse(const std::string& reason, const char* code) const {
        refuseTorchFile(m_words.name, reason, code);
    }

    /// Members may neither share bytes nor unpack to more than a checkpoint can: weights hardly shrink.
    void checkRoom(const std::vector<ZipMember>& members) const {
        std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
        std::uint64_t room = kAlwaysAllowed + kMostUnpacking * m_archive.size();
        for (const auto& member : members) {
            if (member.size > room)
                refuse("its members would unpack to more than " + std::to_string(kMostUnpacking) +
                           " times the " + std::to_string(m_archive.size()) + " bytes of the file",
                       "pickle.tooLarge");
            room -= member.size;
            const auto packed = packedZipMember(m_archive, member, m_words);
            ranges.emplace_back(member.offset, packed.data() + packed.size() - m_archive.data());
        }
        std::sort(ranges.begin(), ranges.end());
        for (std::size_t i = 1; i < ranges.size(); ++i)
            if (ranges[i].first < ranges[i - 1].second)
                refuse("two of its members share bytes", "pickle.badHeader");
    }

    std::span<const std::byte> m_archive;
    ZipWords m_words;
    std::map<std::string, ZipMember> m_members;
    std::string m_folder; ///< "archive/"
    std::map<std::string, std::vector<std::byte>> m_unpacked;
    std::map<std::string, std::span<const std::byte>> m_ready; ///< whose checksum was verified
};

} // namespace

TorchParts readTorchZip(std::span<const std::byte> bytes, const std::string& name) {
    auto storages = std::make_unique<ZipStorages>(bytes, ZipWords{name, "a usable PyTorch file", "pickle"});
    TorchParts parts;
    const auto description = storages->member("data.pkl");
    auto pickle = readPickle(description, name);
    if (pickle.used != description.size())
        refuseTorchFile(name, "something follows its pickle", "pickle.badData");
    parts.graph = std::move(pickle.graph);
    parts.storages = std::move(storages);
    return parts;
}

} // namespace headroom
