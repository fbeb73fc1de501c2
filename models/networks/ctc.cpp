// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/ctc.h"

#include "models/layers/basic.h"
#include "models/networks/length_adapter.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/log_softmax.h>

namespace headroom::models {

at::Tensor ctcLogits(const Parameters& parameters, const Architecture& architecture, const at::Tensor& memory,
                     const std::vector<std::int64_t>& lengths) {
    const Scope scope(parameters);
    return linear(scope / "ctc", beforeOutput(scope / "model", architecture, memory, lengths));
}

std::vector<std::int64_t> ctcLengths(const Architecture& architecture, std::vector<std::int64_t> lengths) {
    if (const auto& adapter = architecture.lengthAdapter)
        for (std::int64_t& length : lengths)
            for (int layer = 0; layer < adapter->layers; ++layer)
                length = adapter->lengthOf(length);
    return lengths;
}

std::vector<std::vector<int>> ctcGreedy(const at::Tensor& logits, const std::vector<std::int64_t>& lengths,
                                        int blank) {
    const at::Tensor best = logits.argmax(-1).cpu().contiguous(); // [batch, token]
    const auto* row = best.const_data_ptr<std::int64_t>();
    std::vector<std::vector<int>> texts(static_cast<std::size_t>(best.size(0)));
    for (std::size_t item = 0; item < texts.size(); ++item, row += best.size(1)) {
        const std::int64_t tokens = lengths.empty() ? best.size(1) : lengths[item];
        std::int64_t last = blank;
        for (std::int64_t t = 0; t < tokens; ++t) {
            if (row[t] != last && row[t] != blank)
                texts[item].push_back(static_cast<int>(row[t]));
            last = row[t];
        }
    }
    return texts;
}

BestPath ctcBestPath(const at::Tensor& logits, int blank) {
    const at::Tensor best = logits.argmax(-1).cpu().contiguous(); // [token]
    const at::Tensor scores =
        at::log_softmax(logits.cpu().to(at::kDouble), -1).gather(-1, best.unsqueeze(-1)).squeeze(-1).contiguous();
    const auto* labels = best.const_data_ptr<std::int64_t>();
    const auto* logs = scores.const_data_ptr<double>();
    BestPath path;
    std::int64_t last = blank;
    for (std::int64_t t = 0; t < best.size(0); ++t) {
        if (labels[t] != last && labels[t] != blank) {
            path.logProbabilities.push_back(path.ids.empty() ? path.sum : 0);
            path.ids.push_back(static_cast<int>(labels[t]));
        }
        last = labels[t];
        path.sum += logs[t];
        if (!path.ids.empty())
            path.logProbabilities.back() += logs[t];
    }
    return path;
}

std::vector<BestPath> ctcBestPaths(const at::Tensor& logits, const std::vector<std::int64_t>& lengths, int blank) {
    std::vector<BestPath> paths;
    for (std::int64_t item = 0; item < logits.size(0); ++item)
        paths.push_back(ctcBestPath(
            lengths.empty() ? logits[item] : logits[item].narrow(0, 0, lengths[static_cast<std::size_t>(item)]), blank));
    return paths;
}

} // namespace headroom::models
