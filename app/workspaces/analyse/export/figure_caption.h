// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/jobs/analysis_service.h"

#include <QString>

namespace headroom::widgets {
class LayerMatrixView;
}

namespace headroom::app {

/// The line below a figure of the middle: what the map is (formula, mode), of which model (hash), layer and
/// recording, which window is drawn, and how the colours were made. The recording alone where nothing is
/// analysed. Window's thread.
QString figureCaption(const Session& session, const AnalysisService& analysis,
                      const widgets::LayerMatrixView& matrix);

} // namespace headroom::app
