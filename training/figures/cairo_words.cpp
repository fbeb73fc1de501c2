// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/figures/cairo_words.h"

#include "training/figures/files.h"

#include <memory>
#include <numbers>

#include <cairo.h>

namespace headroom::figures {

namespace {

// fontconfig takes what is nearest where a family is not installed.
constexpr const char* kFamilies[] = {"Noto Sans", "Noto Sans Math", "Noto Sans Symbols", "DejaVu Sans"};

/// Words of one family and one script, where they begin and how wide they are.
struct Piece {
    std::string text;
    const char* family;
    Script script;
    double width = 0;
};

void select(cairo_t* cairo, const char* family, double size, bool bold) {
    cairo_select_font_face(cairo, family, CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, size);
}

/// Whether the selected font has the letter; glyph 0 is what a font draws for one that it lacks.
bool hasLetter(cairo_t* cairo, const std::string& letter) {
    cairo_glyph_t* glyphs = nullptr;
    int count = 0;
    const auto status =
        cairo_scaled_font_text_to_glyphs(cairo_get_scaled_font(cairo), 0, 0, letter.data(),
                                         int(letter.size()), &glyphs, &count, nullptr, nullptr, nullptr);
    const bool known = status == CAIRO_STATUS_SUCCESS && count > 0 && glyphs[0].index != 0;
    cairo_glyph_free(glyphs);
    return known;
}

const char* familyFor(cairo_t* cairo, const std::string& letter, const Text& text) {
    for (const char* family : kFamilies) {
        select(cairo, family, text.size, text.bold);
        if (hasLetter(cairo, letter))
            return family;
    }
    return kFamilies[0];
}

/// Whether any family has it.
bool isKnown(cairo_t* cairo, const std::string& letter) {
    for (const char* family : kFamilies) {
        select(cairo, family, 8, false);
        if (hasLetter(cairo, letter))
            return true;
    }
    return false;
}

std::vector<Piece> pieces(cairo_t* cairo, const Text& text) {
    std::vector<Piece> result;
    for (const TextRun& run : text.runs)
        for (std::size_t at = 0; at < run.text.size();) {
            std::size_t end = at + 1;
            while (end < run.text.size() && (static_cast<unsigned char>(run.text[end]) & 0xc0u) == 0x80u)
                ++end;
            const std::string letter = run.text.substr(at, end - at);
            const char* family = familyFor(cairo, letter, text);
            if (result.empty() || result.back().family != family || result.back().script != run.script)
                result.push_back({{}, family, run.script});
            result.back().text += letter;
            at = end;
        }
    for (Piece& piece : result) {
        select(cairo, piece.family, text.size * (piece.script == Script::Normal ? 1 : kScriptSize),
               text.bold);
        cairo_text_extents_t extents;
        cairo_text_extents(cairo, piece.text.c_str(), &extents);
        piece.width = extents.x_advance;
    }
    return result;
}

} // namespace

void drawWords(cairo_t* cairo, const Text& text) {
    cairo_save(cairo);
    // Without hints letters have the same places at every size, so that the layout does not depend on it.
    const std::unique_ptr<cairo_font_options_t, decltype(&cairo_font_options_destroy)> options(
        cairo_font_options_create(), &cairo_font_options_destroy);
    cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(cairo, options.get());
    cairo_translate(cairo, text.at.x, text.at.y);
    cairo_rotate(cairo, text.rotation * std::numbers::pi / 180);
    const auto parts = pieces(cairo, text);
    double whole = 0;
    for (const Piece& piece : parts)
        whole += piece.width;
    double x = text.anchor == Anchor::Start ? 0 : text.anchor == Anchor::Middle ? -whole / 2 : -whole;
    for (const Piece& piece : parts) {
        const bool isScript = piece.script != Script::Normal;
        select(cairo, piece.family, text.size * (isScript ? kScriptSize : 1), text.bold);
        cairo_move_to(cairo, x,
                      !isScript                     ? 0
                      : piece.script == Script::Sub ? kSubDrop * text.size
                                                    : -kSuperRise * text.size);
        cairo_show_text(cairo, piece.text.c_str());
        x += piece.width;
    }
    cairo_restore(cairo);
}

std::string fontRemark() {
    const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
        cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1), &cairo_surface_destroy);
    const std::unique_ptr<cairo_t, decltype(&cairo_destroy)> cairo(cairo_create(surface.get()),
                                                                   &cairo_destroy);
    std::string missing;
    for (const char* letter : {"a", "μ", "σ", "±", "−", "≤", "≥", "¼", "½", "–"})
        if (!isKnown(cairo.get(), letter))
            missing += (missing.empty() ? "" : " ") + std::string(letter);
    return missing.empty()
               ? ""
               : "No installed font has " + missing +
                     ". PDF and PNG lack these characters, SVG has them. Install Noto Sans and Noto Sans "
                     "Math.";
}

} // namespace headroom::figures
