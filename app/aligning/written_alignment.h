// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/files/wastebasket.h"
#include "core/alignment/text_grid.h"

#include <QByteArray>
#include <QString>

#include <filesystem>
#include <optional>
#include <string>

namespace headroom::app {

/// The TextGrid that *Align…* wrote: undoing the alignment undoes the file, too, which would be found beside the recording at the
/// next start. A file that holds anything else by then is left alone. Window's thread.
class WrittenAlignment {
public:
    /// Writes it in the place of any that is there. Throws Error "alignment.unwritable".
    WrittenAlignment(std::filesystem::path file, const TextGrid& grid);

    const std::filesystem::path& file() const { return m_file; }
    const std::string& sha256() const { return m_sha256; }   ///< of what was written
    bool replacedAnother() const { return m_before.has_value(); } ///< it was in the place of a file
    void setFile(const std::filesystem::path& file) { m_file = file; } ///< the session took it along when it was saved elsewhere
    /// Puts the file to the wastebasket, or the one before back in its place. Returns a sentence if it stays; else empty.
    QString takeBack();
    /// The opposite; writes it again if it is no longer in the wastebasket.
    QString bringBack();

private:
    QString write(const QByteArray& bytes) const;

    std::filesystem::path m_file;
    std::optional<QByteArray> m_before; ///< what it replaced
    QByteArray m_written;
    std::string m_sha256;
    bool m_isTakenBack = false;
    InWastebasket m_moved;
};

} // namespace headroom::app
