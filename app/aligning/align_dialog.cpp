// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/aligning/align_dialog.h"

#include "app/documents/items/paths.h"
#include "app/parts/availability.h"
#include "app/parts/file_dialogs.h"
#include "app/parts/forms/path_field.h"
#include "app/settings/resource_folders.h"
#include "core/audio/audio_name.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_field.h"

#include <QDialogButtonBox>
#include <QFile>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStandardPaths>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

namespace headroom::app {

namespace {

namespace fs = std::filesystem;

QString knownText(const OpenUtterance& utterance) {
    QFile file(toQString(fs::path(utterance.file).replace_extension(".txt")));
    constexpr qint64 kMost = 100'000; // a transcript, not a book
    const bool isWhole = !utterance.file.empty() && audioName(utterance.file).isWhole(); // else it is the text of more
    if (isWhole && file.open(QIODevice::ReadOnly))
        return QString::fromUtf8(file.read(kMost)).trimmed();
    return utterance.transcript();
}

/// Of a recording that comes with the program, whose folder is not the user's.
bool isShipped(const fs::path& file) {
    const fs::path shipped = resourceFolder();
    return std::mismatch(shipped.begin(), shipped.end(), file.begin(), file.end()).first == shipped.end();
}

/// A name beside the recording that nothing has yet.
fs::path freeName(const OpenUtterance& utterance) {
    const auto folder = utterance.file.empty() || isShipped(utterance.file)
                            ? toPath(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation))
                            : utterance.file.parent_path();
    // What is called as a file is taken for the alignment of all of it.
    const bool isFile = !utterance.file.empty() && audioName(utterance.file).isWhole();
    const auto stem = isFile ? utterance.file.stem() : toPath(QString(utterance.name).replace(QLatin1Char('/'), QLatin1Char('_')));
    std::error_code ignored;
    fs::path name = folder / stem;
    name += ".TextGrid";
    for (int number = 1; fs::exists(name, ignored); ++number) {
        name = folder / stem;
        name += ".aligned" + (number > 1 ? std::to_string(number) : std::string()) + ".TextGrid";
    }
    return name;
}

} // namespace

AlignDialog::AlignDialog(const OpenUtterance& utterance, FileDialogs& dialogs, QWidget* parent)
    : QDialog(parent)
    , m_dialogs(dialogs)
    , m_text(new widgets::TextField(knownText(utterance), this))
    , m_file(new PathField(this))
    , m_sentence(new QLabel(this))
    , m_align(new QPushButton(tr("Align"), this)) {
    setWindowTitle(tr("Align %1").arg(utterance.shownName()));
    const double unit = widgets::Sizes::unit();
    const int gap = qRound(2 * unit);
    auto* said = new QLabel(tr("Transcript, in English"), this);
    said->setBuddy(m_text);
    m_text->setAccessibleName(said->text());
    m_text->setMinimumHeight(qRound(12 * unit));
    m_text->setTabChangesFocus(true); // a transcript has no tabs
    auto* where = new QLabel(tr("Save as"), this);
    where->setBuddy(m_file);
    m_file->setAccessibleName(where->text());
    auto* choose = new QPushButton(tr("Choose…"), this);
    m_file->setText(toQString(freeName(utterance)));
    auto* row = new QHBoxLayout;
    row->addWidget(m_file, 1);
    row->addWidget(choose);
    m_sentence->setWordWrap(true);
    const QString promised = promise(resourceFolder() / "aligner" / "aligner.json");
    auto* honest = new QLabel(promised.isEmpty() ? tr("Uses the worker's built-in aligner, which reports "
                                                      "its measured error.")
                                                 : tr("Automatic alignment: %1.").arg(promised),
                              this);
    honest->setWordWrap(true);
    honest->setProperty("secondary", true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    buttons->addButton(m_align, QDialogButtonBox::AcceptRole);
    m_align->setDefault(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(gap, gap, gap, gap);
    layout->setSpacing(qRound(unit));
    layout->addWidget(said);
    layout->addWidget(m_text, 1);
    layout->addWidget(where);
    layout->addLayout(row);
    layout->addWidget(honest);
    layout->addWidget(m_sentence);
    layout->addWidget(buttons);
    resize(qRound(70 * unit), qRound(40 * unit));

    connect(choose, &QPushButton::clicked, this, &AlignDialog::choose);
    connect(m_text, &QPlainTextEdit::textChanged, this, &AlignDialog::check);
    connect(m_file, &QLineEdit::textChanged, this, &AlignDialog::check);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    check();
}

QString AlignDialog::text() const {
    return m_text->toPlainText().simplified();
}

fs::path AlignDialog::file() const {
    return m_file->path();
}

void AlignDialog::choose() {
    const QString chosen = m_dialogs.save(this, tr("Save the alignment as"), toQString(file()),
                                          {QStringLiteral("TextGrid (*.TextGrid)")});
    if (chosen.isEmpty())
        return;
    m_chosen = chosen;
    m_file->setText(chosen);
    check();
}

void AlignDialog::check() {
    std::error_code ignored;
    QString sentence;
    if (text().isEmpty())
        sentence = tr("Enter the transcript of the recording.");
    else if (m_file->text().trimmed().isEmpty())
        sentence = tr("Choose a file for the alignment.");
    else if (const QString relative = notFullText(file()); !relative.isEmpty())
        sentence = relative;
    else if (m_file->text() != m_chosen && fs::exists(file(), ignored))
        sentence = tr("%1 already exists. Choose it again to replace it.").arg(toQString(file().filename()));
    m_sentence->setText(sentence);
    m_sentence->setVisible(!sentence.isEmpty());
    setAvailable(m_align, sentence);
}

QString AlignDialog::promise(const fs::path& record) {
    try {
        std::ifstream stream(record, std::ios::binary);
        const auto document = nlohmann::json::parse(stream);
        for (const auto& one : document.at("measured"))
            if (one.at("real").get<bool>())
                return tr("median phone error %1\u202Fms on real speech (%2)")
                    .arg(std::lround(one.at("phones").at("medianMs").get<double>()))
                    .arg(QString::fromStdString(one.at("set").get<std::string>()));
    } catch (const std::exception&) {
        // Without a record nothing is promised.
    }
    return {};
}

} // namespace headroom::app
