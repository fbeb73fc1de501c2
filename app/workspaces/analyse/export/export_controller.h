// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/jobs/analysis_service.h"
#include "app/parts/figure.h"
#include "app/workspaces/analyse/common/controller.h"
#include "app/workspaces/analyse/export/export_data.h"

#include <QObject>

#include <optional>

class QMenu;
class QTabWidget;

namespace headroom::app {

class Actions;
class AppSettings;
class CompareController;
class Dialogs;
class MapController;
class SoundController;
class TabOverflow;
class WordsController;

/// “Export figure…”, “Export data…” and “Export tab…”: asks where to, writes, and says so in the status bar and in Messages.
/// Window's thread.
class ExportController : public Controller {
    Q_OBJECT

public:
    /// Everything borrowed. `window`: of the dialogues.
    struct Parts {
        Session* session;
        AnalysisService* analysis;
        AppSettings* settings;
        const Actions* actions;
        const Dialogs* dialogs;
        const SoundController* sound;
        const MapController* map;
        const CompareController* compare;
        const WordsController* words; ///< while they are shown, they stand in the map's place
        QWidget* window;
        QTabWidget* tabs;
        TabOverflow* corner; ///< of the tabs; gets the button of “Export tab…”
    };
    explicit ExportController(const Parts& parts, QObject* parent = nullptr);

    void fillMenu(QMenu* figures); ///< a PNG's width, the figures' colours
    QString whyNoTab() const;      ///< why the tab in front cannot be exported; empty: it can

Q_SIGNALS:
    void whyNoTabChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void exportFigure();
    void exportData();
    void exportTab();
    void watchTab();
    void checkTab();
    QString tabTitle() const;
    ShownWords shownWords() const;
    std::optional<ShownBeside> shownBeside() const; ///< nothing: no second map is shown
    Figure figure() const;                           ///< of the middle of the window as it is now
    void describeMaps(Figure& figure) const; ///< its title and caption
    QString suggestion(const QStringList& parts, const QString& suffix) const; ///< folder/utterance-model-layer-11-head-2.pdf
    QStringList openInFileName(const OpenModel* model) const;
    QStringList middleInFileName() const;
    QStringList figureInFileName() const;
    QStringList matrixInFileName() const;
    QStringList mapOfFileName(const OpenModel* model, int layer, const MapSource& source) const;
    void done(const QString& file);
    void failed(const QString& sentence);

    Parts m_parts;
    QString m_whyNoTab; ///< as of the last whyNoTabChanged()
};

} // namespace headroom::app
