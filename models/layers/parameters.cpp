// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/parameters.h"

#include <ATen/core/Tensor.h>

#include <stdexcept>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace headroom::models {

struct Parameters::Implementation {
    std::unordered_map<std::string, at::Tensor> tensors;
    std::vector<std::string> order;
    std::unordered_set<std::string> buffers;
};

Parameters::Parameters() : m(std::make_unique<Implementation>()) {}
Parameters::~Parameters() = default;
Parameters::Parameters(const Parameters& other) : m(std::make_unique<Implementation>(*other.m)) {}
Parameters::Parameters(Parameters&&) noexcept = default;
Parameters& Parameters::operator=(const Parameters& other) {
    m = std::make_unique<Implementation>(*other.m);
    return *this;
}
Parameters& Parameters::operator=(Parameters&&) noexcept = default;

void Parameters::set(const std::string& name, const at::Tensor& tensor) {
    if (m->tensors.insert_or_assign(name, tensor).second)
        m->order.push_back(name);
}

void Parameters::setBuffer(const std::string& name, const at::Tensor& tensor) {
    set(name, tensor);
    m->buffers.insert(name);
}

bool Parameters::isBuffer(const std::string& name) const {
    return m->buffers.count(name) != 0;
}

const at::Tensor& Parameters::get(const std::string& name) const {
    const auto found = m->tensors.find(name);
    if (found == m->tensors.end())
        throw std::logic_error("no parameter " + name);
    return found->second;
}

bool Parameters::contains(const std::string& name) const {
    return m->tensors.count(name) != 0;
}

void Parameters::forEach(const std::function<void(const std::string&, const at::Tensor&)>& visit) const {
    for (const std::string& name : m->order)
        visit(name, m->tensors.at(name));
}

std::int64_t Parameters::tensorCount() const {
    return static_cast<std::int64_t>(m->order.size() - m->buffers.size());
}

std::int64_t Parameters::elementCount() const {
    std::int64_t count = 0;
    for (const auto& [name, tensor] : m->tensors)
        count += isBuffer(name) ? 0 : tensor.numel();
    return count;
}

Parameters Parameters::inDouble() const {
    Parameters result = *this; // the order and what are buffers; then other tensors
    forEach(
        [&](const std::string& name, const at::Tensor& tensor) { result.set(name, tensor.to(at::kDouble)); });
    return result;
}

Scope Scope::operator/(std::string_view child) const {
    Scope result(*m_parameters);
    result.m_prefix = m_prefix + std::string(child) + ".";
    return result;
}

const at::Tensor& Scope::operator[](std::string_view name) const {
    return m_parameters->get(m_prefix + std::string(name));
}

bool Scope::has(std::string_view name) const {
    return m_parameters->contains(m_prefix + std::string(name));
}

} // namespace headroom::models
