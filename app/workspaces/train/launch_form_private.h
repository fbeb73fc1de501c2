// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/checks_panel.h"
#include "app/parts/forms/path_field.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/place_card.h"
#include "app/workspaces/train/recipe_model.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>
#include <QToolButton>

namespace headroom::app {

struct LaunchForm::Fields {
    QComboBox *architecture = nullptr, *recipe = nullptr, *start = nullptr;
    PathField *data = nullptr, *folder = nullptr;
    QLineEdit *seeds = nullptr, *batch = nullptr, *updates = nullptr;
    QToolButton *batchBack = nullptr, *updatesBack = nullptr, *folderBack = nullptr;
    QAction *openCorpus = nullptr, *openRuns = nullptr;
    QPushButton *makeCorpus = nullptr, *holdOut = nullptr, *showValues = nullptr, *startButton = nullptr, *copyButton = nullptr;
    QTableView* values = nullptr;
    PlaceCard* place = nullptr;    ///< this machine
    QList<PlaceCard*> devices;     ///< of this machine, besides its CPU
    QList<PlaceCard*> otherPlaces; ///< by name, as in the store
    QVBoxLayout* places = nullptr;
    QCheckBox* hold = nullptr; ///< shown for a cluster
    QPushButton* editPlaces = nullptr;
    FormRow *batchRow = nullptr, *dataRow = nullptr;
    QCheckBox* allCheckpoints = nullptr;
    ChecksPanel* checks = nullptr;
};

} // namespace headroom::app
