// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/phone_order.h"

#include <algorithm>
#include <string_view>

namespace headroom {

namespace {

PhoneManner mannerOf(const std::string& name, const std::vector<std::string_view>& phones) {
    PhoneManner result{name, {}};
    for (const std::string_view phone : phones)
        result.classes.push_back(static_cast<int>(
            std::find(kPhoneClasses.begin(), kPhoneClasses.end(), phone) - kPhoneClasses.begin()));
    return result;
}

} // namespace

const std::vector<PhoneManner>& phoneManners() {
    static const std::vector<PhoneManner> manners{
        mannerOf("vowels", {"AA", "AE", "AH", "AW", "AY", "EH", "ER", "EY", "IH", "IY", "O", "UH", "UW"}),
        mannerOf("glides", {"W", "Y"}),
        mannerOf("liquids", {"L", "R"}),
        mannerOf("nasals", {"M", "N", "NG"}),
        mannerOf("stops", {"P", "B", "T", "D", "K", "G"}),
        mannerOf("affricates", {"CH", "JH"}),
        mannerOf("fricatives", {"F", "V", "TH", "DH", "S", "Z", "SH", "HH"})};
    return manners;
}

const std::array<int, kPhoneClassCount>& phoneOrder() {
    static const auto order = [] {
        std::array<int, kPhoneClassCount> result{};
        std::size_t place = 0;
        for (const PhoneManner& one : phoneManners())
            for (const int phone : one.classes)
                result.at(place++) = phone;
        return result;
    }();
    return order;
}

const std::array<int, kPhoneClassCount + 1>& phoneOrderWithSilence() {
    static const auto order = [] {
        std::array<int, kPhoneClassCount + 1> result{};
        std::copy(phoneOrder().begin(), phoneOrder().end(), result.begin());
        result.back() = kSilenceClass;
        return result;
    }();
    return order;
}

int placeOfPhone(int phoneClass) {
    static const auto places = [] {
        std::array<int, kPhoneClassCount> result{};
        for (int place = 0; place < kPhoneClassCount; ++place)
            result.at(static_cast<std::size_t>(phoneOrder().at(static_cast<std::size_t>(place)))) = place;
        return result;
    }();
    return phoneClass >= 0 && phoneClass < kPhoneClassCount ? places.at(static_cast<std::size_t>(phoneClass))
                                                            : -1;
}

} // namespace headroom
