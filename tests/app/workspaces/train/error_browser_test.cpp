// SPDX-License-Identifier: GPL-3.0-or-later
// The errors of an evaluation, one by one.
#include "app/parts/access_keys.h"
#include "app/parts/banner.h"
#include "app/parts/word_marks.h"
#include "app/workspaces/train/evaluate/error_browser.h"
#include "core/corpus/corpus.h"
#include "core/corpus/corpus_document.h"
#include "tests/app/workspaces/train/evaluation_result.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/study_table/study_table_view.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>

#include <algorithm>
#include <cmath>

namespace headroom::testing::error_browser_test {

using namespace headroom::app;
namespace fs = std::filesystem;

class ErrorBrowserTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void errorsAreCountedAndOpened() {
        Desk desk("good");
        const fs::path corpus = desk.shop.corpus(), folder = evaluationsFolder(desk.shop.runs()) / "a";
        const fs::path alignment = desk.shop.text(corpus / "alignments" / "u2.ctm", "u2 1 0 0.1 big\n");
        desk.shop.text(folder / "evaluation.json", result("/models/a", corpus));
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->findEvaluation(folder), 60000);
        ErrorBrowser* browser = desk.workspace->showErrors(folder);
        browser->show();
        QTRY_VERIFY_WITH_TIMEOUT(!browser->isPending(), 60000);
        const EvaluationErrors& errors = browser->errors();
        QCOMPARE(errors.utterances.size(), std::size_t(3));
        QCOMPARE(errors.utterances.front().id, std::string("u2")); // two errors in one word
        QCOMPARE(errors.utterances.back().errors, 0);              // case and punctuation do not count
        QCOMPARE(errors.confusions.front().reference, std::string("big"));
        QCOMPARE(errors.confusions.front().utterances.size(), std::size_t(2));
        QCOMPARE(errors.insertions, 1);
        QCOMPARE(browser->utterances()->shownRows(), 3);
        browser->chooseGroup(0);
        QCOMPARE(browser->utterances()->shownRows(), 2);
        QVERIFY(browser->comparison().contains(QStringLiteral("<s ")) && browser->comparison().contains(QStringLiteral("<u ")));
        QSignalSpy opened(desk.workspace.get(), &TrainWorkspace::openUtteranceRequested);
        browser->utterances()->setCurrentRow(0);
        browser->openButton()->click();
        QCOMPARE(opened.count(), 1);
        const auto asked = opened.front().at(1).value<CorpusUtterance>();
        QCOMPARE(asked.audio.filename(), fs::path("u2.wav"));
        QCOMPARE(asked.id, QStringLiteral("u2"));
        QCOMPARE(asked.texts.transcript, QStringLiteral("big"));
        QCOMPARE(asked.alignment, alignment);
        browser->chooseGroup(-1);
        QCOMPARE(browser->utterances()->shownRows(), 3);
        QVERIFY(browser->hypotheses()->text().isEmpty()); // the evaluation kept one text each
        QCOMPARE(browser->openButton()->text(), QStringLiteral("Open in Analyse"));
    }

    void whatWasLeftOutIsSaid() {
        Desk desk("good");
        const fs::path folder = evaluationsFolder(desk.shop.runs()) / "a";
        const std::string note = "1 utterance of “all” left out: there is no text (u3).";
        auto document = nlohmann::json::parse(result("/models/a", desk.shop.corpus()));
        document["notes"] = nlohmann::json::array({note});
        desk.shop.text(folder / "evaluation.json", document.dump());
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->findEvaluation(folder), 60000);
        const ErrorBrowser* browser = desk.workspace->showErrors(folder);
        QTRY_VERIFY_WITH_TIMEOUT(!browser->isPending(), 60000);
        const auto labels = browser->findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [&](const QLabel* one) { return one->text().contains(QString::fromStdString(note)); }));
    }

    /// It was said in the main window alone, behind this one.
    void whyNothingIsPlayedIsSaidInItsWindow() {
        Desk desk("good");
        const fs::path folder = evaluationsFolder(desk.shop.runs()) / "a";
        desk.shop.text(folder / "evaluation.json", result("/models/a", desk.shop.corpus()));
        ErrorBrowser* browser = desk.workspace->showErrors(folder);
        browser->show();
        QTRY_VERIFY_WITH_TIMEOUT(!browser->isPending(), 60000);
        const auto* said = browser->findChild<Banner*>();
        QVERIFY(said && !said->isVisible());
        Q_EMIT browser->player()->failed(QStringLiteral("This machine has no sound card."));
        QVERIFY(said->isVisible());
        QCOMPARE(said->text(), QStringLiteral("This machine has no sound card."));
    }

    /// "Sentences cannot be opened from here."
    void aSentenceIsOpenedWithItsSourceAndReference() {
        Desk desk("good");
        const fs::path corpus = desk.shop.path() / "texts", folder = evaluationsFolder(desk.shop.runs()) / "a";
        headroom::Utterance one;
        one.id = "u1";
        one.sourceText = "ein großes Haus";
        one.text = "a big house";
        CorpusDocument about;
        about.name = "texts";
        about.languages = {"de", "en"};
        about.splits = {"all"};
        about.tasks = {{"translate", "de", "en", true}};
        fs::create_directories(corpus);
        writeCorpusDocument(corpus / "corpus.json", about);
        writeCorpusTable(corpus, "all", about.tasks.front(), {one});
        auto document = nlohmann::json::parse(result("/models/a", corpus));
        document["task"] = "translate";
        document["utterances"] = {document["utterances"][1], document["utterances"][2]}; // u2 is not in the corpus
        desk.shop.text(folder / "evaluation.json", document.dump());
        ErrorBrowser* browser = desk.workspace->showErrors(folder);
        browser->show();
        QTRY_VERIFY_WITH_TIMEOUT(!browser->isPending(), 60000);
        QSignalSpy opened(desk.workspace.get(), &TrainWorkspace::openUtteranceRequested);
        browser->utterances()->setCurrentRow(0);
        Q_EMIT browser->utterances()->rowChosen(0);
        QVERIFY(!browser->openButton()->isEnabled());
        QVERIFY(browser->openButton()->toolTip().contains(QStringLiteral("no source text")));
        browser->utterances()->setCurrentRow(1);
        Q_EMIT browser->utterances()->rowChosen(1);
        Q_EMIT browser->utterances()->cellActivated(1, 1);
        QCOMPARE(opened.count(), 1);
        const auto asked = opened.front().at(1).value<CorpusUtterance>();
        QVERIFY(asked.audio.empty());
        Session& session = desk.session;
        const UtteranceId id = session.openUtterance(asked);
        const OpenUtterance* open = std::as_const(session).utterances()->find(id);
        QVERIFY(open && open->isText);
        QCOMPARE(open->text, QStringLiteral("ein großes Haus"));
        QCOMPARE(open->target, QStringLiteral("a big house"));
        QCOMPARE(open->name, QStringLiteral("u1"));
        QCOMPARE(session.openUtterance(asked), id); // not twice
    }

    /// "and/or" was one word here and two beside it, in WER; "$" was none.
    void wordsAreThoseThatWerCounts() {
        Desk desk("good");
        const fs::path folder = evaluationsFolder(desk.shop.runs()) / "a";
        auto document = nlohmann::json::parse(result("/models/a", desk.shop.corpus()));
        document["utterances"] = {{{"id", "u0"}, {"reference", "And/or, it's $5."}, {"hypothesis", "and or it's 5"}}};
        desk.shop.text(folder / "evaluation.json", document.dump());
        ErrorBrowser* browser = desk.workspace->showErrors(folder);
        QTRY_VERIFY_WITH_TIMEOUT(!browser->isPending(), 60000);
        QCOMPARE(browser->errors().utterances.front().referenceWords, 5); // and or it's $ 5
        QCOMPARE(browser->errors().utterances.front().errors, 1);
        QCOMPARE(browser->errors().deletions, 1);
    }

    /// Analyse showed the texts of the exported model as if they were those with the errors.
    void errorsOfACheckpointSayThatAnalyseOpensAnotherModel() {
        Desk desk("good");
        const fs::path folder = evaluationsFolder(desk.shop.runs()) / "a";
        auto document = nlohmann::json::parse(result("/models/a", desk.shop.corpus()));
        document["checkpoint"] = "best";
        desk.shop.text(folder / "evaluation.json", document.dump());
        ErrorBrowser* browser = desk.workspace->showErrors(folder);
        browser->show();
        QTRY_VERIFY_WITH_TIMEOUT(!browser->isPending(), 60000);
        QCOMPARE(browser->openButton()->text(), QStringLiteral("Open the exported model in Analyse"));
        bool says = false;
        for (const QLabel* label : browser->findChildren<QLabel*>())
            says = says || label->text().contains(QStringLiteral("The best checkpoint wrote these texts."));
        QVERIFY(says);
    }

    /// Long texts, and more rows than there is room for.
    void bothTextsShareTheRoomThatIsLeft() {
        Desk desk("good");
        const fs::path folder = evaluationsFolder(desk.shop.runs()) / "a";
        nlohmann::json document = nlohmann::json::parse(result("/models/a", desk.shop.corpus()));
        nlohmann::json one = document["utterances"][1];
        one["reference"] = "the big woman carries a book because the girls of the old house by the river are happy";
        one["hypothesis"] = "the women carry a bird because the girls of the old house by the river are happy";
        for (int i = 0; i < 60; ++i) {
            one["id"] = "v" + std::to_string(i);
            document["utterances"].push_back(one);
        }
        desk.shop.text(folder / "evaluation.json", document.dump());
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->findEvaluation(folder), 60000);
        ErrorBrowser* browser = desk.workspace->showErrors(folder);
        browser->show();
        QTRY_VERIFY_WITH_TIMEOUT(!browser->isPending(), 60000);
        const auto* table = browser->utterances();
        const auto* header = table->horizontalHeader();
        QCOMPARE(table->shownRows(), 63);
        QTRY_COMPARE_WITH_TIMEOUT(header->length(), table->viewport()->width(), 60000);
        QVERIFY(std::abs(header->sectionSize(header->count() - 1) - header->sectionSize(header->count() - 2)) <= 1);
    }

    void errorsAreCountedBySpeakerAndLength() {
        Desk desk("good");
        const fs::path folder = evaluationsFolder(desk.shop.runs()) / "a";
        nlohmann::json document = nlohmann::json::parse(result("/models/a", desk.shop.corpus()));
        const char* const speakers[] = {"ann", "bob", "ann"};
        for (std::size_t i = 0; i < 3; ++i)
            document["utterances"][i]["speaker"] = speakers[i];
        document["utterances"][0]["reference"] = "the big man in the old house";
        document["utterances"][0]["hypothesis"] = "the big man in the old house";
        desk.shop.text(folder / "evaluation.json", document.dump());
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->findEvaluation(folder), 60000);
        ErrorBrowser* browser = desk.workspace->showErrors(folder);
        browser->show();
        QTRY_VERIFY_WITH_TIMEOUT(!browser->isPending(), 60000);
        const auto& groups = browser->errors().speakers;
        QCOMPARE(groups.size(), std::size_t(2));
        QCOMPARE(groups[0].name, std::string("bob")); // one error in three words, ann two in eight
        QCOMPARE(groups[1].errors, 2);
        QCOMPARE(groups[1].referenceWords, 8);
        QCOMPARE(groups[1].rate(), 25.0);
        const auto& lengths = browser->errors().lengths;
        QCOMPARE(lengths.size(), std::size_t(2));
        QCOMPARE(lengths[0].name, std::string("0 to 5 words"));
        QCOMPARE(lengths[0].utterances.size(), std::size_t(2));
        QCOMPARE(lengths[1].name, std::string("6 to 10 words"));
        browser->groups()->setCurrentWidget(browser->speakers());
        browser->chooseGroup(1);
        QCOMPARE(browser->utterances()->shownRows(), 2);
        browser->groups()->setCurrentWidget(browser->lengths()); // another question: all utterances again
        QCOMPARE(browser->utterances()->shownRows(), 3);
        browser->chooseGroup(1);
        QCOMPARE(browser->utterances()->shownRows(), 1);
    }

    void withoutSpeakersTheirTabSaysWhy() {
        Desk desk("good");
        const fs::path folder = evaluationsFolder(desk.shop.runs()) / "a";
        desk.shop.text(folder / "evaluation.json", result("/models/a", "/nowhere"));
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->findEvaluation(folder), 60000);
        ErrorBrowser* browser = desk.workspace->showErrors(folder);
        QTRY_VERIFY_WITH_TIMEOUT(!browser->isPending(), 60000);
        const int tab = browser->groups()->indexOf(browser->speakers());
        QVERIFY(!browser->groups()->isTabEnabled(tab));
        QVERIFY(!browser->groups()->tabToolTip(tab).isEmpty());
    }

    void theNBestListIsShown() {
        Desk desk("good");
        const fs::path corpus = desk.shop.corpus(), folder = evaluationsFolder(desk.shop.runs()) / "a";
        nlohmann::json document = nlohmann::json::parse(result("/models/a", corpus));
        document["utterances"][1]["hypotheses"] = {{{"text", "a pig house"}, {"ids", {5, 2}}, {"score", -0.25}},
                                                   {{"text", "A big house"}, {"ids", {6, 2}}, {"score", -0.5}},
                                                   {{"text", "a <b> house"}, {"ids", {7, 2}}, {"score", nullptr}}};
        desk.shop.text(folder / "evaluation.json", document.dump());
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->findEvaluation(folder), 60000);
        ErrorBrowser* browser = desk.workspace->showErrors(folder);
        browser->show();
        QTRY_VERIFY_WITH_TIMEOUT(!browser->isPending(), 60000);
        const auto& rows = browser->errors().utterances;
        const auto listed = std::find_if(rows.begin(), rows.end(), [](const auto& row) { return row.id == "u1"; });
        QCOMPARE(listed->hypotheses.size(), std::size_t(3));
        QCOMPARE(listed->hypotheses[0].errors, 1);
        QCOMPARE(listed->hypotheses[1].errors, 0);
        QVERIFY(std::isnan(listed->hypotheses[2].score));
        browser->utterances()->selectRow(0); // u2, the worst, has no list
        QVERIFY(browser->hypotheses()->text().isEmpty());
        browser->utterances()->selectRow(static_cast<int>(listed - rows.begin()));
        const QString text = browser->hypotheses()->text();
        QVERIFY2(text.contains(missingWordMark(QStringLiteral("big")) + QLatin1Char(' ') + addedWordMark(QStringLiteral("pig"))),
                 qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("a big house</td>")), qPrintable(text)); // the second is right
        QVERIFY2(text.contains(QStringLiteral("–&nbsp;</td>")), qPrintable(text));
        giveAccessKeys(browser); // as when it is shown
        browser->utterances()->selectRow(0);
        browser->utterances()->selectRow(static_cast<int>(listed - rows.begin()));
        QCOMPARE(browser->hypotheses()->text(), text); // the link was "&Open in Analyse"
        QSignalSpy opened(desk.workspace.get(), &TrainWorkspace::openUtteranceRequested);
        Q_EMIT browser->hypotheses()->linkActivated(QStringLiteral("analyse"));
        QCOMPARE(opened.count(), 1);
        QCOMPARE(opened.front().at(1).value<CorpusUtterance>().audio.filename(), fs::path("u1.wav"));
    }
};

HEADROOM_TEST(ErrorBrowserTest)

} // namespace headroom::testing::error_browser_test

#include "error_browser_test.moc"
