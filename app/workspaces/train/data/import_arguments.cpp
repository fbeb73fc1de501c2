// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/data/import_dialog.h"

#include "core/architecture/shortest.h"

#include <QRegularExpression>

#include <utility>

namespace headroom::app {

std::vector<std::string> importArguments(const CorpusImport& request, std::optional<int> pieces) {
    std::vector<std::string> words{"corpus"};
    const auto option = [&](const char* name, const std::string& value) { words.insert(words.end(), {name, value}); };
    if (!request.kind.empty())
        words.push_back(request.kind);
    option("--from", request.from.string());
    option("--out", request.out.string());
    for (const auto& [name, sources] : request.splits) {
        std::string list;
        for (const std::string& source : sources)
            list += (list.empty() ? "" : ",") + source;
        option("--split", name + "=" + list);
    }
    for (const HeldOut& one : request.heldOut)
        option("--hold-out", one.split + "=" + shortest(one.percent));
    if (!request.language.empty())
        option("--language", request.language);
    if (pieces)
        option("--pieces", std::to_string(*pieces));
    if (!request.speeds.empty()) {
        std::string list;
        for (const double speed : request.speeds)
            list += (list.empty() ? "" : ",") + shortest(speed);
        option("--speed", list);
    }
    for (const auto& [old, replacement] : request.maps)
        option("--map", old + "=" + replacement);
    if (request.lowercase)
        words.emplace_back("--lowercase");
    if (request.copy)
        words.emplace_back("--copy");
    return words;
}

QString withFieldNames(QString sentence) {
    static const QRegularExpression quoted(QStringLiteral("(?<![^ ])--map '(.*?)'(?=\\.(?: |$)|$)"));
    sentence.replace(quoted, QStringLiteral("--map \\1")); // a field has no quotes; a path may have some
    // With what stands between the field and its value.
    for (const auto& [option, field] : {std::pair("--from", ImportDialog::tr("“Folder”")), std::pair("--out", ImportDialog::tr("“New corpus”")),
                                        std::pair("--split", ImportDialog::tr("“Splits”:")), std::pair("--hold-out", ImportDialog::tr("“Hold out”")),
                                        std::pair("--language", ImportDialog::tr("“Language”")), std::pair("--pieces", ImportDialog::tr("“Pieces”")),
                                        std::pair("--speed", ImportDialog::tr("“Speeds”")), std::pair("--map", ImportDialog::tr("“Paths” to")),
                                        std::pair("--lowercase", ImportDialog::tr("“Write texts in lower case”")),
                                        std::pair("--copy", ImportDialog::tr("“Copy the recordings”"))})
        sentence.replace(QRegularExpression(QStringLiteral("(?<![^ ])%1(?![\\w-])").arg(QLatin1String(option))), field);
    return sentence;
}

} // namespace headroom::app
