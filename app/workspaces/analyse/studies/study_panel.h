// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspaces/analyse/studies/study_form.h"

#include <QWidget>

class QAction;
class QListView;
class QPushButton;
class QStackedLayout;

namespace headroom::app {

class StudyList;

/// The Studies dock: every study with its state, and in its place the form of a new one. Asks the store and
/// says what it answers. Window's thread.
class StudyPanel : public QWidget {
    Q_OBJECT

public:
    StudyPanel(const StudyForm::Parts& parts, QAction* newStudy, QWidget* parent = nullptr);

    /// The form, with this kind where there is one.
    void showForm(std::optional<StudyKind> kind = {});
    void showList();
    bool showsForm() const;
    StudyForm* form() const { return m_form; }
    QListView* list() const { return m_view; }
    std::filesystem::path current() const; ///< empty: none
    void setCurrent(const std::filesystem::path& folder);
    /// Of messages that offer something of the study in this folder: they go when it is renamed or moved away.
    static QString causeOf(const std::filesystem::path& folder);
    /// "3, 1 running": for the dock's header.
    QString countText() const;

    /// Asks for a new name; replaced in tests. Empty: given up.
    std::function<QString(const QString& now)> askName;

Q_SIGNALS:
    void countChanged();
    void showInFolderRequested(const QString& path);
    void formShown(bool shown);
    void problem(const QString& sentence); ///< something asked for could not be done

private:
    QWidget* makeList(QAction* newStudy);
    QWidget* makeEmpty(QAction* newStudy);
    void refresh();
    void updateButtons();
    void ask(int row, int button);
    void run(const StudyRequest& request);
    void remove();
    void rename();
    void showTables();
    void say(const QString& sentence);

    StudyForm::Parts m_parts;
    StudyList* m_list;
    QListView* m_view = nullptr;
    StudyForm* m_form;
    QStackedLayout* m_pages;
    QPushButton *m_open = nullptr, *m_cancel = nullptr, *m_resume = nullptr;
    QAction *m_folder = nullptr, *m_remove = nullptr;
    QAction *m_rename = nullptr, *m_copyLeftOut = nullptr, *m_tables = nullptr;
    std::filesystem::path m_wanted; ///< becomes current when it is on the list
};

} // namespace headroom::app
