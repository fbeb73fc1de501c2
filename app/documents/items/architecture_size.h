// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headroom {
struct Architecture;
}

namespace headroom::app {

/// "8 × 4 heads": the layers of the encoder, or of a language model, and the heads of the first; "2 layers" of an LSTM. Any thread.
QString layersAndHeads(const Architecture& architecture);

} // namespace headroom::app
