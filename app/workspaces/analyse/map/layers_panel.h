// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/analysis.h"
#include "app/documents/items/open_model.h"
#include "app/jobs/analysis_service.h"

#include "widgets/matrix/band_shape.h"

#include <QTimer>
#include <QWidget>

#include <vector>

class QLabel;
class QProgressBar;

namespace headroom::widgets {
class LayerThumbnails;
}

namespace headroom::app {

class Actions;
class Drafts;

/// All layers as small maps; below them, while their layers are computed, progress and Cancel. Window's thread.
class LayersPanel : public QWidget {
    Q_OBJECT

public:
    explicit LayersPanel(const Actions& actions, QWidget* parent = nullptr);

    widgets::LayerThumbnails* thumbnails() const { return m_thumbnails; }
    /// Null model or result: outlines only (as many as the model has layers, twelve where there is none).
    /// Layers that did not change are not computed again.
    void showResult(const OpenModel* model, const Drafts& drafts, const AnalysisResult* result,
                    MapSource source);
    /// While a band is dragged; `heads`: as the drag will leave them.
    void showDragged(int layer, const std::vector<HeadGroup>& heads);
    /// `shown`: what the small maps are of. What is read of anything else changes none of them and needs no line here.
    void showProgress(const AnalysisService::Progress& progress, const AnalysisKey& shown);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showOutlines(int count);
    bool hasRoomForProgress() const;

    /// What a thumbnail was made from; equal: nothing to do.
    struct Shown {
        const void* map = nullptr;
        int status = -1, window = -1, percent = -1;
        QString sentence, kinds;
        std::vector<HeadGroup> heads;
        bool operator==(const Shown&) const = default;
    };
    std::vector<Shown> m_shown;
    widgets::LayerThumbnails* m_thumbnails;
    QWidget* m_progress;
    QLabel* m_progressText;
    QProgressBar* m_bar;
    QTimer m_delay;
    bool m_isLong = false; ///< its line has been waited for: it is shown where there is room
};

} // namespace headroom::app
