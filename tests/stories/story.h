// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/file_dialogs.h"
#include "app/settings/app_settings.h"
#include "app/window/main_window.h"
#include "app/window/theme_switch.h"

#include <QDir>
#include <QTemporaryDir>

#include <memory>

namespace headroom::testing {

/// Answers instead of a dialogue.
class Answers : public app::FileDialogs {
public:
    QStringList audio;
    QString folder, file;
    Unsaved unsaved = Unsaved::Discard;
    Changed changed = Changed::Cancel;
    int asked = 0;
    bool savedHere = false; ///< what askChanged() was told

    QStringList openAudio(QWidget*, const QString&) override { return ++asked, audio; }
    QString openFile(QWidget*, const QString&, const QString&, const QString&) override { return ++asked, file; }
    QString openFolder(QWidget*, const QString&, const QString&) override { return ++asked, folder; }
    QString openSoundOrFolder(QWidget*, const QString&, const QString&) override { return ++asked, folder; }
    QString save(QWidget*, const QString&, const QString&, const QStringList&, const QStringList&) override {
        return ++asked, file;
    }
    Unsaved askUnsaved(QWidget*, const QString&, bool) override { return ++asked, unsaved; }
    Changed askChanged(QWidget*, const QString&, bool here) override { return ++asked, savedHere = here, changed; }
};

/// A whole window as a user has it, with settings of its own, the real worker and the demo's model. Nothing
/// is stubbed but dialogues and sound cards.
class Story {
public:
    /// Whether the window comes up as the settings of its home remember it, or with its first layout.
    enum class Geometry { Fresh, Remembered };
    /// `home`: settings and the user's data; a second story with the same one is the next start of the
    /// program.
    explicit Story(std::shared_ptr<QTemporaryDir> home = std::make_shared<QTemporaryDir>(),
                   Geometry geometry = Geometry::Fresh);
    ~Story();

    app::MainWindow& window() { return *m_window; }
    /// The panel, dock or part of this kind in Analyse; null: there is none.
    template <typename Part>
    Part* part(const char* name = nullptr) {
        const auto* analyse = m_window->findChild<QObject*>(QStringLiteral("analyse"));
        return analyse->findChild<Part*>(name ? QString::fromLatin1(name) : QString());
    }
    app::AppSettings& settings() { return *m_settings; }
    app::Session& session() { return *m_window->session(); }
    Answers& answers() { return *m_answers; }
    QString path(const QString& name) const { return m_folder.filePath(name); }

    /// Three seconds of synthetic syllables with words and phones beside them, as NAME.wav and NAME.TextGrid.
    QString utterance(const QString& name, double seconds = 3) const;
    static QString model(); ///< resources/demo/model

    void open(const QStringList& files);
    /// Nothing is read, computed or prepared any more.
    bool quiet(int milliseconds = 60000);
    /// open() and quiet(). False also where the worker could not be started: messages() says why.
    bool openAndWait(const QStringList& files);
    /// Of the current utterance and model.
    const app::AnalysisResult* result();
    QString messages();
    void key(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);

private:
    std::shared_ptr<QTemporaryDir> m_home;
    QTemporaryDir m_folder;
    std::unique_ptr<app::AppSettings> m_settings;
    std::unique_ptr<app::ThemeSwitch> m_theme;
    std::unique_ptr<app::MainWindow> m_window;
    Answers* m_answers = nullptr;
};

} // namespace headroom::testing
