// SPDX-License-Identifier: GPL-3.0-or-later
// The container before PyTorch 1.6: pickles of a magic number, a version, the machine's habits, the value and
// the keys of the storages, one after the other; then for each key the number of elements (i64) and the
// elements.
#include "core/tensors/pickle/pickle_builder.h"
#include "core/tensors/pickle/pickle_reader.h"
#include "core/tensors/pickle/torch_storages.h"

#include <cstring>
#include <map>

namespace headroom {

namespace {

constexpr std::string_view kLegacyMagic("\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 10); // 0x1950a86a20f9469cfc6c
constexpr std::int64_t kVersion = 1001;

class LegacyStorages : public TorchStorages {
public:
    explicit LegacyStorages(std::string name) : m_name(std::move(name)) {}
    void set(const std::string& key, std::span<const std::byte> bytes) { m_bytes[key] = bytes; }

    std::span<const std::byte> bytes(const PickleStorage& storage) override {
        const auto found = m_bytes.find(storage.key);
        if (found == m_bytes.end())
            refuseTorchFile(m_name, "storage “" + quotable(storage.key) + "” is not there",
                            "pickle.badTensor");
        return found->second;
    }

private:
    std::string m_name;
    std::map<std::string, std::span<const std::byte>> m_bytes;
};

} // namespace

TorchParts readLegacyTorch(std::span<const std::byte> bytes, const std::string& name) {
    const auto refuse = [&](const std::string& reason, const char* code = "pickle.badHeader") {
        refuseTorchFile(name, reason, code);
    };
    const auto next = [&] {
        auto pickle = readPickle(bytes, name);
        bytes = bytes.subspan(pickle.used);
        return std::move(pickle.graph);
    };
    const auto root = [](const PickleGraph& graph) { return PickleValue(graph, graph.root); };

    const auto magic = next();
    if (!root(magic).is(PickleKind::Long) || root(magic).node().text != kLegacyMagic)
        refuse("it is a pickle, but not of torch.save");
    const auto version = next();
    if (root(version).integer() != kVersion)
        refuse("its version is not " + std::to_string(kVersion));
    const auto system = next();
    const auto little = root(system).find("little_endian");
    if (!little || little->boolean() != true)
        refuse("its numbers are not little-endian");

    TorchParts parts;
    parts.legacy = true;
    parts.graph = next();
    const auto keys = next();
    if (!root(keys).is(PickleKind::List))
        refuse("it has no list of storages");
    std::map<std::string, const PickleStorage*> announced;
    for (const auto& storage : parts.graph.storages)
        announced[storage.key] = &storage;
    auto storages = std::make_unique<LegacyStorages>(name);
    for (std::size_t i = 0; i < root(keys).size(); ++i) {
        const auto key = root(keys).element(i).text().value_or("");
        const auto found = announced.find(key);
        if (found == announced.end() || !found->second)
            refuse("storage “" + quotable(key) + "” is there twice, or not announced", "pickle.badTensor");
        const PickleStorage& storage = *found->second;
        found->second = nullptr;
        std::int64_t count = 0;
        if (bytes.size() < sizeof count)
            refuse("it is truncated before storage “" + quotable(key) + "”", "pickle.truncated");
        std::memcpy(&count, bytes.data(), sizeof count);
        bytes = bytes.subspan(sizeof count);
        if (count != storage.count)
            refuse("storage “" + quotable(key) + "” has " + std::to_string(count) +
                       " numbers, its pickle asks for " + std::to_string(storage.count),
                   "pickle.badTensor");
        const auto size =
            static_cast<std::uint64_t>(count) * elementSize(storage.dtype); // fits: it was checked
        if (size > bytes.size())
            refuse("it is truncated in storage “" + quotable(key) + "”", "pickle.truncated");
        storages->set(key, bytes.first(size));
        bytes = bytes.subspan(size);
    }
    if (!bytes.empty())
        refuse(std::to_string(bytes.size()) + " bytes at its end belong to no storage", "pickle.badData");
    parts.storages = std::move(storages);
    return parts;
}

} // namespace headroom
