// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/file_dialogs.h"

#include "app/documents/files/session_file.h"
#include "app/parts/exported_view.h"
#include "app/parts/free_memory.h"
#include "app/parts/model_chooser.h"
#include "core/audio/sound_endings.h"
#include "widgets/look/file_icons.h"

#include <QAbstractButton>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QInputDialog>
#include <QLineEdit>
#include <QListView>
#include <QMessageBox>
#include <QPushButton>
#include <QScreen>
#include <QSet>
#include <QTreeView>

#include <algorithm>

namespace headroom::app {

namespace {

/// While a path is typed, Qt 6.4 chooses each folder that it passes and takes the last one back with Toggle, after which
/// QItemSelectionModel::isRowSelected() compares rows whatever their folders: one stays chosen beside the file, and Enter goes
/// there. Of several names in quotes it takes those that the list shows, and drops any other without a word. Without a choice in the list
/// the dialogue takes what is written.
void takeTypedPaths(QFileDialog& dialog) {
    auto* name = dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
    auto* files = dialog.findChild<QListView*>(QStringLiteral("listView"));
    if (!name || !files) // the desktop's dialogue
        return;
    QObject::connect(name, &QLineEdit::textChanged, files, [name, files](const QString& text) {
        if (name->hasFocus() && (text.contains(QLatin1Char('/')) || text.contains(QLatin1Char('"'))))
            files->selectionModel()->clearSelection();
    });
}

/// Where the desktop has no dialogue of its own, Qt's gets the program's icons and room for its columns.
void dress(QFileDialog& dialog) {
    static widgets::FileIcons icons;
    dialog.setIconProvider(&icons);
    dialog.resize(dialog.sizeHint().expandedTo({900, 560}).boundedTo(dialog.screen()->availableSize()));
    if (auto* files = dialog.findChild<QTreeView*>(QStringLiteral("treeView"))) { // the name takes what the rest leaves
        files->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
        files->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    }
    takeTypedPaths(dialog);
}

/// "PDF (*.pdf)" → ".pdf"; empty: any ending.
QString endingOf(const QString& filter) {
    const auto star = filter.indexOf(QLatin1Char('*'));
    return star < 0 ? QString() : filter.mid(star + 1, filter.indexOf(QLatin1Char(')'), star) - star - 1);
}

/// Whether a name ends in the extension of a kind of file, as "a.png" does, and not just in something after a dot ("take 1.5").
bool namesKind(const QString& file) {
    static const QSet<QString> kKinds{QStringLiteral("csv"), QStringLiteral("doc"),  QStringLiteral("eps"), QStringLiteral("gif"),
                                      QStringLiteral("jpeg"), QStringLiteral("jpg"), QStringLiteral("json"), QStringLiteral("mat"),
                                      QStringLiteral("md"),  QStringLiteral("npy"),  QStringLiteral("npz"), QStringLiteral("pdf"),
                                      QStringLiteral("png"), QStringLiteral("svg"),  QStringLiteral("tex"), QStringLiteral("tif"),
                                      QStringLiteral("tiff"), QStringLiteral("tsv"), QStringLiteral("txt"), QStringLiteral("wav"),
                                      QStringLiteral("webp"), QStringLiteral("xls"), QStringLiteral("xlsx")};
    return kKinds.contains(QFileInfo(file).suffix().toLower());
}

/// A dialogue that saves. What has a fixed ending may be a folder, as a session is: one that stands there already is something to
/// save to, not a way into the folder.
class SaveDialog : public QFileDialog {
public:
    SaveDialog(QWidget* parent, const QString& title, const QString& suggested, const QStringList& filters, const QStringList& names)
        : QFileDialog(parent, title, QFileInfo(suggested).absolutePath())
        , m_folders(filters.size() == 1 && endingOf(filters.first()) == QLatin1String(kSessionSuffix)) {
        setAcceptMode(QFileDialog::AcceptSave);
        setNameFilters(filters);
        setOption(QFileDialog::DontConfirmOverwrite); // asked about the name with its ending, which Qt does not know
        selectFile(QFileInfo(suggested).fileName());
        dress(*this);
        connect(this, &QFileDialog::directoryEntered, this, [this](const QString& entered) {
            const QFileInfo folder(QDir::cleanPath(entered));
            if (!isSession(folder.absoluteFilePath()))
                return;
            setDirectory(folder.absolutePath());
            if (auto* name = nameField())
                name->setText(folder.fileName());
        });
        sayThatItSaves();
        if (!names.isEmpty())
            connect(this, &QFileDialog::filterSelected, this, [this, names](const QString& filter) { suggestFor(filter, names); });
    }

    /// With its ending; empty: given up.
    QString ask() {
        m_folder.clear();
        if (exec() != Accepted)
            return {};
        const QString file = m_folder.isEmpty() ? selectedFiles().value(0) : m_folder;
        // Whoever types the ending of another kind of file means it, and is told; a session may have any name.
        const bool isNamed = isOffered(file) || (!m_folders && namesKind(file));
        return file.isEmpty() || isNamed ? file : file + endingOf(selectedNameFilter());
    }
    /// It ends in one of the endings that can be saved.
    bool isOffered(const QString& file) const {
        const QStringList filters = nameFilters();
        return std::ranges::any_of(filters, [&](const QString& filter) { return file.endsWith(endingOf(filter), Qt::CaseInsensitive); });
    }
    void sayEndings(const QString& file) {
        QStringList suffixes;
        for (const QString& filter : nameFilters())
            suffixes << endingOf(filter).mid(1);
        suffixes.removeDuplicates();
        QMessageBox box(QMessageBox::NoIcon, windowTitle(),
                        QMessageBox::tr("“%1” cannot be saved as .%2.").arg(QFileInfo(file).fileName(), QFileInfo(file).suffix()),
                        QMessageBox::Ok, parentWidget());
        box.setInformativeText(QMessageBox::tr("Choose a name that ends in %1.").arg(listedEndings(suffixes)));
        box.exec();
    }

protected:
    void accept() override {
        if (const auto* name = nameField(); name && !name->text().isEmpty()) {
            const QString path = QDir::cleanPath(directory().absoluteFilePath(name->text()));
            if (isSession(path)) {
                m_folder = path;
                return QDialog::accept();
            }
        }
        QFileDialog::accept();
    }

private:
    /// Until another name is typed. Qt changes the ending.
    void suggestFor(const QString& filter, const QStringList& names) {
        const QString now = QFileInfo(selectedFiles().value(0)).completeBaseName();
        const auto isSuggested = [&now](const QString& name) { return QFileInfo(name).completeBaseName() == now; };
        if (const auto at = nameFilters().indexOf(filter); at >= 0 && at < names.size() && std::ranges::any_of(names, isSuggested))
            selectFile(names[at]);
    }
    /// Qt's button offers to open what is a folder.
    void sayThatItSaves() {
        auto* name = nameField();
        auto* buttons = findChild<QDialogButtonBox*>();
        QPushButton* save = buttons ? buttons->button(QDialogButtonBox::Save) : nullptr;
        if (!name || !save)
            return;
        const auto say = [this, name, save] {
            if (isSession(QDir::cleanPath(directory().absoluteFilePath(name->text()))))
                save->setText(QFileDialog::tr("&Save"));
        };
        connect(name, &QLineEdit::textChanged, this, say, Qt::QueuedConnection); // after Qt's own
        connect(this, &QFileDialog::currentChanged, this, say, Qt::QueuedConnection);
        connect(this, &QFileDialog::directoryEntered, this, say, Qt::QueuedConnection);
        QMetaObject::invokeMethod(this, say, Qt::QueuedConnection);
    }
    QLineEdit* nameField() const { return findChild<QLineEdit*>(QStringLiteral("fileNameEdit")); } ///< null: the desktop's dialogue
    bool isSession(const QString& path) const {
        return m_folders && path.endsWith(QLatin1String(kSessionSuffix)) && QFileInfo(path).isDir();
    }

    bool m_folders;
    QString m_folder; ///< chosen
};

QStringList soundPatterns() {
    QStringList patterns;
    for (const std::string_view ending : kSoundEndings) {
        const QString suffix = QString::fromLatin1(ending.data(), static_cast<qsizetype>(ending.size()));
        patterns << QLatin1Char('*') + suffix << QLatin1Char('*') + suffix.toUpper();
    }
    return patterns;
}

bool mayReplace(QWidget* parent, const QString& title, const QString& file) {
    QMessageBox box(QMessageBox::NoIcon, title, QMessageBox::tr("“%1” already exists. Replace it?").arg(QFileInfo(file).fileName()),
                    QMessageBox::Cancel, parent);
    box.setInformativeText(QMessageBox::tr("Its current contents will be lost."));
    const QAbstractButton* replace = box.addButton(QMessageBox::tr("Replace"), QMessageBox::DestructiveRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    return box.clickedButton() == replace;
}

} // namespace

QStringList FileDialogs::openAudio(QWidget* parent, const QString& folder) {
    const QStringList patterns = QStringList{QStringLiteral("*.TextGrid"), QStringLiteral("*.ctm"), QStringLiteral("*.tsv"),
                                             QStringLiteral("*.csv"),      QStringLiteral("*.phn"), QStringLiteral("*.alignment.txt")} +
                                 soundPatterns();
    QFileDialog dialog(parent, QFileDialog::tr("Open audio"), folder);
    dialog.setFileMode(QFileDialog::ExistingFiles);
    dialog.setNameFilters(
        {QFileDialog::tr("Audio and alignments (%1)").arg(patterns.join(QLatin1Char(' '))),
         QFileDialog::tr("All files (*)")});
    // Forty patterns would make the dialogue wider than the screen; the words say the same.
    dialog.setOption(QFileDialog::HideNameFilterDetails);
    dress(dialog);
    return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles() : QStringList();
}

QString FileDialogs::openFile(QWidget* parent, const QString& title, const QString& folder,
                              const QString& filter) {
    QFileDialog dialog(parent, title, folder);
    dialog.setFileMode(QFileDialog::ExistingFile);
    dialog.setNameFilters({filter, QFileDialog::tr("All files (*)")});
    dress(dialog);
    return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

QString FileDialogs::openFolder(QWidget* parent, const QString& title, const QString& folder) {
    QFileDialog dialog(parent, title, folder);
    dialog.setFileMode(QFileDialog::Directory);
    dialog.setOption(QFileDialog::ShowDirsOnly);
    dress(dialog);
    return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

QString FileDialogs::openSoundOrFolder(QWidget* parent, const QString& title, const QString& folder) {
    QFileDialog dialog(parent, title, folder);
    dialog.setOption(QFileDialog::DontUseNativeDialog); // those of desktops open either files or folders
    dialog.setOption(QFileDialog::HideNameFilterDetails);
    dialog.setFileMode(QFileDialog::ExistingFile);
    dialog.setNameFilters({QFileDialog::tr("Recordings (%1)").arg(soundPatterns().join(QLatin1Char(' '))), QFileDialog::tr("All files (*)")});
    dress(dialog);
    QString searched;
    if (auto* box = dialog.findChild<QDialogButtonBox*>()) {
        auto* search = box->addButton(QFileDialog::tr("Search this folder"), QDialogButtonBox::ActionRole);
        search->setToolTip(QFileDialog::tr("Look for it in the folder that is chosen or shown, also under another name."));
        QObject::connect(search, &QPushButton::clicked, &dialog, [&] {
            const QString chosen = dialog.selectedFiles().value(0);
            searched = QFileInfo(chosen).isDir() ? chosen : dialog.directory().absolutePath();
            static_cast<QDialog&>(dialog).done(QDialog::Accepted);
        });
    }
    if (dialog.exec() != QDialog::Accepted)
        return {};
    return searched.isEmpty() ? dialog.selectedFiles().value(0) : searched;
}

QString FileDialogs::openModel(QWidget* parent, const QString& title, const QString& folder) {
    const auto cache = hubCacheFolder();
    if (const auto models = cachedSpeechModels(cache); !models.empty()) {
        ModelChooser chooser(models, cache, freeMemory(), parent);
        if (chooser.exec() != QDialog::Accepted)
            return {};
        if (!chooser.wantsAnotherFolder())
            return chooser.folder();
    }
    return openFolder(parent, title, folder);
}

QString FileDialogs::save(QWidget* parent, const QString& title, const QString& suggested,
                          const QStringList& filters, const QStringList& names) {
    SaveDialog dialog(parent, title, suggested, filters, names);
    for (;;) {
        const QString file = dialog.ask();
        if (!file.isEmpty() && !dialog.isOffered(file)) {
            dialog.sayEndings(file);
            continue;
        }
        if (file.isEmpty() || !QFileInfo::exists(file) || mayReplace(parent, title, file))
            return file;
    }
}

std::optional<QString> FileDialogs::askName(QWidget* parent, const QString& title, const QString& label,
                                            const QString& now) {
    QInputDialog dialog(parent);
    dialog.setWindowTitle(title);
    dialog.setLabelText(label);
    dialog.setTextValue(now);
    dialog.resize(dialog.sizeHint().expandedTo({480, 0})); // names are long
    return dialog.exec() == QDialog::Accepted ? std::optional(dialog.textValue()) : std::nullopt;
}

std::optional<int> FileDialogs::askChoice(QWidget* parent, const QString& title, const QString& label, const QStringList& choices) {
    QInputDialog dialog(parent);
    dialog.setWindowTitle(title);
    dialog.setLabelText(label);
    dialog.setComboBoxItems(choices);
    dialog.resize(dialog.sizeHint().expandedTo({480, 0})); // the title of the window is whole
    return dialog.exec() == QDialog::Accepted ? std::optional(int(choices.indexOf(dialog.textValue()))) : std::nullopt;
}

FileDialogs::Unsaved FileDialogs::askUnsaved(QWidget* parent, const QString& name, bool wasSaved) {
    QMessageBox box(QMessageBox::NoIcon, name,
                    (wasSaved ? QMessageBox::tr("“%1” has unsaved changes.") : QMessageBox::tr("“%1” has never been saved.")).arg(name),
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, parent);
    box.setInformativeText(wasSaved ? QMessageBox::tr("Changes since the last save will be lost if you discard them.")
                                    : QMessageBox::tr("The whole session will be lost if you discard it."));
    box.setDefaultButton(QMessageBox::Save);
    switch (box.exec()) {
    case QMessageBox::Save:
        return Unsaved::Save;
    case QMessageBox::Discard:
        return Unsaved::Discard;
    default:
        return Unsaved::Cancel;
    }
}

namespace {

FileDialogs::Changed howToSave(QWidget* parent, const QString& title, const QString& what, const QString& consequences) {
    QMessageBox box(QMessageBox::NoIcon, title, what, QMessageBox::Cancel, parent);
    box.setInformativeText(consequences);
    const QAbstractButton* saveAs = box.addButton(QMessageBox::tr("Save as…"), QMessageBox::AcceptRole);
    const QAbstractButton* reload = box.addButton(QMessageBox::tr("Reload"), QMessageBox::DestructiveRole);
    const QAbstractButton* overwrite = box.addButton(QMessageBox::tr("Overwrite"), QMessageBox::DestructiveRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    const QAbstractButton* clicked = box.clickedButton();
    return clicked == saveAs      ? FileDialogs::Changed::SaveAs
           : clicked == reload    ? FileDialogs::Changed::Reload
           : clicked == overwrite ? FileDialogs::Changed::Overwrite
                                  : FileDialogs::Changed::Cancel;
}

} // namespace

FileDialogs::Changed FileDialogs::askChanged(QWidget* parent, const QString& name, bool savedHere) {
    return howToSave(parent, name,
                     (savedHere ? QMessageBox::tr("This window saved “%1” after the restored changes were made.")
                                : QMessageBox::tr("Another window has saved “%1” since this one opened it."))
                         .arg(name),
                     savedHere ? QMessageBox::tr("Save under another name to keep both. Reloading discards the restored changes; "
                                                 "overwriting discards what was saved.")
                               : QMessageBox::tr("Save under another name to keep both. Reloading discards the changes of "
                                                 "this window; overwriting discards those of the other."));
}

FileDialogs::Changed FileDialogs::askFileChanged(QWidget* parent, const QString& file) {
    return howToSave(parent, file, QMessageBox::tr("Another program has changed “%1” since it was opened or saved here.").arg(file),
                     QMessageBox::tr("Save under another name to keep both. Reloading opens the file beside what was edited here; "
                                     "overwriting discards the other program's changes."));
}

} // namespace headroom::app
