// SPDX-License-Identifier: GPL-3.0-or-later
// The window as a picture, light and dark, at the scale factor the test was started with: written beside the test, and
// compared in small with the references in tests/data/pictures.
#include "app/documents/drafts/drafts.h"
#include "app/parts/actions.h"
#include "app/parts/banner.h"
#include "app/window/guide.h"
#include "app/window/session_actions.h"
#include "app/window/tool_bar.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/map/layers_panel.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "app/workspaces/analyse/sound/recording_bar.h"
#include "app/workspaces/analyse/sound/time_column.h"
#include "tests/stories/guide_pictures.h"
#include "tests/stories/story.h"
#include "tests/support/pictures.h"
#include "tests/support/random_model.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/matrix/row_profile.h"
#include "widgets/time_axis/time_lane.h"

#include <QAction>
#include <QComboBox>
#include <QGridLayout>
#include <QImage>
#include <QLabel>
#include <QSet>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <csignal>
#include <vector>

namespace headroom::testing::screenshots_test {

using namespace headroom::app;
using headroom::testing::Story;

namespace {

/// Different colours of a part of a picture, looked at on a grid.
qsizetype coloursIn(const QImage& image, const QRect& part) {
    QSet<QRgb> colours;
    for (int y = part.top(); y < part.bottom(); y += 3)
        for (int x = part.left(); x < part.right(); x += 3)
            colours.insert(image.pixel(x, y));
    return colours.size();
}

QRect deviceRect(const QWidget* widget, const QWidget* window, double ratio) {
    const QRect rect(widget->mapTo(window, QPoint(0, 0)), widget->size());
    return QRect(qRound(rect.x() * ratio), qRound(rect.y() * ratio), qRound(rect.width() * ratio),
                 qRound(rect.height() * ratio));
}

/// The window at 320 × 200, where letters blur, and panels, plots and colours do not. Twice as many device pixels show
/// finer cells of a map, which has no reference of its own.
void compareInSmall(const QImage& window, const QString& name) {
    if (window.devicePixelRatio() != 1)
        return;
    const QImage small = window.scaled(320, 200, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    const QString problem = headroom::testing::comparePicture(small, QStringLiteral("window-") + name);
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
}

void savePicture(Story& story, const QString& name) {
    const QImage image = story.window().grab().toImage();
    QVERIFY(image.save(QStringLiteral(HEADROOM_BINARY_DIR "/tests/%1@%2x.png")
                           .arg(name)
                           .arg(story.window().devicePixelRatioF())));
    compareInSmall(image, name);
}

void checkPicture(Story& story, const QString& theme) {
    widgets::Theme::apply(theme);
    QVERIFY(story.quiet());
    story.window().analyse()->axis()->setPointer(std::nullopt);
    const QImage image = story.window().grab().toImage();
    const double ratio = story.window().devicePixelRatioF();
    QCOMPARE(image.size(), story.window().size() * ratio);
    const QString file =
        QStringLiteral(HEADROOM_BINARY_DIR "/tests/analyse-%1@%2x.png").arg(theme).arg(ratio);
    QVERIFY(image.save(file));
    compareInSmall(image, QStringLiteral("analyse-") + theme);
    // Sound is grey, the model is colour: both are pictures, not grounds.
    QVERIFY(coloursIn(image, deviceRect(story.part<TimeColumn>(), &story.window(), ratio)) > 100);
    QVERIFY(coloursIn(image, deviceRect(story.part<MatrixPanel>()->matrix(), &story.window(), ratio)) > 200);
    const QColor ground = image.pixelColor(2, image.height() - 2);
    QCOMPARE(ground.lightness() < 128, theme == QLatin1String("dark"));
}

} // namespace

class ScreenshotsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theWindowWithAnUtteranceIsAPictureInBothThemes() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        story.session().setCurrentLayer(5);
        story.session().drafts()->setWindow({story.session().currentModelId()}, {5, 17});
        story.window().analyse()->axis()->setCursor(Seconds(1.2));
        checkPicture(story, QStringLiteral("light"));
        checkPicture(story, QStringLiteral("dark"));
    }

    void theGuideIsAPictureInBothThemes() {
        Story story;
        QVERIFY(story.quiet());
        story.window().actions().guide->trigger();
        auto* window = story.window().findChild<Guide*>();
        QVERIFY(window && window->isVisible());
        GuidePage* guide = window->pageView();
        QVERIFY(guide->toPlainText().contains(QLatin1String("contribution loss")));
        // Its links lead to its other pages, and back.
        Q_EMIT guide->anchorClicked(QUrl(QStringLiteral("loop.md")));
        QCOMPARE(guide->page(), QStringLiteral("loop.md"));
        QVERIFY(guide->toPlainText().contains(QLatin1String("Start from")));
        for (const QString& theme : {QStringLiteral("light"), QStringLiteral("dark")}) {
            widgets::Theme::apply(theme);
            QCoreApplication::processEvents();
            const QImage image = guide->grab().toImage();
            QVERIFY(image.save(QStringLiteral(HEADROOM_BINARY_DIR "/tests/guide-%1@%2x.png")
                                   .arg(theme)
                                   .arg(guide->devicePixelRatioF())));
            // Inside the frame of focus, beside the text.
            QCOMPARE(image.pixelColor(16, image.height() - 16).lightness() < 128,
                     theme == QLatin1String("dark"));
            // Nothing wider than the window: the pictures follow it.
            QVERIFY(guide->document()->size().width() <= guide->viewport()->width() + 1);
        }
    }

    /// The pictures of resources/guide, as the demo session stands. HEADROOM_WRITE_GUIDE=1 writes them.
    void thePicturesOfTheGuide() {
        if (!headroom::testing::writesGuide())
            QSKIP("HEADROOM_WRITE_GUIDE is not set");
        Story story;
        story.window().sessionActions()->openDemo();
        for (const QString& theme : {QStringLiteral("light"), QStringLiteral("dark")}) {
            widgets::Theme::apply(theme);
            QVERIFY2(story.quiet(), qPrintable(story.messages()));
            AnalyseWorkspace* analyse = story.window().analyse();
            analyse->axis()->setPointer(std::nullopt);
            const QString problem =
                headroom::testing::writeGuidePicture(story.window(), QStringLiteral("analyse-") + theme);
            QVERIFY2(problem.isEmpty(), qPrintable(problem));
            story.window().actions().words->setChecked(true);
            QVERIFY2(story.quiet(), qPrintable(story.messages()));
            const QString ofWords =
                headroom::testing::writeGuidePicture(story.window(), QStringLiteral("words-") + theme);
            QVERIFY2(ofWords.isEmpty(), qPrintable(ofWords));
            story.window().actions().words->setChecked(false);
        }
    }

    /// A layer as in Multiformer v1 (Sant et al. 2022, Table 2), one local head and three over compressed
    /// keys, with random weights: the four maps as the window shows them, side by side.
    void theHeadsOfAMixedLayerAreShownWithTheirKinds() {
        Story story;
        const headroom::testing::RandomModel made(
            story.path("multiformer-v1").toStdString(),
            {"1 local 64 block + 3 conv 5/2", "1 local 64 block + 3 conv 5/2",
             "2 local 64 block + 2 conv 5/2", "2 full + 2 conv 8/4 speechformer"});
        QVERIFY2(story.openAndWait({story.utterance("one", 6), story.path("multiformer-v1")}),
                 qPrintable(story.messages()));
        AnalyseWorkspace* analyse = story.window().analyse();
        MatrixPanel* panel = story.part<MatrixPanel>();
        QTRY_VERIFY_WITH_TIMEOUT(analyse->isSettled(), 60000);
        story.window().resize(1680, 956); // room for the heads' names
        story.window().actions().showWindow->setChecked(false);
        analyse->axis()->setCursor(Seconds(2.74));
        story.session().setCurrentLayer(2);
        QVERIFY(story.quiet());
        const auto* result = story.result();
        QVERIFY(result && result->state == AnalysisResult::State::Ready);
        QVERIFY(result->layer(2)->rebuildError <= 1e-4);
        QVERIFY(panel->sourceField()->count() >= 6); // contributions, four heads, their mean; measures of mixing
        QCOMPARE(panel->sourceField()->itemText(1), QStringLiteral("Head 1: local 64 block"));
        QCOMPARE(panel->sourceField()->itemText(4), QStringLiteral("Head 4: conv 5/2"));
        QVERIFY(!panel->sourceField()->itemIcon(2).isNull());

        std::vector<QImage> heads;
        for (int head = 1; head <= 4; ++head) {
            story.session().setMapSource({MapSource::Kind::Head, head});
            QVERIFY(story.quiet());
            QVERIFY(panel->matrix()->hasMatrix());
            QCOMPARE(panel->sourceField()->currentIndex(), head);
            analyse->axis()->setPointer(std::nullopt);
            heads.push_back(panel->grab().toImage());
        }
        QVERIFY(heads[0] != heads[1] && heads[1] != heads[2] && heads[2] != heads[3]);
        QWidget four; // two by two, as wide as a picture of the guide
        four.setFixedSize(1600, 1000);
        QGridLayout grid(&four);
        grid.setContentsMargins(0, 0, 0, 0);
        grid.setSpacing(4);
        const double ratio = story.window().devicePixelRatioF();
        for (int head = 0; head < 4; ++head) {
            QImage picture =
                heads[std::size_t(head)].scaledToWidth(qRound(798 * ratio), Qt::SmoothTransformation);
            picture.setDevicePixelRatio(ratio);
            auto* label = new QLabel(&four);
            label->setPixmap(QPixmap::fromImage(picture));
            grid.addWidget(label, head / 2, head % 2);
        }
        const QImage mixed = four.grab().toImage();
        QVERIFY(mixed.save(QStringLiteral(HEADROOM_BINARY_DIR "/tests/multiformer@%1x.png").arg(ratio)));
        compareInSmall(mixed, QStringLiteral("multiformer"));
        if (headroom::testing::writesGuide()) {
            const QString problem = headroom::testing::writeGuidePicture(four, QStringLiteral("multiformer"));
            QVERIFY2(problem.isEmpty(), qPrintable(problem));
        }

        // A layer that is no sum over tokens says so where the map would be.
        story.session().setMapSource({});
        story.session().setCurrentLayer(4);
        QVERIFY(story.quiet());
        QVERIFY(!panel->matrix()->hasMatrix());
        QVERIFY(story.result()->layer(4)->reason.contains(QStringLiteral("Speechformer")));
        savePicture(story, QStringLiteral("no-contributions"));
    }

    void theEmptyWindowIsAPicture() {
        Story story;
        QVERIFY(story.quiet());
        savePicture(story, QStringLiteral("empty-light"));
    }

    void wrongStatesArePictures() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        QFile pdf(story.path("notes.wav"));
        QVERIFY(pdf.open(QIODevice::WriteOnly));
        pdf.write("%PDF-1.7 not a sound at all, only its name says so");
        pdf.close();
        QVERIFY(story.openAndWait({pdf.fileName()}));
        story.window().analyse()->showMessages();
        QSignalSpy stopped(story.window().worker(), &WorkerProcess::stoppedUnexpectedly);
        QCOMPARE(::kill(pid_t(story.window().worker()->processId()), SIGKILL), 0);
        QVERIFY(QTest::qWaitFor([&] { return stopped.count() == 1; }, 60000));
        const Banner* banner = story.part<MatrixPanel>()->banner();
        QTRY_VERIFY_WITH_TIMEOUT(banner->isVisible(), 60000);
        savePicture(story, QStringLiteral("worker-stopped"));
        // The banner stands in the panel that it concerns, above the map, and is wide enough to be read.
        QVERIFY(banner->width() > story.part<MatrixPanel>()->width() * 9 / 10);
        QVERIFY(banner->height() < 100);
    }

    void recordingIsAPicture() {
        qputenv("HEADROOM_AUDIO", "file:");
        Story story;
        QVERIFY(story.quiet());
        story.window().actions().record->trigger();
        qunsetenv("HEADROOM_AUDIO");
        QTRY_VERIFY_WITH_TIMEOUT(story.part<RecordingBar>()->isVisible(), 60000);
        savePicture(story, QStringLiteral("recording"));
        story.window().actions().record->trigger();
    }

    void everyLaneSharesItsLeftAndRightPixel() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        AnalyseWorkspace* analyse = story.window().analyse();
        QList<widgets::TimeLane*> lanes = story.part<TimeColumn>()->lanes();
        lanes << story.part<MatrixPanel>()->rowProfile() << story.part<MatrixPanel>()->matrix();
        const auto compare = [&] {
            const widgets::TimeLane* first = lanes.first();
            for (const widgets::TimeLane* lane : lanes) {
                const auto x = [&](const widgets::TimeLane* of, Seconds time) {
                    return of->mapTo(&story.window(), QPoint(0, 0)).x() + of->xOf(time);
                };
                QCOMPARE(x(lane, Seconds(0.3)), x(first, Seconds(0.3)));
                QCOMPARE(x(lane, Seconds(2.9)), x(first, Seconds(2.9)));
                QCOMPARE(lane->plotRect().left(), first->plotRect().left());
                QCOMPARE(lane->plotRect().right(), first->plotRect().right());
            }
        };
        compare();
        analyse->axis()->setVisible({Seconds(0.71), Seconds(1.93)});
        compare();
        story.window().resize(1280, 720);
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents();
        compare();
    }

    void theFirstLayoutGivesTheMiddleHalfOfTheWindow() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        const auto left = [&](const QWidget* widget) {
            return widget->mapTo(&story.window(), QPoint(0, 0)).x();
        };
        const int middle = left(story.part<MatrixPanel>()), right = left(story.part<LayersPanel>());
        QVERIFY2(std::abs(middle - 224) < 20, qPrintable(QString::number(middle)));
        QVERIFY2(std::abs(right - 1056) < 40, qPrintable(QString::number(right)));
    }

    void aSmallWindowStillHoldsEverything() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        story.window().resize(1280, 720);
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents();
        QVERIFY2(
            story.window().width() <= 1280 && story.window().height() <= 720,
            qPrintable(QStringLiteral("%1 × %2").arg(story.window().width()).arg(story.window().height())));
        QVERIFY(story.part<MatrixPanel>()->matrix()->mapRect().height() > 80);
        // Words of the tool bar are whole or not there.
        for (const QToolButton* button : story.window().toolBar()->findChildren<QToolButton*>())
            if (button->isVisible() && button->toolButtonStyle() == Qt::ToolButtonTextBesideIcon)
                QVERIFY2(button->width() >= button->sizeHint().width(), qPrintable(button->text()));
    }
};

HEADROOM_TEST(ScreenshotsTest)

} // namespace headroom::testing::screenshots_test

#include "screenshots_test.moc"
