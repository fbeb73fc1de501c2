// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/access_keys.h"

#include "app/parts/action_button.h"

#include <QAbstractButton>
#include <QDialog>
#include <QHash>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>
#include <memory>
#include <utility>

namespace headroom::app {

namespace {

/// Where a letter is marked; −1: nowhere. "&&" is an "&" of the text.
qsizetype markIn(const QString& text) {
    for (qsizetype at = text.indexOf(u'&'); at >= 0; at = text.indexOf(u'&', at + 2))
        if (at + 1 < text.size() && text[at + 1] != u'&')
            return at;
    return -1;
}

/// A key does nothing for a row of fields, which takes no focus: it goes to the first of them.
QWidget* focusedBy(QWidget* field) {
    if (field->focusPolicy() == Qt::NoFocus)
        for (QWidget* part : field->findChildren<QWidget*>())
            if (part->focusPolicy() & Qt::TabFocus)
                return part;
    return field;
}

void keyFields(const QWidget* form, QString& taken) {
    for (QLabel* label : form->findChildren<QLabel*>()) {
        if (!label->buddy())
            continue;
        label->setBuddy(focusedBy(label->buddy()));
        label->setText(withAccessKey(label->text(), taken));
    }
}

/// The letters of buttons, but for one, and of fields that are written with one.
QString keysIn(const QWidget* window, const QAbstractButton* except) {
    QString taken;
    const auto add = [&](const QString& text) {
        if (const qsizetype mark = markIn(text); mark >= 0)
            taken += text.mid(mark + 1, 1);
    };
    for (const QAbstractButton* button : window->findChildren<QAbstractButton*>())
        if (button != except)
            add(button->text());
    for (const QLabel* label : window->findChildren<QLabel*>())
        if (label->buddy())
            add(label->text());
    return taken;
}

/// 0: what Return does; 1: what closes the dialogue and keeps nothing; 2: the others. Return's button and Cancel have the letter
/// that one expects of them: Alt+A aligns, and no letter within its word cancels.
int rank(const QAbstractButton* button) {
    const auto* push = qobject_cast<const QPushButton*>(button);
    if (push && push->isDefault())
        return 0;
    for (const QString& text : {QDialog::tr("Cancel"), QDialog::tr("Close")})
        if (button->text() == text)
            return 1;
    return 2;
}

} // namespace

QString asActionText(QString name) {
    return name.replace(u'&', QLatin1String("&&"));
}

QString withoutAccessKey(const QString& text) {
    QString plain;
    for (qsizetype at = 0; at < text.size(); ++at) {
        at += text[at] == u'&' && at + 1 < text.size();
        plain += text[at];
    }
    return plain;
}

QString withAccessKey(const QString& text, QString& taken) {
    const qsizetype end = text.contains(QLatin1Char('\t')) ? text.indexOf(QLatin1Char('\t')) : text.size(); // its key stands behind
    if (markIn(text) >= 0)
        return text;
    for (const bool firstOfWord : {true, false})
        for (qsizetype at = 0; at < end; ++at)
            if (text[at].isLetterOrNumber() && (!firstOfWord || at == 0 || text[at - 1].isSpace()) &&
                !taken.contains(text[at], Qt::CaseInsensitive)) {
                taken += text[at];
                return QString(text).insert(at, QLatin1Char('&'));
            }
    return text;
}

void giveAccessKeys(QMenu* menu) {
    using Texts = QHash<QAction*, std::pair<QString, QString>>; // as it was, and with its key
    const auto texts = std::make_shared<Texts>();
    // Other views of an action need not hear of it.
    const auto write = [](QAction* action, const QString& text) {
        const QSignalBlocker quiet(action);
        action->setText(text);
    };
    QObject::connect(menu, &QMenu::aboutToShow, menu, [menu, texts, write] {
        QString taken;
        for (QAction* action : menu->actions()) {
            if (action->menu() && !action->menu()->property("hasAccessKeys").toBool())
                giveAccessKeys(action->menu());
            if (action->isSeparator() || !action->isVisible())
                continue;
            const QString plain = action->text(), keyed = withAccessKey(plain, taken);
            texts->insert(action, {plain, keyed});
            write(action, keyed);
        }
    });
    QObject::connect(menu, &QMenu::aboutToHide, menu, [menu, texts, write] {
        for (QAction* action : menu->actions())
            if (const auto found = texts->constFind(action); found != texts->constEnd() && action->text() == found->second)
                write(action, found->first);
        texts->clear();
    });
    menu->setProperty("hasAccessKeys", true);
}

void setTextWithKey(QAbstractButton* button, const QString& text) {
    if (markIn(button->text()) < 0)
        return button->setText(text);
    QString taken = keysIn(button->window(), button);
    button->setText(withAccessKey(text, taken));
}

void giveAccessKeys(QDialog* dialog) {
    QString taken = keysIn(dialog, nullptr);
    QList<QAbstractButton*> buttons = dialog->findChildren<QAbstractButton*>();
    std::stable_sort(buttons.begin(), buttons.end(), [](const auto* one, const auto* other) { return rank(one) < rank(other); });
    for (QAbstractButton* button : buttons)
        if (!qobject_cast<ActionButton*>(button)) // which paints its words itself
            button->setText(withAccessKey(button->text(), taken));
    keyFields(dialog, taken);
}

void giveAccessKeys(QWidget* form, const QMenuBar* menus) {
    QString taken;
    if (menus)
        for (const QAction* menu : menus->actions())
            if (const qsizetype mark = markIn(menu->text()); mark >= 0)
                taken += menu->text().mid(mark + 1, 1);
    keyFields(form, taken);
}

} // namespace headroom::app
