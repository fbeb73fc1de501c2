// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <ATen/core/Tensor.h>

namespace headroom::models {

/// Scores of learnt distances (Shaw et al. 2018, Eq. 4, with a reach for each side, as in wav2vec2-BERT):
/// q_i E[clamp(j − i, −left, right) + left], shared by the heads. `q` [batch, head, token, headWidth],
/// `embedding` [left + right + 1, headWidth] → [batch, head, query, key].
at::Tensor relativeKeyScores(const at::Tensor& q, const at::Tensor& embedding, Architecture::RelativeKey reach);

/// The same in a band (banded.h), whose slot s is the key s − `band` tokens after the query.
/// → [batch, head, query, 2 · band + 1]
at::Tensor relativeKeyBandScores(const at::Tensor& q, const at::Tensor& embedding, Architecture::RelativeKey reach,
                                 std::int64_t band);

} // namespace headroom::models
