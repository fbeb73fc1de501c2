// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/window_front.h"
#include "tests/support/runner.h"

#include <QtTest>

#include <random>
#include <stdexcept>

namespace headroom::testing::window_front_test {

/// Calls `visit` with cost and loss of every choice of windows.
template <class Visit>
void everyChoice(const std::vector<WindowChoices>& layers, Visit visit, std::size_t layer = 0, double cost = 0,
                 double loss = 0) {
    if (layer == layers.size())
        return visit(cost, loss);
    for (std::size_t i = 0; i < layers[layer].cost.size(); ++i)
        everyChoice(layers, visit, layer + 1, cost + layers[layer].cost[i], loss + layers[layer].loss[i]);
}

class WindowFrontTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void noChoiceBeatsAPoint() {
        std::mt19937 random(7);
        std::uniform_int_distribution<int> number(0, 20);
        for (int round = 0; round < 50; ++round) {
            std::vector<WindowChoices> layers(3);
            for (auto& layer : layers)
                for (int choice = 0; choice < 6; ++choice) {
                    layer.cost.push_back(number(random));
                    layer.loss.push_back(number(random) / 20.0);
                }
            const auto front = windowFront(layers);
            double least = 1e9, cheapest = 1e9;
            everyChoice(layers, [&](double cost, double loss) {
                least = std::min(least, loss);
                cheapest = std::min(cheapest, cost);
                for (const auto& point : front)
                    QVERIFY2(loss > point.loss - 1e-9 || cost > point.cost + 1e-9, "a choice beats a point");
            });
            QVERIFY(std::abs(front.front().loss - least) < 1e-9);
            QVERIFY(std::abs(front.back().cost - cheapest) < 1e-9);
            for (std::size_t i = 0; i < front.size(); ++i) {
                double cost = 0, loss = 0;
                for (std::size_t l = 0; l < layers.size(); ++l) {
                    cost += layers[l].cost[front[i].choices[l]];
                    loss += layers[l].loss[front[i].choices[l]];
                }
                QVERIFY(std::abs(cost - front[i].cost) < 1e-9 && std::abs(loss - front[i].loss) < 1e-9);
                if (i > 0)
                    QVERIFY(front[i].cost < front[i - 1].cost && front[i].loss > front[i - 1].loss - 1e-12);
            }
        }
    }
    void theCheapestCutComesFirst() {
        // Layer 1 loses 0.1 for a cost of 6, layer 2 loses 0.3 for it.
        const std::vector<WindowChoices> layers{{{4, 10}, {0.1, 0}}, {{4, 10}, {0.3, 0}}};
        const auto front = windowFront(layers);
        QCOMPARE(front.size(), std::size_t(3));
        QVERIFY((front[0].choices == std::vector<std::size_t>{1, 1}));
        QVERIFY((front[1].choices == std::vector<std::size_t>{0, 1}));
        QVERIFY((front[2].choices == std::vector<std::size_t>{0, 0}));
        QCOMPARE(front[1].cost, 14.0);
        QCOMPARE(front[2].loss, 0.4);
    }
    void impossibleChoicesAreRefused() {
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, windowFront(std::vector<WindowChoices>{{}}));
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, windowFront(std::vector<WindowChoices>{{{1}, {0, 1}}}));
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, windowFront(std::vector<WindowChoices>{{{1}, {NAN}}}));
        QCOMPARE(windowFront({}).size(), std::size_t(1));
    }
};

HEADROOM_TEST(WindowFrontTest)

} // namespace headroom::testing::window_front_test

#include "window_front_test.moc"
