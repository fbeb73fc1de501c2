// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/studies/settings.h"
#include "training/studies/profiles.h"

#include <string>

namespace headroom::training {

/// What the kinds `windows` and `diagonality` share: they measure the same profiles, under one key of the
/// cache, so that the second study of the same recordings takes from the first.
class ProfileStudy : public StudyWork {
public:
    nlohmann::json settings() const final { return m_settings; }
    bool wantsExample() const final { return true; }
    void prepare(const Study& study) final {
        m_source = toText(profileSource(m_source, study));
        m_settings["source"] = m_source;
    }
    std::string measurementKey() const final { return "profiles/1 source=" + m_source; }
    Measurement measure(LayerSource& source, const StudyInput& input,
                        const models::CancelFlag& cancel) const final {
        return measureProfiles(source, input, which(), cancel);
    }

protected:
    ProfileStudy(StudyKind kind, const nlohmann::json& given)
        : m_settings(readStudySettings(kind, given))
        , m_source(m_settings.at("source").get<std::string>()) {}
    ProfileSource which() const {
        return m_source == "attention" ? ProfileSource::Attention : ProfileSource::Contributions;
    }

private:
    nlohmann::json m_settings;
    std::string m_source;
};

} // namespace headroom::training
