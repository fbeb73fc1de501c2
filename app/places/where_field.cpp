// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/places/where_field.h"

#include "app/jobs/device_list.h"
#include "app/places/place_store.h"
#include "widgets/look/icons.h"

#include <QSignalBlocker>
#include <QStandardItemModel>

#include <algorithm>

namespace headroom::app {

WhereField::WhereField(PlaceStore* places, DeviceList* devices, QWidget* parent)
    : QComboBox(parent)
    , m_places(places)
    , m_devices(devices) {
    setObjectName(QStringLiteral("where"));
    setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(8);
    connect(places, &PlaceStore::changed, this, &WhereField::fill);
    connect(devices, &DeviceList::changed, this, &WhereField::fill);
    connect(this, &QComboBox::currentIndexChanged, this, [this] {
        m_wanted = chosen();
        showDetail();
    });
    fill();
}

void WhereField::look() {
    m_devices->look();
}

void WhereField::fill() {
    std::vector<WhereChoice> choices =
        whereChoices(*m_places, *m_devices, AllGpus::NotOffered, m_wanted.place.isEmpty() ? m_wanted.device : QString());
    if (choices == m_choices)
        return;
    const int before = currentIndex();
    const QString name = currentText();
    const WhereChoice wanted = m_wanted;
    m_choices = std::move(choices);
    {
        const QSignalBlocker blocker(this);
        clear();
        for (const WhereChoice& choice : m_choices) {
            addItem(widgets::icon(choice.iconName), choice.name);
            setItemData(count() - 1, choice.whyNot.isEmpty() ? choice.detail : choice.whyNot, Qt::ToolTipRole);
            if (!choice.whyNot.isEmpty())
                qobject_cast<QStandardItemModel*>(model())->item(count() - 1)->setEnabled(false);
        }
        select();
    }
    showDetail();
    Q_EMIT choicesChanged();
    if (before != currentIndex() || name != currentText())
        Q_EMIT currentIndexChanged(currentIndex());
    m_wanted = wanted; // nobody chose another one
}

void WhereField::showDetail() {
    const QString& detail = chosen().detail;
    setToolTip((detail.isEmpty() ? QString() : detail + QStringLiteral(". ")) + tr("Places are added in Train, with Places…"));
}

const WhereChoice& WhereField::chosen() const {
    return m_choices[static_cast<std::size_t>(std::max(currentIndex(), 0))];
}

QString WhereField::device() const {
    return chosen().device;
}

QString WhereField::place() const {
    return chosen().place;
}

void WhereField::choose(const QString& place, const QString& device) {
    m_wanted.place = place;
    m_wanted.device = device;
    fill(); // what is looked for has an entry
    select();
}

void WhereField::select() {
    const WhereChoice wanted = m_wanted;
    const auto found = std::find_if(m_choices.begin(), m_choices.end(), [&](const WhereChoice& choice) {
        return choice.place == wanted.place && choice.device == wanted.device && choice.whyNot.isEmpty();
    });
    setCurrentIndex(found == m_choices.end() ? 0 : static_cast<int>(found - m_choices.begin()));
    m_wanted = wanted;
}

QByteArray WhereField::state() const {
    return (m_wanted.place + u'\n' + m_wanted.device).toUtf8();
}

void WhereField::restore(const QByteArray& state) {
    const QString text = QString::fromUtf8(state);
    choose(text.section(u'\n', 0, 0), text.section(u'\n', 1, 1));
}

} // namespace headroom::app
