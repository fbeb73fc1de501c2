// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/transducer_text.h"

#include "models/layers/basic.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/lstm.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

namespace headroom::models {
namespace {

/// The LSTM over the labels so far.
class Prediction {
public:
    explicit Prediction(const Transducer& transducer)
        : m_transducer(transducer)
        , m_hidden(at::zeros({transducer.layers, 1, transducer.width}))
        , m_cell(m_hidden) {
        const Scope lstm = Scope(transducer.parameters) / "decoder" / "lstm";
        for (int layer = 0; layer < transducer.layers; ++layer)
            for (const char* name : {"weight_ih_l", "weight_hh_l", "bias_ih_l", "bias_hh_l"})
                m_weights.push_back(lstm[name + std::to_string(layer)]);
    }

    /// Returns the projected output behind `label`, [width].
    at::Tensor after(int label) {
        const Scope decoder = Scope(m_transducer.parameters) / "decoder";
        const at::Tensor x =
            at::embedding(decoder["embedding.weight"], at::tensor({label}, at::kLong).view({1, 1}));
        at::Tensor output; // [1, 1, width]
        std::tie(output, m_hidden, m_cell) =
            at::lstm(x, {m_hidden, m_cell}, m_weights, true, m_transducer.layers, 0, false, false, true);
        return linear(decoder / "decoder_projector", output).view({-1});
    }

private:
    const Transducer& m_transducer;
    std::vector<at::Tensor> m_weights;
    at::Tensor m_hidden, m_cell; // [layer, 1, width]
};

std::int64_t likeliest(const at::Tensor& scores) {
    return scores.argmax().item<std::int64_t>();
}

} // namespace

TransducerText transducerGreedy(const Transducer& transducer, const at::Tensor& memory) {
    const Scope own(transducer.parameters);
    const at::Tensor heard = linear(own / "encoder_projector", memory).squeeze(0); // [token, width]
    const std::int64_t tokens = heard.size(0), most = tokens * transducer.mostSymbols;
    const auto durations = static_cast<std::int64_t>(transducer.durations.size());
    Prediction prediction(transducer);
    at::Tensor written = prediction.after(transducer.start);
    TransducerText text;
    std::int64_t token = 0;
    int symbols = 0; // at this token
    for (std::int64_t step = 0; step < most && token < tokens; ++step) {
        const at::Tensor scores = linear(own / "joint" / "head", heard[token].add(written).relu());
        const at::Tensor labels = scores.narrow(0, 0, transducer.vocabulary);
        const int label = static_cast<int>(likeliest(labels));
        const bool blank = label == transducer.blank;
        if (!blank) {
            text.ids.push_back(label);
            text.tokens.push_back(token);
            text.logProbabilities.push_back(at::log_softmax(labels, 0)[label].item<double>());
            written = prediction.after(label);
        }
        if (durations > 0) {
            const auto place = likeliest(scores.narrow(0, transducer.vocabulary, durations));
            const int duration = transducer.durations[static_cast<std::size_t>(place)];
            token += blank ? std::max(duration, 1) : duration;
            continue;
        }
        const bool moves = blank || ++symbols >= transducer.mostSymbols;
        token += moves ? 1 : 0;
        symbols = moves ? 0 : symbols;
    }
    return text;
}

} // namespace headroom::models
