// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace at {
class Tensor;
}

namespace headroom::models {

/// The parameters of a model by name, all float32 or all float64, in insertion order. Includes buffers, which
/// are stored and saved like the others but updated by counting instead of learning (running statistics of
/// BatchNorm).
///
/// Layers are functions of (Parameters, input), and there are no other learnt values, so a checkpoint, an
/// optimiser and an average of checkpoints all see one list. Copies share the tensors. Reading is safe on
/// every thread.
class Parameters {
public:
    Parameters();
    ~Parameters();
    Parameters(const Parameters&);
    Parameters(Parameters&&) noexcept;
    Parameters& operator=(const Parameters&);
    Parameters& operator=(Parameters&&) noexcept;

    /// Replaces a tensor of the same name.
    void set(const std::string& name, const at::Tensor& tensor);
    /// Replaces a buffer, which is not learnt.
    void setBuffer(const std::string& name, const at::Tensor& tensor);
    bool isBuffer(const std::string& name) const;
    /// Throws std::logic_error for a missing name, because checkpoints are validated before they become
    /// Parameters.
    const at::Tensor& get(const std::string& name) const;
    bool contains(const std::string& name) const;
    void forEach(const std::function<void(const std::string&, const at::Tensor&)>& visit) const;

    std::int64_t tensorCount() const;  ///< parameters, without buffers
    std::int64_t elementCount() const; ///< numbers in all parameters, without buffers
    /// Returns a copy in double precision, for references.
    Parameters inDouble() const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

/// A position in the tree of names: scope / "encoder" / "layers" / "0" has "…weight". Borrows the Parameters.
class Scope {
public:
    explicit Scope(const Parameters& parameters) : m_parameters(&parameters) {}
    Scope operator/(std::string_view child) const;
    Scope operator/(int index) const { return *this / std::to_string(index); }
    const at::Tensor& operator[](std::string_view name) const;
    bool has(std::string_view name) const;

private:
    const Parameters* m_parameters;
    std::string m_prefix;
};

} // namespace headroom::models
