// SPDX-License-Identifier: GPL-3.0-or-later
// What may not be hidden in the plots of D(w) and of costs, and what masked and reused maps lose.
#include "core/analysis/diagonality.h"
#include "core/analysis/masked_loss.h"
#include "tests/support/runner.h"
#include "tests/widgets/matrix/sample_maps.h"
#include "widgets/curves/cost_plot.h"
#include "widgets/curves/diagonality_plot.h"
#include "widgets/curves/windows_model.h"
#include "widgets/look/theme.h"

#include <qcustomplot.h>
#include <QHelpEvent>
#include <QTest>
#include <QToolTip>

#include <tuple>

namespace headroom::testing::diagonality_marks_test {

using namespace headroom::widgets;

namespace {

/// Of two utterances, the first of which is the current one.
std::vector<DiagonalProfile> twoProfiles() {
    return {DiagonalProfile(testing::ridge(80, 5).view()), DiagonalProfile(testing::ridge(60, 5).view())};
}

WindowsRow rowOfTwo() {
    const auto profiles = twoProfiles();
    WindowsRow row = windowsRow(profiles);
    row.profile = profiles.front();
    return row;
}

QString toThree(double value) {
    return QString::number(value, 'f', 3);
}

} // namespace

class DiagonalityMarksTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    /// CL was that of a window which also sees the later tokens, and 0 where there is none.
    void everyLossOfMaskedHeadsCountsWhatComesLater() {
        const auto profiles = twoProfiles();
        const auto here = [&](int window) { return maskedContributionLoss(profiles[0], window); };
        const auto mean = [&](int window) { return (here(window) + maskedContributionLoss(profiles[1], window)) / 2; };
        WindowsModel model;
        WindowsRow row = rowOfTwo();
        row.setMasked();
        const int suggested = row.suggested;
        QVERIFY(here(suggested) > contributionLoss(profiles[0], suggested) + 0.05);
        model.setRows({row}, 2);
        const auto said = [&](int column, int role = Qt::DisplayRole) { return model.data(model.index(0, column), role).toString(); };
        QCOMPARE(said(WindowsModel::Drawn), QStringLiteral("masked"));
        QCOMPARE(said(WindowsModel::DrawnLoss), toThree(mean(0)));
        QCOMPARE(said(WindowsModel::LossHere), toThree(here(0)));
        QVERIFY(said(WindowsModel::DrawnLoss, Qt::ToolTipRole).startsWith(QStringLiteral("CL of masked: ")));
        QCOMPARE(said(WindowsModel::SuggestedLoss).left(5), toThree(mean(suggested)));
        model.setFullAbove(mean(suggested) - 0.01);
        QCOMPARE(said(WindowsModel::Suggested), QStringLiteral("masked"));
        model.setWindow(0, 9);
        QCOMPARE(said(WindowsModel::DrawnLoss), toThree(mean(9)));
        QCOMPARE(said(WindowsModel::LossHere), toThree(here(9)));
        DiagonalityPlot plot;
        plot.setCurrent(0, profiles[0]);
        plot.setWindow(9);
        plot.setMasked(true);
        QVERIFY2(plot.accessibleDescription().contains(QStringLiteral("CL ") + toThree(here(9))), qPrintable(plot.accessibleDescription()));
    }

    /// It takes no window of its own and has that of the map which it reuses, as in Design.
    void aReusingLayerHasTheLossOfItsMap() {
        WindowsModel model;
        WindowsRow row = rowOfTwo();
        row.takesWindow = false;
        row.window = 9;
        const double loss = row.drawnLoss();
        QVERIFY(loss > 0);
        model.setRows({row}, 2);
        QCOMPARE(model.data(model.index(0, WindowsModel::Drawn)).toString(), QStringLiteral("9"));
        QCOMPARE(model.data(model.index(0, WindowsModel::DrawnLoss)).toString(), toThree(loss));
        QCOMPARE(model.data(model.index(0, WindowsModel::Suggested)).toString(), QStringLiteral("–"));
    }

    /// Its upper half was cut off where D is 1, and the flag stood over it.
    void aMarkAtTheTopIsWholeAndTheTipLeavesTheCurvesFree() {
        DiagonalityPlot plot;
        plot.resize(420, 220);
        plot.setCurrent(10, DiagonalProfile(testing::ridge(80, 5).view()));
        plot.setWindow(17);
        plot.setCompared({"new", 0, {}}, {{"old", 1, DiagonalProfile(testing::ridge(80, 0.01, 0).view())}});
        plot.show();
        const auto* inner = plot.findChild<QCustomPlot*>();
        QVERIFY(plot.comparedHere()[0] > 1 - 1e-6);
        const QRect frame = inner->axisRect()->rect();
        double flagEnds = 0;
        bool whole = false;
        for (int index = 0; index < inner->itemCount(); ++index)
            if (const auto* text = qobject_cast<QCPItemText*>(inner->item(index)); text && text->text().startsWith(QStringLiteral("w = 17")))
                flagEnds = text->bottom->pixelPosition().y();
            else if (const auto* mark = qobject_cast<QCPItemTracer*>(inner->item(index));
                     mark && mark->brush().color() == Theme::current().panel && mark->visible()) {
                whole = !mark->clipToAxisRect();
                QVERIFY(mark->position->pixelPosition().y() <= frame.top() + 1);
                QVERIFY(flagEnds > 0 && flagEnds <= mark->position->pixelPosition().y() - (mark->size() + mark->pen().widthF()) / 2);
            }
        QVERIFY(whole);
        const auto tipAt = [&](QPoint at) {
            at += inner->pos();
            QHelpEvent help(QEvent::ToolTip, at, plot.mapToGlobal(at));
            QCoreApplication::sendEvent(&plot, &help);
            return QToolTip::text();
        };
        QVERIFY(!tipAt({frame.center().x(), frame.bottom() + 12}).isEmpty());
        QToolTip::hideText();
        QTRY_VERIFY(QToolTip::text().isEmpty());
        QVERIFY(tipAt(frame.center()).isEmpty());
    }

    /// Without an architecture it went from 0 to 1 token.
    void anAxisOfNoLengthHasNoNumbers() {
        CostPlot plot(QStringLiteral("MACs"), {});
        const auto* axis = plot.findChild<QCustomPlot*>()->xAxis;
        plot.show({}, {}, {}, 1);
        QVERIFY(!axis->tickLabels());
        plot.show({}, {}, {{1000, {}}}, 2000); // nothing is measured yet, at lengths that are known
        QVERIFY(axis->tickLabels());
    }

    /// The frame cut the ring and the caps of the longest measured length in half.
    void theLastMeasuredLengthIsWhole() {
        CostPlot plot(QStringLiteral("Time"), {});
        plot.resize(400, 240);
        plot.show({{10, 50}, {1, 2}, {0.8, 1.5}, {1.2, 2.5}}, {}, {}, 50);
        plot.setVisible(true);
        plot.grab(); // lays it out
        auto* inner = plot.findChild<QCustomPlot*>();
        const QImage image = inner->toPixmap().toImage();
        const auto ink = [&](int x, int fromY, int toY) {
            int count = 0;
            for (int y = fromY; y <= toY; ++y)
                count += image.pixelColor(x, y).blue() - image.pixelColor(x, y).red() > 40;
            return count;
        };
        const int x = qRound(inner->xAxis->coordToPixel(50)), cap = qRound(inner->yAxis->coordToPixel(2.5));
        const int middle = qRound(inner->yAxis->coordToPixel(2));
        QVERIFY(x >= inner->axisRect()->right());
        QVERIFY2(ink(x + 2, middle - 4, middle + 4) > 0, "ring");
        QVERIFY2(ink(x + 1, cap - 2, cap + 2) > 0, "cap");
    }

    /// "longest 750" covered "utterance 375" down to "utterance 3".
    void namesOfCostsStandBesideOrBelowEachOther() {
        CostPlot plot(QStringLiteral("MACs"), {});
        const auto* inner = plot.findChild<QCustomPlot*>();
        for (const auto& [width, second, rows] : {std::tuple(300, 750, 2), std::tuple(900, 750, 1), std::tuple(400, 1500, 1)}) {
            plot.resize(width, 112);
            plot.setVisible(true);
            plot.show({{0, 2000}, {5, 5}}, {}, {{375, "utterance 375"}, {1000, {}}, {double(second), "longest"}}, 2000);
            std::vector<QRectF> names;
            for (int i = 0; i < inner->itemCount(); ++i)
                if (const auto* text = qobject_cast<QCPItemText*>(inner->item(i));
                    text && (text->text().startsWith(QLatin1String("utterance")) || text->text().startsWith(QLatin1String("longest"))))
                    names.emplace_back(text->topLeft->pixelPosition(), text->bottomRight->pixelPosition());
            QCOMPARE(names.size(), std::size_t(2));
            QVERIFY(!names[0].intersects(names[1].adjusted(0, 1, 0, 0)));
            QCOMPARE(names[1].top() > names[0].top() + 1 ? 2 : 1, rows);
            const double curve = inner->yAxis->coordToPixel(5); // flat: under both
            QVERIFY2(std::max(names[0].bottom(), names[1].bottom()) <= curve + 1, qPrintable(QString::number(curve)));
        }
        QVERIFY(plot.accessibleDescription().endsWith(QStringLiteral("Marked: utterance 375. Marked: longest.")));
    }
};

HEADROOM_TEST(DiagonalityMarksTest)

} // namespace headroom::testing::diagonality_marks_test

#include "diagonality_marks_test.moc"
