// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/items/open_model.h"

#include "core/architecture/edits.h"
#include "core/studies/foreign_maps.h"
#include "widgets/look/number_text.h"
#include "widgets/look/translate.h"

namespace headroom::app {

namespace {

std::optional<int> windowAt(const Architecture& architecture, int layer) {
    const auto& layers = architecture.encoder.layers;
    if (layer < 1 || static_cast<std::size_t>(layer) > layers.size())
        return std::nullopt;
    return windowOf(layers[static_cast<std::size_t>(layer) - 1].heads);
}

/// What is there, which may be one layer of many: that is what an export holds.
QString mapsText(const ModelDescription& info) {
    const auto& layers = info.mapLayers;
    const QString heads = info.mapHeads == 0 ? tr("contributions") : widgets::counted(info.mapHeads, tr("1 head"), tr("%1 heads"));
    if (layers.size() == 1)
        return tr("layer %1, %2, maps only").arg(layers.front()).arg(heads);
    const std::size_t all = info.architecture.encoder.layers.size();
    return layers.size() == all ? tr("%1 layers × %2, maps only").arg(all).arg(heads)
                                : tr("%1 of %2 layers × %3, maps only").arg(layers.size()).arg(all).arg(heads);
}

} // namespace

QString OpenModel::summary() const {
    if (!info)
        return {};
    const auto& encoder = info->architecture.encoder;
    const int heads = encoder.layers.empty() ? 0 : encoder.layers.front().headCount();
    if (maps)
        return mapsText(*info);
    return tr("%1 × %2, width %3")
        .arg(widgets::counted(std::ssize(encoder.layers), tr("1 layer"), tr("%1 layers")), widgets::counted(heads, tr("1 head"), tr("%1 heads")))
        .arg(encoder.width);
}

bool holdsMaps(const std::filesystem::path& path) {
    std::error_code failure;
    if (!std::filesystem::is_directory(path, failure))
        return path.extension() == ".npz";
    for (const char* name : {"architecture.json", "config.json", "model.safetensors"})
        if (std::filesystem::exists(path / name, failure))
            return false;
    for (std::filesystem::directory_iterator entry(path, failure), end; !failure && entry != end;
         entry.increment(failure))
        if (entry->path().extension() == ".npz")
            return isForeignMaps(
                entry->path()); // one speaks for all; the others are read when they are wanted
    return false;
}

std::optional<int> OpenModel::ownWindow(int layer) const {
    return info ? windowAt(info->architecture, layer) : std::nullopt;
}

} // namespace headroom::app
