// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/studies/profiles.h"
#include "training/studies/settings.h"

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
    /// The settings `source` and `example`, behind those that the kind has read itself; call it last.
    void readShared(SettingsReader& read) {
        m_source = read.word("source", "auto", {"auto", "contributions", "attention"});
        read.text("example", "");
        m_settings = read.done();
    }
    ProfileSource which() const {
        return m_source == "attention" ? ProfileSource::Attention : ProfileSource::Contributions;
    }

private:
    std::string m_source;
    nlohmann::json m_settings;
};

} // namespace headroom::training
