// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of the dialogue, and the place that stands in them.
#include "app/places/places_dialog.h"

#include "app/places/place_store.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_field.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>

namespace headroom::app {

using widgets::Sizes;

namespace {

QLineEdit* newLine(const QString& example, const QString& tip, QWidget* parent) {
    auto* line = new QLineEdit(parent);
    line->setPlaceholderText(example);
    line->setToolTip(tip);
    return line;
}

QSpinBox* newNumber(int least, int most, QWidget* parent) {
    auto* box = new QSpinBox(parent);
    box->setRange(least, most);
    return box;
}

} // namespace

void PlacesDialog::makeFields() {
    m_name = newLine(tr("for example gpu-1"), tr("A name of your choice."), this);
    m_kind = new QComboBox(this);
    m_kind->addItems({tr("A host, by ssh"), tr("A Slurm cluster")});
    m_host = newLine(
        tr("a host of ~/.ssh/config, or user@host"),
        tr("Put address, port, user and key in ~/.ssh/config. Headroom never stores keys or passwords."),
        this);
    m_folder = newLine(tr("for example ~/headroom"),
                       tr("A folder there for runs, data, models and the worker."), this);
    m_worker = newLine(tr("the installed one, or the one on PATH"),
                       tr("Path of headroom-worker there. If empty: the one that Install… put into the "
                          "folder, then FOLDER/worker/bin/headroom-worker, then the one on PATH."),
                       this);
    m_name->setObjectName(QStringLiteral("name"));
    m_host->setObjectName(QStringLiteral("host"));
    m_folder->setObjectName(QStringLiteral("folder"));
    m_kind->setObjectName(QStringLiteral("kind"));
    m_worker->setObjectName(QStringLiteral("worker"));
    m_device = new QComboBox(this);
    m_device->setObjectName(QStringLiteral("device"));
    m_device->setEditable(true);
    m_device->addItems({QStringLiteral("auto"), QStringLiteral("cpu"), QStringLiteral("cuda:0"), QStringLiteral("all")});
    m_device->setToolTip(tr("Device to use there. auto: the first GPU, or the CPU if there is none; all: every GPU, training each run "
                            "together. A Slurm job uses all the GPUs that it requests, unless this is cpu."));
    m_slurm = new QWidget(this);
    auto* rows = new QFormLayout(m_slurm);
    rows->setContentsMargins(0, 0, 0, 0);
    m_partition = newLine(tr("the default"), tr("Partition of the cluster; sinfo lists them."), m_slurm);
    m_partition->setObjectName(QStringLiteral("partition"));
    m_gpus = newNumber(0, 64, m_slurm);
    m_nodes = newNumber(1, 1024, m_slurm);
    m_time = newLine(tr("08:00:00"), tr("Time limit: hours, or 2-12:00:00 for days."), m_slurm);
    m_account = newLine(tr("the default"), tr("Account that is charged."), m_slurm);
    m_lines = new widgets::TextField(m_slurm);
    m_lines->setPlaceholderText(QStringLiteral("--constraint=a100"));
    m_lines->setToolTip(tr("Further options of sbatch, one per line."));
    m_lines->setFixedHeight(Sizes::tableRow() * 2);
    rows->addRow(tr("Partition"), m_partition);
    auto* numbers = new QHBoxLayout;
    numbers->addWidget(m_gpus);
    numbers->addWidget(new QLabel(tr("per node, nodes"), m_slurm));
    numbers->addWidget(m_nodes);
    numbers->addStretch(1);
    rows->addRow(tr("GPUs"), numbers);
    rows->addRow(tr("Time limit"), m_time);
    rows->addRow(tr("Account"), m_account);
    rows->addRow(tr("Further options"), m_lines);
    m_gpus->setAccessibleName(tr("GPUs per node"));
    m_nodes->setAccessibleName(tr("Nodes"));
    connect(m_kind, &QComboBox::currentIndexChanged, this, &PlacesDialog::showKind);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &PlacesDialog::showChange);
    connect(m_device, &QComboBox::currentTextChanged, this, &PlacesDialog::showChange);
    connect(m_lines, &QPlainTextEdit::textChanged, this, &PlacesDialog::showChange);
    for (const QLineEdit* line : {m_name, m_host, m_folder, m_worker, m_partition, m_time, m_account})
        connect(line, &QLineEdit::textChanged, this, &PlacesDialog::showChange);
    for (const QSpinBox* number : {m_gpus, m_nodes})
        connect(number, &QSpinBox::valueChanged, this, &PlacesDialog::showChange);
}

void PlacesDialog::setFields(const Place& place) {
    const auto set = [](QLineEdit* line, const std::string& text) {
        line->setText(QString::fromStdString(text));
    };
    set(m_name, place.name);
    set(m_host, place.host);
    set(m_folder, place.folder);
    set(m_worker, place.worker);
    set(m_partition, place.slurm.partition);
    set(m_time, place.slurm.time);
    set(m_account, place.slurm.account);
    m_device->setCurrentText(QString::fromStdString(place.device));
    m_kind->setCurrentIndex(place.kind == Place::Kind::Slurm ? 1 : 0);
    m_gpus->setValue(place.slurm.gpus);
    m_nodes->setValue(place.slurm.nodes);
    QStringList lines;
    for (const std::string& line : place.slurm.lines)
        lines << QString::fromStdString(line);
    m_lines->setPlainText(lines.join(u'\n'));
    showKind();
    m_filled = PlacesDialog::place();
}

void PlacesDialog::showKind() {
    const bool slurm = m_kind->currentIndex() == 1;
    m_slurm->setVisible(slurm);
    m_host->setPlaceholderText(slurm ? tr("the login host; empty: sbatch is on this machine")
                                     : tr("a host of ~/.ssh/config, or user@host"));
}

Place PlacesDialog::place() const {
    const auto text = [](const QLineEdit* line) { return line->text().trimmed().toStdString(); };
    Place place;
    place.name = text(m_name);
    place.kind = m_kind->currentIndex() == 1 ? Place::Kind::Slurm : Place::Kind::Ssh;
    place.host = text(m_host);
    place.folder = text(m_folder);
    place.worker = text(m_worker);
    place.device = m_device->currentText().trimmed().toStdString();
    if (place.kind == Place::Kind::Slurm) {
        place.slurm = {text(m_partition), m_gpus->value(), m_nodes->value(),
                       text(m_time),      text(m_account), {}};
        for (const QString& line : m_lines->toPlainText().split(u'\n', Qt::SkipEmptyParts))
            if (!line.trimmed().isEmpty())
                place.slurm.lines.push_back(line.trimmed().toStdString());
    }
    return place;
}

bool PlacesDialog::isChanged() const {
    const Place* kept = m_store->find(m_shown);
    return !(place() == (kept ? *kept : Place()));
}

void PlacesDialog::showChange() {
    if (m_isMistaken || (sentence() == savedText() && isChanged()))
        say(isChanged() ? tr("Not saved yet.") : QString(), false);
}

} // namespace headroom::app
