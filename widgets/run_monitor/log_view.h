// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/look/text_field.h"

#include <QTimer>

namespace headroom::widgets {

/// The growing log of a run: read-only, searchable, with the newest line visible while following. Keeps at
/// most 20,000 lines. Warnings, errors and best scores are coloured. Window's thread only.
class LogView : public TextField {
    Q_OBJECT

public:
    explicit LogView(QWidget* parent = nullptr);

    void clearLog();
    /// Whole lines; a leading UTC time is shown as local time. Of many lines those behind the first come in later turns of the event
    /// loop, so that a talkative run leaves time for everything else.
    void append(const QString& text);
    bool isAppending() const { return !m_waiting.isEmpty(); } ///< lines are yet to come
    bool isFollowing() const { return m_follows; }
    void setFollows(bool follows);
    /// Marks every occurrence of `text` and goes to the next one after the cursor; false if there is none.
    bool findNext(const QString& text);

Q_SIGNALS:
    void followsChanged(bool follows);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void toEnd();
    void appendSome();

    QStringList m_waiting; ///< lines
    QTimer m_next;
    bool m_follows = true;
    bool m_appending = false;
};

} // namespace headroom::widgets
