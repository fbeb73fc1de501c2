// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/places/script_dialog.h"

#include "app/documents/items/paths.h"
#include "core/places/run_place.h"
#include "core/runs/strict_json.h"
#include "core/tensors/atomic_file.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_field.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace headroom::app {

namespace fs = std::filesystem;
using widgets::Sizes;

ScriptDialog::ScriptDialog(const fs::path& run, QWidget* parent) : QDialog(parent), m_run(run) {
    setWindowTitle(tr("Script of %1").arg(toQString(run.filename())));
    const int unit = qRound(Sizes::unit());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(2 * unit, 2 * unit, 2 * unit, 2 * unit);
    m_text = new widgets::TextField(this);
    m_text->setAccessibleName(tr("Script"));
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    column->addWidget(m_text, 1);
    m_sentence = new QLabel(this);
    m_sentence->setWordWrap(true);
    m_sentence->setProperty("caption", true);
    column->addWidget(m_sentence);
    auto* foot = new QHBoxLayout;
    foot->addStretch(1);
    m_send = new QPushButton(tr("Send to Slurm"), this);
    m_send->setProperty("primary", true);
    m_send->setToolTip(tr("Submit the script as shown, with sbatch."));
    auto* close = new QPushButton(tr("Close"), this);
    close->setAutoDefault(false);
    foot->addWidget(m_send);
    foot->addWidget(close);
    column->addLayout(foot);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_send, &QPushButton::clicked, this, [this] {
        Q_EMIT sendRequested(m_text->toPlainText());
        m_held = false; // kept by who sends it
        accept();
    });
    try {
        const auto place = readRunPlace(run);
        m_held = place && place->held;
        m_text->setPlainText(QString::fromStdString(readSmallFile(runScriptFile(run), "run.unreadable")));
        m_sentence->setText(m_held ? QString::fromStdString(place->sentence)
                                   : tr("It was sent as shown."));
    } catch (const Error& error) {
        m_held = false;
        m_sentence->setText(QString::fromUtf8(error.what()));
    }
    m_text->setReadOnly(!m_held);
    m_text->document()->setModified(false);
    m_send->setVisible(m_held);
    resize(unit * 96, unit * 72);
}

bool ScriptDialog::canSend() const {
    return m_held;
}

void ScriptDialog::keep() {
    if (!m_held || !m_text->document()->isModified())
        return;
    const std::string text = m_text->toPlainText().toStdString();
    writeAtomically(runScriptFile(m_run), std::string_view(text), "run.unwritable");
    m_text->document()->setModified(false);
}

void ScriptDialog::done(int result) {
    try {
        keep();
    } catch (const Error& error) {
        m_sentence->setText(QString::fromUtf8(error.what()));
        return; // the text is not lost
    }
    QDialog::done(result);
}

} // namespace headroom::app
