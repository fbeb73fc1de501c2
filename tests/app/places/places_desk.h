// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/places/places_dialog.h"

#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>

#include <filesystem>
#include <memory>
#include <string>

namespace headroom::testing {

/// What the tests of Places share: a places.json of their own, and the fields and buttons of the window.
class PlacesDesk {
public:
    void clear() { m_folder = std::make_unique<QTemporaryDir>(); }
    const QTemporaryDir& folder() const { return *m_folder; }
    std::filesystem::path file() const { return m_folder->filePath("places.json").toStdString(); }

    static Place gpuPlace(const std::string& name) {
        Place place;
        place.name = name;
        place.host = name;
        place.folder = "~/headroom";
        return place;
    }
    static void write(const app::PlacesDialog& dialog, const char* field, const char* text) {
        dialog.findChild<QLineEdit*>(QString::fromUtf8(field))->setText(QString::fromUtf8(text));
    }
    static QPushButton* button(const QDialog& dialog, const char* text) {
        for (auto* one : dialog.findChildren<QPushButton*>())
            if (one->text().remove(u'&') == QString::fromUtf8(text))
                return one;
        return nullptr;
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

} // namespace headroom::testing
