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

/// A label with how often it occurs.
using LabelCounts = std::map<std::string, std::int64_t>;

/// What the labels of an alignment count as: one of the 36 classes of Shim et al. 2022, silence, or, on
/// purpose, nothing. A value; reading it is safe from every thread.
///
/// A label is looked up as it stands, then without what people write around a phone: Kaldi's position
/// (“_B”), the stress of dictionaries (“AH0”), IPA's stress and length marks, tie bars and diacritics, and
/// the other case where the map does not tell cases apart (espeak's names do: “s” is S, “S” is SH).
///
/// As a file: tab-separated, header `label`, `class`; class is a name of kPhoneClasses (or AO, OW, OY, ZH),
/// `sil`, or `-` for what is left out. Lines that begin with “# ” are comments.
class PhoneMap {
public:
    /// ARPABET, with or without stress: phoneClass() as a map.
    PhoneMap();
    /// The maps that come along: "arpabet", "timit", "ipa", "espeak" (resources/phones).
    static const std::vector<std::string>& names();
    /// Throws Error "phones.name", naming those that there are.
    static PhoneMap named(std::string_view name);
    /// Of these, the one that knows most of what is said by count; the earlier one where two know as much.
    static PhoneMap fitting(const LabelCounts& labels);
    /// Throws Error "phones.missing", "phones.badText", "phones.noHeader", "phones.badRow", "phones.badClass"
    /// or "phones.twice" (a label with two classes); each names file and line.
    static PhoneMap read(const std::filesystem::path& file);
    static PhoneMap parse(std::string_view bytes, const std::string& name);

    /// 0 … 35, kSilenceClass; nothing for a label that is left out or not known.
    std::optional<int> classOf(std::string_view label) const;
    /// The map says something of it, be it that it is left out.
    bool knows(std::string_view label) const;
    /// Known labels that differ in one letter, at most three, for a sentence about an unknown one.
    std::vector<std::string> nearest(std::string_view label) const;

    /// 0 … 35, kSilenceClass; nothing: left out on purpose. For this very label.
    void set(const std::string& label, std::optional<int> phoneClass);
    /// Takes back what was said of this very label.
    void forget(const std::string& label);

    /// "ARPABET", "IPA", or the file's name.
    const std::string& title() const { return m_title; }
    void setTitle(const std::string& title) { m_title = title; }
    /// The file's text: by class, then by label.
    std::string text() const;
    /// Atomically. Throws Error "phones.unwritable".
    void write(const std::filesystem::path& file) const;

    bool operator==(const PhoneMap& other) const { return m_classes == other.m_classes; }

private:
    struct Empty {};
    explicit PhoneMap(Empty) {}
    const int* find(std::string_view label) const;
    void index();

    std::string m_title;
    std::map<std::string, int, std::less<>> m_classes; ///< label → class, kSilenceClass or kLeftOut
    std::map<std::string, int, std::less<>> m_folded;  ///< in lower case; empty where cases differ in class
};

/// The name a class has on screen and in files: "AA" … "HH", "sil".
std::string_view phoneClassName(int phoneClass);

} // namespace headroom
