// SPDX-License-Identifier: GPL-3.0-or-later
// The queue as one sees it: its painted buttons, the room of its columns, and the row that stays chosen.
#include "widgets/run_monitor/queue_view.h"
#include "tests/support/runner.h"
#include "tests/widgets/run_monitor/sample_runs.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/queue_delegate.h"

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QFontMetrics>
#include <QHeaderView>
#include <QMenu>
#include <QScopeGuard>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

#include <cmath>

namespace headroom::testing::queue_view_test {

using namespace headroom::widgets;

class QueueViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    /// It read "100 %, 0 s" for as long as the last validation took.
    void aRunThatValidatesAtItsEndSaysSo() {
        QueueModel queue;
        RunItem run = sampleRun("a", 1, RunState::Running);
        run.secondsLeft = 5;
        run.update = 99;
        queue.setItems({run}, {}, {});
        const QModelIndex left = queue.index(0, QueueModel::TimeLeft);
        QCOMPARE(left.data().toString(), QStringLiteral("5 s"));
        run.update = 100;
        run.secondsLeft = 0;
        queue.setItems({run}, {}, {});
        QCOMPARE(left.data().toString(), QStringLiteral("finishing"));
        QVERIFY(left.data(Qt::ToolTipRole).toString().contains(QStringLiteral("validates")));
    }

    void paintedButtonsCanBeClicked() {
        QueueView view;
        view.resize(1200, 200);
        view.show();
        view.queue()->setItems({sampleRun("a", 1, RunState::Running), sampleRun("b", 1, RunState::Failed)},
                               {}, {});
        QSignalSpy asked(&view, &QueueView::asked);
        const auto click = [&](int row, QueueModel::Button button) {
            const QRect place = view.buttonRect(row, button);
            QVERIFY(!place.isEmpty());
            QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, place.center());
        };
        click(0, QueueModel::Button::Stop);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked[0][0].value<QueueModel::Button>(), QueueModel::Button::Stop);
        QCOMPARE(asked[0][1].value<std::filesystem::path>(), std::filesystem::path("/runs/a-1"));
        click(2, QueueModel::Button::Resume); // beside the sentence
        QCOMPARE(asked.size(), 2);
        QCOMPARE(asked[1][0].value<QueueModel::Button>(), QueueModel::Button::Resume);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                          view.visualRect(view.queue()->index(0, QueueModel::Job)).center());
        QCOMPARE(asked.size(), 2);
    }

    /// At 1280 × 720, beside a scroll bar, the last button was cut.
    void theButtonsOfTheQueueAreWholeInANarrowPanel() {
        QueueView view;
        view.resize(qRound(121 * Sizes::unit()), 80);
        view.show();
        std::vector<RunItem> runs;
        for (int i = 1; i < 8; ++i)
            runs.push_back(sampleRun(QStringLiteral("run %1").arg(i), 1, RunState::Finished));
        view.queue()->setItems(runs, {}, {});
        QCoreApplication::processEvents();
        QVERIFY(view.verticalScrollBar()->isVisible());
        for (const QueueModel::Button button : view.queue()->buttonsAt(0))
            QVERIFY(view.viewport()->rect().contains(view.buttonRect(0, button)));
    }

    /// With large text the edge of the panel cut a number in its middle, and nothing said so.
    void nothingInTheQueueIsCutByTheEdge() {
        setTextSize(150);
        Theme::apply(QStringLiteral("light"));
        const auto usual = qScopeGuard([] {
            setTextSize(100);
            Theme::apply(QStringLiteral("light"));
        });
        QueueView view;
        view.resize(1200, 400);
        view.show();
        view.queue()->setItems({sampleRun("a", 1, RunState::Running), sampleRun("b", 1, RunState::Failed)}, {}, {});
        const int frame = view.width() - view.viewport()->width();
        const auto hasInk = [](QWidget* of, const QRect& where) {
            const QImage picture = of->grab(where).toImage();
            for (int x = 0; x < picture.width(); ++x)
                for (int y = 0; y < picture.height(); ++y)
                    if (picture.pixelColor(x, y).lightness() < 150)
                        return true;
            return false;
        };
        QWidget* heads = view.horizontalHeader()->viewport();
        const auto rows = [&view](int from, int width) { return QRect(from, 3, width, view.rowViewportPosition(2) - 6); }; // above the message
        int cut = 0; // columns that lay across the edge
        for (int column = QueueModel::Where; column < QueueModel::Buttons; ++column)
            for (const double share : {0.3, 0.5, 0.8, 0.9}) {
                const QByteArray what = QStringLiteral("%1 of column %2").arg(share).arg(column).toUtf8();
                for (int turn = 0; turn < 2; ++turn) { // the columns may fit themselves to the first
                    view.resize(view.columnViewportPosition(column) + int(share * view.columnWidth(column)) + frame, 400);
                    QCoreApplication::processEvents();
                }
                const int edge = view.viewport()->width();
                if (view.columnAt(edge - 1) != column) // all of it is in sight, or none
                    continue;
                ++cut;
                QVERIFY2(!hasInk(view.viewport(), rows(edge - 3, 3)), what);
                QVERIFY2(!hasInk(heads, QRect(edge - 3, 0, 3, heads->height() - 3)), what);
                const int start = view.columnViewportPosition(column);
                if (edge - start > 5 * Sizes::unit()) {
                    QVERIFY2(hasInk(view.viewport(), rows(start, edge - start)), what);
                    QVERIFY2(hasInk(heads, QRect(start, 0, edge - start, heads->height() - 3)), what);
                }
            }
        QVERIFY2(cut > 0, "no column was cut");
        view.resize(900, 400);
        QCoreApplication::processEvents();
        QVERIFY(view.viewport()->rect().contains(view.buttonRect(2, QueueModel::Button::Resume))); // beside a message
    }

    void theUnitOfASpeedIsWhole() {
        for (const double width : {121.0, 180.0})
            for (const double speed : {58'300.0, 123'456.0, 2'110'000.0}) {
                QueueView view;
                view.resize(qRound(width * Sizes::unit()), 80);
                view.show();
                RunItem run = sampleRun("a", 1, RunState::Running);
                run.framesPerSecond = speed;
                view.queue()->setItems({run}, {}, {});
                QCoreApplication::processEvents();
                const QModelIndex index = view.queue()->index(0, QueueModel::Speed);
                QVERIFY2(view.columnWidth(QueueModel::Speed) >= view.sizeHintForIndex(index).width(),
                         qPrintable(QStringLiteral("%1 in %2 units").arg(index.data().toString()).arg(width)));
            }
    }

    /// At 1280 × 800 they read "Evaluate…emo, …" beside wide empty columns, and a scroll bar moved them by a pixel.
    void theNamesOfTheQueueHaveTheRoomOfShortNumbers() {
        QueueView view;
        view.resize(qRound(118 * Sizes::unit()) - 2, 120);
        view.show();
        EvaluationItem evaluation{{}, QStringLiteral("Evaluate demo on dev of demo"), {}};
        evaluation.info.folder = "/runs/evaluations/a";
        evaluation.info.state = EvaluationInfo::State::Finished;
        view.queue()->setItems({sampleRun("a", 1, RunState::Running)}, {}, {}, {evaluation});
        QCoreApplication::processEvents();
        QCOMPARE(view.horizontalScrollBar()->maximum(), 0);
        QVERIFY(view.columnWidth(QueueModel::Job) >
                QFontMetrics(view.font()).horizontalAdvance(view.queue()->index(1, QueueModel::Job).data().toString()));
        for (const int column : {QueueModel::Where, QueueModel::Step, QueueModel::TimeLeft, QueueModel::Speed, QueueModel::Loss, QueueModel::Score})
            QVERIFY2(view.columnWidth(column) >= view.sizeHintForIndex(view.queue()->index(0, column)).width() &&
                         view.columnWidth(column) >= QFontMetrics(Sizes::heading()).horizontalAdvance(
                                                         view.queue()->headerData(column, Qt::Horizontal).toString()) + 2 * Sizes::unit(),
                     qPrintable(QString::number(column)));
    }

    /// "Evaluate de…digits, asr" was of any seed and split, beside states with air.
    void anEvaluationKeepsItsSeedAndSplitInANarrowQueue() {
        QueueView view;
        view.resize(qRound(116 * Sizes::unit()), 120);
        view.show();
        RunItem run = sampleRun("a", 1, RunState::Running);
        run.info.best = {{"update", 40}, {"loss", 2}, {"wer", 93}};
        const QString name = QStringLiteral("demo, layers 1–8 changed, seed 2");
        EvaluationItem evaluation{{}, QStringLiteral("Evaluate %1, at update 100, on test of digits, asr").arg(name), {}, name + QStringLiteral(" … on test…")};
        evaluation.info.folder = "/runs/evaluations/a";
        evaluation.info.state = EvaluationInfo::State::Finished;
        view.queue()->setItems({run}, {}, {}, {evaluation});
        QCoreApplication::processEvents();
        QCOMPARE(view.horizontalScrollBar()->maximum(), 0);
        const QModelIndex job = view.queue()->index(1, QueueModel::Job);
        const auto shown = [&](int room) {
            return fittedTitle(job.data(QueueModel::TitlesRole).value<Titles>(), view.fontMetrics(), room);
        };
        const QString cut = shown(view.columnWidth(QueueModel::Job) - QueueDelegate::padding(view));
        QVERIFY2(cut.startsWith(QStringLiteral("dem")) && cut.endsWith(QStringLiteral(", seed 2 … on test…")), qPrintable(cut));
        QCOMPARE(shown(2000), job.data().toString());
        QVERIFY(job.data(Qt::ToolTipRole).toString().startsWith(job.data().toString()));
        QCOMPARE(view.columnWidth(QueueModel::State),
                 int(std::ceil(QueueDelegate::chipWidth(QStringLiteral("Finished")) / Sizes::unit()) * Sizes::unit()));
    }

    /// Three read "s2t-…nged, seed 1 … on test…".
    void evaluationsOfOneRunCanBeToldApart() {
        QueueView view;
        view.resize(qRound(112 * Sizes::unit()), 160); // where one has to scroll
        view.show();
        const QString name = QStringLiteral("s2t-small, layers 1–8 changed, seed 1"), brief = name + QStringLiteral(" … on test…");
        std::vector<EvaluationItem> evaluations;
        for (const char* end : {", mean of 2 checkpoints, the last of update 60, on test of digits, asr", ", at update 50, on test of digits, asr, best checkpoint",
                                ", at update 60, on test of digits, asr, last checkpoint"}) {
            EvaluationItem& one = evaluations.emplace_back(EvaluationItem{{}, QStringLiteral("Evaluate ") + name + QLatin1String(end), {}, brief});
            one.info.folder = "/runs/evaluations/" + std::to_string(evaluations.size());
            one.info.state = EvaluationInfo::State::Finished;
        }
        RunItem run = sampleRun("a", 1, RunState::Running);
        run.info.best = {{"update", 40}, {"loss", 2}, {"wer", 93}};
        const auto shown = [&](int row, int room) {
            return fittedTitle(view.queue()->index(row, QueueModel::Job).data(QueueModel::TitlesRole).value<Titles>(), view.fontMetrics(), room);
        };
        view.queue()->setItems({run}, {}, {}, evaluations);
        QCoreApplication::processEvents();
        const int narrow = view.columnWidth(QueueModel::Job) - QueueDelegate::padding(view);
        const int wide = view.fontMetrics().horizontalAdvance(brief + QStringLiteral(" mean of 2 checkpoints")) * 4 / 5;
        const QStringList ends{QStringLiteral(" … mean of 2 checkpoints"), QStringLiteral(" … best checkpoint"), QStringLiteral(" … last checkpoint")};
        for (int i = 0; i < 3; ++i) {
            const QString little = shown(i + 1, narrow), more = shown(i + 1, wide);
            QVERIFY2(little.startsWith(QStringLiteral("s2t-")) && little.contains(QStringLiteral(", seed 1") + ends[i].left(8)), qPrintable(little));
            QVERIFY2(more.endsWith(QStringLiteral(", seed 1 … on test") + ends[i]), qPrintable(more));
            QVERIFY(view.fontMetrics().horizontalAdvance(little) <= narrow && view.fontMetrics().horizontalAdvance(more) <= wide);
            QVERIFY(view.fontMetrics().horizontalAdvance(shown(i + 1, narrow / 2)) <= narrow / 2);
        }
        QVERIFY(narrow < wide);
        QCOMPARE(shown(1, 2000), evaluations[0].title);
    }

    /// A split may be what tells it apart, too, and the end may have the seed of a language model.
    void asManyPartsOfAnEvaluationStayAsItTakes() {
        const QString title = QStringLiteral("Evaluate demo, seed 1, on %1 of digits, asr"), brief = QStringLiteral("demo, seed 1 … on %1…");
        QHash<QString, QString> briefs;
        for (const char* split : {"dev", "test"})
            for (const char* end : {", best checkpoint", ", last checkpoint", ", last checkpoint, language model words, seed 2 at 0.25"})
                briefs.insert(title.arg(QLatin1String(split)) + QLatin1String(end), brief.arg(QLatin1String(split)));
        const auto apart = evaluationsApart(briefs);
        const Titles best = apart[title.arg(QStringLiteral("test")) + QStringLiteral(", best checkpoint")];
        QCOMPARE(best.brief, QStringLiteral("demo, seed 1 … on test … best checkpoint"));
        QCOMPARE(best.least, QStringLiteral("demo, seed 1 … on test of digits, best checkpoint"));
        const Titles other = apart[title.arg(QStringLiteral("dev")) + QStringLiteral(", last checkpoint, language model words, seed 2 at 0.25")];
        QCOMPARE(other.brief, QStringLiteral("demo, seed 1 … on dev … language model words, seed 2 at 0.25"));
        QSet<QString> seen;
        for (const Titles& one : apart)
            seen << one.brief << one.least;
        QCOMPARE(seen.size(), 2 * briefs.size());
        QVERIFY(evaluationsApart({{title.arg(QStringLiteral("dev")), brief.arg(QStringLiteral("dev"))}}).begin()->least.isEmpty());
    }

    /// They read "demo, lay…es, seed 1" twice.
    void runsThatDifferInTheMiddleOfTheirNamesCanBeToldApart() {
        QueueView view;
        view.resize(qRound(116 * Sizes::unit()), 120);
        view.show();
        const QString name = QStringLiteral("demo, layers 1–8: full → local %1, 3,000 updates, from demo");
        view.queue()->setItems({sampleRun(name.arg(5), 1, RunState::Running), sampleRun(name.arg(19), 1, RunState::Finished)}, {}, {});
        QCoreApplication::processEvents();
        const int room = view.columnWidth(QueueModel::Job) - QueueDelegate::padding(view);
        for (const int row : {0, 1}) {
            const QModelIndex job = view.queue()->index(row, QueueModel::Job);
            const QString cut = fittedTitle(job.data(QueueModel::TitlesRole).value<Titles>(), view.fontMetrics(), room);
            QVERIFY2(cut != job.data().toString() && cut.contains(row == 0 ? QStringLiteral("5, ") : QStringLiteral("19, ")), qPrintable(cut));
            QCOMPARE(job.data(Qt::ToolTipRole).toString(), job.data().toString());
        }
    }

    /// With large text, two of them read "Base …, seed 2".
    void namesCanBeToldApartWithLargeText() {
        setTextSize(125);
        Theme::apply(QStringLiteral("light"));
        const auto usual = qScopeGuard([] {
            setTextSize(100);
            Theme::apply(QStringLiteral("light"));
        });
        const QStringList names{QStringLiteral("Baseline on the LibriSpeech sample with full attention"), QStringLiteral("Baseline on the LibriSpeech sample with local attention"),
                                QStringLiteral("Baseline on the LibriSpeech sample with full attention, from update 40"),
                                QStringLiteral("Baseline on the LibriSpeech sample with full attention, from update 400"),
                                QStringLiteral("speech_translation_multiformer_window_13"), QStringLiteral("speech_translation_multiformer_window_31")};
        std::vector<RunItem> runs;
        for (const QString& name : names)
            for (const int seed : {1, 2})
                runs.push_back(sampleRun(name, seed, RunState::Finished));
        for (const double width : {90.0, 104.0, 110.0, 116.0, 122.0, 128.0, 140.0}) {
            QueueView view;
            view.resize(qRound(width * Sizes::unit()), 400);
            view.show();
            view.queue()->setItems(runs, {}, {});
            QCoreApplication::processEvents();
            const int room = view.columnWidth(QueueModel::Job) - QueueDelegate::padding(view);
            QVERIFY2(width != 110 || room >= 20 * Sizes::unit(), qPrintable(QString::number(room))); // the air of the numbers is the names'
            QHash<QString, QString> seen; // as shown → whole
            for (int row = 0; row < view.queue()->rowCount(); ++row) {
                const QModelIndex job = view.queue()->index(row, QueueModel::Job);
                const QString whole = job.data().toString(), shown = fittedTitle(job.data(QueueModel::TitlesRole).value<Titles>(), view.fontMetrics(), room);
                QVERIFY2(!seen.contains(shown), qPrintable(shown + u'\n' + whole + u'\n' + seen.value(shown)));
                seen.insert(shown, whole);
                QCOMPARE(job.data(Qt::ToolTipRole).toString(), whole);
                QVERIFY(view.fontMetrics().horizontalAdvance(shown) <= room);
            }
        }
    }

    /// At the largest text, where one scrolls sideways anyway, they read "de…60, seed 1" and "de…es, seed 7".
    void namesThatAreScrolledToSayWhatTheyDifferIn() {
        QueueView view;
        view.resize(qRound(80 * Sizes::unit()), 120);
        view.show();
        view.queue()->setItems({sampleRun("demo, 30 updates, from update 60 of demo_seed-2", 1, RunState::Finished),
                                sampleRun("demo, 200 updates", 7, RunState::Finished)},
                               {}, {});
        QCoreApplication::processEvents();
        QVERIFY(view.horizontalScrollBar()->maximum() > 0);
        const int room = view.columnWidth(QueueModel::Job) - QueueDelegate::padding(view);
        const auto shown = [&](int row) { return fittedTitle(view.queue()->index(row, QueueModel::Job).data(QueueModel::TitlesRole).value<Titles>(), view.fontMetrics(), room); };
        QVERIFY2(shown(0).contains(QStringLiteral("30")) || shown(1).contains(QStringLiteral("30")), qPrintable(shown(0) + u'\n' + shown(1)));
        QVERIFY2(shown(0).contains(QStringLiteral("200 updates")) || shown(1).contains(QStringLiteral("200 updates")), qPrintable(shown(0) + u'\n' + shown(1)));
    }

    /// After a start the newest job was half above the edge: the view was lower when its second row was chosen.
    void aHigherQueueBeginsWithItsFirstRow() {
        QueueView view;
        view.resize(1200, 60);
        view.show();
        std::vector<RunItem> runs;
        for (int i = 1; i < 8; ++i)
            runs.push_back(sampleRun(QStringLiteral("run %1").arg(i), 1, RunState::Finished));
        view.queue()->setItems(runs, {}, {});
        view.setCurrentPath(view.queue()->pathAt(1));
        QCoreApplication::processEvents();
        QScrollBar* bar = view.verticalScrollBar();
        QVERIFY(bar->value() > 0); // else the row is not whole
        view.resize(1200, 160);
        QCoreApplication::processEvents();
        QVERIFY(bar->maximum() > 0);
        QCOMPARE(bar->value(), 0);
        view.resize(1200, 60);
        QCoreApplication::processEvents();
        QVERIFY(view.visualRect(view.currentIndex()).bottom() <= view.viewport()->height()); // the chosen row is in sight all the same
        bar->triggerAction(QAbstractSlider::SliderToMaximum); // what somebody scrolled to stays
        view.resize(1200, 100);
        QCoreApplication::processEvents();
        QVERIFY(bar->value() > 0);
    }

    void theQueueKeepsItsRowWhenOthersCome() {
        QueueView view;
        view.show();
        const auto old = sampleRun("old", 1, RunState::Finished);
        view.queue()->setItems({old}, {}, {});
        view.setCurrentPath(old.folder);
        view.queue()->setItems({sampleRun("new", 1, RunState::Running), old}, {}, {});
        QCOMPARE(view.currentPath(), old.folder);
        QCOMPARE(view.currentIndex().row(), 1);
    }

    /// Delete moved a run to the wastebasket, and its entry in the menu did not say so.
    void theMenuNamesTheKeyThatDeletes() {
        QueueView view;
        view.show();
        view.queue()->setItems({sampleRun("one", 1, RunState::Finished)}, {}, {});
        view.setCurrentPath(view.queue()->pathAt(0));
        QSignalSpy asked(&view, &QueueView::asked);
        QTest::keyClick(&view, Qt::Key_Delete);
        QCOMPARE(asked.count(), 1);
        const QString deletes = QueueModel::buttonText(asked.front().front().value<QueueModel::Button>());
        QStringList named;
        QTimer::singleShot(0, &view, [&] { // the menu has an event loop of its own
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            if (!menu)
                return;
            for (const QAction* action : menu->actions())
                if (action->shortcut() == QKeySequence::Delete)
                    named << action->text();
            menu->close();
        });
        const QPoint at = view.visualRect(view.currentIndex()).center();
        QContextMenuEvent event(QContextMenuEvent::Keyboard, at, view.viewport()->mapToGlobal(at));
        QApplication::sendEvent(view.viewport(), &event);
        QCOMPARE(named, QStringList{deletes});
    }
};

HEADROOM_TEST(QueueViewTest)

} // namespace headroom::testing::queue_view_test

#include "queue_view_test.moc"
