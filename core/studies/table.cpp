// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/table.h"

#include "core/studies/json_fields.h"

namespace headroom {

using nlohmann::json;

namespace {

json toJson(const StudyCell& cell) {
    if (const auto* number = std::get_if<double>(&cell))
        return std::isfinite(*number) ? json(*number) : json(nullptr);
    if (const auto* text = std::get_if<std::string>(&cell))
        return *text;
    return nullptr;
}

} // namespace

json toJson(const StudyTable& table) {
    json columns = json::array(), rows = json::array();
    for (const StudyColumn& column : table.columns)
        columns.push_back({{"key", column.key},
                           {"title", column.title},
                           {"unit", column.unit},
                           {"decimals", column.decimals},
                           {"text", column.text}});
    for (const auto& row : table.rows) {
        json cells = json::array();
        for (const StudyCell& cell : row)
            cells.push_back(toJson(cell));
        rows.push_back(std::move(cells));
    }
    return {{"name", table.name},
            {"title", table.title},
            {"caption", table.caption},
            {"columns", std::move(columns)},
            {"rows", std::move(rows)}};
}

StudyTable studyTableFrom(const json& document, const std::string& file) {
    StudyTable table;
    const auto refuse = [&](const std::string& what) {
        throw Error("study.value", file + ": " + what, {{"file", file}});
    };
    if (!document.is_object())
        refuse("“tables” contains an entry that is not a table.");
    const JsonFields read{document, file, "tables."};
    read("name", table.name);
    read("title", table.title);
    read("caption", table.caption);
    const std::string place = "tables." + table.name;
    for (const json& one : read.array("columns")) {
        if (!one.is_object())
            refuse("“" + place + ".columns” contains an entry that is not a column.");
        const JsonFields field{one, file, place + ".columns."};
        StudyColumn column;
        field("key", column.key);
        field("title", column.title);
        field("unit", column.unit);
        field("decimals", column.decimals);
        field("text", column.text);
        if (column.decimals < 0 || column.decimals > 17)
            refuse("“" + place + "." + column.key + ".decimals” is not from 0 to 17.");
        table.columns.push_back(std::move(column));
    }
    for (const json& one : read.array("rows")) {
        if (!one.is_array() || one.size() != table.columns.size())
            refuse("row " + std::to_string(table.rows.size() + 1) + " of “" + place + "” has not " +
                   std::to_string(table.columns.size()) + " cells, as many as there are columns.");
        std::vector<StudyCell> row;
        for (const json& cell : one) {
            if (cell.is_null())
                row.emplace_back();
            else if (cell.is_number())
                row.emplace_back(cell.get<double>());
            else if (cell.is_string())
                row.emplace_back(cell.get<std::string>());
            else
                refuse("row " + std::to_string(table.rows.size() + 1) + " of “" + place +
                       "” has a cell that is not a number, text or null.");
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

} // namespace headroom
