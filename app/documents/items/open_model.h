// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/ids.h"
#include "core/architecture/architecture.h"
#include "core/time/clocks.h"

#include <QString>
#include <QStringList>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::app {

/// What the worker said about a model when it opened it (core/protocol/README.md, `openModel`). A value.
struct ModelDescription {
    QString name;
    Architecture architecture;
    TokenClock clock;
    std::int64_t maxSourceFrames = 0; ///< longer utterances are refused; a part can be chosen
    std::int64_t parameters = 0;
    std::int64_t tensors = 0;
    QString storedAs; ///< "f32", "f16" …
    QString hash;
    QStringList loaded, missing, unexpected, wrongShape,
        assumed; ///< tensor names, or sentences for `assumed`
    std::vector<int> mapLayers; ///< of maps only: the layers that are there, ascending, from 1
    int mapHeads = 0;           ///< of maps only: of the layer that has most; 0: contributions alone
};

inline constexpr int kModelColours = 6;
/// Colours with each of the dashes, and the bars of Models likewise: so many models can be told apart.
inline constexpr int kModelStyles = 36;

/// One open model. A value. Its draft is in Drafts.
struct OpenModel {
    ModelId id = ModelId::None;
    std::filesystem::path folder;
    QString name; ///< the worker's name for it; the folder's until then
    QString apart; ///< "a/demo" where another one has the same name; else empty. Kept by ModelList
    QString design; ///< of a run's result: what drafts of it are called, without its seed and what tells runs apart; else empty
    OpenState state = OpenState::Reading;
    QString sentence;     ///< Failed: why; Ready: empty
    bool isMissing = false; ///< Failed: its folder is not there; locateMissingModel() looks for it
    QStringList warnings; ///< Ready: "st-old opened with 2 of 358 tensors missing. …"
    bool enabled = true;  ///< ticked in the list: analysed with the others
    bool maps = false; ///< no model, but maps that another toolkit wrote: `folder` is an .npz, or holds them
    UtteranceId mapsOf = UtteranceId::None; ///< maps: the recording of another name that a single file was assigned to
    int colour = 0;    ///< 0 … 35, see widgets::runPen(): colour and dash, stable while the model is open
    std::map<std::string, std::string> sha256; ///< file of the folder → SHA-256; empty while unknown

    std::optional<ModelDescription> info; ///< nothing until Ready

    /// What it is called on the screen.
    const QString& shownName() const { return apart.isEmpty() ? name : apart; }
    /// "12 layers × 4 heads, width 256" ("…, maps only"; "layer 6, 4 heads, maps only" where
    /// others are missing); empty until Ready.
    QString summary() const;
    /// Its source is a text, not a recording. False until Ready.
    bool readsText() const { return info && info->architecture.frontEnd.reads == InputKind::Text; }
    int layerCount() const { return info ? static_cast<int>(info->architecture.encoder.layers.size()) : 0; }
    /// The window that the model itself has in layer `layer` (from 1); nullopt if no head is centred-local.
    std::optional<int> ownWindow(int layer) const;
};

/// Whether a path that is opened as a model is one of maps from elsewhere: an .npz, or a folder of them that
/// is no model's. Reads names only.
bool holdsMaps(const std::filesystem::path& path);

} // namespace headroom::app
