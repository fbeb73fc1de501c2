// SPDX-License-Identifier: GPL-3.0-or-later
// Windows that are drawn, typed or suggested in Analyse, on their way into the draft. No worker reads the
// model: an edit needs its architecture only.
#include "app/documents/drafts/drafts.h"
#include "app/parts/actions.h"
#include "app/parts/availability.h"
#include "app/parts/checks_panel.h"
#include "app/workspaces/analyse/map/head_words.h"
#include "app/workspaces/analyse/map/layers_panel.h"
#include "app/workspaces/analyse/map/map_presenter.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "app/workspaces/analyse/map/read_out_panel.h"
#include "app/workspaces/analyse/map/window_spin.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/layer_thumbnails.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/matrix/row_profile.h"

#include <QLineEdit>
#include <QProgressBar>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>
#include <QUndoStack>

#include <algorithm>
#include <cmath>
#include <memory>

namespace headroom::testing::window_edits_test {

using namespace headroom::app;

namespace {

struct Desk {
    Workshop workshop;
    Session session;
    WorkerProcess worker{options()};
    AnalysisService analysis{&session, &worker};
    widgets::TimeAxis axis;
    QObject owner;
    Actions actions{session.undoStack(), &owner};
    MatrixPanel matrix{&axis, actions};
    LayersPanel layers{actions};
    ChecksPanel checks;
    ReadOutPanel readOut;
    MapPresenter presenter{&session, &analysis, &axis,
                           MapPresenter::Views{&matrix, &layers, &checks, &readOut}};

    static WorkerProcess::Options options() {
        WorkerProcess::Options made;
        made.program = QStringLiteral("/nonexistent/headroom-worker");
        return made;
    }
    Desk() {
        const ModelId id = session.openModel(workshop.model("m"));
        session.setModelOpened(id, Workshop::info(12));
        session.setCurrentModel(id);
        presenter.refresh();
    }
    /// With room for the line of progress: at its preferred height the panel ends where its maps do.
    void showLayers() {
        layers.resize(420, layers.thumbnails()->heightForWidth(420) + 100);
        layers.show();
        QVERIFY(QTest::qWaitForWindowExposed(&layers));
    }
    DraftKey draft() { return {session.currentModelId(), 0}; }
    int steps() { return session.undoStack()->count(); }
};

} // namespace

class WindowEditsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void anEditThatChangesNothingLeavesNoStep() {
        Desk desk;
        desk.presenter.applyToLayers(0, 1, 12); // all are full
        QCOMPARE(desk.steps(), 0);
        desk.presenter.applyWindows(std::vector<std::optional<int>>(12, std::nullopt));
        QCOMPARE(desk.steps(), 0);
        desk.presenter.applyToLayers(17, 1, 12);
        QCOMPARE(desk.steps(), 1);
        desk.presenter.applyToLayers(17, 3, 5);
        QCOMPARE(desk.steps(), 1);
        QVERIFY(desk.session.undoStack()->undoText().contains(QStringLiteral("17")));
    }

    /// On the map of a full head lay the band of the other heads, and “outside 0.856”, although the draft cuts nothing off it.
    void theBandOfAHeadIsItsOwn() {
        Desk desk;
        QVERIFY(desk.session.drafts()->write(desk.draft(), {{1, 1, 4, QStringLiteral("1 local 1 + 2 local 5 + 1 full")}}));
        const widgets::WindowBand* band = desk.matrix.matrix()->band();
        const auto look = [&](const MapSource& source) {
            desk.session.setMapSource(source);
            desk.presenter.refresh();
            return band->shownWindow();
        };
        QCOMPARE(look({}), 5);
        QVERIFY(!band->kinds().isEmpty() && !band->isOfAllHeads()); // so nothing is said of what lies outside
        const std::vector<int> windows{1, 5, 5, 0};
        for (int head = 1; head <= 4; ++head) {
            QCOMPARE(look({MapSource::Kind::Head, head}), windows[static_cast<std::size_t>(head) - 1]);
            QVERIFY(band->kinds().isEmpty() && band->isOfAllHeads());
        }
        QCOMPARE(look({MapSource::Kind::HeadMean}), 5);
        // These are no window: what they cut off is not what lies outside one, and “outside 0” was said of them.
        QVERIFY(desk.session.drafts()->write(desk.draft(), {{1, 1, 4, QStringLiteral("2 full + 1 local 6 block + 1 conv 5/2")}}));
        for (int head = 1; head <= 4; ++head) {
            QCOMPARE(look({MapSource::Kind::Head, head}), 0);
            QCOMPARE(band->isOfAllHeads(), head <= 2);
        }
        look({});
        QVERIFY(!band->isOfAllHeads());
        QVERIFY(desk.session.drafts()->write(desk.draft(), {{1, 1, 4, QStringLiteral("4 masked")}}));
        look({});
        QVERIFY(band->isOfAllHeads()); // all earlier tokens
    }

    /// The share outside the window that the drag began with stayed.
    void escInALayerOfSeveralWindowsSaysNoShare() {
        Desk desk;
        QVERIFY(desk.session.drafts()->write(desk.draft(), {{1, 1, 4, QStringLiteral("3 local 5 + 1 full")}}));
        desk.session.setMapSource({});
        desk.presenter.refresh();
        widgets::RowProfile* row = desk.matrix.rowProfile();
        const TokenClock clock = TokenClock::speechToText();
        desk.axis.setExtent(clock.cellStart(Tokens(40)));
        row->setMatrix(std::make_shared<const MaxPyramid>(Matrix<float>(40, 40, 0.025F)), clock);
        desk.axis.setCursor(clock.centre(Tokens(20)));
        QVERIFY(std::isnan(row->outside()));
        widgets::WindowBand* band = desk.matrix.matrix()->band();
        Q_EMIT band->windowDragged(9);
        QVERIFY(std::abs(row->outside() - 31.0 / 40) < 1e-6);
        Q_EMIT band->windowDragged(5); // by Esc
        QVERIFY(std::isnan(row->outside()));
    }

    /// The share outside, CL under the small map and in the table were those of a layer in which block and conv heads had the window, too.
    void aDragShowsTheHeadsThatTheLayerWouldGet() {
        Desk desk;
        widgets::RowProfile* row = desk.matrix.rowProfile();
        const TokenClock clock = TokenClock::speechToText();
        desk.axis.setExtent(clock.cellStart(Tokens(40)));
        desk.axis.setCursor(clock.centre(Tokens(20)));
        widgets::WindowBand* band = desk.matrix.matrix()->band();
        std::string left;
        QObject::connect(&desk.presenter, &MapPresenter::windowDragged, &desk.owner, [&left](int, const std::vector<HeadGroup>& heads) { left = toText(heads); });
        const auto drag = [&](const char* heads, const MapSource& source, int window) {
            QVERIFY(desk.session.drafts()->write(desk.draft(), {{1, 1, 4, QString::fromLatin1(heads)}}));
            desk.session.setMapSource(source);
            desk.presenter.refresh();
            row->setMatrix(std::make_shared<const MaxPyramid>(Matrix<float>(40, 40, 0.025F)), clock);
            Q_EMIT band->windowDragged(window);
        };
        const auto isShare = [row](int outside) { return std::abs(row->outside() - outside / 40.0) < 1e-6; };
        drag("2 local 5 + 1 full + 1 conv 5/2", {}, 9);
        QVERIFY(std::isnan(row->outside()));
        QCOMPARE(band->kinds(), QStringLiteral("local 9 + conv"));
        QCOMPARE(left, std::string("3 local 9 + 1 conv 5/2"));
        Q_EMIT band->windowDragged(5); // by Esc
        QCOMPARE(band->kinds(), QStringLiteral("local 5 + full + conv"));
        drag("3 local 5 + 1 conv 5/2", {MapSource::Kind::Head, 1}, 9); // a head that takes it
        QVERIFY(isShare(31));
        drag("3 local 5 + 1 local 6 block", {MapSource::Kind::Head, 4}, 9);
        QVERIFY(std::isnan(row->outside()));
        QCOMPARE(band->kinds(), QStringLiteral("block 6"));
        drag("3 local 5 + 1 masked", {MapSource::Kind::Head, 4}, 9); // it still sees all earlier tokens
        QVERIFY(isShare(19));
        drag("4 masked", {}, 9);
        QVERIFY(isShare(35));
        QVERIFY(band->kinds().isEmpty());
    }

    /// Lines of masked heads lay on both sides of the diagonal, though these heads see nothing later.
    void theLinesOfMaskedHeadsBesideOthersAreThoseOfTheirMask() {
        using Kind = widgets::BandShape::Kind;
        const auto kind = [](const char* heads) { return bandKindOf(parseHeads(heads)); };
        QCOMPARE(kind("2 masked 9 + 2 full"), Kind::Masked);
        QCOMPARE(kind("2 masked 9 + 2 local 5"), Kind::Masked); // the widest
        QCOMPARE(kind("2 masked 9 + 2 local 9"), Kind::Centred);
        QCOMPARE(kind("2 masked + 2 full"), Kind::Centred); // no window
        QCOMPARE(drawnKindOf(parseHeads("2 masked 9 + 2 full")), Kind::Centred); // a drag sets that of the full ones
    }

    /// The window grew beyond the screen while an utterance with a long name was analysed.
    void aLongSentenceOfProgressDoesNotWidenTheWindow() {
        Desk desk;
        desk.showLayers();
        AnalysisService::Progress progress;
        progress.text = QStringLiteral("Analysing a-model-with-a-name-that-is-too-long-for-the-panel, layer 1 of 8");
        progress.done = 1;
        progress.total = 8;
        desk.layers.showProgress(progress, {});
        const auto* bar = desk.layers.findChild<QProgressBar*>();
        QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible(), 60000);
        QVERIFY2(desk.layers.minimumSizeHint().width() < 370, // as narrow as the tabs below it may be
                 qPrintable(QString::number(desk.layers.minimumSizeHint().width())));
    }

    /// The line hid the labels of the second row for as long as other recordings were read for the suggested windows.
    void onlyTheProgressOfItsOwnMapsTakesRoomInThePanel() {
        Desk desk;
        desk.showLayers();
        const AnalysisKey shown{UtteranceId(2), ModelId(1)};
        AnalysisService::Progress own, another;
        own.text = another.text = QStringLiteral("Analysing");
        own.total = another.total = 8;
        own.model = another.model = ModelId(1);
        own.utterance = UtteranceId(2);
        another.utterance = UtteranceId(3);
        const auto* bar = desk.layers.findChild<QProgressBar*>();
        desk.layers.showProgress(own, shown);
        QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible(), 60000);
        desk.layers.showProgress(another, shown);
        QVERIFY(!bar->isVisible());
        desk.layers.showProgress(own, shown);
        QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible(), 60000);
        desk.layers.showProgress(own, {UtteranceId(2), ModelId(4)}); // another model is looked at
        QVERIFY(!bar->isVisible());
    }

    void allLayersAreRefreshedOnce() {
        Desk desk;
        QSignalSpy refreshed(&desk.presenter, &MapPresenter::refreshed);
        desk.presenter.applyToLayers(17, 1, 12);
        QCOMPARE(refreshed.count(), 1);
        desk.session.undoStack()->undo();
        QCOMPARE(refreshed.count(), 2);
        desk.session.undoStack()->redo();
        QCOMPARE(refreshed.count(), 3);
    }

    void oneLayerIsRefreshedOnce() {
        Desk desk;
        QSignalSpy refreshed(&desk.presenter, &MapPresenter::refreshed);
        desk.presenter.applyToLayers(17, 4, 4);
        QCOMPARE(refreshed.count(), 1);
        QCOMPARE(desk.session.undoStack()->undoText(), QStringLiteral("window 17 for layer 4"));
        desk.presenter.applyFull(); // layer 1 is full: the fields are put right all the same
        QCOMPARE(refreshed.count(), 2);
        QCOMPARE(desk.steps(), 1);
    }

    /// "2 local 13 + 2 local 17": 13 or 17 in the field would be taken for the layer's window.
    void headsOfDifferentWindowsAreMixedInTheField() {
        Desk desk;
        WindowSpin* field = desk.matrix.windowField();
        field->setTokens(100);
        QVERIFY(desk.session.drafts()->write({desk.session.currentModelId(), 0},
                                             {{1, 1, 2, QStringLiteral("local 13")}, {1, 3, 4, QStringLiteral("local 17")}},
                                             EditStep::New));
        desk.presenter.refresh();
        QCOMPARE(field->text(), QStringLiteral("mixed"));
        desk.matrix.resize(900, 600);
        desk.matrix.show();
        // "nixed": it was wider than its place, of which the cursor takes a pixel and the margins two each
        QVERIFY(field->fontMetrics().horizontalAdvance(field->text()) + 5 <= field->findChild<QLineEdit*>()->width());
        QSignalSpy entered(field, &WindowSpin::windowEntered);
        Q_EMIT field->editingFinished(); // the focus went through it
        QCOMPARE(entered.count(), 0);
        QCOMPARE(field->text(), QStringLiteral("mixed"));
        field->findChild<QLineEdit*>()->setText(QStringLiteral("17"));
        Q_EMIT field->editingFinished(); // for all heads
        QCOMPARE(entered.count(), 1);
        QCOMPARE(entered[0][0].toInt(), 17);
        QCOMPARE(field->text(), QStringLiteral("17"));
    }

    /// "mixed" came back before the number was read, and nothing was said.
    void aTypedWindowIsForTheHeadsThatCanHaveOne() {
        Desk desk;
        WindowSpin* field = desk.matrix.windowField();
        field->setTokens(100);
        const DraftKey draft{desk.session.currentModelId(), 0};
        QVERIFY(desk.session.drafts()->write(draft, {{1, 2, 4, QStringLiteral("local 64 block")}}, EditStep::New));
        desk.presenter.refresh();
        QCOMPARE(field->text(), QStringLiteral("mixed"));
        desk.matrix.show();
        const auto type = [field](const QString& text) {
            field->setEnabled(true); // as with a map
            field->selectAll();
            QTest::keyClicks(field, text);
            QTest::keyClick(field, Qt::Key_Return);
        };
        const auto heads = [&] { return toText(desk.session.drafts()->heads(draft, 1)); };
        type(QStringLiteral("9"));
        QCOMPARE(heads(), std::string("1 local 9 + 3 local 64 block"));
        QCOMPARE(field->text(), QStringLiteral("mixed"));
        field->stepUp();
        QCOMPARE(heads(), std::string("1 local 11 + 3 local 64 block"));
        type(QStringLiteral("12"));
        QCOMPARE(field->mistake(), QStringLiteral("12 is even: use 11 or 13."));
        QCOMPARE(field->text(), QStringLiteral("12"));
        QTest::keyClick(field, Qt::Key_Escape);
        QCOMPARE(field->text(), QStringLiteral("mixed"));
        type(QStringLiteral("full"));
        QCOMPARE(heads(), std::string("1 full + 3 local 64 block"));
        const int steps = desk.steps();
        field->setEnabled(true);
        field->selectAll();
        QTest::keyClick(field, Qt::Key_Delete);
        QTest::keyClick(field, Qt::Key_Return); // nothing was entered
        QCOMPARE(field->text(), QStringLiteral("mixed"));
        QTest::keyClick(field, Qt::Key_End);
        QTest::keyClick(field, Qt::Key_Backspace); // the word can be deleted letter by letter
        QCOMPARE(field->findChild<QLineEdit*>()->text(), QStringLiteral("mixe"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(field->text(), QStringLiteral("mixed"));
        QCOMPARE(desk.steps(), steps);
    }

    /// A layer that arrived meanwhile wrote the window of the draft over what was typed.
    void whatIsTypedStaysWhileResultsArrive() {
        Desk desk;
        WindowSpin* field = desk.matrix.windowField();
        field->setTokens(100);
        field->setEnabled(true); // as with a map
        desk.matrix.show();
        field->setFocus();
        field->selectAll();
        QTest::keyClick(field, '1');
        desk.presenter.refresh();
        field->setEnabled(true);
        QTest::keyClick(field, '5');
        QCOMPARE(field->findChild<QLineEdit*>()->text(), QStringLiteral("15"));
        desk.session.setCurrentLayer(2);
        desk.presenter.refresh(); // of another layer
        QCOMPARE(field->text(), QStringLiteral("full"));
        QCOMPARE(desk.steps(), 0);
    }

    void theFieldSaysWhatMixedMeans() {
        WindowSpin field;
        const QString usual = field.toolTip();
        QVERIFY(usual.startsWith(QStringLiteral("Window of this layer")));
        setAvailable(&field, QStringLiteral("No map."));
        field.setMixed(true);
        QCOMPARE(field.toolTip(), QStringLiteral("No map."));
        setAvailable(&field, {});
        field.setMixed(true);
        QVERIFY(field.toolTip().startsWith(QStringLiteral("Mixed: ")));
        field.setWindow(9);
        field.setMixed(false);
        QCOMPARE(field.toolTip(), usual);
    }

    void aModelThatCouldNotBeOpenedHasNoLayers() {
        Desk desk;
        const ModelId id = desk.session.openModel(desk.workshop.path() / "nothing");
        desk.session.setModelFailed(id, QStringLiteral("nothing is not a model folder."));
        desk.session.setCurrentModel(id);
        desk.session.setCurrentUtterance(desk.session.openUtterance(desk.workshop.wav("talk.wav", 1)));
        desk.presenter.refresh();
        QCOMPARE(desk.layers.thumbnails()->count(), 0);
        QCOMPARE(desk.presenter.statusText(),
                 QStringLiteral("talk was not analysed, because the model “nothing” could not be opened."));
    }

    /// In the matrix's header as narrow as it gets and as wide as it likes; the mouse sets what it points at.
    void theColourSliderShowsNameAndNumber() {
        Desk desk;
        desk.matrix.setGamma(0.5);
        desk.matrix.show();
        QVERIFY(QTest::qWaitForWindowExposed(&desk.matrix));
        auto* slider = desk.matrix.findChild<QSlider*>();
        QVERIFY(slider);
        const QFontMetrics caption(widgets::Sizes::caption());
        for (const auto& [width, words] : {std::pair(1, "0.5"), std::pair(1200, "Colour gamma 0.5")}) {
            desk.matrix.resize(width, 600);
            QCoreApplication::processEvents();
            QVERIFY2(slider->isVisible() &&
                         slider->width() > caption.horizontalAdvance(QString::fromUtf8(words)),
                     words);
            if (width == 1)
                QVERIFY(slider->width() < caption.horizontalAdvance(QStringLiteral("Colour gamma 0.5")));
        }
        QTest::mouseClick(slider, Qt::LeftButton, {}, QPoint(slider->width() - 1, 5));
        QCOMPARE(desk.matrix.gamma(), 1.0);
        QTest::mousePress(slider, Qt::LeftButton, {}, QPoint(slider->width() / 2, 5));
        QCOMPARE(desk.matrix.gamma(), 0.6);
        QTest::mouseRelease(slider, Qt::LeftButton, {}, QPoint(0, 5));
        QCOMPARE(desk.matrix.gamma(), 0.2);
    }
};

HEADROOM_TEST(WindowEditsTest)

} // namespace headroom::testing::window_edits_test

#include "window_edits_test.moc"
