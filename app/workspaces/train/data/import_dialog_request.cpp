// SPDX-License-Identifier: GPL-3.0-or-later
// From the fields to the request, what is wrong with it, and what it will do.
#include "app/documents/items/paths.h"
#include "app/jobs/in_background.h"
#include "app/parts/availability.h"
#include "app/parts/forms/form_row.h"
#include "app/parts/forms/path_field.h"
#include "app/workspaces/train/data/import_dialog.h"
#include "core/audio/audio_name.h"
#include "core/corpus/kinds/held_out.h"
#include "core/corpus/kinds/other_speeds.h"
#include "widgets/look/percent_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLayout>
#include <QPushButton>
#include <QRegularExpression>

#include <utility>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

/// "NAME=A" and what follows it; false where there is no “=”, or nothing on one of its sides.
bool cutAtEquals(const QString& text, std::string& name, QString& value) {
    const qsizetype equals = text.indexOf(QLatin1Char('='));
    if (equals <= 0 || equals + 1 == text.size())
        return false;
    name = text.left(equals).toStdString();
    value = text.mid(equals + 1);
    return true;
}

/// A folder that is there and not empty would not be written into.
bool isTaken(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder, ignored) && !fs::is_empty(folder, ignored);
}

} // namespace

/// Takes the number of pieces into the request. Returns what is wrong with it; empty: nothing.
QString ImportDialog::readPieces() {
    constexpr int kMost = 100000; // as the command
    m_sizeOfPieces.reset();
    const QString text = m_pieces->text().trimmed();
    if (text.isEmpty())
        return {};
    bool isNumber = false;
    const int size = QString(text).remove(u',').toInt(&isNumber);
    if (!isNumber || size < 0 || size > kMost)
        return tr("“%1” is not a whole number from 0 to 100,000.").arg(text);
    m_sizeOfPieces = size;
    return {};
}

/// Likewise the speeds.
QString ImportDialog::readSpeeds() {
    static const QRegularExpression between(QStringLiteral("[,\\s]+"));
    for (const QString& word : m_speeds->text().split(between, Qt::SkipEmptyParts)) {
        bool isNumber = false;
        const double speed = word.toDouble(&isNumber);
        if (!isNumber || !(speed >= kLowestSpeed && speed <= kHighestSpeed))
            return tr("“%1” is not a speed from 0.5 to 2.").arg(word);
        m_request.speeds.push_back(speed);
    }
    if (const auto speed = repeatedSpeed(m_request.speeds))
        return tr("The speed %1 is entered more than once.").arg(*speed);
    return {};
}

void ImportDialog::validate() {
    if (m_task.isRunning())
        return;
    m_request = CorpusImport();
    m_request.kind = m_kind->currentData().toString().toStdString();
    m_request.from = m_from->path();
    m_request.out = m_out->path();
    m_request.language = m_language->text().trimmed().toStdString();
    m_request.copy = m_copy->isChecked();
    m_request.lowercase = m_lowercase->isChecked();
    QString why;
    const auto refuse = [&](FormRow* row, const QString& mistake) {
        row->setMistake(mistake);
        if (why.isEmpty())
            why = mistake;
    };
    for (FormRow* row : {m_fromRow, m_outRow, m_splitRow, m_shareRow, m_piecesRow, m_speedRow, m_mapRow})
        row->setMistake({});
    std::error_code ignored;
    if (m_request.from.empty())
        why = tr("Choose the folder of the corpus.");
    else if (const QString relative = notFullText(m_request.from); !relative.isEmpty())
        refuse(m_fromRow, relative);
    else if (!fs::is_directory(m_request.from, ignored))
        refuse(m_fromRow, tr("%1 is not a folder.").arg(toQString(m_request.from)));
    if (m_request.out.empty()) {
        if (why.isEmpty())
            why = tr("Choose a new folder for the corpus.");
    } else if (const QString relative = notFullText(m_request.out); !relative.isEmpty()) {
        refuse(m_outRow, relative);
    } else if (isTaken(m_request.out)) {
        refuse(m_outRow, tr("%1 is not empty.").arg(toQString(m_request.out)));
    }
    std::string name;
    QString value;
    static const QRegularExpression blanks(QStringLiteral("\\s+"));
    for (const QString& word : m_splits->text().split(blanks, Qt::SkipEmptyParts)) {
        if (!cutAtEquals(word, name, value)) {
            refuse(m_splitRow, tr("“%1” is not NAME=A,B.").arg(word));
            continue;
        }
        std::vector<std::string> sources;
        for (const QString& source : value.split(QLatin1Char(','), Qt::SkipEmptyParts))
            sources.push_back(source.toStdString());
        m_request.splits.emplace_back(name, std::move(sources));
    }
    for (const auto& [split, box] : {std::pair("dev", m_dev), std::pair("test", m_test)})
        if (box->value() > 0)
            m_request.heldOut.push_back({split, box->value()});
    if (m_dev->value() + m_test->value() >= 100) // as the command
        refuse(m_shareRow, tr("Something must remain to train on: hold out less than 100\u202f%."));
    if (const QString wrong = readPieces(); !wrong.isEmpty())
        refuse(m_piecesRow, wrong);
    if (const QString wrong = readSpeeds(); !wrong.isEmpty())
        refuse(m_speedRow, wrong);
    if (const QString map = m_map->text().trimmed(); !map.isEmpty()) {
        if (cutAtEquals(map, name, value))
            m_request.maps.emplace_back(name, typedPath(value).string()); // the new one is on this machine
        else
            refuse(m_mapRow, tr("“%1” is not OLD=NEW.").arg(map));
    }
    markMistake(m_sentence, false);
    m_sentence->setText(!why.isEmpty() ? why
                        : m_request.copy ? tr("The recordings are copied into the new corpus.")
                                         : tr("Nothing is copied: the new corpus refers to the recordings where they are."));
    setAvailable(m_start, why);
    setAvailable(m_copyCommand, why);
    m_shareRow->setNote({});
    if (why.isEmpty() && !m_request.heldOut.empty())
        m_planWait.start();
    else
        m_planWait.stop();
    fitHeight();
}

/// Says in advance what the share comes to. What prevents it is said by the import, which looks at more.
void ImportDialog::planHeldOut() {
    if (m_planning || m_task.isRunning())
        return; // what ends asks again
    m_planning = true;
    buildInBackground(
        this, [request = m_request] { return widgets::withWholePercents(QString::fromStdString(plannedHeldOut(request))); },
        [this, asked = arguments()](const Built<QString>& built) {
            m_planning = false;
            if (asked == arguments()) {
                m_shareRow->setNote(built.value);
                fitHeight();
            } else if (!m_request.heldOut.empty()) {
                m_planWait.start();
            }
        });
}

/// A window does not grow by itself for a wrapped text below a field. From the inside: each layout knows only of the one in it.
void ImportDialog::fitHeight() {
    for (FormRow* row : findChildren<FormRow*>()) {
        row->layout()->activate();
        row->updateGeometry();
    }
    layout()->invalidate();
    if (const int needed = layout()->heightForWidth(width()); needed > height())
        resize(width(), needed);
}

QString ImportDialog::plan() const {
    return m_shareRow->note();
}

} // namespace headroom::app
