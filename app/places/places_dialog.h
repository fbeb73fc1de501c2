// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/places/place_checker.h"
#include "core/places/place.h"

#include <QDialog>

#include <functional>

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QTabWidget;

namespace headroom::app {

class CopiesPanel;
class PlaceStore;

/// The places of this user: the list, the fields of one, what a test of it found, and what was copied there. A change is kept with
/// Save, and when Install has brought the worker there; whoever leaves the place before is asked. Test and Install take what the fields say.
/// Window's thread.
class PlacesDialog : public QDialog {
    Q_OBJECT

public:
    explicit PlacesDialog(PlaceStore* store, QWidget* parent = nullptr);

    /// Shows a place of the list; an empty or unknown name: a new one.
    void showPlace(const QString& name);
    Place place() const; ///< what stands in the fields
    QString sentence() const;
    const QList<Check>& checks() const;
    CopiesPanel* copies() const { return m_copies; }
    void showCopies(); ///< as the tab does
    bool isChanged() const; ///< what stands in the fields is not what is kept
    /// The worker is being copied to a place, or removed from it: this goes on when the dialogue is closed.
    bool isWorking() const;
    bool save();
    void test();
    /// Copies the worker there, without asking.
    void install();
    /// The command that a sentence tells the user to type, or an empty text.
    static QString lineToType(const QString& sentence);

    void done(int result) override;

Q_SIGNALS:
    /// How *Install…* or *Remove worker…* ended while the dialogue was closed: with `done`, or for what the sentence says.
    void workEnded(const QString& place, bool done, const QString& sentence);

private:
    /// Calls `then`, unless there are changes: then the user says whether they are saved, or stays.
    void leave(const std::function<void()>& then);
    static QList<Check> notTested();
    static QString savedText() { return tr("Saved."); }
    void showChange();
    void askToInstall();
    void askToRemove();
    void askToRemoveWorker();
    void makeFields();
    QWidget* makeSide();
    void fillList();
    void takeChange();
    void setFields(const Place& place);
    void showKind();
    void say(const QString& sentence, bool wrong);
    void sayMistake(const QString& sentence); ///< of the fields, until they are changed
    void setTesting(bool testing);
    void showRemoval();
    void takeEnd(bool usable, const QList<Check>& checks, const QString& sentence);
    void askUnsaved(void (PlaceChecker::*work)(const Place&), const QString& sentence); ///< "%1" is the name of the place
    void showAsking(const QString& place, const QString& sentence);
    QString whyNotAsked() const;   ///< why nothing can be asked of the place now; empty: it can
    QString whyNotChanged() const; ///< why no other place can be shown now; empty: it can

    PlaceStore* m_store;
    bool m_testing = false;
    bool m_isMistaken = false; ///< the sentence says what is wrong with the fields
    PlaceChecker m_checker;
    QString m_asked; ///< the place that it asks
    Place m_askedPlace; ///< the same, as it was tested or installed
    QString m_shown; ///< name in the file; empty: a new one
    Place m_filled;  ///< what the fields were filled with
    QListWidget* m_list;
    QLineEdit *m_name, *m_host, *m_folder, *m_worker, *m_partition, *m_time, *m_account;
    QComboBox *m_kind, *m_device;
    QSpinBox *m_gpus, *m_nodes;
    QPlainTextEdit* m_lines;
    QWidget* m_slurm;
    ChecksPanel* m_checks;
    CopiesPanel* m_copies;
    QTabWidget* m_tabs; ///< test and copies
    QLabel* m_sentence;
    QPushButton *m_add, *m_remove, *m_test, *m_install, *m_uninstall, *m_copyLine, *m_save;
};

} // namespace headroom::app
