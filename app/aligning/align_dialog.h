// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/open_utterance.h"

#include <QDialog>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace headroom::app {

class FileDialogs;
class PathField;

/// What is said in a recording, and where the TextGrid goes. The text is that of NAME.txt beside the
/// recording, else of the alignment that is open. Never writes over a file without being told to: a file that
/// is there must have been chosen with “Choose…”. Window's thread.
class AlignDialog : public QDialog {
    Q_OBJECT

public:
    AlignDialog(const OpenUtterance& utterance, FileDialogs& dialogs, QWidget* parent = nullptr);

    QString text() const;
    std::filesystem::path file() const;
    QPlainTextEdit* textField() const { return m_text; }
    PathField* fileField() const { return m_file; }
    QPushButton* alignButton() const { return m_align; }

    /// “built-in aligner, median error 23 ms …” from a record (training/alignment/README.md); empty where
    /// there is none.
    static QString promise(const std::filesystem::path& record);

private:
    void choose();
    void check();

    FileDialogs& m_dialogs;
    QPlainTextEdit* m_text;
    PathField* m_file;
    QLabel* m_sentence;
    QPushButton* m_align;
    QString m_chosen; ///< with the dialogue, which has asked about replacing
};

} // namespace headroom::app
