// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/common/controller.h"

namespace headroom::app {

void Controller::saveView(nlohmann::json&) const {}

void Controller::restoreView(const nlohmann::json&) {}

} // namespace headroom::app
