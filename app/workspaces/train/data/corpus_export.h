// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspaces/train/data/corpus_reader.h"

#include <QObject>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

class QAction;
class QMenu;
class QWidget;

namespace headroom::app {

/// Writes the tables of another toolkit for the corpus that is shown, on another thread. Nothing in the corpus is changed.
/// Window's thread.
class CorpusExport : public QObject {
    Q_OBJECT

public:
    explicit CorpusExport(QWidget* parent);
    ~CorpusExport() override;
    QAction* action() const { return m_action; } ///< with a menu of the forms
    QMenu* menu() const { return m_menu; }
    void setCorpus(const std::shared_ptr<const ReadCorpus>& read); ///< null: none
    bool isRunning() const { return m_running; }
    /// Into `folder` if it is empty or not there yet, else into a new folder NAME-KIND in it.
    void exportAs(const std::string& kind, const std::filesystem::path& folder);

    /// Asks for a folder; replaced in tests. Empty: given up.
    std::function<QString(const QString& title)> askFolder;

Q_SIGNALS:
    void exported(const QString& folder);
    void failed(const QString& sentence);
    void ended(); ///< after either

private:
    void update();

    std::shared_ptr<const ReadCorpus> m_read;
    QAction* m_action;
    QMenu* m_menu;
    bool m_running = false;
};

} // namespace headroom::app
