// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/jobs/device_list.h"
#include "app/places/place_store.h"
#include "app/settings/app_settings.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_store.h"
#include "app/workspaces/analyse/studies/study_form.h"
#include "tests/support/app_fixtures.h"

namespace headroom::testing {

/// What the form of a new study needs.
struct StudyDesk {
    const Workshop workshop;
    app::Session session;
    app::StudyEvidence evidence;
    app::StudyStore store{workshop.path() / "studies", &evidence};
    app::AppSettings settings{app::toQString(workshop.path() / "settings.ini")};
    app::PlaceStore places;
    app::DeviceList devices;
    app::StudyForm::Parts parts() { return {&session, &store, &settings, &places, &devices}; }
};

} // namespace headroom::testing
