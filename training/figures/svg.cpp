// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/figures/files.h"
#include "training/figures/image_cells.h"
#include "core/tensors/atomic_file.h"

#include <cmath>
#include <cstdio>
#include <span>

namespace headroom::figures {

namespace {

/// Two decimals of a point are 3.5 µm: shorter text, and the same on every machine.
std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", std::abs(value) < 0.005 ? 0 : value);
    std::string result = text;
    while (result.back() == '0')
        result.pop_back();
    if (result.back() == '.')
        result.pop_back();
    return result;
}

std::string escaped(std::string_view text) {
    std::string result;
    for (const char letter : text) {
        if (letter == '&')
            result += "&amp;";
        else if (letter == '<')
            result += "&lt;";
        else if (letter == '>')
            result += "&gt;";
        else if (letter == '"')
            result += "&quot;";
        else if (static_cast<unsigned char>(letter) >= 0x20 || letter == '\n' || letter == '\t')
            result += letter; // XML 1.0 has no other control characters
    }
    return result;
}

std::string base64(std::string_view bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string result;
    result.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t left = bytes.size() - at;
        unsigned group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8 | (k < left ? static_cast<unsigned char>(bytes[at + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            result += k <= left ? digits[group >> (18 - 6 * k) & 63u] : '=';
    }
    return result;
}

std::string pathOf(const std::vector<Position>& points, bool closed) {
    std::string path;
    for (const Position& point : points)
        path += (path.empty() ? "M" : "L") + number(point.x) + " " + number(point.y);
    return closed ? path + "Z" : path;
}

std::string opacity(const char* name, const Colour& colour) {
    return colour.alpha >= 1 ? "" : std::string(" ") + name + "=\"" + number(colour.alpha) + "\"";
}

struct SvgWriter {
    std::string out;
    int clips = 0;

    void operator()(const Polyline& item) {
        if (item.points.empty())
            return;
        out += "<path d=\"" + pathOf(item.points, false) + "\" fill=\"none\" stroke=\"" +
               item.stroke.colour.hex() + "\"" + opacity("stroke-opacity", item.stroke.colour) +
               " stroke-width=\"" + number(item.stroke.width) + "\" stroke-linejoin=\"round\"";
        if (!item.stroke.dash.empty()) {
            std::string dash;
            for (const double length : item.stroke.dash)
                dash += (dash.empty() ? "" : " ") + number(length);
            out += " stroke-dasharray=\"" + dash + "\"";
        }
        out += "/>\n";
    }
    void operator()(const Area& item) {
        if (!item.points.empty())
            out += "<path d=\"" + pathOf(item.points, true) + "\" fill=\"" + item.fill.hex() + "\"" +
                   opacity("fill-opacity", item.fill) + "/>\n";
    }
    void operator()(const Text& item) {
        const std::string x = number(item.at.x), y = number(item.at.y);
        out += "<text x=\"" + x + "\" y=\"" + y + "\" font-size=\"" + number(item.size) + "\" fill=\"" +
               item.colour.hex() + "\"" + opacity("fill-opacity", item.colour);
        if (item.anchor != Anchor::Start)
            out += std::string(" text-anchor=\"") + (item.anchor == Anchor::Middle ? "middle" : "end") + "\"";
        if (item.bold)
            out += " font-weight=\"bold\"";
        if (item.rotation != 0)
            out += " transform=\"rotate(" + number(item.rotation) + " " + x + " " + y + ")\"";
        out += ">";
        double moved = 0; // dy is relative to the run before, so each run leads back to the baseline
        for (const TextRun& run : item.runs) {
            const double shift = run.script == Script::Sub     ? kSubDrop * item.size
                                 : run.script == Script::Super ? -kSuperRise * item.size
                                                               : 0;
            if (run.script == Script::Normal && moved == 0) {
                out += escaped(run.text);
                continue;
            }
            out += "<tspan dy=\"" + number(shift - moved) + "\"";
            if (run.script != Script::Normal)
                out += " font-size=\"" + number(item.size * kScriptSize) + "\"";
            out += ">" + escaped(run.text) + "</tspan>";
            moved = shift;
        }
        out += "</text>\n";
    }
    void operator()(const Image& item) {
        if (item.rows == 0 || item.columns == 0)
            return;
        // `pixelated` is CSS 4; older programs know optimizeSpeed. Some know neither, hence the larger cells.
        out += "<image x=\"" + number(item.box.x) + "\" y=\"" + number(item.box.y) + "\" width=\"" +
               number(item.box.width) + "\" height=\"" + number(item.box.height) +
               "\" preserveAspectRatio=\"none\" image-rendering=\"optimizeSpeed\""
               " style=\"image-rendering:pixelated\" href=\"data:image/png;base64," +
               base64(pngOfCells(item, cellScale(item))) + "\"/>\n";
    }
    void operator()(const Clip& item) {
        const std::string name = "c" + std::to_string(++clips);
        out += "<clipPath id=\"" + name + "\"><rect x=\"" + number(item.box.x) + "\" y=\"" +
               number(item.box.y) + "\" width=\"" + number(item.box.width) + "\" height=\"" +
               number(item.box.height) + "\"/></clipPath>\n<g clip-path=\"url(#" + name + ")\">\n";
    }
    void operator()(const EndClip&) { out += "</g>\n"; }
};

} // namespace

std::string svgText(const Scene& scene) {
    std::string families;
    for (const char* family : kFontFamilies)
        families +=
            (families.empty() ? "" : ", ") + (std::string_view(family).find(' ') != std::string_view::npos
                                                  ? "'" + std::string(family) + "'"
                                                  : std::string(family));
    const std::string width = number(scene.width), height = number(scene.height);
    SvgWriter writer;
    writer.out =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
        width + "pt\" height=\"" + height + "pt\" viewBox=\"0 0 " + width + " " + height +
        "\" font-family=\"" + families + "\" role=\"img\">\n<title>" + escaped(scene.title) +
        "</title>\n<desc>" + escaped(scene.description) + "</desc>\n<rect width=\"" + width + "\" height=\"" +
        height + "\" fill=\"#ffffff\"/>\n";
    for (const Item& item : scene.items)
        std::visit(writer, item);
    return writer.out + "</svg>\n";
}

void writeSvg(const Scene& scene, const std::filesystem::path& file) {
    writeAtomically(file, svgText(scene), "figures.unwritable");
}

} // namespace headroom::figures
