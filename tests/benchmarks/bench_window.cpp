// SPDX-License-Identifier: GPL-3.0-or-later
// What a frame costs where maps are drawn: panning and zooming one map of N² tokens, dragging its band,
// recolouring twelve maps. Against QCPColorMap, which QCustomPlot offers for the same, in the same run.
//
//     headroom-benchmark-window [N = 1052] [frames = 60]
#include "tests/widgets/matrix/sample_maps.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/layer_thumbnails.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/phone_matrix/phone_matrix_view.h"

#include <QApplication>
#include <qcustomplot.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <random>

using namespace headroom;
using namespace headroom::widgets;

namespace {

constexpr int kMaps = 12;
const QSize kMapSize(760, 540); // the map in the window of 1600 × 1000

struct Cost {
    double median = 0, percentile95 = 0; ///< milliseconds
};

Cost measure(int frames, const std::function<void(int)>& frame) {
    for (int index = 0; index < 3; ++index)
        frame(index);
    std::vector<double> costs;
    for (int index = 0; index < frames; ++index) {
        const auto start = std::chrono::steady_clock::now();
        frame(index);
        costs.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    std::sort(costs.begin(), costs.end());
    return {costs[costs.size() / 2], costs[costs.size() * 95 / 100]};
}

void print(const char* what, Cost ours, Cost theirs, double limit) {
    std::printf("%-34s %9.2f %9.2f %12.2f %9.2f %8.1f   %s %.0f ms\n", what, ours.median, ours.percentile95,
                theirs.median, theirs.percentile95, theirs.median / ours.median,
                ours.percentile95 <= limit ? "within" : "ABOVE", limit);
}

void print(const char* what, Cost ours, double limit) {
    std::printf("%-34s %9.2f %9.2f %12s %9s %8s   %s %.0f ms\n", what, ours.median, ours.percentile95, "–",
                "–", "–", ours.percentile95 <= limit ? "within" : "ABOVE", limit);
}

/// The alternative: one QCPColorMap with the same cells and colours.
struct ColourMapPlot {
    explicit ColourMapPlot(const Matrix<float>& cells) {
        const auto count = static_cast<int>(cells.rows());
        map = new QCPColorMap(plot.xAxis, plot.yAxis);
        map->data()->setSize(count, count);
        map->data()->setRange(QCPRange(0, count - 1), QCPRange(0, count - 1));
        for (int row = 0; row < count; ++row)
            for (int column = 0; column < count; ++column)
                map->data()->setCell(column, row,
                                     static_cast<double>(cells(static_cast<std::size_t>(row),
                                                               static_cast<std::size_t>(column))));
        map->setInterpolate(false);
        map->setDataRange(QCPRange(0, 0.05));
        map->setGradient(QCPColorGradient::gpHot);
        plot.yAxis->setRangeReversed(true);
        plot.rescaleAxes();
        plot.resize(kMapSize);
        plot.show();
    }
    QCustomPlot plot;
    QCPColorMap* map;
};

/// The PAR map of the next of 64 heads, a tenth of its cells undefined, another tenth rare.
Cost switchHeads(int frames) {
    std::vector<PhoneRelation> heads(64);
    std::mt19937 random(1);
    for (PhoneRelation& head : heads) {
        head.par = Matrix<double>(kPhoneClassCount, kPhoneClassCount);
        head.counts = Matrix<std::int32_t>(kPhoneClassCount, kPhoneClassCount, 400);
        for (double& cell : head.par.values())
            cell = random() % 10 == 0 ? NAN : 0.25 + double(random() % 1000) / 300;
        for (std::int32_t& count : head.counts.values())
            count = random() % 10 == 0 ? 1 : 400;
    }
    PhoneMatrixView view;
    view.resize(544, 470);
    view.setMap(heads.front());
    view.setSelected(PhonePair{3, 4});
    view.show();
    QApplication::processEvents();
    return measure(frames, [&](int frame) {
        view.setMap(heads[std::size_t(frame) % heads.size()]);
        view.repaint();
    });
}

} // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    Theme::apply(QStringLiteral("light"));
    const int tokens = argc > 1 ? std::max(std::atoi(argv[1]), 16) : 1052;
    const int frames = argc > 2 ? std::max(std::atoi(argv[2]), 1) : 60;

    const auto cells = testing::ridge(static_cast<std::size_t>(tokens), 12);
    const auto map = testing::pyramidOf(cells);
    const auto clock = TokenClock::speechToText();
    TimeAxis axis;
    axis.setExtent(clock.cellStart(Tokens(tokens)));
    LayerMatrixView view;
    view.setAxis(&axis);
    view.setMatrix(map, clock);
    view.band()->setProfile(DiagonalProfile(cells.view()));
    view.band()->setWindow(17);
    view.resize(kMapSize);
    view.show();
    ColourMapPlot other(cells);
    application.processEvents();

    std::printf("%d × %d tokens, %d × %d pixels, %d frames; milliseconds\n", tokens, tokens, kMapSize.width(),
                kMapSize.height(), frames);
    std::printf("%-34s %9s %9s %12s %9s %8s   %s\n", "", "median", "95 %", "QCPColorMap", "95 %", "ratio",
                "limit");

    const double all = axis.extent().value();
    const auto spanOf = [all](int frame, double share) {
        const double start = (1 - share) * all * (frame % 40) / 40;
        return TimeSpan{Seconds(start), Seconds(start + share * all)};
    };
    for (const auto& [name, share] :
         {std::pair("pan, a third visible", 0.33), std::pair("pan, nine tenths visible", 0.9)}) {
        const auto ours = measure(frames, [&](int frame) {
            axis.setVisible(spanOf(frame, share));
            view.repaint();
        });
        const auto theirs = measure(frames, [&](int frame) {
            const auto span = spanOf(frame, share);
            const double perSecond = tokens / all;
            other.plot.xAxis->setRange(span.start.value() * perSecond, span.end.value() * perSecond);
            other.plot.yAxis->setRange(span.start.value() * perSecond, span.end.value() * perSecond);
            other.plot.replot(QCustomPlot::rpImmediateRefresh);
        });
        print(name, ours, theirs, 16);
    }
    {
        const auto ours = measure(frames, [&](int frame) {
            axis.setVisible(spanOf(20, 1 - 0.022 * (frame % 40)));
            view.repaint();
        });
        const auto theirs = measure(frames, [&](int frame) {
            const auto span = spanOf(20, 1 - 0.022 * (frame % 40));
            const double perSecond = tokens / all;
            other.plot.xAxis->setRange(span.start.value() * perSecond, span.end.value() * perSecond);
            other.plot.yAxis->setRange(span.start.value() * perSecond, span.end.value() * perSecond);
            other.plot.replot(QCustomPlot::rpImmediateRefresh);
        });
        print("zoom, from all to an eighth", ours, theirs, 16);
    }
    axis.fit();
    print("band moved by two tokens",
          measure(frames,
                  [&](int frame) {
                      view.band()->setWindow(17 + 2 * (frame % 20));
                      view.repaint();
                  }),
          16);

    std::vector<std::unique_ptr<LayerMatrixView>> views;
    std::vector<std::unique_ptr<ColourMapPlot>> others;
    LayerThumbnails layers;
    std::vector<ThumbnailState> states;
    for (int index = 0; index < kMaps; ++index) {
        views.push_back(std::make_unique<LayerMatrixView>());
        views.back()->setAxis(&axis);
        views.back()->setMatrix(map, clock);
        views.back()->resize(kMapSize);
        others.push_back(std::make_unique<ColourMapPlot>(cells));
        ThumbnailState state;
        state.status = ThumbnailState::Status::Ready;
        state.map = map;
        states.push_back(std::move(state));
    }
    layers.setLayers(std::move(states));
    layers.resize(545, layers.heightForWidth(545));
    layers.show();
    application.processEvents();
    const auto gammaOf = [](int frame) { return 0.3 + 0.01 * (frame % 40); };
    const auto recoloured = measure(frames / 4 + 1, [&](int frame) {
        for (auto& each : views) {
            each->setGamma(gammaOf(frame));
            (void)each->image(1);
        }
    });
    const auto theirs = measure(frames / 12 + 1, [&](int frame) {
        for (auto& each : others) {
            each->map->setGradient(frame % 2 ? QCPColorGradient::gpHot : QCPColorGradient::gpThermal);
            each->plot.replot(QCustomPlot::rpImmediateRefresh);
        }
    });
    print("recolour 12 maps, full size", recoloured, theirs, 33);
    const auto small = measure(frames, [&](int frame) {
        layers.setGamma(gammaOf(frame));
        layers.repaint();
    });
    print("recolour 12 thumbnails, painted", small, theirs, 33);
    print("PAR 37 × 37, another of 64 heads", switchHeads(frames), 50);
    return 0;
}
