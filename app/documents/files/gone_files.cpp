// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/files/gone_files.h"

#include "app/documents/items/paths.h"

namespace headroom::app {

void GoneFiles::set(const std::set<std::filesystem::path>& gone, const QString& one, const QString& many) {
    if (gone == m_gone)
        return;
    m_gone = gone;
    m_messages->settle(m_cause);
    if (!gone.empty())
        m_messages->post(Severity::Warning, gone.size() == 1 ? one.arg(toQString(*gone.begin())) : many.arg(gone.size()), {}, {}, {m_cause});
}

} // namespace headroom::app
