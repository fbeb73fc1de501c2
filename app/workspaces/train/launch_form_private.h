// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/checks_panel.h"
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
    QComboBox *architecture, *recipe, *start;
    QLineEdit *data, *seeds, *batch, *updates, *folder;
    QToolButton *batchBack, *updatesBack;
    QAction *openCorpus, *openRuns;
    QPushButton *makeCorpus, *showValues, *startButton, *copyButton;
    QTableView* values;
    PlaceCard* place;               ///< this machine
    QList<PlaceCard*> devices;      ///< of this machine, besides its CPU
    QList<PlaceCard*> otherPlaces;  ///< by name, as in the store
    QVBoxLayout* places;
    QCheckBox* hold; ///< shown for a cluster
    QPushButton* editPlaces;
    FormRow *batchRow, *dataRow;
    QCheckBox* allCheckpoints;
    ChecksPanel* checks;
};

} // namespace headroom::app
