// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/tensor.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace headroom::models {

/// The tensors of a file by name, for any format. Copies share the file, which stays mapped while one of them
/// exists; views borrow from it. Reading is safe on every thread.
class NamedTensors {
public:
    /// `owner` keeps the bytes alive; `format` is "safetensors", "PyTorch file" …, for the report.
    NamedTensors(std::shared_ptr<const void> owner, std::string format)
        : m_owner(std::move(owner))
        , m_format(std::move(format)) {}

    /// Returns false, and adds nothing, if the name is taken.
    bool add(const std::string& name, TensorView tensor);

    const std::vector<std::string>& names() const { return m_names; } ///< in insertion order
    bool contains(const std::string& name) const { return m_tensors.contains(name); }
    /// Throws std::out_of_range for a missing name.
    const TensorView& tensor(const std::string& name) const { return m_tensors.at(name); }
    const std::string& format() const { return m_format; }
    const std::shared_ptr<const void>& owner() const { return m_owner; }

private:
    std::shared_ptr<const void> m_owner;
    std::string m_format;
    std::vector<std::string> m_names;
    std::map<std::string, TensorView> m_tensors;
};

} // namespace headroom::models
