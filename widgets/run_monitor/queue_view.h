// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/run_monitor/queue_model.h"

#include <QTableView>
#include <QTimer>

#include <filesystem>

namespace headroom::widgets {

/// The queue as a table: state chips, bars, messages below failed rows, painted buttons at the end of a row
/// and in its menu. Emits requests; does nothing itself. Window's thread only.
class QueueView : public QTableView {
    Q_OBJECT

public:
    explicit QueueView(QWidget* parent = nullptr);

    QueueModel* queue() const { return m_queue; }
    std::filesystem::path currentPath() const; ///< empty: none
    void setCurrentPath(const std::filesystem::path& path);
    /// Returns the position of a row's painted button in the viewport; empty if it has none.
    QRect buttonRect(int row, QueueModel::Button button) const;
    /// Painted while there are no rows.
    void setEmptySentence(const QString& sentence);
    const QString& emptySentence() const { return m_emptySentence; }

Q_SIGNALS:
    void asked(headroom::widgets::QueueModel::Button button, const std::filesystem::path& path);
    void currentChosen(const std::filesystem::path& path);

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void setSpans();
    void applyMetrics();
    void fitColumns();
    int widest(int column) const; ///< of its texts, pixels
    int widestChip() const;       ///< of the states
    QList<QueueModel::Button> menuButtons(int row) const;
    QueueModel::Button buttonOf(int key, int row) const;
    std::pair<int, QueueModel::Button> buttonAt(QPoint position) const;

    QueueModel* m_queue;
    QString m_emptySentence;
    bool m_scrolledByHand = false;
    QTimer m_fitting; ///< once for all rows that changed together
};

} // namespace headroom::widgets
