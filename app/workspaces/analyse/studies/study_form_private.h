// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/places/where_field.h"
#include "app/workspaces/analyse/studies/study_form.h"
#include "app/workspaces/analyse/studies/study_settings_rows.h"
#include "widgets/look/text_field.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

namespace headroom::app {

struct StudyForm::Fields {
    QComboBox *kind = nullptr, *data = nullptr, *split = nullptr;
    QLabel* models = nullptr;
    QSpinBox *utterances = nullptr, *seed = nullptr;
    QCheckBox* figures = nullptr;
    QLineEdit* name = nullptr;
    WhereField* place = nullptr;
    FormRow *dataRow = nullptr, *splitRow = nullptr, *countRow = nullptr, *placeRow = nullptr;
    QPlainTextEdit* command = nullptr;
    QPushButton *run = nullptr, *copy = nullptr, *close = nullptr;
};

} // namespace headroom::app
