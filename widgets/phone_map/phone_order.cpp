// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/phone_map/phone_order.h"

#include <QCoreApplication>

#include <algorithm>
#include <string_view>

namespace headroom::widgets {

namespace {

struct Manner {
    const char* name;
    std::vector<std::string_view> phones;
};

const std::vector<Manner>& manners() {
    static const std::vector<Manner> all{
        {QT_TRANSLATE_NOOP("PhoneOrder", "vowels"),
         {"AA", "AE", "AH", "AW", "AY", "EH", "ER", "EY", "IH", "IY", "O", "UH", "UW"}},
        {QT_TRANSLATE_NOOP("PhoneOrder", "glides"), {"W", "Y"}},
        {QT_TRANSLATE_NOOP("PhoneOrder", "liquids"), {"L", "R"}},
        {QT_TRANSLATE_NOOP("PhoneOrder", "nasals"), {"M", "N", "NG"}},
        {QT_TRANSLATE_NOOP("PhoneOrder", "stops"), {"P", "B", "T", "D", "K", "G"}},
        {QT_TRANSLATE_NOOP("PhoneOrder", "affricates"), {"CH", "JH"}},
        {QT_TRANSLATE_NOOP("PhoneOrder", "fricatives"), {"F", "V", "TH", "DH", "S", "Z", "SH", "HH"}}};
    return all;
}

} // namespace

const std::array<int, kPhoneClassCount>& phoneOrder() {
    static const auto order = [] {
        std::array<int, kPhoneClassCount> made{};
        std::size_t place = 0;
        for (const Manner& manner : manners())
            for (const std::string_view phone : manner.phones)
                made.at(place++) =
                    int(std::find(kPhoneClasses.begin(), kPhoneClasses.end(), phone) - kPhoneClasses.begin());
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
        for (const Manner& manner : manners()) {
            const int count = int(manner.phones.size());
            made.push_back(
                {QCoreApplication::translate("PhoneOrder", manner.name), first, count, first == 0});
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
