// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/word_marks.h"

#include "widgets/look/theme.h"

namespace headroom::app {

QString missingWordMark(const QString& word) {
    return QStringLiteral("<s style=\"color:%1\">%2</s>").arg(widgets::Theme::current().error.name(), word);
}

QString addedWordMark(const QString& word) {
    return QStringLiteral("<u style=\"color:%1\">%2</u>").arg(widgets::Theme::current().good.name(), word);
}

} // namespace headroom::app
