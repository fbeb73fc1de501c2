// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments that differ only in values of their recipe are told apart by these.
#include "app/runs/run_index.h"
#include "app/runs/run_names.h"
#include "core/runs/recipe.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/runner.h"

#include <QTest>

#include <functional>

namespace headroom::testing::recipe_names_test {

using namespace headroom::app;
using widgets::RunItem;

namespace {

RunItem made(const char* group, const std::function<void(Recipe&)>& change) {
    Recipe recipe = TrainWorkshop::smoke();
    change(recipe);
    RunItem item;
    item.folder = std::string("/runs/") + group;
    item.name = QStringLiteral("demo");
    item.group = QString::fromLatin1(group);
    item.recipe = QString::fromStdString(recipe.name);
    item.task = QString::fromStdString(recipe.task);
    item.info.maxUpdates = recipe.length.maxUpdates;
    item.info.created = "2026-11-21T10:31:05Z";
    item.values = std::make_shared<const Recipe>(recipe);
    return item;
}

} // namespace

class RecipeNamesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// "demo, 2026-11-30 07:06:52".
    void valuesFollowTheName() {
        std::vector<RunItem> runs{made("a", [](Recipe&) {}), made("b",
                                                                  [](Recipe& recipe) {
                                                                      recipe.loss.rDrop = 0.5;
                                                                      recipe.loss.ctcWeight = 1.7;
                                                                  }),
                                  made("c", [](Recipe& recipe) { recipe.length.maxUpdates = 3000; })};
        tellApart(runs);
        QCOMPARE(runs[1].name, QStringLiteral("demo, 120 updates, loss.ctcWeight 1.7, loss.rDrop 0.5"));
        QCOMPARE(runs[2].name, QStringLiteral("demo, 3,000 updates")); // told apart by that already
        QVERIFY2(runs[0].name.startsWith(QStringLiteral("demo, 120 updates, loss.ctcWeight ")), qPrintable(runs[0].name));
    }

    /// Only what is in no value still needs the time.
    void experimentsWithTheSameValuesHaveTheTime() {
        std::vector<RunItem> runs{made("a", [](Recipe&) {}), made("b", [](Recipe&) {}), made("c", [](Recipe& recipe) { recipe.loss.labelSmoothing = 0.2; })};
        runs[1].info.created = "2026-11-21T11:00:00Z";
        tellApart(runs);
        QVERIFY2(runs[0].name.endsWith(QStringLiteral(", 2026-11-21 10:31:05")), qPrintable(runs[0].name));
        QVERIFY2(runs[1].name.endsWith(QStringLiteral(", 2026-11-21 11:00:00")), qPrintable(runs[1].name));
        QCOMPARE(runs[2].name, QStringLiteral("demo, loss.labelSmoothing 0.2"));
    }

    /// Whatever differs between two recipes that a person can write is in their names.
    void everyValueTellsApart() {
        const Recipe smoke = TrainWorkshop::smoke();
        int seen = 0;
        for (const RecipeField& field : recipeFields()) {
            if (field.key == "name" || field.key == "source" || field.key == "task" || field.key == "length.maxUpdates" || field.key == "machine.seed")
                continue; // in no experiment's values, or with words of their own
            std::vector<RunItem> known{made("a", [](Recipe&) {})};
            tellApart(known);
            const RunItem fresh = made("b", [&](Recipe& recipe) {
                const nlohmann::json now = field.get(smoke);
                const auto other = [&]() -> nlohmann::json {
                    if (field.kind == RecipeField::Kind::Word)
                        return std::string(now == std::string(field.words.front()) ? field.words.back() : field.words.front());
                    if (field.kind == RecipeField::Kind::Text)
                        return now.get<std::string>() + "x";
                    if (field.kind == RecipeField::Kind::Whole)
                        return now.get<std::int64_t>() + 1;
                    return now.get<double>() + 0.001;
                }();
                field.set(recipe, other);
            });
            const QString name = nameAtStart(fresh, known), key = QString::fromUtf8(field.key.data(), qsizetype(field.key.size()));
            QVERIFY2(name.startsWith(QStringLiteral("demo, ") + key + u' ') && !name.contains(QStringLiteral("2026")), qPrintable(name));
            ++seen;
        }
        QVERIFY(seen > 50);
    }

    void aNewRunIsNamedAfterItsOwnValues() {
        std::vector<RunItem> known{made("a", [](Recipe&) {})};
        tellApart(known);
        const auto start = [&](const char* group, const std::function<void(Recipe&)>& change) {
            RunItem fresh = made(group, change);
            fresh.called = nameAtStart(fresh, known);
            fresh.designed = QStringLiteral("demo");
            fresh.name = fresh.called;
            known.push_back(fresh);
            return fresh.called;
        };
        QCOMPARE(start("b", [](Recipe& recipe) { recipe.loss.rDrop = 0.5; }), QStringLiteral("demo, loss.rDrop 0.5"));
        QCOMPARE(start("c", [](Recipe& recipe) { recipe.length.maxUpdates = 40; }), QStringLiteral("demo, 40 updates"));
        QCOMPARE(start("d",
                       [](Recipe& recipe) {
                           recipe.length.maxUpdates = 40;
                           recipe.loss.labelSmoothing = 0.2;
                       }),
                 QStringLiteral("demo, 40 updates, loss.labelSmoothing 0.2"));
        const QString many = start("e", [](Recipe& recipe) {
            recipe.loss = {};
            recipe.optimiser = {};
            recipe.checkpoints = {};
            recipe.augmentation = {};
        });
        QVERIFY2(many.contains(QStringLiteral(" more value")) && many.count(u',') < 8, qPrintable(many));
    }

    /// They are in the folder's recipe, and in the index.
    void valuesAreReadFromTheFolderAndTheIndex() {
        const TrainWorkshop shop;
        const auto folder = shop.run("one");
        Recipe recipe = TrainWorkshop::smoke();
        recipe.loss.rDrop = 0.5;
        shop.text("runs/one/recipe.json", canonicalText(recipe));
        const QString file = toQString(shop.path() / "index.sqlite");
        for (const int readAgain : {1, 0}) {
            RunIndex index(file);
            const RunIndex::Outcome outcome = index.refresh(shop.runs());
            QCOMPARE(outcome.readAgain, readAgain);
            QCOMPARE(outcome.runs.size(), std::size_t(1));
            QVERIFY(outcome.runs.front().values);
            QCOMPARE(outcome.runs.front().values->loss.rDrop, 0.5);
        }
    }

    /// A thousand rows of the index were parsed one by one.
    void runsOfTheIndexShareTheirRecipe() {
        const TrainWorkshop shop;
        for (const char* name : {"one", "two"})
            shop.run(name);
        const QString file = toQString(shop.path() / "index.sqlite");
        RunIndex(file).refresh(shop.runs());
        const auto runs = RunIndex(file).refresh(shop.runs()).runs;
        QCOMPARE(runs.size(), std::size_t(2));
        QVERIFY(runs[0].values);
        QCOMPARE(runs[0].values, runs[1].values);
    }
};

HEADROOM_TEST(RecipeNamesTest)

} // namespace headroom::testing::recipe_names_test

#include "recipe_names_test.moc"
