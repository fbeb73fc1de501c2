// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/notes.h"
#include "tests/support/runner.h"

#include <QtTest/QtTest>

namespace headroom::testing::notes_test {

class NotesTest : public QObject {
    Q_OBJECT

    static Study study() {
        Study study;
        for (const char* name : {"a", "a: b", "c"})
            study.models.emplace_back().name = name;
        study.notes = {"Alignment: by hand.", "a: 4 tokens were left out.", "a: b: too few places.", "c: 4 tokens were left out."};
        return study;
    }

private Q_SLOTS:
    /// A view of one model told of the others, too.
    void aViewOfOneModelShowsNoNoteOnAnother() {
        QCOMPARE(notesAbout(study(), {0}), (std::vector<std::string>{"Alignment: by hand.", "a: 4 tokens were left out."}));
        QCOMPARE(notesAbout(study(), {1}), (std::vector<std::string>{"Alignment: by hand.", "a: b: too few places."}));
        QCOMPARE(notesAbout(study(), {}), (std::vector<std::string>{"Alignment: by hand."}));
    }
    /// The same sentence stood there once for each model.
    void whatHoldsForSeveralModelsIsSaidOnce() {
        QCOMPARE(allNotes(study()), (std::vector<std::string>{"Alignment: by hand.", "a; c: 4 tokens were left out.", "a: b: too few places."}));
    }
};

HEADROOM_TEST(NotesTest)

} // namespace headroom::testing::notes_test

#include "notes_test.moc"
