// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

#include <functional>

class QAction;
class QWidget;

namespace headroom::app {

/// One item of the tool bar: a button for an action, a field, a switch, or a gap. A value.
struct ToolBarItem {
    enum class Kind { Gap, Icon, Text, Field, Switch };
    Kind kind = Kind::Gap;
    QAction* action = nullptr;                     ///< Icon, Text; borrowed
    QString word; ///< Text; empty: made from the action's text. Switch: its name
    std::function<QWidget*(QWidget* parent)> make; ///< Field
    QList<QAction*> segments = {};                 ///< Switch: of which one is checked; borrowed

    static ToolBarItem gap() { return {}; }
    static ToolBarItem icon(QAction* action) { return {Kind::Icon, action, {}, {}}; }
    static ToolBarItem text(QAction* action, const QString& word = {}) {
        return {Kind::Text, action, word, {}};
    }
    static ToolBarItem switchOf(const QString& name, const QList<QAction*>& segments) {
        return {Kind::Switch, nullptr, name, {}, segments};
    }
    static ToolBarItem field(std::function<QWidget*(QWidget*)> make) {
        return {Kind::Field, nullptr, {}, std::move(make)};
    }
};

} // namespace headroom::app
