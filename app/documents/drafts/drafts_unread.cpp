// SPDX-License-Identifier: GPL-3.0-or-later
// Architectures of a session that could not be read: nothing of them is lost.
#include "app/documents/drafts/drafts.h"
#include "app/documents/items/messages.h"
#include "core/tensors/atomic_file.h"

#include <algorithm>

namespace headroom::app {

using nlohmann::json;

namespace {

constexpr const char* kModelOfUnread = "model"; ///< its name, of a draft that does not fit it

/// What is offered as a file: the architecture alone, or, if there is none, all that the session has.
std::string textOfUnread(const json& document) {
    const json architecture = document.is_object() ? document.value("architecture", document) : document;
    return architecture.is_string() ? architecture.get<std::string>() : architecture.dump(2) + "\n";
}

std::string nameOfUnread(const json& document) {
    if (const json model = document.is_object() ? document.value(kModelOfUnread, json()) : json(); model.is_string())
        return model.get<std::string>();
    for (const char* key : {"base", "architecture"}) {
        const json one = document.is_object() ? document.value(key, json()) : json();
        const json read = one.is_string() ? json::parse(one.get_ref<const std::string&>(), nullptr, false) : one;
        if (const json name = read.is_object() ? read.value("name", json()) : json(); name.is_string() && name != "")
            return name.get<std::string>();
    }
    return {};
}

QString causeOfUnread(int number) {
    return QStringLiteral("unread architecture %1").arg(number);
}

} // namespace

void Drafts::keepUnread(json document, const QString& why) {
    const std::string text = textOfUnread(document);
    if (std::any_of(m_unread.begin(), m_unread.end(), [&](const auto& one) { return textOfUnread(one.second) == text; }))
        return; // session.json has it, and its view too
    const int number = ++m_lastUnread;
    m_unread[number] = std::move(document);
    m_messages->post(Severity::Warning,
                     tr("The architecture “%1” of the session could not be restored. %2 The session keeps it.").arg(unreadName(number), why),
                     tr("Save as a file…"), [this, number] { Q_EMIT unreadRequested(number); }, {causeOfUnread(number)});
}

void Drafts::keepOfOtherHeads(const QString& model, const Architecture& saved, json kept) {
    kept["architecture"] = canonicalText(saved);
    kept[kModelOfUnread] = model.toStdString();
    keepOfOtherHeads(std::move(kept));
}

bool Drafts::keepOfOtherHeads(json document) {
    if (!document.is_object() || !document.contains(kModelOfUnread))
        return false;
    keepUnread(std::move(document), tr("It is a draft of the model of the same name, which now has different layers or heads."));
    return true;
}

QString Drafts::unreadName(int number) const {
    const auto found = m_unread.find(number);
    if (found == m_unread.end())
        return {};
    const std::string name = nameOfUnread(found->second);
    return name.empty() ? tr("Untitled") : QString::fromStdString(name);
}

void Drafts::saveUnread(int number, const std::filesystem::path& file) {
    const auto found = m_unread.find(number);
    if (found == m_unread.end())
        return;
    const std::string text = textOfUnread(found->second);
    writeAtomically(file, text, "architecture.unwritable");
    m_unread.erase(found);
    m_messages->settle(causeOfUnread(number));
    Q_EMIT documentsEdited();
}

void Drafts::forgetUnread() {
    for (const auto& [number, document] : m_unread)
        m_messages->settle(causeOfUnread(number));
    m_unread.clear();
}

} // namespace headroom::app
