// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/jobs/analysis_service.h"
#include "widgets/time_axis/time_axis.h"

#include <QObject>
#include <QPointer>
#include <QPushButton>

namespace headroom::widgets {
class RowProfile;
}

namespace headroom::app {

class Actions;
class Banner;

/// What is said above the map when there is none: the worker stopped, the analysis failed or was cancelled,
/// or the recording is too long for the model, with the parts of it that are not. Enables “Analyse selection”
/// and “Analyse whole”, and runs both. Window's thread.
class MapBanner : public QObject {
    Q_OBJECT

public:
    /// Everything borrowed.
    struct Parts {
        Session* session;
        AnalysisService* analysis;
        WorkerProcess* worker;
        const Actions* actions;
        widgets::TimeAxis* axis;
        Banner* banner;
        widgets::RowProfile* row; ///< says that the cursor is outside what is analysed; the way out is offered there
    };
    explicit MapBanner(const Parts& parts, QObject* parent = nullptr);

    /// After the map was shown.
    void refresh();

Q_SIGNALS:
    void messagesRequested();

private:
    void connectWorker();
    void say(bool isError, const QString& what, const QString& more = {});
    void offerDetails();
    void offerAnalyseAgain();
    bool offerLocate();
    void offerMaps(const AnalysisResult& result);
    void offerPart(const AnalysisResult& result, const OpenModel& model);
    void analysePart(widgets::TimeSpan span);
    struct Offer {
        widgets::TimeSpan span;
        QString text;
    };
    Offer offerAtCursor(const OpenModel& model) const;
    void showOfferAtCursor();
    void analyseAtCursor();

    Parts m_parts;
    QPointer<QPushButton> m_offer; ///< in the banner; the next sentence there deletes it
    QPushButton* m_outside;        ///< in the row
    bool m_isOfWorker = false; ///< what stands in the banner is about the worker, not about a result
};

} // namespace headroom::app
