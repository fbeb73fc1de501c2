// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studies/study_settings.h"

#include <nlohmann/json.hpp>

#include <QWidget>

#include <map>
#include <vector>

class QVBoxLayout;

namespace headroom::app {

class FormRow;

/// The settings of one kind of study as rows of a form, made from `app/studies/study_settings.h`. Window's thread.
class StudySettingsRows : public QWidget {
    Q_OBJECT

public:
    explicit StudySettingsRows(QWidget* parent = nullptr);

    void setKind(StudyKind kind);
    /// Tab goes from this field through the rows. Call it after setKind().
    void tabAfter(QWidget* field);
    /// What coverage can be measured against: text of the setting, words for people.
    struct Reference {
        QString value, label;
        bool operator==(const Reference&) const = default;
    };
    void setReferences(const std::vector<Reference>& references);
    /// Whether the models read text: settings of the length of recordings or of texts are shown accordingly.
    void setReadsTexts(bool readsTexts);
    /// How the session's phone map is called as the default of the setting phoneMap (empty: it is not the default), and
    /// behind the included maps (empty: it is not offered there).
    void setSessionMap(const QString& asDefault, const QString& asChoice);
    /// Those that differ from their defaults and have an effect, as the worker takes them. A list that is not one of
    /// whole numbers is given as its text, which the worker's table refuses.
    nlohmann::json values() const;
    /// For tests and a study that is run again; unknown keys are left out.
    void setValue(const std::string& key, const nlohmann::json& value);
    /// Rings the fields whose keys are named, and no other.
    void showMistakes(const std::map<QString, QString>& byKey);
    /// Says the notes below the fields whose keys are named, and below no other.
    void showNotes(const std::map<QString, QString>& byKey);

Q_SIGNALS:
    void changed();

private:
    struct Row {
        StudySetting setting;
        QWidget* field = nullptr;
        FormRow* row = nullptr;
    };
    QWidget* makeField(const StudySetting& setting);
    bool isDefault(const Row& row) const;
    bool isOfModels(const Row& row) const { return row.setting.ofTexts.value_or(m_readsTexts) == m_readsTexts; } ///< that read such input
    bool hasEffect(const Row& row) const;
    void showEffects();
    void fillReferences(QWidget* field);

    QVBoxLayout* m_layout;
    std::vector<Row> m_rows;
    std::vector<Reference> m_references;
    bool m_readsTexts = false;
};

} // namespace headroom::app
