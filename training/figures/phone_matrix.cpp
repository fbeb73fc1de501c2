// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/figures/phone_matrix.h"

#include "core/alignment/phone_order.h"

#include <algorithm>
#include <cmath>

namespace headroom::figures {

namespace {

constexpr double kFewUtterances = 3, kPale = 0.5;

std::string nameOf(int phone) {
    return phone == kSilenceClass ? "sil" : std::string(kPhoneClasses.at(std::size_t(phone)));
}

Matrix<double> ordered(const Matrix<double>& values, const std::vector<int>& order) {
    Matrix<double> result(order.size(), order.size(), std::nan(""));
    for (std::size_t row = 0; row < order.size(); ++row)
        for (std::size_t column = 0; column < order.size(); ++column) {
            const auto r = std::size_t(order[row]), c = std::size_t(order[column]);
            if (r < values.rows() && c < values.columns())
                result(row, column) = values(r, c);
        }
    return result;
}

} // namespace

void drawPhoneMatrix(Scene& scene, const Box& frame, const Matrix<double>& values,
                     const Matrix<double>& counts, const ColourScale& scale, const PhoneMatrixLook& look) {
    std::vector<int> order(phoneOrder().begin(), phoneOrder().end());
    if (look.silence)
        order.push_back(kSilenceClass);
    const Matrix<double> shown = ordered(values, order);
    const Matrix<double> numbers = counts.empty() ? counts : ordered(counts, order);
    const auto pale = [&](std::size_t row, std::size_t column) {
        return !numbers.empty() && numbers(row, column) < kFewUtterances ? kPale : 1.0;
    };
    drawCells(scene, frame, shown, scale, pale);
    hatchUndefined(scene, frame, shown);
    const double cell = frame.width / double(order.size());
    const auto edge = [&](double place) { return place * cell; };
    double place = 0;
    for (const PhoneManner& manner : phoneManners()) {
        const double count = double(manner.classes.size());
        if (place > 0) {
            const Stroke stroke{
                kText, place == double(phoneManners().front().classes.size()) ? 0.9 : 0.35, {}};
            scene.line({frame.x + edge(place), frame.y}, {frame.x + edge(place), frame.bottom()}, stroke);
            scene.line({frame.x, frame.y + edge(place)}, {frame.right(), frame.y + edge(place)}, stroke);
        }
        if (!look.names && count > 4)
            words(scene, {frame.x - 2.5, frame.y + edge(place + count / 2)}, manner.name, kSmallSize,
                  Anchor::Middle, kText2, false, -90);
        place += count;
    }
    scene.frame(frame, {kText2, kAxisWidth, {}});
    if (look.names) {
        const double size = std::min(kSmallSize, cell * 1.02);
        for (std::size_t k = 0; k < order.size(); ++k) {
            const double middle = (double(k) + 0.5) * cell;
            words(scene, {frame.x - 2, frame.y + middle + size * kMiddle}, nameOf(order[k]), size,
                  Anchor::End, kText);
            words(scene, {frame.x + middle + size * kMiddle, frame.y - 2}, nameOf(order[k]), size,
                  Anchor::Start, kText, false, -90);
        }
    }
    if (!look.title.empty())
        words(scene, {frame.x, frame.y - (look.names ? kPhoneNames : 3)}, look.title, kLabelSize,
              Anchor::Start, kText);
}

} // namespace headroom::figures
