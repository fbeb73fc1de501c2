// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/demo_corpora.h"

#include "app/documents/items/paths.h"

#include <QStandardPaths>

namespace headroom::app {

std::filesystem::path demoCorpusFolder(DemoCorpus kind) {
    return toPath(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)) / "headroom" / "corpora" /
           (kind == DemoCorpus::Text ? "demo-text" : "demo");
}

} // namespace headroom::app
