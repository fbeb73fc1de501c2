// SPDX-License-Identifier: GPL-3.0-or-later
// Who gives way in a header: a long title first, then what is asked to yield, never the other controls.
#include "app/parts/panel_header.h"
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QCheckBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include <algorithm>

namespace headroom::testing::panel_header_test {

using namespace headroom::app;

class PanelHeaderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// Larger text cut the controls of every panel until the next start.
    void itIsAsHighAsTheTextNeeds() {
        PanelHeader header(QStringLiteral("Queue"));
        const int usual = header.height();
        QCOMPARE(usual, widgets::Sizes::dockHeaderHeight());
        widgets::setTextSize(150);
        widgets::Theme::apply(QStringLiteral("light"));
        const int large = header.height(), wanted = widgets::Sizes::dockHeaderHeight();
        widgets::setTextSize(100);
        widgets::Theme::apply(QStringLiteral("light"));
        QVERIFY(wanted > usual);
        QCOMPARE(large, wanted);
        QCOMPARE(header.height(), usual);
    }

    /// "Differenc…" stood beside the chooser of what it differs from; a file's name still gives way.
    void thePanelsOwnTitleIsWhole() {
        PanelHeader header(QStringLiteral("Difference from"));
        const auto* title = header.findChild<QLabel*>();
        QVERIFY(title->minimumWidth() >= QFontMetrics(widgets::Sizes::heading()).horizontalAdvance(QStringLiteral("Difference from")));
        header.setTitle(QStringLiteral("a-recording-with-a-long-name"));
        QVERIFY(title->minimumWidth() < title->sizeHint().width());
    }

    /// "Layer 1" of a model of 8 layers stood as far from its controls as that of a model of 24.
    void aTitleIsNoWiderThanTheWidestOfNow() {
        QWidget window;
        PanelHeader header(QString(), &window);
        const auto* title = header.findChild<QLabel*>();
        window.resize(600, 100);
        header.resize(window.size());
        window.show();
        const auto width = [&](const char* widest) {
            header.setTitle(QStringLiteral("Layer 1"), QLatin1String(widest));
            QCoreApplication::processEvents();
            return title->width();
        };
        const int wide = width("Layer 24"); // the label was asked for its size with this one
        QVERIFY(width("Layer 8") < wide);
        QCOMPARE(width("Layer 24"), wide);
    }

    void aLongTitleGivesWayToTheControls() {
        QWidget window;
        PanelHeader header(QString(), &window); // a window of its own would keep to its least width
        auto* button = new QPushButton(QStringLiteral("Use suggested windows"), &header);
        auto* label = new QLabel(QStringLiteral("Full above CL"), &header);
        header.addTrailing(label);
        header.yield(label);
        header.addTrailing(button);
        auto* title = header.findChild<QLabel*>();
        header.setTitle(QStringLiteral("2026-11-23T06-37_a-run-of-a-long-name_seed-1"));
        window.show();
        const auto resize = [&](int width) {
            header.resize(width, header.height());
            QCoreApplication::processEvents();
        };
        const int controls = button->sizeHint().width() + label->sizeHint().width();
        resize(controls + 240);
        QVERIFY(label->isVisible());
        QVERIFY(label->width() >= label->sizeHint().width());
        QVERIFY(button->width() >= button->sizeHint().width());
        QVERIFY(title->width() < title->sizeHint().width());
        resize(controls + 60); // too narrow for both: the label goes
        QVERIFY(!label->isVisible());
        QVERIFY(button->width() >= button->sizeHint().width());
        resize(900);
        QVERIFY(label->isVisible());
        QVERIFY(title->width() >= title->sizeHint().width());
        header.setTitle(QStringLiteral("Layer 12"));
        resize(controls + 240);
        QVERIFY(label->isVisible());
        QVERIFY(title->width() >= title->sizeHint().width());
    }

    /// “un…ed” and “draft …” stood beside the name of a model in Design.
    void aLabelGivesWayToABriefDetail() {
        QWidget window;
        PanelHeader header(QString(), &window);
        auto* button = new QPushButton(QStringLiteral("Use suggested windows"), &header);
        auto* label = new QLabel(QStringLiteral("Full above CL"), &header);
        header.addTrailing(label);
        header.yield(label);
        header.addTrailing(button);
        const auto* detail = header.findChildren<QLabel*>().at(1);
        header.setTitle(QStringLiteral("demo, layers 4–8 changed, seed 1"));
        window.show();
        for (const bool edited : {true, false}) {
            const QString whole = edited ? QStringLiteral("draft, edited") : QStringLiteral("unchanged"),
                          brief = edited ? QStringLiteral("edited") : whole;
            header.setDetail(whole, brief);
            QStringList shown;
            for (int width = 700; width >= header.minimumSizeHint().width(); width -= 2) {
                header.resize(width, header.height());
                QCoreApplication::processEvents();
                if (label->isVisible())
                    QVERIFY2(detail->text() == whole || detail->text() == brief, qPrintable(QStringLiteral("%1 at %2: room %3").arg(detail->text()).arg(width).arg(detail->width())));
                if (shown.isEmpty() || shown.last() != detail->text())
                    shown << detail->text();
            }
            QCOMPARE(shown, edited ? (QStringList{whole, brief, whole, brief, QString()}) : (QStringList{whole, QString()}));
        }
    }

    /// The box *Window* was gone from the bar over the map, and nothing said where it was.
    void whatHasYieldedIsOfferedInAMenu() {
        QWidget window;
        PanelHeader header(QStringLiteral("Layer 6"), &window);
        QAction first(QStringLiteral("Hide diagonal")), second(QStringLiteral("Window"));
        auto* one = new QCheckBox(first.text(), &header);
        auto* other = new QCheckBox(second.text(), &header);
        auto* field = new QPushButton(QStringLiteral("Contributions"), &header);
        for (QWidget* control : {static_cast<QWidget*>(one), static_cast<QWidget*>(other), static_cast<QWidget*>(field)})
            header.addLeading(control);
        header.yield(other, &second);
        header.yield(one, &first);
        window.show();
        const auto* more = header.findChild<QToolButton*>(QStringLiteral("overflow"));
        const auto offered = [&](int width) {
            header.resize(width, header.height());
            QCoreApplication::processEvents();
            if (more->isHidden())
                return QStringList();
            Q_EMIT more->menu()->aboutToShow();
            QStringList names;
            for (const QAction* action : more->menu()->actions())
                names << action->text();
            return names;
        };
        QVERIFY(more);
        QStringList seen;
        for (int width = 700; width >= header.minimumSizeHint().width(); width -= 2) {
            const QStringList names = offered(width);
            QCOMPARE(names.contains(first.text()), one->isHidden());
            QCOMPARE(names.contains(second.text()), other->isHidden());
            QVERIFY(field->width() >= field->sizeHint().width() && field->geometry().right() <= width);
            QVERIFY(more->isHidden() || more->geometry().right() <= width);
            if (const QString all = names.join(QLatin1String(", ")); seen.isEmpty() || seen.last() != all)
                seen << all;
        }
        QCOMPARE(seen, (QStringList{QString(), QStringLiteral("Hide diagonal"), QStringLiteral("Hide diagonal, Window")}));
        QCOMPARE(offered(700), QStringList());
        QVERIFY(one->isVisible() && other->isVisible());
    }

    /// A field that may be narrower is, before a box beside it goes.
    void aFieldGivesWayBeforeAnythingYields() {
        QWidget window;
        PanelHeader header(QStringLiteral("Layer 6"), &window);
        auto* box = new QCheckBox(QStringLiteral("Window"), &header);
        auto* field = new QPushButton(QStringLiteral("Rollout of contributions"), &header);
        field->setMinimumWidth(field->sizeHint().width() - 60);
        header.addLeading(field);
        header.addLeading(box);
        header.yield(box);
        header.giveWay(field);
        window.show();
        int narrowest = field->sizeHint().width();
        for (int width = 700; width >= header.minimumSizeHint().width() && !box->isHidden(); width -= 2) {
            header.resize(width, header.height());
            QCoreApplication::processEvents();
            if (box->isVisible())
                narrowest = field->width();
        }
        QVERIFY(box->isHidden());
        QVERIFY2(narrowest <= field->minimumWidth() + 4, qPrintable(QStringLiteral("%1 of %2").arg(narrowest).arg(field->minimumWidth())));
    }

    void aDetailEndsWithAWholePart() {
        QWidget window;
        PanelHeader header(QStringLiteral("Data"), &window);
        header.setDetail(QStringLiteral("4,210 different; unknown in dev: 3.1 %"));
        auto* detail = header.findChildren<QLabel*>().last();
        window.show();
        const auto at = [&](int width) {
            header.resize(width, header.height());
            QCoreApplication::processEvents();
            return detail->text();
        };
        const int all = at(900).size();
        QCOMPARE(all, 38);
        bool cut = false;
        for (int width = 500; width > 60; width -= 5) {
            const QString shown = at(width);
            if (shown.size() == all)
                continue;
            QVERIFY2(!shown.contains(QLatin1String("unk")), qPrintable(shown)); // not "unkn…"
            QVERIFY2(shown.isEmpty() || std::any_of(shown.cbegin(), shown.cend(), [](QChar c) { return c.isLetter(); }),
                     qPrintable(shown)); // not "4,21…"
            cut = cut || shown == QString::fromUtf8("4,210 different …");
        }
        QVERIFY(cut);
        // A transcript and counts, as over the sound: "at night   7…" stood there.
        header.setDetail(QStringLiteral("the big man looks for pictures at night   79 tokens, 315 frames"));
        bool withoutCounts = false;
        for (int width = 600; width > 100; width -= 3) {
            const QString shown = at(width);
            QVERIFY2(shown.isEmpty() || shown.endsWith(QLatin1String("frames")) || !shown.contains(QLatin1Char('7')) ||
                         shown.contains(QLatin1String("79 tokens")),
                     qPrintable(shown));
            withoutCounts = withoutCounts || shown == QString::fromUtf8("the big man looks for pictures at night …");
        }
        QVERIFY(withoutCounts);
        // How many there are is not lost with how many of them failed.
        header.setDetail(QStringLiteral("7, 1 failed"));
        bool counted = false;
        for (int width = 300; width > 60; width -= 3) {
            const QString shown = at(width);
            QVERIFY2(shown.isEmpty() || shown == QLatin1String("7, 1 failed") || shown == QString::fromUtf8("7 …"),
                     qPrintable(shown));
            counted = counted || shown == QString::fromUtf8("7 …");
        }
        QVERIFY(counted);
    }

    /// “4 in …” stood over the runs, and “…; unknown in dev: 1.4 % …” over a vocabulary.
    void aBriefDetailStandsWhereTheWholeOneIsTooLong() {
        QWidget window;
        PanelHeader header(QStringLiteral("Runs"), &window);
        const QString whole = QStringLiteral("4 in 2 experiments"), brief = QStringLiteral("4");
        header.setDetail(whole, brief);
        const auto* detail = header.findChildren<QLabel*>().last();
        window.show();
        QStringList shown;
        for (int width = 300; width > 90; width -= 3) {
            header.resize(width, header.height());
            QCoreApplication::processEvents();
            if (shown.isEmpty() || shown.last() != detail->text())
                shown << detail->text();
        }
        QCOMPARE(shown, (QStringList{whole, brief}));
        QCOMPARE(detail->toolTip(), whole);
    }

    /// “faile…” stood over the utterances with larger text.
    void howManyFailedStandsBesideTheSignOfAnError() {
        QWidget window;
        PanelHeader header(QStringLiteral("Utterances"), &window);
        const QString whole = QStringLiteral("38, 1 failed"), brief = QStringLiteral("1");
        header.setDetail(whole, brief, PanelHeader::BriefCounts::Errors);
        const auto* detail = header.findChildren<QLabel*>().last();
        window.show();
        QStringList shown;
        for (int width = 300; width > 90; --width) {
            header.resize(width, header.height());
            QCoreApplication::processEvents();
            if (shown.isEmpty() || shown.last() != detail->text())
                shown << detail->text();
            QCOMPARE(detail->contentsMargins().left() > 0, detail->text() == brief);
            QVERIFY(detail->contentsRect().width() >= detail->fontMetrics().horizontalAdvance(detail->text()));
        }
        QCOMPARE(shown, (QStringList{whole, brief, QString()}));
        QCOMPARE(detail->accessibleName(), whole);
        header.setDetail(QStringLiteral("1 of 38"), QStringLiteral("1 of 38"));
        for (int width = 300; width > 90; --width) {
            header.resize(width, header.height());
            QCoreApplication::processEvents();
            QVERIFY2(detail->text().isEmpty() || detail->text() == QLatin1String("1 of 38"), qPrintable(detail->text()));
            QCOMPARE(detail->contentsMargins().left(), 0);
        }
    }
};

HEADROOM_TEST(PanelHeaderTest)

} // namespace headroom::testing::panel_header_test

#include "panel_header_test.moc"
