// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/places/where_field.h"
#include "app/workspaces/analyse/studies/study_form.h"
#include "app/workspaces/analyse/studies/study_settings_rows.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>

namespace headroom::app {

struct StudyForm::Fields {
    QComboBox *kind, *data, *split;
    QLabel* models;
    QSpinBox *utterances, *seed;
    QCheckBox* figures;
    QLineEdit* name;
    WhereField* place;
    FormRow *dataRow, *splitRow, *countRow, *placeRow;
    QPlainTextEdit* command;
    QPushButton *run, *copy, *close;
};

} // namespace headroom::app
