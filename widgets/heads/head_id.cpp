// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heads/head_id.h"

#include "widgets/look/translate.h"

namespace headroom::widgets {

QString headName(HeadId id) {
    return tr("layer %1, head %2").arg(id.layer + 1).arg(id.head + 1);
}

QString shortHeadName(HeadId id) {
    return QStringLiteral("L%1 H%2").arg(id.layer + 1).arg(id.head + 1);
}

} // namespace headroom::widgets
