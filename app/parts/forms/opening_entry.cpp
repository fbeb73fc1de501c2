// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/forms/opening_entry.h"

#include <QComboBox>
#include <QVariant>

#include <utility>

namespace headroom::app {

namespace {

constexpr const char* kChosenBefore = "chosenBefore"; ///< property: the data of the last choice

} // namespace

void rememberChoice(QComboBox* field) {
    if (const QVariant chosen = field->currentData(); chosen.isValid())
        field->setProperty(kChosenBefore, chosen);
}

void letLastEntryOpen(QComboBox* field, std::function<void()> open) {
    rememberChoice(field);
    QObject::connect(field, &QComboBox::currentIndexChanged, field, [field] { rememberChoice(field); });
    QObject::connect(field, &QComboBox::activated, field, [field, open = std::move(open)](int index) {
        if (index != field->count() - 1)
            return;
        const int before = field->findData(field->property(kChosenBefore));
        if (before >= 0 || field->itemData(0).isValid()) // else there is nothing to choose
            field->setCurrentIndex(before >= 0 ? before : 0);
        open();
    });
}

} // namespace headroom::app
