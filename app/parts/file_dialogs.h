// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <memory>
#include <optional>

class QWidget;

namespace headroom::app {

/// Every question that needs a dialogue, in one replaceable object: tests answer without one.
class FileDialogs {
public:
    virtual ~FileDialogs() = default;
    virtual QStringList openAudio(QWidget* parent, const QString& folder);
    /// `filter`: "Architectures (*.json)".
    virtual QString openFile(QWidget* parent, const QString& title, const QString& folder,
                             const QString& filter);
    virtual QString openFolder(QWidget* parent, const QString& title, const QString& folder);
    /// A recording, or the folder to look for it in.
    virtual QString openSoundOrFolder(QWidget* parent, const QString& title, const QString& folder);
    /// A model's folder: one of the user's Hugging Face cache, or any other. Where the cache has no speech model,
    /// openFolder is asked at once.
    virtual QString openModel(QWidget* parent, const QString& title, const QString& folder);
    /// `filters`: "PDF (*.pdf)" …; the answer has a suffix. Empty: given up. `names`: what is suggested with each filter, where the files
    /// hold something else: names with endings, the first being that of `suggested`.
    virtual QString save(QWidget* parent, const QString& title, const QString& suggested,
                         const QStringList& filters, const QStringList& names = {});

    /// A new name for what is called `now`; nullopt: given up.
    virtual std::optional<QString> askName(QWidget* parent, const QString& title, const QString& label,
                                           const QString& now);

    /// One of `choices`, the first being offered; nullopt: given up.
    virtual std::optional<int> askChoice(QWidget* parent, const QString& title, const QString& label, const QStringList& choices);

    enum class Unsaved { Save, Discard, Cancel };
    /// What to do with a session that has changes, before it is closed for good. `wasSaved`: it has a folder, with all but these.
    virtual Unsaved askUnsaved(QWidget* parent, const QString& name, bool wasSaved);

    enum class Changed { Overwrite, SaveAs, Reload, Cancel };
    /// What to do with a session that was saved after the changes of this window began: by another window, or (`savedHere`) by the
    /// one whose unsaved changes were restored here.
    virtual Changed askChanged(QWidget* parent, const QString& name, bool savedHere);
    /// The same of an edited file that another program has written since it was opened or saved. To reload it loses no edits
    /// (Drafts::openDocument).
    virtual Changed askFileChanged(QWidget* parent, const QString& file);
};

/// The dialogues in use. Everything that asks borrows this one object, so that tests can put their answers in
/// place at any time. Window's thread.
class Dialogs {
public:
    FileDialogs* operator->() const { return m_current.get(); }
    FileDialogs& operator*() const { return *m_current; }
    void replace(std::unique_ptr<FileDialogs> dialogs) { m_current = std::move(dialogs); }

private:
    std::unique_ptr<FileDialogs> m_current = std::make_unique<FileDialogs>(); ///< never null
};

} // namespace headroom::app
