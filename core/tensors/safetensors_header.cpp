// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensors/safetensors_header.h"

#include "core/errors/error.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace headroom {

namespace {

using nlohmann::json;

constexpr std::size_t kMostDimensions = 32;

/// What the next value means, from the place in the document.
enum class Place { Document, Root, Metadata, Entry, Shape, Offsets };

class HeaderReader : public nlohmann::json_sax<json> {
public:
    explicit HeaderReader(const std::string& file) : m_file(file) {}
    SafetensorsHeader result;

    bool null() override { return unexpected("null"); }
    bool boolean(bool) override { return unexpected("a truth value"); }
    bool number_integer(std::int64_t value) override { return integer(value < 0, 0); }
    bool number_unsigned(std::uint64_t value) override { return integer(false, value); }
    bool number_float(double, const std::string& text) override {
        if (m_place == Place::Shape)
            refuse("tensors.badShape", "tensor " + m_entry.name + " has " + text + " in its shape");
        return unexpected("the number " + text);
    }
    bool binary(json::binary_t&) override { return unexpected("binary data"); }

    bool string(std::string& value) override {
        if (m_place == Place::Metadata)
            result.metadata[m_key] = value;
        else if (m_place == Place::Entry && m_key == "dtype")
            readType(value);
        else
            return unexpected("a text");
        return true;
    }

    bool start_object(std::size_t) override {
        if (m_place == Place::Document)
            m_place = Place::Root;
        else if (m_place == Place::Root && m_key == "__metadata__")
            m_place = Place::Metadata;
        else if (m_place == Place::Root) {
            m_place = Place::Entry;
            m_entry = {};
            m_entry.name = m_key;
            m_offsets.clear();
        } else
            return unexpected("an object");
        m_seen.push_back({});
        return true;
    }

    bool key(std::string& name) override {
        if (!m_seen.back().insert(name).second)
            refuse("tensors.badHeader", m_place == Place::Entry
                                            ? "tensor " + m_entry.name + " has “" + name + "” twice"
                                            : "“" + name + "” appears twice in its header");
        if (m_place == Place::Entry && name != "dtype" && name != "shape" && name != "data_offsets")
            refuse("tensors.badHeader", "tensor " + m_entry.name + " has an unknown key “" + name + "”");
        m_key = name;
        return true;
    }

    bool end_object() override {
        if (m_place == Place::Entry)
            finishEntry(m_seen.back());
        m_seen.pop_back();
        m_place = m_place == Place::Root ? Place::Document : Place::Root;
        return true;
    }

    bool start_array(std::size_t) override {
        if (m_place == Place::Entry && m_key == "shape")
            m_place = Place::Shape;
        else if (m_place == Place::Entry && m_key == "data_offsets")
            m_place = Place::Offsets;
        else
            return unexpected("a list");
        return true;
    }

    bool end_array() override {
        m_place = Place::Entry;
        return true;
    }

    bool parse_error(std::size_t position, const std::string&, const json::exception&) override {
        refuse("tensors.badHeader", "its header is not JSON at byte " + std::to_string(position));
    }

    [[noreturn]] void refuse(const std::string& code, const std::string& reason) const {
        throw Error(code, m_file + " is not a usable safetensors file: " + reason + ".",
                    {{"file", m_file}, {"tensor", m_entry.name}, {"reason", reason}});
    }

private:
    bool unexpected(const std::string& what) const {
        const auto where = m_place == Place::Document ? std::string("its header")
                           : m_place == Place::Root || m_place == Place::Metadata
                               ? "“" + m_key + "” in its header"
                               : "“" + m_key + "” of tensor " + m_entry.name;
        refuse("tensors.badHeader", where + " must not be " + what);
    }

    bool integer(bool negative, std::uint64_t value) {
        if (m_place == Place::Shape) {
            if (negative || value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
                refuse("tensors.badShape", "tensor " + m_entry.name + " has an extent that no array has");
            if (m_entry.shape.size() == kMostDimensions)
                refuse("tensors.badShape", "tensor " + m_entry.name + " has more than " +
                                               std::to_string(kMostDimensions) + " dimensions");
            m_entry.shape.push_back(static_cast<std::int64_t>(value));
        } else if (m_place == Place::Offsets) {
            if (negative)
                refuse("tensors.badHeader", "tensor " + m_entry.name + " begins or ends before the data");
            if (m_offsets.size() == 2)
                refuse("tensors.badHeader", "tensor " + m_entry.name + " has more than two data offsets");
            m_offsets.push_back(value);
        } else
            return unexpected("a number");
        return true;
    }

    void readType(const std::string& text) {
        auto lower = text;
        std::transform(lower.begin(), lower.end(), lower.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        try {
            m_entry.dtype = dtypeFromName(lower);
            if (safetensorsTypeName(m_entry.dtype) == text)
                return;
        } catch (const std::invalid_argument&) {
        }
        refuse("tensors.badType",
               "tensor " + m_entry.name + " has the element type “" + text + "”, which is not supported");
    }

    void finishEntry(const std::set<std::string>& seen) {
        for (const auto* wanted : {"dtype", "shape", "data_offsets"})
            if (!seen.count(wanted))
                refuse("tensors.badHeader", "tensor " + m_entry.name + " has no “" + wanted + "”");
        if (m_offsets.size() != 2)
            refuse("tensors.badHeader", "tensor " + m_entry.name + " needs two data offsets");
        m_entry.begin = m_offsets[0];
        m_entry.end = m_offsets[1];
        if (m_entry.end < m_entry.begin)
            refuse("tensors.badHeader", "tensor " + m_entry.name + " ends before it starts");
        const auto size = byteCount(m_entry.dtype, m_entry.shape);
        if (!size)
            refuse("tensors.badShape", "the shape of tensor " + m_entry.name + " is larger than any memory");
        if (*size != m_entry.end - m_entry.begin)
            refuse("tensors.badShape", "tensor " + m_entry.name + " needs " + std::to_string(*size) +
                                           " bytes for its shape, but its range holds " +
                                           std::to_string(m_entry.end - m_entry.begin));
        result.entries.push_back(m_entry);
    }

    std::string m_file, m_key;
    Place m_place = Place::Document;
    std::vector<std::set<std::string>> m_seen;
    SafetensorsEntry m_entry;
    std::vector<std::uint64_t> m_offsets;
};

void checkOrder(const SafetensorsHeader& header, const HeaderReader& reader) {
    std::uint64_t end = 0;
    for (const auto& entry : header.entries) {
        if (entry.begin < end)
            reader.refuse("tensors.overlap", "tensor " + entry.name + " overlaps the one before it");
        if (entry.begin > end)
            reader.refuse("tensors.badHeader", std::to_string(entry.begin - end) + " bytes before tensor " +
                                                   entry.name + " belong to no tensor");
        end = entry.end;
    }
}

} // namespace

std::string safetensorsTypeName(DType type) {
    std::string name = dtypeName(type);
    for (auto& c : name)
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return name;
}

SafetensorsHeader parseSafetensorsHeader(std::string_view text, const std::string& name) {
    HeaderReader reader(name);
    if (text.empty() ||
        text.front() != '{') // the format says so: a byte-order mark or blanks may not come first
        reader.refuse("tensors.badHeader", "its header does not begin with {");
    json::sax_parse(text.begin(), text.end(), &reader);
    auto& entries = reader.result.entries;
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
        return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); // an empty tensor before its neighbour
    });
    checkOrder(reader.result, reader);
    return std::move(reader.result);
}

} // namespace headroom
