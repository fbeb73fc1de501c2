// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/phone_map/phone_order.h"

#include "core/figures/phone_order.h"

#include <QCoreApplication>

#include <string_view>

namespace headroom::widgets {

const std::array<int, kPhoneClassCount>& phoneOrder() {
    static const auto order = [] {
        std::array<int, kPhoneClassCount> made{};
        const std::vector<int> classes = figures::phoneOrder();
        for (std::size_t place = 0; place < made.size(); ++place)
            made.at(place) = classes.at(place);
        return made;
    }();
    return order;
}

int placeOfPhone(int phoneClass) {
    static const auto places = [] {
        std::array<int, kPhoneClassCount> made{};
        for (int place = 0; place < kPhoneClassCount; ++place)
            made.at(std::size_t(phoneOrder().at(std::size_t(place)))) = place;
        return made;
    }();
    return phoneClass >= 0 && phoneClass < kPhoneClassCount ? places.at(std::size_t(phoneClass)) : -1;
}

const std::vector<PhoneGroup>& phoneGroups() {
    static const auto groups = [] {
        std::vector<PhoneGroup> made;
        int first = 0;
        for (const figures::PhoneManner& manner : figures::phoneManners()) {
            const int count = int(manner.classes.size());
            made.push_back(
                {QCoreApplication::translate("PhoneOrder", manner.name.c_str()), first, count, first == 0});
            first += count;
        }
        return made;
    }();
    return groups;
}

QString phoneName(int phoneClass) {
    if (phoneClass == kSilenceClass)
        return QStringLiteral("sil");
    if (phoneClass < 0 || phoneClass >= kPhoneClassCount)
        return QStringLiteral("–");
    const std::string_view name = kPhoneClasses.at(std::size_t(phoneClass));
    return QString::fromLatin1(name.data(), qsizetype(name.size()));
}

} // namespace headroom::widgets
