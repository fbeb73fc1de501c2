// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspaces/train/data/data_view.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/train_actions.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/made_corpus.h"

#include <QAction>
#include <QTest>

namespace headroom::testing {

/// The Data view of Train, which has read the corpus "made".
inline app::DataView* openData(Desk& desk) {
    const auto corpus = makeCorpus(desk.shop.path() / "made");
    desk.workspace->form()->chooseRecipe(desk.shop.resource("recipes/smoke.json"));
    desk.workspace->actions().data->trigger();
    desk.workspace->data()->open(corpus);
    (void)QTest::qWaitFor([&] { return !desk.workspace->data()->isPending(); }, 60000);
    QTest::qWait(20);
    return desk.workspace->data();
}

} // namespace headroom::testing
