// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QAction;
class QWidget;

namespace headroom::app {

/// One item of the tool bar: a button for an action, a field, or a gap. A value.
struct ToolBarItem {
    enum class Kind { Gap, Icon, Text, Field };
    Kind kind = Kind::Gap;
    QAction* action = nullptr;                     ///< Icon, Text; borrowed
    QString word;                                  ///< Text; empty: made from the action's text
    std::function<QWidget*(QWidget* parent)> make; ///< Field

    static ToolBarItem gap() { return {}; }
    static ToolBarItem icon(QAction* action) { return {Kind::Icon, action, {}, {}}; }
    static ToolBarItem text(QAction* action, const QString& word = {}) {
        return {Kind::Text, action, word, {}};
    }
    static ToolBarItem field(std::function<QWidget*(QWidget*)> make) {
        return {Kind::Field, nullptr, {}, std::move(make)};
    }
};

} // namespace headroom::app
