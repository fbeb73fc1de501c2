// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "training/figures/cairo_words.h"
#include "training/figures/files.h"
#include "training/figures/image_cells.h"
#include "core/tensors/atomic_file.h"

#include <cmath>
#include <memory>

#include <cairo-pdf.h>
#include <cairo.h>

namespace headroom::figures {

namespace {

constexpr double kPointsPerInch = 72;
constexpr double kMostPixels = 32767; // of a cairo surface

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using Context = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;

cairo_status_t append(void* text, const unsigned char* data, unsigned int length) {
    static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
}

void setColour(cairo_t* cairo, const Colour& colour) {
    cairo_set_source_rgba(cairo, colour.red / 255.0, colour.green / 255.0, colour.blue / 255.0, colour.alpha);
}

void follow(cairo_t* cairo, const std::vector<Position>& points) {
    cairo_new_path(cairo);
    for (const Position& point : points)
        cairo_line_to(cairo, point.x, point.y);
}

/// The cells, each `scale` × `scale` pixels.
Surface surfaceOf(const Image& image, int scale) {
    const auto times = static_cast<std::size_t>(scale);
    Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(image.columns) * scale,
                                               static_cast<int>(image.rows) * scale),
                    &cairo_surface_destroy);
    cairo_surface_flush(surface.get());
    auto* pixels = cairo_image_surface_get_data(surface.get());
    if (!pixels)
        throw std::bad_alloc();
    const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get()));
    for (std::size_t y = 0; y < image.rows * times; ++y) {
        auto* line = reinterpret_cast<std::uint32_t*>(pixels + y * stride);
        const std::uint8_t* cells = image.rgb.data() + y / times * image.columns * 3;
        for (std::size_t x = 0; x < image.columns * times; ++x) {
            const std::uint8_t* cell = cells + x / times * 3;
            line[x] = std::uint32_t(cell[0]) << 16 | std::uint32_t(cell[1]) << 8 | cell[2];
        }
    }
    cairo_surface_mark_dirty(surface.get());
    return surface;
}

struct Painter {
    cairo_t* cairo;
    bool vector; ///< maps get larger cells, for programs that smooth them

    void operator()(const Polyline& item) {
        follow(cairo, item.points);
        setColour(cairo, item.stroke.colour);
        cairo_set_line_width(cairo, item.stroke.width);
        cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
        cairo_set_dash(cairo, item.stroke.dash.data(), static_cast<int>(item.stroke.dash.size()), 0);
        cairo_stroke(cairo);
    }
    void operator()(const Area& item) {
        follow(cairo, item.points);
        cairo_close_path(cairo);
        setColour(cairo, item.fill);
        cairo_fill(cairo);
    }
    void operator()(const Text& item) {
        setColour(cairo, item.colour);
        drawWords(cairo, item);
    }
    void operator()(const Image& item) {
        if (item.rows == 0 || item.columns == 0)
            return;
        const int scale = vector ? cellScale(item) : 1;
        const Surface cells = surfaceOf(item, scale);
        cairo_save(cairo);
        cairo_translate(cairo, item.box.x, item.box.y);
        cairo_scale(cairo, item.box.width / (double(item.columns) * scale),
                    item.box.height / (double(item.rows) * scale));
        cairo_set_source_surface(cairo, cells.get(), 0, 0);
        cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_NEAREST);
        cairo_rectangle(cairo, 0, 0, double(item.columns) * scale, double(item.rows) * scale);
        cairo_fill(cairo);
        cairo_restore(cairo);
    }
    void operator()(const Clip& item) {
        cairo_save(cairo);
        cairo_rectangle(cairo, item.box.x, item.box.y, item.box.width, item.box.height);
        cairo_clip(cairo);
    }
    void operator()(const EndClip&) { cairo_restore(cairo); }
};

void paint(cairo_t* cairo, const Scene& scene, bool vector) {
    cairo_set_source_rgb(cairo, 1, 1, 1);
    cairo_paint(cairo);
    Painter painter{cairo, vector};
    for (const Item& item : scene.items)
        std::visit(painter, item);
}

void check(cairo_status_t status, const std::filesystem::path& file) {
    if (status != CAIRO_STATUS_SUCCESS)
        throw Error("figures.unwritable",
                    file.string() + " could not be written: " + cairo_status_to_string(status) + ".");
}

void writePixels(const Scene& scene, const std::filesystem::path& file, double scale) {
    const double width = std::round(scene.width * scale), height = std::round(scene.height * scale);
    if (!(width >= 1 && height >= 1 && width <= kMostPixels && height <= kMostPixels))
        throw Error("figures.pixels", file.string() + " was not written: it would be " +
                                          std::to_string(std::llround(width)) + " × " +
                                          std::to_string(std::llround(height)) +
                                          " pixels; a picture has 1 to 32767 on a side.");
    const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, int(width), int(height)),
                          &cairo_surface_destroy);
    const Context context(cairo_create(surface.get()), &cairo_destroy);
    cairo_scale(context.get(), width / scene.width, height / scene.height);
    paint(context.get(), scene, false);
    check(cairo_status(context.get()), file);
    std::string bytes;
    check(cairo_surface_write_to_png_stream(surface.get(), append, &bytes), file);
    writeAtomically(file, bytes, "figures.unwritable");
}

} // namespace

void writePdf(const Scene& scene, const std::filesystem::path& file) {
    std::string bytes;
    Surface surface(cairo_pdf_surface_create_for_stream(append, &bytes, scene.width, scene.height),
                    &cairo_surface_destroy);
    const auto say = [&](cairo_pdf_metadata_t what, const std::string& text) {
        if (!text.empty())
            cairo_pdf_surface_set_metadata(surface.get(), what, text.c_str());
    };
    say(CAIRO_PDF_METADATA_TITLE, scene.title);
    say(CAIRO_PDF_METADATA_SUBJECT, scene.description);
    say(CAIRO_PDF_METADATA_CREATOR, "Headroom");
    // Without a date of its own cairo would write that of today, and no two files were the same.
    say(CAIRO_PDF_METADATA_CREATE_DATE, scene.created.empty() ? "1970-01-01T00:00:00Z" : scene.created);
    {
        const Context context(cairo_create(surface.get()), &cairo_destroy);
        paint(context.get(), scene, true);
        check(cairo_status(context.get()), file);
    }
    cairo_surface_finish(surface.get());
    check(cairo_surface_status(surface.get()), file);
    writeAtomically(file, bytes, "figures.unwritable");
}

void writePng(const Scene& scene, const std::filesystem::path& file, double dotsPerInch) {
    writePixels(scene, file, dotsPerInch / kPointsPerInch);
}

void writePngOfWidth(const Scene& scene, const std::filesystem::path& file, int pixels) {
    writePixels(scene, file, pixels / scene.width);
}

void writeScene(const Scene& scene, const std::filesystem::path& file, double dotsPerInch) {
    const std::string suffix = file.extension().string();
    if (suffix == ".svg")
        writeSvg(scene, file);
    else if (suffix == ".pdf")
        writePdf(scene, file);
    else if (suffix == ".png")
        writePng(scene, file, dotsPerInch);
    else
        throw Error("figures.badSuffix", file.string() + " was not written: figures are .svg, .pdf or .png.");
}

} // namespace headroom::figures
