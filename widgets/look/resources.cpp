// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/resources.h"

#include <QDir>

// The macro declares a function of the global namespace, so it cannot stand inside ours.
static void initialiseHeadroomResources() {
    Q_INIT_RESOURCE(headroom);
}

namespace headroom::widgets {

void loadResources() {
    static const bool once = (initialiseHeadroomResources(), true);
    (void)once;
}

} // namespace headroom::widgets
