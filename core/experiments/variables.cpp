// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiments/variables.h"

#include "core/architecture/nearest.h"

#include <map>
#include <string_view>
#include <vector>

namespace headroom {

using nlohmann::json;

namespace {

[[noreturn]] void refuseVariable(const std::string& name, const std::string& what) {
    throw Error("experiment.variable", name + ", vary: " + what + ".", {{"file", name}});
}

struct Variable {
    std::string name;
    std::vector<json> values; ///< objects with at least "id"
};

std::vector<Variable> readVariables(const json& vary, const std::string& name) {
    if (!vary.is_array())
        refuseVariable(name, "this must be a list of variables");
    std::vector<Variable> variables;
    for (const json& one : vary) {
        if (!one.is_object() || one.size() != 2 || !one.contains("variable") || !one.contains("values") ||
            !one["variable"].is_string() || !one["values"].is_array() || one["values"].empty())
            refuseVariable(name, R"(a variable is {"variable": NAME, "values": [{"id": …}, …]})");
        Variable variable{one["variable"].get<std::string>(), {}};
        for (const json& value : one["values"]) {
            const bool hasId = value.is_object() && value.contains("id") && value["id"].is_string();
            if (!hasId)
                refuseVariable(name, variable.name + ": each value is an object with an “id”");
            const json& first = variable.values.empty() ? value : variable.values.front();
            for (const auto& [key, ignored] : first.items())
                if (!value.contains(key))
                    refuseVariable(name, variable.name + ": the value “" + value["id"].get<std::string>() +
                                             "” lacks “" + key + "”, which the first one has");
            variable.values.push_back(value);
        }
        variables.push_back(std::move(variable));
    }
    return variables;
}

using Chosen = std::map<std::string, json>;

/// The value of "pair" or "pair.label".
const json& valueOf(const std::string& reference, const Chosen& chosen, const std::string& name) {
    const auto dot = reference.find('.');
    const auto found = chosen.find(reference.substr(0, dot));
    std::vector<std::string_view> known;
    if (found == chosen.end()) {
        for (const auto& [variable, value] : chosen)
            known.push_back(variable);
        const auto nearest = nearestWord(reference.substr(0, dot), known);
        refuseVariable(name, "there is no variable “" + reference.substr(0, dot) + "”" +
                                 (nearest.empty() ? "" : "; nearest is “" + std::string(nearest) + "”"));
    }
    const std::string key = dot == std::string::npos ? "id" : reference.substr(dot + 1);
    if (!found->second.contains(key)) {
        for (const auto& [each, value] : found->second.items())
            known.push_back(each);
        const auto nearest = nearestWord(key, known);
        refuseVariable(name, "the values of “" + found->first + "” have no “" + key + "”" +
                                 (nearest.empty() ? "" : "; nearest is “" + std::string(nearest) + "”"));
    }
    return found->second[key];
}

json replacedText(const std::string& text, const Chosen& chosen, const std::string& name) {
    if (text.size() > 2 && text.front() == '{' && text.find('}') == text.size() - 1)
        return valueOf(text.substr(1, text.size() - 2), chosen, name);
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const auto open = text.find('{', at), close = open == std::string::npos ? open : text.find('}', open);
        result += text.substr(at, open == std::string::npos ? open : open - at);
        if (open == std::string::npos)
            break;
        if (close == std::string::npos)
            refuseVariable(name, "“" + text + "” has a { without a }");
        const json& value = valueOf(text.substr(open + 1, close - open - 1), chosen, name);
        result += value.is_string() ? value.get<std::string>() : value.dump();
        at = close + 1;
    }
    return result;
}

json replaced(const json& value, const Chosen& chosen, const std::string& name) {
    if (value.is_string())
        return replacedText(value.get<std::string>(), chosen, name);
    if (value.is_array()) {
        json result = json::array();
        for (const json& one : value)
            result.push_back(replaced(one, chosen, name));
        return result;
    }
    if (!value.is_object())
        return value;
    json result = json::object();
    for (const auto& [key, one] : value.items()) {
        const json newKey = replacedText(key, chosen, name);
        result[newKey.is_string() ? newKey.get<std::string>() : newKey.dump()] = replaced(one, chosen, name);
    }
    return result;
}

bool mentions(const json& value, const std::string& variable) {
    const auto inText = [&](const std::string& text) {
        return text.find("{" + variable + "}") != std::string::npos ||
               text.find("{" + variable + ".") != std::string::npos;
    };
    if (value.is_string())
        return inText(value.get<std::string>());
    if (value.is_object()) {
        for (const auto& [key, one] : value.items())
            if (inText(key) || mentions(one, variable))
                return true;
    } else if (value.is_array()) {
        for (const json& one : value)
            if (mentions(one, variable))
                return true;
    }
    return false;
}

void repeat(const json& entry, const std::vector<Variable>& variables, std::size_t next, Chosen& chosen,
            const std::string& name, json& result) {
    if (next == variables.size()) {
        result.push_back(replaced(entry, chosen, name));
        return;
    }
    const Variable& variable = variables[next];
    if (!mentions(entry, variable.name))
        return repeat(entry, variables, next + 1, chosen, name, result);
    for (const json& value : variable.values) {
        chosen[variable.name] = value;
        repeat(entry, variables, next + 1, chosen, name, result);
    }
    chosen.erase(variable.name);
}

} // namespace

json expandVariables(json document, const std::string& name) {
    std::vector<Variable> variables;
    if (document.contains("vary"))
        variables = readVariables(document["vary"], name);
    document.erase("vary");
    for (const char* list : {"corpora", "steps", "rows"}) {
        const auto found = document.find(list);
        if (found == document.end() || !found->is_array())
            continue; // the reader says what is wrong with it
        json entries = json::array();
        for (const json& entry : *found) {
            Chosen chosen;
            repeat(entry, variables, 0, chosen, name, entries);
        }
        *found = std::move(entries);
    }
    return document;
}

} // namespace headroom
