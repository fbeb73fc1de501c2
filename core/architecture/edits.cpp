// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/edits.h"

#include "core/errors/count_text.h"

#include <algorithm>

namespace headroom {

namespace {

void checkWindow(int window) {
    if (window >= 1 && window % 2 == 1 && window <= kWidestWindow)
        return;
    auto suggestions = nlohmann::json::array();
    if (window < 1)
        suggestions = {1};
    else if (window > kWidestWindow)
        suggestions = {kWidestWindow};
    else
        suggestions = {window - 1, window + 1};
    std::string nearest;
    for (const int one : suggestions)
        nearest += (nearest.empty() ? "" : " or ") + grouped(one);
    throw Error("architecture.evenWindow",
                "A centred window is odd, from 1 to " + grouped(kWidestWindow) + ", not " +
                    grouped(window) + "; nearest is " + nearest + ".",
                {{"window", window}, {"suggestions", suggestions}});
}

bool isMasked(const HeadGroup& group) {
    return group.kind == HeadKind::Masked;
}

/// Beside other kinds masked heads are a choice of their own; a layer of them alone has one window like any
/// other.
bool areMasked(const std::vector<HeadGroup>& heads) {
    return !heads.empty() && std::all_of(heads.begin(), heads.end(), isMasked);
}

bool hasWindow(const HeadGroup& group) {
    return group.kind == HeadKind::Full || group.kind == HeadKind::Local;
}

} // namespace

std::vector<HeadGroup> withWindow(std::vector<HeadGroup> heads, std::optional<int> window) {
    if (window)
        checkWindow(*window);
    std::vector<HeadGroup> result;
    const bool masked = areMasked(heads);
    for (auto& group : heads) {
        const bool changed = masked || hasWindow(group);
        if (changed) {
            if (!masked)
                group.kind = window ? HeadKind::Local : HeadKind::Full;
            group.window = window.value_or(0);
        }
        if (changed && !result.empty()) {
            auto joined = result.back();
            joined.count = group.count;
            if (joined == group) {
                result.back().count += group.count;
                continue;
            }
        }
        result.push_back(std::move(group));
    }
    return result;
}

Architecture setLayerWindow(Architecture architecture, int layer, std::optional<int> window) {
    auto& heads = architecture.encoder.layers.at(static_cast<std::size_t>(layer) - 1).heads;
    heads = withWindow(std::move(heads), window);
    return architecture;
}

void dropPublishedCount(Architecture& architecture) {
    architecture.publishedParameters.reset();
    architecture.publishedWithoutFrontEnd = false;
}

bool takesWindow(const std::vector<HeadGroup>& heads) {
    return areMasked(heads) || std::any_of(heads.begin(), heads.end(), hasWindow);
}

std::optional<int> oneWindowOf(const std::vector<HeadGroup>& heads) {
    std::optional<int> window;
    const bool masked = areMasked(heads);
    for (const auto& group : heads) {
        if (!masked && !hasWindow(group))
            return std::nullopt;
        const int one = group.kind == HeadKind::Full ? 0 : group.window;
        if (window && *window != one)
            return std::nullopt;
        window = one;
    }
    return window;
}

std::optional<int> windowOf(const std::vector<HeadGroup>& heads) {
    std::optional<int> widest;
    for (const auto& group : heads)
        if (group.kind == HeadKind::Local || (isMasked(group) && group.window > 0))
            widest = std::max(widest.value_or(0), group.window);
    return widest;
}

} // namespace headroom
