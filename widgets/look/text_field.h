// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMimeData>
#include <QPlainTextEdit>

namespace headroom::widgets {

/// A text of several lines: every one in the program, so that no key ends it. Qt 6.4.2 reads the first format of what it pastes
/// without asking whether there is one (QWidgetTextControl::insertFromMimeData, looking for Markdown), and crashes at Ctrl+V, or at
/// the middle button, while the clipboard is empty. All ways to paste lead through here.
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
