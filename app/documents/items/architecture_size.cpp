// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/items/architecture_size.h"

#include "core/architecture/architecture.h"
#include "widgets/look/number_text.h"
#include "widgets/look/translate.h"

namespace headroom::app {

QString layersAndHeads(const Architecture& architecture) {
    const auto& language = architecture.languageModel;
    const auto& layers = architecture.encoder.layers;
    if (language && language->kind == LanguageModelKind::Lstm)
        return widgets::counted(language->layers, tr("1 layer"), tr("%1 layers"));
    const int heads = language ? headCount(language->headsOf(0)) : layers.empty() ? 0 : layers.front().headCount();
    return tr("%1 × %2")
        .arg(language ? language->layers : int(layers.size()))
        .arg(widgets::counted(heads, tr("1 head"), tr("%1 heads")));
}

} // namespace headroom::app
