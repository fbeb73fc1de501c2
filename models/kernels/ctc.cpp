// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/kernels/ctc.h"

#include "models/kernels/device_operators.h"
#include "models/kernels/pieces.h"
#include "models/kernels/sent.h"

#include <ATen/core/grad_mode.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/add.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/logaddexp.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace headroom::models {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr std::int64_t kNowhere = -(std::int64_t(1) << 40); ///< in a sum of places: the first place, which holds −∞

/// The places that a batch is read at, as tables on its device. A recording has two paths, rows of `paths`: b from its first
/// token and first state on, and batch + b from its last on. State s of a text of L pieces is a blank (s even) or piece
/// (s − 1) / 2; there are 2L + 1 of them, and `states` is the most in the batch.
struct Places {
    at::Tensor labels;   // [path, state]
    at::Tensor blocked;  // [path, state]: 1 where s − 2 must not come before s
    at::Tensor tokens;   // [token, path]: where the vocabulary of a path's t-th token begins
    at::Tensor ends;     // [2, batch] of `paths`: the last two states at the last token
    at::Tensor backRows; // [token, batch], backStates [batch, state]: their sum is the other path at the same token and state
    at::Tensor backStates;
    at::Tensor distinct; // [batch, piece]: the pieces of a text, each once, the blank among them
    at::Tensor which;    // [batch, state]: the place of a state's label in `distinct`
};

/// Tables side by side in one vector, sent in one copy.
class OneCopy {
public:
    /// A table of these sides, filled with `value`; returns where it begins.
    std::int64_t* add(std::int64_t rows, std::int64_t columns, std::int64_t value) {
        const std::size_t begin = m_numbers.size();
        m_numbers.resize(begin + static_cast<std::size_t>(rows * columns), value);
        m_shapes.push_back({rows, columns});
        return m_numbers.data() + begin;
    }
    void reserve(std::int64_t numbers) { m_numbers.reserve(static_cast<std::size_t>(numbers)); } ///< pointers stay until then
    std::vector<at::Tensor> on(c10::Device device) const {
        at::Tensor all = at::empty({static_cast<std::int64_t>(m_numbers.size())}, at::kLong);
        std::copy(m_numbers.begin(), m_numbers.end(), all.mutable_data_ptr<std::int64_t>());
        const at::Tensor there = sent(all, device);
        std::vector<at::Tensor> tables;
        std::int64_t begin = 0;
        for (const Shape& shape : m_shapes) {
            tables.push_back(there.narrow(0, begin, shape.rows * shape.columns).view({shape.rows, shape.columns}));
            begin += shape.rows * shape.columns;
        }
        return tables;
    }

private:
    struct Shape {
        std::int64_t rows, columns;
    };
    std::vector<std::int64_t> m_numbers;
    std::vector<Shape> m_shapes;
};

Places placesOf(const at::Tensor& logProbabilities, const std::vector<std::int64_t>& lengths,
                const std::vector<std::vector<int>>& texts, int blank) {
    const std::int64_t batch = logProbabilities.size(0), tokens = logProbabilities.size(1), vocabulary = logProbabilities.size(2);
    std::size_t longest = 0;
    for (const std::vector<int>& text : texts)
        longest = std::max(longest, text.size());
    const auto pieces = static_cast<std::int64_t>(longest) + 1, states = 2 * pieces - 1, paths = 2 * batch, columns = states + 2;
    OneCopy tables;
    tables.reserve(paths * states * 2 + tokens * paths + 2 * batch + tokens * batch + batch * states * 2 + batch * pieces);
    std::int64_t* labels = tables.add(paths, states, blank);
    std::int64_t* blocked = tables.add(paths, states, 1);
    std::int64_t* starts = tables.add(tokens, paths, 0);
    std::int64_t* ends = tables.add(2, batch, 0);
    std::int64_t* backRows = tables.add(tokens, batch, kNowhere);
    std::int64_t* backStates = tables.add(batch, states, kNowhere);
    std::int64_t* distinct = tables.add(batch, pieces, blank);
    std::int64_t* which = tables.add(batch, states, 0);
    for (std::int64_t b = 0; b < batch; ++b) {
        const std::vector<int>& text = texts[static_cast<std::size_t>(b)];
        const std::int64_t length = lengths[static_cast<std::size_t>(b)], last = 2 * static_cast<std::int64_t>(text.size());
        std::vector<int> own = text;
        own.push_back(blank);
        std::sort(own.begin(), own.end());
        own.erase(std::unique(own.begin(), own.end()), own.end());
        std::copy(own.begin(), own.end(), distinct + b * pieces);
        for (std::int64_t s = 0; s <= last; ++s) {
            const int label = s % 2 == 0 ? blank : text[static_cast<std::size_t>(s / 2)];
            labels[b * states + s] = labels[(batch + b) * states + last - s] = label;
            which[b * states + s] = std::lower_bound(own.begin(), own.end(), label) - own.begin();
            backStates[b * states + s] = 2 + last - s;
        }
        for (const std::int64_t row : {b, batch + b})
            for (std::int64_t s = 3; s < last; s += 2)
                blocked[row * states + s] = labels[row * states + s] == labels[row * states + s - 2] ? 1 : 0;
        for (std::int64_t t = 0; t < tokens; ++t) {
            const std::int64_t there = t < length ? length - 1 - t : 0;
            starts[t * paths + b] = (b * tokens + t) * vocabulary;
            starts[t * paths + batch + b] = (b * tokens + there) * vocabulary;
            if (t < length)
                backRows[t * batch + b] = (there * paths + batch + b) * columns;
        }
        for (std::int64_t k = 0; k < 2 && length > 0; ++k)
            ends[k * batch + b] = ((length - 1) * paths + b) * columns + 2 + last - k;
    }
    const std::vector<at::Tensor> sentTables = tables.on(logProbabilities.device());
    return {sentTables[0], sentTables[1], sentTables[2], sentTables[3], sentTables[4], sentTables[5], sentTables[6], sentTables[7]};
}

/// The numbers at these places, in the shape of the places.
at::Tensor numbersAt(const at::Tensor& numbers, const at::Tensor& places) {
    return numbers.reshape({-1}).index_select(0, places.reshape({-1})).view(places.sizes());
}

double largerOrNan(double a, double b) {
    return std::isnan(a) || a > b ? a : b;
}

class Ctc : public Function<Ctc> {
public:
    static at::Tensor forward(AutogradContext* context, const at::Tensor& logProbabilities, const std::vector<std::int64_t>& tokens,
                              const std::vector<std::vector<int>>& texts, int blank) {
        const Places places = placesOf(logProbabilities, tokens, texts, blank);
        const at::Tensor emissions =
            numbersAt(logProbabilities, places.tokens.unsqueeze(2).add(places.labels.unsqueeze(0))).to(at::kDouble); // [token, path, state]
        const at::Tensor skips = at::zeros(places.blocked.sizes(), emissions.options()).masked_fill_(places.blocked.ne(0), kNever);
        const at::Tensor paths = ctcPaths(emissions, skips);
        const at::Tensor last = numbersAt(paths, places.ends);                  // [2, batch]
        const at::Tensor logs = at::logaddexp(last.select(0, 0), last.select(0, 1)); // [batch]
        context->save_for_backward({emissions, paths, logs, places.backRows, places.backStates, places.distinct, places.which});
        context->saved_data["vocabulary"] = logProbabilities.size(2);
        context->saved_data["type"] = static_cast<std::int64_t>(logProbabilities.scalar_type());
        return logs.masked_fill(logs.eq(kNever), 0).sum().neg().to(logProbabilities.scalar_type());
    }

    /// −(the share of the paths that have a label at a token).
    static variable_list backward(AutogradContext* context, variable_list grads) {
        const auto saved = context->get_saved_variables();
        const at::Tensor &paths = saved[1], &distinct = saved[5], &which = saved[6];
        const std::int64_t tokens = saved[0].size(0), batch = which.size(0), states = which.size(1), pieces = distinct.size(1);
        const auto type = static_cast<at::ScalarType>(context->saved_data["type"].toInt());
        const at::Tensor emissions = saved[0].narrow(1, 0, batch);              // [token, batch, state]
        const at::Tensor logs = saved[2].unsqueeze(1);                          // [batch, 1]
        const at::Tensor back = numbersAt(paths, saved[3].unsqueeze(2).add(saved[4].unsqueeze(0)).clamp_min_(0));
        at::Tensor shares = paths.narrow(1, 0, batch).narrow(2, 2, states).add(back).sub_(emissions).sub_(logs);
        shares.masked_fill_(emissions.eq(kNever), kNever).masked_fill_(logs.eq(kNever), kNever).exp_();
        // States of one label are added by a product, whose order is fixed; adding them where they belong has none on a GPU.
        const at::Tensor same = at::zeros({batch, states, pieces}, shares.options()).scatter_(2, which.unsqueeze(2), 1.0);
        const at::Tensor ofPieces = at::bmm(shares.transpose(0, 1), same).mul_(grads[0].to(at::kDouble).neg()).to(type);
        at::Tensor gradient = at::zeros({batch, tokens, context->saved_data["vocabulary"].toInt()}, ofPieces.options());
        gradient.scatter_add_(2, distinct.unsqueeze(1).expand({batch, tokens, pieces}), ofPieces);
        return {gradient, {}, {}, {}};
    }
};

} // namespace

at::Tensor ctcPaths(const at::Tensor& emissions, const at::Tensor& skips) {
    const std::int64_t tokens = emissions.size(0), rows = emissions.size(1), states = emissions.size(2);
    if (emissions.scalar_type() != at::kDouble || skips.scalar_type() != at::kDouble || !emissions.is_contiguous() ||
        !skips.is_contiguous() || skips.size(0) != rows || skips.size(1) != states)
        throw std::logic_error("ctcPaths: tensors that do not belong together");
    at::Tensor paths = at::empty({tokens, rows, states + 2}, emissions.options());
    if (emissions.is_cpu()) {
        ctcPathsPlain(emissions.const_data_ptr<double>(), skips.const_data_ptr<double>(), tokens, rows, states,
                      paths.mutable_data_ptr<double>());
        return paths;
    }
    if (hasDeviceKernels(emissions)) {
        device::ctcPaths(emissions, skips, paths);
        return paths;
    }
    paths.fill_(kNever); // out of ATen's operations, token by token
    for (std::int64_t t = 0; t < tokens; ++t) {
        at::Tensor now = paths.select(0, t).narrow(1, 2, states);
        const at::Tensor own = emissions.select(0, t);
        if (t == 0) {
            const std::int64_t first = std::min<std::int64_t>(states, 2);
            now.narrow(1, 0, first).copy_(own.narrow(1, 0, first));
            continue;
        }
        const at::Tensor before = paths.select(0, t - 1);
        const at::Tensor near = at::logaddexp(before.narrow(1, 2, states), before.narrow(1, 1, states));
        at::add_out(now, at::logaddexp(near, before.narrow(1, 0, states).add(skips)), own);
    }
    return paths;
}

void ctcPathsPlain(const double* emissions, const double* skips, std::int64_t tokens, std::int64_t rows, std::int64_t states,
                   double* paths) {
    const std::int64_t columns = states + 2;
    onThreads(rows, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row)
            for (std::int64_t t = 0; t < tokens; ++t) {
                const double* own = emissions + (t * rows + row) * states;
                double* now = paths + (t * rows + row) * columns;
                now[0] = now[1] = kNever;
                for (std::int64_t s = 0; s < states; ++s) {
                    if (t == 0) {
                        now[s + 2] = s < 2 ? own[s] : kNever;
                        continue;
                    }
                    const double* before = paths + ((t - 1) * rows + row) * columns + s;
                    const double far = before[0] + skips[row * states + s];
                    const double most = largerOrNan(largerOrNan(before[2], before[1]), far);
                    now[s + 2] = most == kNever ? kNever
                                                : own[s] + most + std::log(std::exp(before[2] - most) + std::exp(before[1] - most) +
                                                                           std::exp(far - most));
                }
            }
    });
}

at::Tensor ctcLoss(const at::Tensor& logProbabilities, const std::vector<std::int64_t>& tokens,
                   const std::vector<std::vector<int>>& texts, int blank) {
    const auto batch = static_cast<std::size_t>(logProbabilities.size(0));
    if (logProbabilities.dim() != 3 || tokens.size() != batch || texts.size() != batch)
        throw std::logic_error("ctcLoss: recordings and texts that do not belong together");
    return Ctc::apply(logProbabilities, tokens, texts, blank);
}

} // namespace headroom::models
