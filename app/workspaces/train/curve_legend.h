// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

namespace headroom::app {

/// The compared runs in a row: line, name, what is drawn of them. What does not fit is counted at the end. Window's
/// thread.
class CurveLegend : public QWidget {
    Q_OBJECT

public:
    struct Entry {
        int style;
        QString name, detail;
    };
    explicit CurveLegend(QWidget* parent = nullptr);
    void setEntries(std::vector<Entry> entries);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<Entry> m_entries;
};

} // namespace headroom::app
