// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/token_embedding.h"

#include "models/layers/device.h"
#include "models/layers/positions.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/tensor.h>

#include <cmath>

namespace headroom::models {

at::Tensor TokenEmbedding::of(const std::vector<std::vector<int>>& tokens, const at::Tensor& table,
                              const at::Tensor& places, const at::Tensor& given) {
    const bool learnt = m_positions == Positions::Learnt;
    const std::int64_t width = table.size(1);
    const auto batch = static_cast<std::int64_t>(tokens.size());
    std::vector<std::int64_t> ids, positions;
    for (std::size_t row = 0; row < tokens.size(); ++row)
        for (const int token : tokens[row]) {
            ids.push_back(token);
            if (learnt) // every token has a place; what pads a text follows it and is not read
                positions.push_back(m_fed[row]++);
            else
                positions.push_back(token == kPaddingIndex ? kPaddingIndex : ++m_fed[row] + kPaddingIndex);
        }
    const at::Tensor rows = given.defined() ? given.reshape({-1}) : sent(at::tensor(ids, at::kLong), table.device());
    at::Tensor x = at::embedding(table, rows, learnt ? -1 : kPaddingIndex); // [batch · target, width]
    if (m_scaled)
        x = x.mul_(std::sqrt(static_cast<double>(width)));
    if (learnt)
        x = x.add(at::embedding(places, sent(at::tensor(positions, at::kLong), places.device())));
    else if (m_positions == Positions::Sinusoidal)
        x = x.add_(sent(sinusoidalPositions(positions, width).to(table.scalar_type()), table.device()));
    return x.view({batch, -1, width});
}

void TokenEmbedding::select(const std::vector<std::int64_t>& rows) {
    std::vector<std::int64_t> fed;
    for (const std::int64_t row : rows)
        fed.push_back(m_fed.at(static_cast<std::size_t>(row)));
    m_fed = std::move(fed);
}

const at::Tensor& outputWeight(const Parameters& parameters, const at::Tensor& table) {
    const char* output = "lm_head.weight";
    return parameters.contains(output) ? parameters.get(output) : table;
}

at::Tensor tokenLogits(const Parameters& parameters, const at::Tensor& table, const at::Tensor& x) {
    return at::linear(x, outputWeight(parameters, table));
}

} // namespace headroom::models
