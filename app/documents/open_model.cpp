// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/open_model.h"

#include "core/architecture/edits.h"

#include <QCoreApplication>

namespace headroom::app {

namespace {

std::optional<int> windowAt(const Architecture& architecture, int layer) {
    const auto& layers = architecture.encoder.layers;
    if (layer < 1 || static_cast<std::size_t>(layer) > layers.size())
        return std::nullopt;
    return windowOf(layers[static_cast<std::size_t>(layer) - 1].heads);
}

} // namespace

QString OpenModel::summary() const {
    if (!info)
        return {};
    const auto& encoder = info->architecture.encoder;
    const int heads = encoder.layers.empty() ? 0 : encoder.layers.front().headCount();
    return QCoreApplication::translate("OpenModel", "%1 layers × %2 heads, width %3")
        .arg(encoder.layers.size())
        .arg(heads)
        .arg(encoder.width);
}

std::optional<int> OpenModel::draftWindow(int layer) const {
    return windowAt(draft, layer);
}

std::optional<int> OpenModel::ownWindow(int layer) const {
    return info ? windowAt(info->architecture, layer) : std::nullopt;
}

} // namespace headroom::app
