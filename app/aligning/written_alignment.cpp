// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/aligning/written_alignment.h"

#include "app/documents/items/paths.h"
#include "core/errors/error.h"
#include "core/tensors/atomic_file.h"
#include "core/tensors/sha256.h"

#include <QCoreApplication>
#include <QFile>

#include <span>
#include <utility>

namespace headroom::app {

namespace {

std::optional<QByteArray> bytesIn(const std::filesystem::path& file) {
    QFile opened(toQString(file));
    return opened.open(QIODevice::ReadOnly) ? std::optional(opened.readAll()) : std::nullopt;
}

QString translated(const char* text) {
    return QCoreApplication::translate("headroom::app::WrittenAlignment", text);
}

} // namespace

WrittenAlignment::WrittenAlignment(std::filesystem::path file, const TextGrid& grid) : m_file(normalised(file)), m_before(bytesIn(m_file)) {
    writeTextGrid(m_file, grid);
    m_written = bytesIn(m_file).value_or(QByteArray());
    m_sha256 = sha256OfBytes(std::as_bytes(std::span(m_written.constData(), static_cast<std::size_t>(m_written.size()))));
}

QString WrittenAlignment::takeBack() {
    const auto now = bytesIn(m_file);
    if (!now)
        return {}; // somebody removed it
    if (*now != m_written)
        return translated("%1 has been changed since Headroom wrote it, so it stays in its folder.").arg(toQString(m_file));
    const QString sentence = m_before ? write(*m_before) : moveToWastebasket(m_file, m_moved);
    m_isTakenBack = sentence.isEmpty();
    return sentence;
}

QString WrittenAlignment::bringBack() {
    const bool wasTakenBack = std::exchange(m_isTakenBack, false);
    const auto now = bytesIn(m_file);
    if (now == m_written || (now && !wasTakenBack)) // it stayed, maybe changed by somebody
        return {};
    if (now && now != m_before)
        return translated("%1 has been changed, so the alignment was not written into it again.").arg(toQString(m_file));
    // Once the wastebasket was emptied, another file may have its name there.
    if (!now && !m_moved.there.empty() && bytesIn(m_moved.there) == m_written && app::bringBack(m_moved).isEmpty())
        return {};
    return write(m_written);
}

QString WrittenAlignment::write(const QByteArray& bytes) const {
    try {
        writeAtomically(m_file, bytes.toStdString(), "alignment.unwritable");
        return {};
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
}

} // namespace headroom::app
