// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/phone_order.h"

#include "core/alignment/phones.h"

#include <algorithm>

namespace headroom::figures {

namespace {

PhoneManner manner(const std::string& name, const std::vector<std::string_view>& phones) {
    PhoneManner result{name, {}};
    for (const std::string_view phone : phones)
        result.classes.push_back(static_cast<int>(
            std::find(kPhoneClasses.begin(), kPhoneClasses.end(), phone) - kPhoneClasses.begin()));
    return result;
}

} // namespace

const std::vector<PhoneManner>& phoneManners() {
    static const std::vector<PhoneManner> manners{
        manner("vowels", {"AA", "AE", "AH", "AW", "AY", "EH", "ER", "EY", "IH", "IY", "O", "UH", "UW"}),
        manner("glides", {"W", "Y"}),
        manner("liquids", {"L", "R"}),
        manner("nasals", {"M", "N", "NG"}),
        manner("stops", {"P", "B", "T", "D", "K", "G"}),
        manner("affricates", {"CH", "JH"}),
        manner("fricatives", {"F", "V", "TH", "DH", "S", "Z", "SH", "HH"})};
    return manners;
}

std::vector<int> phoneOrder() {
    std::vector<int> order;
    for (const PhoneManner& one : phoneManners())
        order.insert(order.end(), one.classes.begin(), one.classes.end());
    return order;
}

} // namespace headroom::figures
