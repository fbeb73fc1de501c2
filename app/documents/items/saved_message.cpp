// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/items/saved_message.h"

#include "app/documents/items/messages.h"

#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QUrl>

namespace headroom::app {

void announceSaved(Messages* messages, const QString& file, const QString& remark) {
    QString sentence = Messages::tr("Saved %1.").arg(QDir::toNativeSeparators(file));
    if (!remark.isEmpty())
        sentence += QLatin1Char(' ') + remark;
    messages->post(Severity::Good, sentence, Messages::tr("Show in folder"),
                   [folder = QFileInfo(file).absolutePath()] { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); });
}

} // namespace headroom::app
