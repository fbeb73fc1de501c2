// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/text_size.h"

#include <QPointer>

#include <utility>
#include <vector>

namespace headroom::widgets {

namespace {

struct SizedWork {
    QPointer<const QObject> owner;
    std::function<void()> work;
};

std::vector<SizedWork>& sizedWork() {
    static std::vector<SizedWork> works;
    return works;
}

} // namespace

void withTextSize(const QObject* owner, std::function<void()> work) {
    work();
    std::erase_if(sizedWork(), [](const SizedWork& one) { return !one.owner; });
    sizedWork().push_back({owner, std::move(work)});
}

void renewTextSizes() {
    const auto works = sizedWork(); // a copy: work may make widgets, or delete some
    for (const SizedWork& one : works)
        if (one.owner)
            one.work();
}

} // namespace headroom::widgets
