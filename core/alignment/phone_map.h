// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// Labels and how often they occur.
using LabelCounts = std::map<std::string, std::int64_t>;

/// Maps the labels of an alignment to one of the 36 classes of Shim et al. 2022, to silence, or to nothing
/// (ignored). A value; reading is safe on every thread.
///
/// A label is looked up verbatim, then without the decorations of a phone: Kaldi's position (“_B”), stress
/// digits of dictionaries (“AH0”), IPA's stress and length marks, tie bars and diacritics. Letter case is
/// ignored unless the map distinguishes it (espeak-ng: “s” is S, “S” is SH).
///
/// File format: tab-separated, header `label`, `class`. A class is a name of kPhoneClasses (or AO, OW, OY,
/// ZH), `sil`, or `-` for an ignored label. Lines that begin with “# ” are comments.
class PhoneMap {
public:
    /// ARPABET, with or without stress: phoneClass() as a map.
    PhoneMap();
    /// Returns the included maps: "arpabet", "timit", "ipa", "espeak" (resources/phones).
    static const std::vector<std::string>& names();
    /// Throws Error "phones.name", which lists the known names.
    static PhoneMap named(std::string_view name);
    /// Returns the included map that knows most of the labels by count; the first of equals.
    static PhoneMap fitting(const LabelCounts& labels);
    /// Throws Error "phones.missing", "phones.badText", "phones.noHeader", "phones.badRow", "phones.badClass"
    /// or "phones.twice" (a label with two classes); each names file and line.
    static PhoneMap read(const std::filesystem::path& file);
    static PhoneMap parse(std::string_view bytes, const std::string& name);

    /// Returns 0 … 35 or kSilenceClass; `nullopt` for an ignored or unknown label.
    std::optional<int> classOf(std::string_view label) const;
    /// Returns whether the map contains the label, ignored labels included.
    bool knows(std::string_view label) const;
    /// Returns at most three known labels that differ in one letter, for an error message about an unknown
    /// label.
    std::vector<std::string> nearest(std::string_view label) const;

    /// Sets the class of exactly this label: 0 … 35 or kSilenceClass; `nullopt` ignores it.
    void set(const std::string& label, std::optional<int> phoneClass);
    /// Removes the entry of exactly this label.
    void forget(const std::string& label);

    /// "ARPABET", "IPA", or the file's name.
    const std::string& title() const { return m_title; }
    void setTitle(const std::string& title) { m_title = title; }
    /// Returns the text of the file, ordered by class, then by label.
    std::string text() const;
    /// Writes the file atomically. Throws Error "phones.unwritable".
    void write(const std::filesystem::path& file) const;

    bool operator==(const PhoneMap& other) const { return m_classes == other.m_classes; }

private:
    struct Empty {};
    explicit PhoneMap(Empty) {}
    const int* find(std::string_view label) const;
    void index();

    std::string m_title;
    std::map<std::string, int, std::less<>> m_classes; ///< label → class, kSilenceClass or kLeftOut
    std::map<std::string, int, std::less<>> m_folded;  ///< in lower case; empty if two cases differ in class
};

/// Returns the name of a class on screen and in files: "AA" … "HH", "sil".
std::string_view phoneClassName(int phoneClass);

} // namespace headroom
