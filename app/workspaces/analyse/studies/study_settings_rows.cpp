// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/studies/study_settings_rows.h"

#include "app/parts/availability.h"
#include "app/parts/forms/form_panel.h"
#include "app/parts/name_views.h"
#include "widgets/look/sizes.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::app {

using nlohmann::json;
using widgets::Sizes;

namespace {

/// "96, 128, 1024"; thousands have no comma, because commas separate the numbers.
QString listText(const std::vector<std::int64_t>& numbers) {
    QStringList texts;
    for (const std::int64_t number : numbers)
        texts << QString::number(number);
    return texts.join(QStringLiteral(", "));
}

json listOf(const QString& text) {
    json numbers = json::array();
    for (const QString& word : text.split(u',', Qt::SkipEmptyParts)) {
        bool isWhole = false;
        numbers.push_back(static_cast<std::int64_t>(word.trimmed().toLongLong(&isWhole)));
        if (!isWhole)
            return text.trimmed().toStdString();
    }
    return numbers;
}

} // namespace

StudySettingsRows::StudySettingsRows(QWidget* parent) : QWidget(parent), m_layout(new QVBoxLayout(this)) {
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(qRound(Sizes::unit() / 2));
    connect(this, &StudySettingsRows::changed, this, &StudySettingsRows::showEffects);
}

void StudySettingsRows::setKind(StudyKind kind) {
    for (const Row& row : m_rows)
        delete row.row; // with its field
    m_rows.clear();
    for (const StudySetting& setting : studySettings(kind)) {
        Row row{setting, makeField(setting), nullptr};
        row.row = new FormRow(setting.label, row.field, this);
        row.row->setObjectName(QString::fromStdString(setting.key));
        row.field->setToolTip(setting.toolTip);
        m_layout->addWidget(row.row);
        m_rows.push_back(row);
    }
    setVisible(!m_rows.empty());
    Q_EMIT changed();
}

void StudySettingsRows::tabAfter(QWidget* field) {
    for (const Row& row : m_rows) {
        setTabOrder(field, row.field);
        field = row.field;
    }
}

QWidget* StudySettingsRows::makeField(const StudySetting& setting) {
    switch (setting.type) {
    case StudySetting::Type::Whole: {
        auto* spin = new QSpinBox(this);
        spin->setLocale(QLocale::c());
        spin->setRange(static_cast<int>(setting.least), static_cast<int>(setting.most));
        spin->setSpecialValueText(setting.leastText);
        spin->setValue(static_cast<int>(setting.start.value_or(setting.unset)));
        connect(spin, &QSpinBox::valueChanged, this, &StudySettingsRows::changed);
        return spin;
    }
    case StudySetting::Type::Wholes: {
        auto* line = new QLineEdit(listText(setting.unsetWholes), this);
        connect(line, &QLineEdit::textChanged, this, &StudySettingsRows::changed);
        return line;
    }
    case StudySetting::Type::Number: {
        auto* spin = new QDoubleSpinBox(this);
        spin->setLocale(QLocale::c());
        spin->setDecimals(setting.decimals);
        spin->setRange(setting.least, setting.most);
        spin->setSingleStep(setting.step);
        spin->setSuffix(setting.suffix);
        spin->setSpecialValueText(setting.leastText);
        spin->setValue(setting.start.value_or(setting.unset));
        connect(spin, &QDoubleSpinBox::valueChanged, this, &StudySettingsRows::changed);
        return spin;
    }
    case StudySetting::Type::Flag: {
        auto* box = new QCheckBox(this);
        box->setChecked(setting.unset != 0);
        connect(box, &QCheckBox::toggled, this, &StudySettingsRows::changed);
        return box;
    }
    case StudySetting::Type::Words:
    case StudySetting::Type::Reference:
        break;
    }
    auto* combo = new NameCombo(this); // references are models and studies
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo->setMinimumContentsLength(8);
    if (setting.type == StudySetting::Type::Reference)
        fillReferences(combo);
    for (qsizetype i = 0; i < setting.words.size(); ++i)
        combo->addItem(setting.wordLabels[i], setting.words[i]);
    combo->setCurrentIndex(static_cast<int>(setting.unset));
    connect(combo, &QComboBox::currentIndexChanged, this, &StudySettingsRows::changed);
    return combo;
}

void StudySettingsRows::fillReferences(QWidget* field) {
    auto* combo = qobject_cast<QComboBox*>(field);
    const QSignalBlocker blocker(combo);
    const QVariant chosen = combo->currentData();
    combo->clear();
    combo->addItem(tr("none: no coverage"), QString());
    for (const Reference& reference : m_references)
        combo->addItem(reference.label, reference.value);
    combo->setCurrentIndex(std::max(0, combo->findData(chosen)));
}

void StudySettingsRows::setReferences(const std::vector<Reference>& references) {
    if (references == m_references)
        return;
    m_references = references;
    for (const Row& row : m_rows)
        if (row.setting.type == StudySetting::Type::Reference)
            fillReferences(row.field);
    showEffects();
}

void StudySettingsRows::setReadsTexts(bool readsTexts) {
    if (readsTexts == m_readsTexts)
        return;
    m_readsTexts = readsTexts;
    showEffects();
}

void StudySettingsRows::setSessionMap(const QString& asDefault, const QString& asChoice) {
    for (const Row& row : m_rows) {
        if (row.setting.key != "phoneMap")
            continue;
        auto* combo = qobject_cast<QComboBox*>(row.field);
        const QString fallback = row.setting.wordLabels.value(static_cast<qsizetype>(row.setting.unset));
        combo->setItemText(static_cast<int>(row.setting.unset), asDefault.isEmpty() ? fallback : asDefault);
        const QString session = QLatin1String(kSessionPhoneMap);
        const int found = combo->findData(session);
        if (asChoice.isEmpty() && found >= 0) {
            if (combo->currentIndex() == found)
                combo->setCurrentIndex(static_cast<int>(row.setting.unset));
            combo->removeItem(found);
        } else if (!asChoice.isEmpty() && found >= 0) {
            combo->setItemText(found, asChoice);
        } else if (!asChoice.isEmpty()) {
            combo->addItem(asChoice, session);
        }
    }
}

bool StudySettingsRows::isDefault(const Row& row) const {
    const auto* combo = qobject_cast<const QComboBox*>(row.field);
    return !combo || combo->currentIndex() == static_cast<int>(row.setting.unset);
}

/// What another setting depends on is chosen from a list.
bool StudySettingsRows::hasEffect(const Row& row) const {
    if (!isOfModels(row))
        return false;
    if (!row.setting.only)
        return true;
    return std::all_of(m_rows.begin(), m_rows.end(), [&](const Row& other) {
        return other.setting.key != row.setting.only->key || isDefault(other) == row.setting.only->isDefault;
    });
}

void StudySettingsRows::showEffects() {
    for (const Row& row : m_rows) {
        row.row->setVisible(isOfModels(row));
        setAvailable(row.field, hasEffect(row) || !row.setting.only ? QString() : row.setting.only->reason);
    }
}

void StudySettingsRows::showMistakes(const std::map<QString, QString>& byKey) {
    for (const Row& row : m_rows)
        row.row->setMistake(textOf(byKey, row.row->objectName()));
}

void StudySettingsRows::showNotes(const std::map<QString, QString>& byKey) {
    for (const Row& row : m_rows)
        row.row->setNote(textOf(byKey, row.row->objectName()));
}

json StudySettingsRows::values() const {
    json values = json::object();
    for (const Row& row : m_rows) {
        const StudySetting& setting = row.setting;
        if (!hasEffect(row))
            continue;
        if (const auto* line = qobject_cast<QLineEdit*>(row.field)) {
            if (json list = listOf(line->text()); list != json(setting.unsetWholes))
                values[setting.key] = std::move(list);
        } else if (const auto* whole = qobject_cast<QSpinBox*>(row.field)) {
            if (whole->value() != static_cast<int>(setting.unset))
                values[setting.key] = whole->value();
        } else if (const auto* number = qobject_cast<QDoubleSpinBox*>(row.field)) {
            if (std::abs(number->value() - setting.unset) > 1e-9)
                // Shortest text of what stands in the field, not of the double behind it.
                values[setting.key] = QString::number(number->value(), 'f', setting.decimals).toDouble();
        } else if (const auto* flag = qobject_cast<QCheckBox*>(row.field)) {
            if (flag->isChecked() != (setting.unset != 0))
                values[setting.key] = flag->isChecked();
        } else if (const auto* combo = qobject_cast<QComboBox*>(row.field)) {
            if (combo->currentIndex() != static_cast<int>(setting.unset))
                values[setting.key] = combo->currentData().toString().toStdString();
        }
    }
    return values;
}

void StudySettingsRows::setValue(const std::string& key, const json& value) {
    for (const Row& row : m_rows) {
        if (row.setting.key != key)
            continue;
        if (auto* whole = qobject_cast<QSpinBox*>(row.field); whole && value.is_number_integer())
            whole->setValue(value.get<int>());
        else if (auto* line = qobject_cast<QLineEdit*>(row.field); line && value.is_array())
            line->setText(listText(value.get<std::vector<std::int64_t>>()));
        else if (auto* number = qobject_cast<QDoubleSpinBox*>(row.field); number && value.is_number())
            number->setValue(value.get<double>());
        else if (auto* flag = qobject_cast<QCheckBox*>(row.field); flag && value.is_boolean())
            flag->setChecked(value.get<bool>());
        else if (auto* combo = qobject_cast<QComboBox*>(row.field); combo && value.is_string())
            combo->setCurrentIndex(
                std::max(0, combo->findData(QString::fromStdString(value.get<std::string>()))));
    }
}

} // namespace headroom::app
