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

/// The learnt tensors of a model by name, all float32 or all float64, in the order in which they were added.
/// Buffers stand among them: kept and saved like the others, but counted while training instead of learnt
/// (running statistics of BatchNorm).
///
/// The layers are functions of (Parameters, input): nothing is learnt anywhere else, so a checkpoint, an
/// optimiser and an average of checkpoints each see one list. Copies share the tensors. Reading is safe from
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
    /// The same for a buffer, which nobody learns.
    void setBuffer(const std::string& name, const at::Tensor& tensor);
    bool isBuffer(const std::string& name) const;
    /// Throws std::logic_error for a name that is not there: checkpoints are checked before they become
    /// Parameters.
    const at::Tensor& get(const std::string& name) const;
    bool contains(const std::string& name) const;
    void forEach(const std::function<void(const std::string&, const at::Tensor&)>& visit) const;

    std::int64_t tensorCount() const;  ///< learnt tensors, without buffers
    std::int64_t elementCount() const; ///< all learnt numbers, without buffers
    /// The same in double precision, for oracles.
    Parameters inDouble() const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

/// A place in the tree of names: scope / "encoder" / "layers" / "0" holds "…weight". Borrows the Parameters.
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
