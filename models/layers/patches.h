// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "models/layers/parameters.h"

namespace headroom::models {

/// The front end of AST (Gong et al. 2021, §2.1): overlapping squares of a spectrogram, each through one linear layer to
/// the width, with a learnt position for each.
///
/// `features` [batch, frame, feature] of the whole window. `encoder` has conv.conv_layers.0 (a convolution over features
/// and time), conv.class_tokens.n and patch_positions, which lie in the original's order: class tokens, then the patches
/// band by band. Returns [batch, token, width] in ours: the patches column by column, lowest frequencies first, then the
/// class tokens. Attention does not depend on the order, and this one is that of TokenClock.
at::Tensor patchTokens(const Scope& encoder, const Architecture::FrontEnd& shape, const at::Tensor& features);

} // namespace headroom::models
