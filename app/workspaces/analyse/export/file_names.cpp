// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/export/file_names.h"

#include <QRegularExpression>

namespace headroom::app {

QString fileNameOf(const QStringList& parts) {
    static const QRegularExpression others(QStringLiteral("[^\\p{L}\\p{M}\\p{N}._+]+"));
    QStringList names;
    for (const QString& part : parts) {
        QString name = part;
        name.replace(others, QStringLiteral("-"));
        while (name.startsWith(u'-'))
            name.remove(0, 1);
        while (name.endsWith(u'-'))
            name.chop(1);
        if (!name.isEmpty())
            names << name;
    }
    return names.join(u'-');
}

QString mapInFileName(const MapSource& source) {
    return source.isMixing() ? QString::fromStdString(nameOf(source.mixing)) : QString::fromStdString(sourceText(source));
}

} // namespace headroom::app
