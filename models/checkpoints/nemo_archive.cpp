// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/nemo_archive.h"

#include "core/errors/error.h"
#include "models/checkpoints/weights.h"
#include "models/checkpoints/yaml_document.h"

namespace headroom::models {

NemoArchive::NemoArchive(const std::filesystem::path& file) : m_file(file, "model.missingFile"), m_name(shown(file)) {
    std::vector<TarMember> members;
    try {
        members = readTar(m_file.bytes(), m_name);
    } catch (const Error& error) {
        throw Error(error.code() == "tar.truncated" ? "model.truncated" : "model.notWeights", error.what(), error.values());
    }
    const auto find = [&](std::string_view name) -> std::span<const std::byte> {
        for (const TarMember& member : members)
            if (std::string_view(member.name).substr(member.name.rfind('/') + 1) == name)
                return member.bytes;
        throw Error("model.notWeights",
                    m_name + " contains no " + std::string(name) + ", so it is not a NeMo archive.",
                    {{"file", m_name}});
    };
    m_weights = find("model_weights.ckpt");
    m_config = find("model_config.yaml");
}

nlohmann::json NemoArchive::config() const {
    return parseYaml({reinterpret_cast<const char*>(m_config.data()), m_config.size()}, m_name + ", model_config.yaml");
}

} // namespace headroom::models
