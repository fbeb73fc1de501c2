// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/design/suggested_windows.h"

#include "core/architecture/edits.h"
#include "widgets/curves/windows_model.h"

namespace headroom::app {

std::optional<WindowSuggestion> suggestionFor(std::span<const DiagonalProfile> utterances) {
    std::vector<DiagonalProfile> known;
    for (const DiagonalProfile& profile : utterances)
        if (!profile.empty())
            known.push_back(profile);
    if (known.empty())
        return std::nullopt;
    // The same row as the table in ANALYSE, so that both name the same window.
    const widgets::WindowsRow row = widgets::windowsRow(known, 0);
    if (row.suggested <= 0)
        return std::nullopt;
    return WindowSuggestion{row.suggested, row.suggestedLoss(), int(known.size())};
}

QString suggestedHeads(const std::vector<HeadGroup>& heads, const WindowSuggestion& suggestion,
                       double fullAbove) {
    return QString::fromStdString(toText(withWindow(
        heads, suggestion.staysFull(fullAbove) ? std::nullopt : std::optional(suggestion.window))));
}

} // namespace headroom::app
