// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/figures/scene.h"

namespace headroom::figures {

std::vector<TextRun> runs(std::string_view marked) {
    std::vector<TextRun> result;
    const auto add = [&](char letter, Script script) {
        if (result.empty() || result.back().script != script)
            result.push_back({{}, script});
        result.back().text += letter;
    };
    for (std::size_t at = 0; at < marked.size(); ++at) {
        const char letter = marked[at];
        const char next = at + 1 < marked.size() ? marked[at + 1] : '\0';
        if (letter == '\\' && (next == '_' || next == '^')) {
            add(next, Script::Normal);
            ++at;
        } else if ((letter == '_' || letter == '^') && next == '{' &&
                   marked.find('}', at) != std::string_view::npos) {
            const auto end = marked.find('}', at);
            for (const char inner : marked.substr(at + 2, end - at - 2))
                add(inner, letter == '_' ? Script::Sub : Script::Super);
            at = end;
        } else {
            add(letter, Script::Normal);
        }
    }
    return result;
}

std::string plainText(const std::vector<TextRun>& words) {
    std::string text;
    for (const TextRun& run : words)
        text += run.text;
    return text;
}

void Scene::fill(const Box& box, Colour colour) {
    items.push_back(Area{
        {{box.x, box.y}, {box.right(), box.y}, {box.right(), box.bottom()}, {box.x, box.bottom()}}, colour});
}

void Scene::frame(const Box& box, const Stroke& stroke) {
    items.push_back(Polyline{{{box.x, box.y},
                              {box.right(), box.y},
                              {box.right(), box.bottom()},
                              {box.x, box.bottom()},
                              {box.x, box.y}},
                             stroke});
}

} // namespace headroom::figures
