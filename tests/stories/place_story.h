// SPDX-License-Identifier: GPL-3.0-or-later
// What the stories of other machines share.
#pragma once

#include "app/workspaces/train/launch_form.h"
#include "tests/stories/guide_pictures.h"
#include "tests/stories/story.h"
#include "tests/training/worker/run_training.h"
#include "widgets/look/theme.h"

#include <QLineEdit>
#include <QPushButton>
#include <QTest>

#include <filesystem>

namespace headroom::testing {

inline QPushButton* buttonOf(const QWidget* parent, const QString& text) {
    for (auto* one : parent->findChildren<QPushButton*>())
        if (one->text().remove(u'&') == text) // its access key
            return one;
    return nullptr;
}

inline void typeInto(const QWidget* dialog, const char* field, const QString& text) {
    auto* line = dialog->findChild<QLineEdit*>(QString::fromUtf8(field));
    QVERIFY2(line, field);
    line->clear();
    QTest::keyClicks(line, text);
}

/// Of both themes, for the guide, if it is written.
inline void takeGuidePictures(Story& story, const QString& name) {
    if (!writesGuide())
        return;
    for (const char* theme : {"dark", "light"}) {
        widgets::Theme::apply(theme);
        QTest::qWait(400); // the tool bar fits its words anew in several rounds
        const QString problem = writeGuidePicture(story.window(), name + "-" + theme);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
    }
}

/// Fills the form for a training at a place. `documents`: the folder of `tiny`.
inline void chooseTraining(app::LaunchForm* form, const TinyTraining& tiny, const std::filesystem::path& documents, const std::filesystem::path& corpus,
                           const QString& place) {
    tiny.arguments("unused"); // writes the recipe
    QVERIFY(form->chooseArchitecture(documents / "architecture.json"));
    QVERIFY(form->chooseRecipe(documents / "recipe.json"));
    form->setData(corpus);
    form->choosePlace(place);
    QCOMPARE(form->chosenPlace(), place);
    (void)QTest::qWaitFor([&] { return form->launch().has_value(); }, 120000); // the mistakes say more
    QString wrong;
    for (const auto& [field, sentence] : form->mistakes())
        wrong += field + ": " + sentence + "\n";
    QVERIFY2(form->launch(), qPrintable(wrong));
}

} // namespace headroom::testing
