// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>

class QSettings;

namespace headroom::app {

/// What the program remembers between starts, typed, with its defaults in one place. What belongs to a piece
/// of work is in the session instead. Window's thread only.
class AppSettings : public QObject {
    Q_OBJECT

public:
    enum class ThemeChoice { System, Light, Dark };

    /// The user's own settings; `file` (an .ini, made where it is missing) in tests and where
    /// HEADROOM_SETTINGS names one.
    explicit AppSettings(const QString& file = {}, QObject* parent = nullptr);
    ~AppSettings() override;

    ThemeChoice theme() const;
    void setTheme(ThemeChoice theme);
    int textSize() const; ///< per cent of the usual, 90 … 150; what a file says beyond is brought into the range
    void setTextSize(int percent);
    QString lastSession() const; ///< folder; empty: none
    void setLastSession(const QString& folder);
    bool opensLastSession() const; ///< when the program starts; by default true
    void setOpensLastSession(bool opens);
    /// Newest first, at most ten, each once; folders that are gone are left out.
    QStringList recentSessions() const;
    void addRecentSession(const QString& folder);
    void removeRecentSession(const QString& folder);
    void clearRecentSessions();
    QByteArray windowGeometry() const;
    void setWindowGeometry(const QByteArray& geometry);
    /// saveState() of one window or workspace, by its object name.
    QByteArray windowState(const QString& name) const;
    void setWindowState(const QString& name, const QByteArray& state);
    QString lastModel() const; ///< folder of the model that was current last; empty: none, or it is gone
    void setLastModel(const QString& folder);
    QString runsFolder() const; ///< empty: RunStore's own
    void setRunsFolder(const QString& folder);
    QString studiesFolder() const; ///< empty: StudyStore's own
    void setStudiesFolder(const QString& folder);
    QStringList recentCorpora() const; ///< newest first, at most ten; folders that are gone are left out
    QStringList offeredCorpora() const; ///< those that every form offers: the recent ones, then the demo corpora that are there
    void addRecentCorpus(const QString& folder);
    /// Taken off the list: neither a recent one nor offered as a demo corpus, until it is used or put back.
    void setCorpusTakenOff(const QString& folder, bool off);
    bool isCorpusTakenOff(const QString& folder) const;
    int figurePixels() const; ///< width of PNG figures; 0: twice the screen's
    void setFigurePixels(int pixels);
    QByteArray formState(const QString& name) const; ///< what a form held last, as it wrote it; empty: nothing yet
    void setFormState(const QString& name, const QByteArray& state);
    /// What a file dialogue is about.
    enum class FolderOf {
        Sounds, Models, Sessions, Maps, Studies, Architectures, Recipes, Corpora, Runs, Downloads, LanguageModels, MappingRules, Experiments
    };
    /// Where a dialogue of this purpose was last; before there was one, where any was in an earlier version, else the user's documents.
    QString lastFolder(FolderOf purpose) const;
    void setLastFolder(FolderOf purpose, const QString& folder);
    QString exportFolder() const; ///< where a figure or a table was saved last; by default the user's documents
    void setExportFolder(const QString& folder);

Q_SIGNALS:
    void themeChanged();
    void textSizeChanged();
    void recentSessionsChanged();
    void recentCorporaChanged();

private:
    std::unique_ptr<QSettings> m_settings;
};

} // namespace headroom::app
