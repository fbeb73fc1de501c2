// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace headroom::app {

/// The line under a tab's numbers: what was left out or is missing, and the way to it: “Read all layers”,
/// with a bar while they are read. Window's thread.
class MetricsNote : public QWidget {
    Q_OBJECT

public:
    explicit MetricsNote(QWidget* parent = nullptr);

    void setSentence(const QString& sentence);
    QString sentence() const;
    /// The button's words; empty: nothing is missing.
    void setOffer(const QString& text);
    /// While layers are read; `total` 0: nothing is.
    void setProgress(int done, int total);
    QPushButton* button() const { return m_button; }

Q_SIGNALS:
    void wanted();

private:
    QLabel* m_label;
    QProgressBar* m_bar;
    QPushButton* m_button;
    bool m_offered = false;
};

} // namespace headroom::app
