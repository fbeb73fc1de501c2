// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/places/copies_panel.h"

#include "app/parts/availability.h"
#include "app/parts/forms/form_row.h"
#include "app/parts/number_text.h"
#include "core/errors/error.h"
#include "widgets/look/icons.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/study_table/study_table_view.h"

#include <QDateTime>
#include <QHeaderView>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

#include <utility>

namespace headroom::app {

using nlohmann::json;
using widgets::Sizes;
using widgets::StudyTableView;

namespace {

QString kindWord(const std::string& kind) {
    return kind == "corpus"       ? CopiesPanel::tr("corpus")
           : kind == "model"      ? CopiesPanel::tr("model")
           : kind == "checkpoint" ? CopiesPanel::tr("checkpoint")
           : kind == "worker"     ? CopiesPanel::tr("worker")
                                  : QString::fromStdString(kind);
}

std::string textOfCopy(const json& object, const char* key) {
    const json value = object.is_object() ? object.value(key, json()) : json();
    return value.is_string() ? value.get<std::string>() : std::string();
}

qint64 numberOfCopy(const json& object, const char* key) {
    const json value = object.value(key, json());
    return value.is_number_integer() ? value.get<qint64>() : 0;
}

} // namespace

CopiesPanel::CopiesPanel(QWidget* parent)
    : QWidget(parent)
    , m_table(new StudyTableView(this))
    , m_sentence(new QLabel(this))
    , m_look(new QPushButton(widgets::icon(QStringLiteral("refresh")), tr("Look again"), this))
    , m_remove(new QPushButton(tr("Remove copy…"), this)) {
    const int unit = qRound(Sizes::unit());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(unit);
    m_table->setAccessibleName(tr("Copies at the place"));
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored); // else it asks for more than the dialogue has, and what is below is cut
    m_table->setMinimumHeight(Sizes::tableRow() * 4);
    layout->addWidget(m_table, 1);
    auto* foot = new QHBoxLayout;
    m_sentence->setWordWrap(true);
    m_sentence->setProperty("caption", true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_look->setToolTip(tr("Ask the place again."));
    m_look->setAutoDefault(false);
    m_remove->setToolTip(tr("Delete the chosen copy at the place. Asks first."));
    m_remove->setAutoDefault(false);
    foot->addWidget(m_sentence, 1);
    foot->addWidget(m_look);
    foot->addWidget(m_remove);
    layout->addLayout(foot);
    connect(m_look, &QPushButton::clicked, this, [this] { look(); });
    connect(m_remove, &QPushButton::clicked, this, &CopiesPanel::askToRemove);
    connect(m_table, &StudyTableView::rowChosen, this, &CopiesPanel::updateButtons);
    setPlace({});
}

void CopiesPanel::setPlace(const QString& name) {
    leaveLook();
    m_place = name;
    m_looked = false;
    m_content = {};
    m_table->setTable({});
    say(name.isEmpty() ? tr("Choose a place in the list, or save the new one, to see what was copied there.") : QString(), false);
    updateButtons();
    if (isVisible() && !name.isEmpty())
        look();
}

void CopiesPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!m_looked && !m_place.isEmpty())
        look();
}

/// Without waiting for its end.
void CopiesPanel::leaveLook() {
    WorkerTask* task = std::exchange(m_task, nullptr);
    if (!task)
        return;
    task->disconnect(this);
    if (!task->isRunning())
        return task->deleteLater();
    connect(task, &WorkerTask::ended, task, &QObject::deleteLater);
    task->cancel();
}

/// `removed`: the path of the copy that is removed first; empty: none.
void CopiesPanel::look(const QString& removed) {
    leaveLook();
    m_looked = true;
    say(removed.isEmpty() ? tr("Looking at %1…").arg(m_place) : tr("Removing %1…").arg(removed), false);
    QStringList words{QStringLiteral("places"), QStringLiteral("copies"), m_place, QStringLiteral("--json")};
    if (!removed.isEmpty())
        words << QStringLiteral("--remove") << removed;
    m_task = new WorkerTask(this);
    connect(m_task, &WorkerTask::ended, this, &CopiesPanel::take);
    m_task->start(words);
    updateButtons();
}

QString CopiesPanel::ageText(qint64 seconds) {
    constexpr qint64 kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour;
    using widgets::counted;
    return seconds < kMinute ? tr("less than a minute")
           : seconds < kHour ? counted(seconds / kMinute, tr("1 minute"), tr("%1 minutes"))
           : seconds < 2 * kDay ? counted(seconds / kHour, tr("1 hour"), tr("%1 hours"))
                                : counted(seconds / kDay, QString(), tr("%1 days"));
}

CopiesPanel::Content CopiesPanel::contentOf(const QByteArray& answer, qint64 now) {
    const json document = json::parse(answer.begin(), answer.end(), nullptr, false);
    if (!document.is_object() || document.value("format", json()) != "headroom/place-copies" || !document.value("copies", json()).is_array())
        throw Error("places.badAnswer", tr("The worker's answer is not a list of copies.").toStdString());
    Content content;
    content.table.name = "copies";
    content.table.columns = {{"name", tr("Copy").toStdString(), "", 0, true},  {"kind", tr("Kind").toStdString(), "", 0, true},
                             {"size", tr("Size").toStdString(), "MB", 1, false}, {"age", tr("Age").toStdString(), "", 0, true},
                             {"usedBy", tr("Used by").toStdString(), "", 0, true}};
    for (const json& one : document["copies"]) {
        if (!one.is_object())
            continue;
        Copy copy;
        copy.path = QString::fromStdString(textOfCopy(one, "path"));
        copy.name = QString::fromStdString(textOfCopy(one, "name"));
        copy.isWorker = textOfCopy(one, "kind") == "worker";
        const json users = one.value("usedBy", json::array());
        for (const json& user : users.is_array() ? users : json::array()) {
            copy.users << QString::fromStdString(textOfCopy(user, "name"));
            if (copy.inProgress.isEmpty() && user.is_object() && user.value("inProgress", json(false)) == json(true))
                copy.inProgress = copy.users.last();
        }
        const QString used = !copy.users.isEmpty()                      ? copy.users.join(QStringLiteral(", "))
                             : one.value("linked", json(false)) == json(true) ? tr("every run of this version")
                                                                                 : QString();
        content.table.rows.push_back({copy.name.toStdString(), kindWord(textOfCopy(one, "kind")).toStdString(),
                                      static_cast<double>(numberOfCopy(one, "bytes")) / 1e6,
                                      ageText(std::max<qint64>(0, now - numberOfCopy(one, "copied"))).toStdString(), used.toStdString()});
        content.copies.push_back(std::move(copy));
    }
    return content;
}

void CopiesPanel::take(const WorkerTask::End& end) {
    updateButtons();
    if (end.cancelled)
        return;
    if (!end.done)
        return say(end.sentence, true);
    try {
        m_content = contentOf(end.output, QDateTime::currentSecsSinceEpoch());
        m_table->setTable(m_content.table);
        double megabytes = 0;
        for (const auto& row : m_content.table.rows)
            megabytes += std::get<double>(row[2]);
        say(m_content.copies.empty() ? tr("Nothing was copied to %1 yet.").arg(m_place)
            : m_content.copies.size() == 1
                ? tr("1 copy at %1, %2.").arg(m_place, decimalBytes(megabytes * 1e6))
                : tr("%1 copies at %2, %3.").arg(m_content.copies.size()).arg(m_place, decimalBytes(megabytes * 1e6)),
            false);
        if (!m_content.copies.empty())
            m_table->setCurrentRow(0);
    } catch (const Error& mistake) {
        say(QString::fromUtf8(mistake.what()), true);
    }
    updateButtons();
}

const CopiesPanel::Copy* CopiesPanel::chosen() const {
    const int row = m_table->currentRow();
    return row >= 0 && row < int(m_content.copies.size()) ? &m_content.copies[std::size_t(row)] : nullptr;
}

QString CopiesPanel::sentence() const {
    return m_sentence->text();
}

void CopiesPanel::say(const QString& sentence, bool wrong) {
    m_sentence->setText(sentence);
    markMistake(m_sentence, wrong);
}

void CopiesPanel::updateButtons() {
    const QString busy = isPending() ? tr("Wait until the place has answered.") : QString();
    const Copy* copy = chosen();
    setAvailable(m_look, m_place.isEmpty() ? tr("Choose a place in the list first.") : busy);
    setAvailable(m_remove, !busy.isEmpty()               ? busy
                           : !copy                        ? tr("Choose a copy first.")
                           : !copy->inProgress.isEmpty() ? tr("%1 uses it and is in progress.").arg(copy->inProgress)
                                                          : QString());
}

void CopiesPanel::askToRemove() {
    const Copy* copy = chosen();
    if (!copy)
        return;
    auto* box = new QMessageBox(QMessageBox::NoIcon, tr("Remove a copy"), tr("Remove %1 from %2?").arg(copy->name, m_place),
                                QMessageBox::Cancel, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    const QString what = copy->isWorker              ? tr("Runs in progress there continue, but cannot be resumed without a worker.")
                         : copy->users.isEmpty()     ? tr("No run there uses it. It is copied again when one needs it.")
                         : copy->users.size() == 1 ? tr("%1 used it, and can be resumed only after it has been copied again.").arg(copy->users.first())
                                                     : tr("%1 runs used it, and can be resumed only after it has been copied again.").arg(copy->users.size());
    box->setInformativeText(tr("The folder %1 is deleted there. %2 Nothing on this machine is deleted.").arg(copy->path, what));
    const QPushButton* remove = box->addButton(tr("Remove"), QMessageBox::DestructiveRole);
    connect(remove, &QPushButton::clicked, this, [this, path = copy->path] { look(path); });
    box->open();
}

} // namespace headroom::app
