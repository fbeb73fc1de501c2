// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

namespace headroom::widgets {

/// A run's log as it grows: read only, searchable, the newest line in sight while following. At most 20,000
/// lines are kept. Warnings, errors and best scores have their colours. Window's thread only.
class LogView : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit LogView(QWidget* parent = nullptr);

    void clearLog();
    void append(const QString& text); ///< whole lines; times in UTC at their start are shown as local ones
    bool isFollowing() const { return m_follows; }
    void setFollows(bool follows);
    /// Marks every place of `text` and goes to the next one after the cursor; false where there is none.
    bool findNext(const QString& text);

Q_SIGNALS:
    void followsChanged(bool follows);

protected:
    void changeEvent(QEvent* event) override;

private:
    void toEnd();

    bool m_follows = true;
    bool m_appending = false;
};

} // namespace headroom::widgets
