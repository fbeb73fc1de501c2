// SPDX-License-Identifier: GPL-3.0-or-later
// The Windows tab from a study: whose windows they are, its curves, and the places behind its numbers.
#include "app/workspaces/analyse/windows/study_windows.h"
#include "app/studies/study_layers.h"
#include "app/workspaces/analyse/common/study_model_field.h"
#include "app/workspaces/analyse/studies/places_model.h"
#include "app/workspaces/analyse/studies/places_panel.h"
#include "tests/app/studies/made_study.h"
#include "tests/app/workspaces/analyse/windows_desk.h"
#include "tests/support/runner.h"
#include "widgets/curves/windows_table.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/study_plots/spread_plot.h"
#include "widgets/study_table/study_table_view.h"

#include <QLabel>
#include <QTest>

#include <cmath>

namespace headroom::testing::study_windows_test {

using namespace headroom::app;

namespace {

/// Another model in a written study, like its first one but for the name and, if there is one, the folder.
void addModel(const std::filesystem::path& study, const char* name, const std::filesystem::path& folder = {}) {
    Study document = readStudy(study);
    StudyModel model = document.models.front();
    model.name = name;
    if (!folder.empty())
        model.folder = folder.string();
    document.models.push_back(model);
    writeStudy(study, document);
}

/// With a study of 6 layers and 5 utterances in a folder.
struct StudiedDesk : WindowsDesk {
    const std::filesystem::path folder = workshop.path() / "studied";
    Study document = makeWindowsStudy(folder, 6, 5);

    void openStudied() { evidence.add(openStudy(folder)); } ///< as it is in the folder now
};

} // namespace

class StudyWindowsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void aStudySaysWhoseWindowsAndHowManyUtterances() {
        StudiedDesk desk;
        QVERIFY(desk.settle());
        desk.openStudied();
        const auto of = [&] {
            return windowSuggestions(desk.session, desk.analysis, &desk.evidence, desk.session.currentModelId(), desk.draft()).of;
        };
        QCOMPARE(of(), QStringLiteral("Windows of made over the 5 utterances of the study “studied”."));
        const auto* caption = desk.panel()->study()->findChild<QLabel*>(QStringLiteral("studyCaption"));
        QVERIFY2(caption->text().contains(QStringLiteral("made: w = ")), qPrintable(caption->text()));
        QVERIFY(caption->wordWrap() && caption->toolTip().contains(QStringLiteral("Made by a test.")));
        desk.document.utterances[1].error = "It is shorter than a frame.";
        writeStudy(desk.folder, desk.document);
        desk.openStudied();
        QCOMPARE(of(), QStringLiteral("Windows of made over 4 of the 5 utterances of the study “studied”. 1 could "
                                      "not be measured."));
        QCOMPARE(desk.panel()->findChild<QLabel*>(QStringLiteral("suggestedFrom"))->toolTip(),
                 QStringLiteral("Not measured: u2: It is shorter than a frame."));
        desk.document.settings["shortest"] = 1.0;
        desk.document.utterances[2].seconds = 0.47;
        desk.document.utterances[2].error = "u3.wav (0.47 s) is shorter than 1 s.";
        writeStudy(desk.folder, desk.document);
        desk.openStudied();
        QCOMPARE(of(), QStringLiteral("Windows of made over 3 of the 5 utterances of the study “studied”. 1 is shorter than 1 s. 1 could "
                                      "not be measured."));
        makeWindowsStudy(desk.folder, 6, 1);
        desk.openStudied();
        QCOMPARE(of(), QStringLiteral("Windows of made over the only utterance of the study “studied”."));
    }

    /// Design took the windows from the study and showed the CL of the open utterances beside them.
    void theLossOfAWindowIsOverTheUtterancesThatSuggestIt() {
        StudiedDesk desk;
        QVERIFY(desk.settle());
        desk.document.models[0].folder = (desk.workshop.path() / "m").string();
        desk.document.models[0].weightsHash = desk.session.currentModel()->info->hash.toStdString();
        writeStudy(desk.folder, desk.document);
        desk.evidence.setCurrentModel(desk.document.models[0].folder, desk.document.models[0].weightsHash);
        const auto found = [&] {
            return windowSuggestions(desk.session, desk.analysis, &desk.evidence, desk.session.currentModelId(), desk.draft());
        };
        const double live = found().rows[1].lossOf(3);
        desk.openStudied();
        const WindowSuggestions study = found();
        QVERIFY2(study.why.isEmpty(), qPrintable(study.why));
        // D(1) = 0.5, D(3) = 0.6, D(5) = 0.7, D(7) = 0.8; w = 5 of layer 2 has a loss of 0.1 in the table.
        QCOMPARE(study.rows[1].suggested, 5);
        for (const auto& [window, loss] : {std::pair(1, 0.5), {3, 0.4}, {5, 0.1}, {7, 0.2}, {9, 0.0}, {0, 0.0}})
            QVERIFY2(std::abs(study.rows[1].lossOf(window) - loss) < 1e-9, qPrintable(QString::number(window)));
        QVERIFY(std::abs(live - 0.4) > 1e-3);
        desk.evidence.showLive(StudyKind::Windows);
        QCOMPARE(found().rows[1].lossOf(3), live);
    }

    /// At 1280×800 there was room for a single row, the plots' key and three lines of text took the rest.
    void aLowPanelHasRoomForFiveRows() {
        StudiedDesk desk;
        QVERIFY(desk.settle());
        addModel(desk.folder, "other");
        desk.openStudied();
        const int unit = qRound(widgets::Sizes::unit());
        desk.tabs.resize(47 * unit, 52 * unit);
        desk.tabs.show();
        const auto rowsOf = [](const QTableView& table) { return table.viewport()->height() / widgets::Sizes::tableRow(); };
        const auto* study = desk.panel()->study();
        const auto all = [&](const QWidget& part) { return part.visibleRegion().boundingRect() == part.rect(); };
        QTRY_COMPARE(rowsOf(*study->table()), 5);
        QVERIFY(all(*study->table()) && all(*study->curves()));
        QVERIFY(study->curves()->height() >= 12 * unit);
        // Lower still, the table fills the page, and one scrolls to the plots.
        desk.tabs.resize(47 * unit, 40 * unit);
        QTRY_VERIFY(study->curves()->visibleRegion().isEmpty());
        QVERIFY(all(*study->table()));
        QVERIFY(rowsOf(*study->table()) >= 5);
        desk.tabs.resize(47 * unit, 52 * unit);
        QTRY_VERIFY(all(*study->curves()));
        QTRY_VERIFY(study->curves()->y() < study->table()->y());
        QTRY_COMPARE(rowsOf(*study->table()), 5);
        desk.evidence.showLive(StudyKind::Windows);
        QTRY_VERIFY(desk.panel()->table()->isVisible());
        QTRY_VERIFY(all(*desk.panel()->table()) && rowsOf(*desk.panel()->table()) >= 5); // a few pixels lower, it fills the page
    }

    /// They went by the study's order, so that a model had the colour of another one in the live plot.
    void theCurvesOfAStudyHaveTheColoursOfTheSession() {
        StudiedDesk desk;
        QVERIFY(desk.settle());
        addModel(desk.folder, "here", desk.workshop.path() / "m");
        const auto follow = [&] { desk.evidence.setModelColours(modelColours(*desk.session.models())); };
        follow();
        desk.openStudied();
        const auto colourOf = [&](const QString& name) {
            for (const widgets::KeyEntry& entry : desk.panel()->study()->curves()->keyEntries())
                if (entry.name == name)
                    return entry.pen.color();
            return QColor();
        };
        const auto& runs = widgets::Theme::current().runs;
        QCOMPARE(colourOf(QStringLiteral("here")), runs[0]);
        const QColor made = colourOf(QStringLiteral("made"));
        QVERIFY(made.isValid() && made != runs[0]);
        const ModelId other = desk.session.openModel(desk.workshop.model("n"));
        follow();
        QCOMPARE(colourOf(QStringLiteral("made")), made); // whatever is open beside it
        desk.session.setCurrentModel(other);
        desk.session.closeModel(desk.session.models()->at(0).id);
        follow();
        QCOMPARE(colourOf(QStringLiteral("made")), made);
        QVERIFY(colourOf(QStringLiteral("here")) != runs[0]); // it is open no more, and the next model may have its colour
    }

    /// Three curves with bands stood over the hash and n of one model.
    void aFigureNamesEveryModelWhoseCurveIsDrawn() {
        StudiedDesk desk;
        QVERIFY(desk.settle());
        auto study = std::make_shared<OpenStudy>(*openStudy(desk.folder));
        desk.evidence.add(study);
        QCOMPARE(desk.panel()->figureCaption(), QStringLiteral("Study “studied”, model made. Window w of Algorithm 1. Made by a test."));
        auto several = std::make_shared<OpenStudy>(*study);
        several->document.models.resize(4, study->document.models.front());
        for (const auto& [model, name] : {std::pair(1, "other"), {2, "short"}, {3, "maps"}})
            several->document.models[std::size_t(model)].name = name;
        several->document.models[1].weightsHash = std::string(64, 'b');
        several->document.models[3].weightsHash.clear();
        several->document.models[3].maps = true;
        std::vector<double> statistic(30, 4);
        statistic[7] = statistic[8] = NAN; // in layer 2
        several->arrays["2.statistic"] = Tensor::of<double>({6, 5}, statistic);
        several->arrays["3.statistic"] = Tensor::of<double>({1, 5}, std::vector<double>(5, 4));
        several->arrays["4.statistic"] = several->arrays["1.statistic"];
        desk.evidence.add(several);
        desk.panel()->setLayer(2);
        QCOMPARE(desk.panel()->figureCaption(),
                 QStringLiteral("Study “studied”, model made. D(w) in layer 2, mean ± std over n utterances, of made (SHA-256 aaaaaaaaaaaa), n = 5; "
                                "other (SHA-256 bbbbbbbbbbbb), n = 3; maps (imported maps), n = 5. Window w of Algorithm 1. Made by a test."));
        desk.panel()->setLayer(1);
        QVERIFY(desk.panel()->figureCaption().contains(QStringLiteral("D(w) in layer 1")));
        QVERIFY(desk.panel()->figureCaption().contains(QStringLiteral("short (SHA-256 aaaaaaaaaaaa), n = 5")));
    }

    /// The grey curves had no name.
    void theGreyCurvesAreNamedAsTheOtherLayersOfTheirModel() {
        StudiedDesk desk;
        QVERIFY(desk.settle());
        desk.openStudied();
        const auto names = [&] {
            QStringList all;
            for (const widgets::KeyEntry& entry : desk.panel()->study()->curves()->keyEntries())
                all << entry.name;
            return all;
        };
        QCOMPARE(names(), QStringList({QStringLiteral("layer 1"), QStringLiteral("other layers")}));
        addModel(desk.folder, "other");
        desk.openStudied();
        QCOMPARE(names(), QStringList({QStringLiteral("made"), QStringLiteral("other"), QStringLiteral("made, other layers")}));
    }

    /// Another of its models was shown without a word when the current model was none of them.
    void theModelOfAStudyCanBeChosenAndACurrentOneThatIsNotInItIsSaid() {
        StudiedDesk desk;
        QVERIFY(desk.settle());
        desk.openStudied();
        const auto* field = desk.panel()->findChild<StudyModelField*>();
        QVERIFY(field->isHidden()); // there is one model
        addModel(desk.folder, "here", desk.workshop.path() / "m");
        desk.openStudied();
        const auto* caption = desk.panel()->study()->findChild<QLabel*>(QStringLiteral("studyCaption"));
        const QString notIn = QStringLiteral("The current model is not in this study.");
        const auto follow = [&] { desk.evidence.setCurrentModel(desk.session.currentModel()->folder, {}); };
        const auto shown = [&] { return desk.panel()->study()->curves()->keyEntries().front().name; };
        follow();
        QVERIFY(!field->isHidden());
        QCOMPARE(field->currentText(), QStringLiteral("here"));
        QCOMPARE(shown(), QStringLiteral("here"));
        QVERIFY2(!caption->text().contains(notIn), qPrintable(caption->text()));
        Q_EMIT const_cast<StudyModelField*>(field)->activated(0);
        QCOMPARE(shown(), QStringLiteral("made"));
        QCOMPARE(field->currentText(), QStringLiteral("made"));
        desk.session.setCurrentModel(desk.session.openModel(desk.workshop.model("n")));
        follow();
        QVERIFY2(caption->text().startsWith(notIn), qPrintable(caption->text()));
        QVERIFY(field->toolTip().contains(notIn));
        const QString before = shown();
        Q_EMIT const_cast<StudyModelField*>(field)->activated(before == QStringLiteral("made") ? 1 : 0);
        QVERIFY(shown() != before);
    }

    /// Once a number of a layer was clicked, the list follows the layer that is chosen in the table.
    void thePlacesFollowTheLayerOfTheStudysTable() {
        StudiedDesk desk;
        QVERIFY(desk.settle());
        desk.openStudied();
        auto* table = desk.panel()->study()->table();
        table->setCurrentRow(0);
        PlacesPanel places;
        QObject::connect(&desk.evidence, &StudyEvidence::placesRequested, &places, &PlacesPanel::show);
        QObject::connect(&desk.evidence, &StudyEvidence::placesFollowed, &places, &PlacesPanel::follow);
        const auto choose = [&](int row) { Q_EMIT table->rowChosen(row); };
        choose(2);
        QVERIFY(!places.isPending()); // no number was clicked yet
        Q_EMIT table->cellClicked(2, columnOf(table->study()->table(), "layer")); // a number as the others
        QTRY_VERIFY_WITH_TIMEOUT(places.headline().startsWith(QStringLiteral("Layer 3, ")), 60000);
        choose(4);
        QTRY_VERIFY_WITH_TIMEOUT(places.headline().startsWith(QStringLiteral("Layer 5, ")), 60000);
        QVERIFY(!places.headline().contains(QStringLiteral(" · made · ")));
        addModel(desk.folder, "other");
        desk.openStudied();
        Q_EMIT table->cellClicked(2, columnOf(table->study()->table(), "layer"));
        QTRY_VERIFY_WITH_TIMEOUT(places.headline().contains(QStringLiteral(" · made · ")), 60000); // of which model
    }

    /// Those of a study of windows stayed, below the row that was clicked in one of diagonality.
    void aNumberWithoutPlacesLeavesNoneListed() {
        StudiedDesk desk;
        QVERIFY(desk.settle());
        desk.openStudied();
        auto* table = desk.panel()->study()->table();
        PlacesPanel places;
        QObject::connect(&desk.evidence, &StudyEvidence::placesRequested, &places, &PlacesPanel::show);
        Q_EMIT table->cellClicked(2, columnOf(table->study()->table(), "layer"));
        QTRY_VERIFY_WITH_TIMEOUT(!places.isPending() && places.places()->rowCount() > 0, 60000);
        auto diagonality = std::make_shared<OpenStudy>(*openStudy(desk.folder));
        diagonality->folder = desk.workshop.path() / "diagonal";
        diagonality->document.kind = StudyKind::Diagonality;
        desk.evidence.add(diagonality);
        Q_EMIT table->cellClicked(4, columnOf(table->study()->table(), "layer"));
        QTRY_VERIFY_WITH_TIMEOUT(!places.isPending(), 60000);
        QCOMPARE(places.places()->rowCount(), 0);
        QCOMPARE(places.headline(), QStringLiteral("Layer 5 · diagonal"));
        QVERIFY(places.findChild<QLabel*>(QStringLiteral("placesSentence"))->text().startsWith(QStringLiteral("This study keeps no places.")));
    }
};

HEADROOM_TEST(StudyWindowsTest)

} // namespace headroom::testing::study_windows_test

#include "study_windows_test.moc"
