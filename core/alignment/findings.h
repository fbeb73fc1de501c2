// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/validator.h"

#include <string>
#include <vector>

// What the parts of the validator share. Internal to core/alignment.
namespace headroom {

/// Collects findings; of one code only the first few stand by themselves.
class Findings {
public:
    using Severity = AlignmentFinding::Severity;
    using Tier = AlignmentFinding::Tier;

    explicit Findings(Seconds duration) : m_duration(duration) {}
    void add(Severity severity, const std::string& code, const std::string& sentence, Seconds start,
             Seconds end, Tier tier = Tier::None, const std::string& label = {});
    /// Errors first, each kind in the order of time.
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

/// "1.25 s"
std::string secondsText(Seconds time);
/// "35 ms"
std::string milliseconds(Seconds time);
/// "“T” (1.25–1.31 s)"
std::string placed(const Interval& interval);

/// Labels and lengths of the phones, and phones against words.
void checkPhones(const Alignment& alignment, const PhoneMap& map, AlignmentReport& report,
                 Findings& findings);
void checkWords(const Alignment& alignment, Findings& findings);
/// Levels against labels.
void checkSound(const Alignment& alignment, const PhoneMap& map, std::span<const float> samples,
                AlignmentReport& report, Findings& findings);

} // namespace headroom
