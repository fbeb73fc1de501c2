// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMimeData>
#include <QPlainTextEdit>

namespace headroom::widgets {

/// A text of several lines. The program uses no other, because Qt 6.4.2 crashes at Ctrl+V, or at the middle button, while the
/// clipboard is empty: it reads the first format of what it pastes without checking that there is one
/// (QWidgetTextControl::insertFromMimeData, looking for Markdown). All ways to paste lead through here.
class TextField : public QPlainTextEdit {
public:
    using QPlainTextEdit::QPlainTextEdit;

protected:
    void insertFromMimeData(const QMimeData* source) override {
        if (source && !source->formats().isEmpty())
            QPlainTextEdit::insertFromMimeData(source);
    }
};

} // namespace headroom::widgets
