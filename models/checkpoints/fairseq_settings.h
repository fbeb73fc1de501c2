// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/torch_checkpoint.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::models {

/// The arguments of a fairseq model. Every getter throws Error "model.badConfig", which names the file and
/// the argument, if it is missing, has the wrong type, or is out of range. Borrows the checkpoint.
class FairseqSettings {
public:
    FairseqSettings(const TorchCheckpoint& checkpoint, const std::string& file)
        : m_settings(*checkpoint.settings)
        , m_name(file)
        , m_place(checkpoint.settingsName) {}

    /// Present, and not None.
    bool has(const std::string& key) const;
    std::int64_t integer(const std::string& key, std::int64_t smallest, std::int64_t largest) const;
    double share(const std::string& key) const; ///< 0 ≤ p < 1
    bool boolean(const std::string& key) const;
    bool boolean(const std::string& key, bool otherwise) const;
    std::string text(const std::string& key) const;
    std::string text(const std::string& key, const std::string& otherwise) const;
    /// "5,5": how fairseq's options write lists.
    std::vector<int> integers(const std::string& key, int smallest, int largest) const;

    const std::string& name() const { return m_name; }
    /// "NAME/FILE: args.KEY" …
    std::string place(const std::string& key) const { return m_name + ": " + m_place + "." + key; }
    [[noreturn]] void refuse(const std::string& code, const std::string& key, const std::string& what) const;

private:
    PickleValue value(const std::string& key) const;

    PickleValue m_settings;
    std::string m_name, m_place;
};

} // namespace headroom::models
