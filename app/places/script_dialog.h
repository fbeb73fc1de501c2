// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include <filesystem>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace headroom::app {

/// The script of a run at a Slurm cluster, job.sh of its folder here. While the run is held it can be changed
/// and sent; else it can be read. Window's thread.
class ScriptDialog : public QDialog {
    Q_OBJECT

public:
    explicit ScriptDialog(const std::filesystem::path& run, QWidget* parent = nullptr);

    bool canSend() const;

Q_SIGNALS:
    void sendRequested(const QString& text);

protected:
    /// What was changed is kept for the next time.
    void done(int result) override;

private:
    void keep();

    std::filesystem::path m_run;
    bool m_held = false;
    QPlainTextEdit* m_text;
    QLabel* m_sentence;
    QPushButton* m_send;
};

} // namespace headroom::app
