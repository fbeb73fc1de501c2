// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/phone_matrix/phone_groups.h"

#include "widgets/look/sizes.h"
#include "widgets/look/translate.h"
#include "widgets/matrix/map_tag.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace headroom::widgets {

const std::vector<PhoneGroup>& phoneGroups() {
    static const auto groups = [] {
        std::vector<PhoneGroup> made;
        int first = 0;
        for (const PhoneManner& manner : phoneManners()) {
            const int count = int(manner.classes.size());
            made.push_back(
                {tr(manner.name.c_str()), first, count, first == 0});
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

double phoneNamesRoom() {
    double widest = 0;
    for (int phone = 0; phone <= kSilenceClass; ++phone)
        widest = std::max(widest, QFontMetricsF(Sizes::small()).horizontalAdvance(phoneName(phone)));
    return std::ceil(widest + scaledPixels(10));
}

} // namespace headroom::widgets
