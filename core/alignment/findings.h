// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/validator.h"
#include "core/time/seconds_text.h"

#include <string>
#include <vector>

// Helpers shared by the parts of the validator. Internal to core/alignment.
namespace headroom {

/// Collects findings. Only the first few findings of a code are kept individually; the rest are counted.
class Findings {
public:
    using Severity = AlignmentFinding::Severity;
    using Tier = AlignmentFinding::Tier;

    explicit Findings(Seconds duration) : m_duration(duration) {}
    void add(Severity severity, const std::string& code, const std::string& sentence, Seconds start,
             Seconds end, Tier tier = Tier::None, const std::string& label = {});
    /// Returns the findings: errors first, each kind ordered by time.
    std::vector<AlignmentFinding> take();

private:
    Seconds m_duration;
    std::vector<AlignmentFinding> m_findings;
    struct More {
        std::string code;
        AlignmentFinding last;
        std::int64_t count = 0;
    };
    std::vector<More> m_more;
};

/// "35 ms"
std::string milliseconds(Seconds time);
/// "“T” (1.25–1.31 s)"
std::string placed(const Interval& interval);

/// Checks labels and lengths of the phones, and phones against words.
void checkPhones(const Alignment& alignment, const PhoneMap& map, AlignmentReport& report,
                 Findings& findings);
void checkWords(const Alignment& alignment, Findings& findings);
/// Checks the labels against the levels.
void checkSound(const Alignment& alignment, const PhoneMap& map, std::span<const float> samples,
                AlignmentReport& report, Findings& findings);

} // namespace headroom
