// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/recipe_model.h"

#include "core/runs/task_kind.h"
#include "widgets/look/theme.h"

#include <QFont>
#include <QRegularExpression>

namespace headroom::app {

using nlohmann::json;
using widgets::Theme;

namespace {

const RecipeField* fieldOf(const std::string& key) {
    for (const RecipeField& field : recipeFields())
        if (field.key == key)
            return &field;
    return nullptr;
}

/// Numbers as they are, words without their quotes.
QString shown(const json& value) {
    return QString::fromStdString(value.is_string() ? value.get<std::string>() : value.dump());
}

constexpr QChar kShownMinus(u'−');

std::string asJson(const RecipeField& field, const QString& text) {
    const bool isText = field.kind == RecipeField::Kind::Text || field.kind == RecipeField::Kind::Word;
    if (isText)
        return json(text.toStdString()).dump();
    QString number = text.trimmed();
    number.replace(kShownMinus, QLatin1Char('-')); // as numbers are shown
    static const QRegularExpression grouped(QStringLiteral("^-?[0-9]{1,3}(,[0-9]{3})+$"));
    if (field.kind == RecipeField::Kind::Whole && grouped.match(number).hasMatch())
        number.remove(QLatin1Char(','));
    return number.toStdString();
}

/// The tasks for which a value means the same, as a word; empty: all of them.
std::string_view scopeOf(std::string_view key, std::string_view task) {
    const bool isOfLanguage = isLanguageModel(task);
    if (key == "task" || key == "validation.best")
        return isOfLanguage ? "language" : readsText(task) ? "translation of text" : isTranslation(task) ? "translation" : "recognition";
    if (key == "loss.rDrop" || key.starts_with("loss.scheduledSampling")) // of decoders
        return isOfLanguage ? "language" : "sequences";
    if (key.starts_with("augmentation.") || key == "data.cmvn" || key == "data.minFrames" || key == "data.maxFrames" ||
        key == "data.maxBatchFrames" || key == "loss.ctcWeight" || key == "loss.tokenCutoff")
        return readsText(task) ? "tokens" : "frames";
    return {};
}

} // namespace

RecipeModel::RecipeModel(QObject* parent) : QAbstractTableModel(parent) {}

void RecipeModel::setBase(const Recipe& base) {
    beginResetModel();
    if (!(base == m_base)) // it may be read again
        m_reset.clear();
    const auto exchange = [this](const std::string& key, std::string_view before, std::string_view now) {
        if (before == now)
            return;
        if (auto written = m_written.extract(key)) {
            m_ofOtherKind[std::string(before)].insert_or_assign(key, written.mapped());
            m_reset << QString::fromStdString(key);
        }
        if (auto other = m_ofOtherKind[std::string(now)].extract(key))
            m_written.insert(std::move(other));
    };
    const auto task = [&] {
        const auto changed = m_written.find("task");
        const json value = changed == m_written.end() ? json() : json::parse(changed->second, nullptr, false);
        return value.is_string() ? value.get<std::string>() : base.task;
    };
    const std::string_view kind = scopeOf("task", base.task);
    if (!m_written.contains("task") || scopeOf("task", task()) != kind) // one that makes the recipe what the next one is stays
        exchange("task", scopeOf("task", m_base.task), kind);
    for (const RecipeField& field : recipeFields())
        if (field.key != "task")
            exchange(std::string(field.key), scopeOf(field.key, m_recipe.task), scopeOf(field.key, task()));
    m_base = base;
    m_recipe = base;
    endResetModel();
    apply();
}

/// All changes together, in the document's order: two that are right only together are taken in a second
/// round.
void RecipeModel::apply() {
    m_recipe = m_base;
    m_mistakes.clear();
    for (auto written = m_written.begin(); written != m_written.end();) {
        const RecipeField* field = fieldOf(written->first);
        const json value = json::parse(written->second, nullptr, false);
        const bool same = field && !value.is_discarded() && field->get(m_base) == value;
        written = same ? m_written.erase(written) : std::next(written);
    }
    for (int round = 0; round < 2; ++round) {
        m_mistakes.clear();
        for (const auto& [key, value] : m_written)
            try {
                overrideRecipe(m_recipe, key + "=" + value);
            } catch (const Error& mistake) {
                // "--set key=value, key: this must be …": the field says where, the rest says what.
                const QString sentence = QString::fromUtf8(mistake.what());
                const auto colon = sentence.indexOf(QLatin1String(": "));
                QString said = colon < 0 ? sentence : sentence.mid(colon + 2);
                said.replace(0, 1, said.left(1).toUpper());
                static const QRegularExpression negative(QStringLiteral(" -(?=[0-9])"));
                said.replace(negative, QStringLiteral(" ") + kShownMinus);
                m_mistakes[key] = said;
            }
        if (m_mistakes.empty())
            break;
    }
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    Q_EMIT recipeChanged();
}

QString RecipeModel::resetNote() const {
    return m_reset.isEmpty() ? QString() : tr("Reset, because this recipe is for another kind of task: %1.").arg(m_reset.join(QStringLiteral(", ")));
}

std::vector<std::string> RecipeModel::changes() const {
    std::vector<std::string> changes;
    for (const RecipeField& field : recipeFields())
        if (const auto written = m_written.find(std::string(field.key)); written != m_written.end())
            changes.push_back(written->first + "=" + written->second);
    return changes;
}

void RecipeModel::write(const QString& key, const QString& text) {
    if (const RecipeField* field = fieldOf(key.toStdString()))
        m_written[key.toStdString()] = asJson(*field, text);
    apply();
}

void RecipeModel::restore(const std::vector<std::string>& changes) {
    m_reset.clear(); // these changes take their place
    for (const std::string& change : changes)
        if (const auto equals = change.find('='); equals != std::string::npos && fieldOf(change.substr(0, equals)))
            m_written[change.substr(0, equals)] = change.substr(equals + 1);
    apply();
}

void RecipeModel::takeBack(const QString& key) {
    if (m_written.erase(key.toStdString()) > 0)
        apply();
}

void RecipeModel::takeAllBack() {
    m_written.clear();
    m_ofOtherKind.clear();
    m_reset.clear();
    apply();
}

int RecipeModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(recipeFields().size());
}

int RecipeModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

Qt::ItemFlags RecipeModel::flags(const QModelIndex& index) const {
    return QAbstractTableModel::flags(index) |
           (index.column() == Value ? Qt::ItemIsEditable : Qt::NoItemFlags);
}

bool RecipeModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || index.column() != Value || role != Qt::EditRole)
        return false;
    write(this->index(index.row(), Key).data().toString(), value.toString());
    return true;
}

QVariant RecipeModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const RecipeField& field = recipeFields()[static_cast<std::size_t>(index.row())];
    const std::string key(field.key);
    const auto written = m_written.find(key);
    const auto mistake = m_mistakes.find(key);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
        if (index.column() == Key)
            return QString::fromStdString(key);
        if (written != m_written.end()) {
            const json value = json::parse(written->second, nullptr, false);
            return value.is_discarded() ? QString::fromStdString(written->second) : shown(value);
        }
        return shown(field.get(m_recipe));
    case ChangedRole:
        return written != m_written.end();
    case MistakeRole:
        return mistake != m_mistakes.end() ? mistake->second : QString();
    case Qt::ForegroundRole:
        if (mistake != m_mistakes.end())
            return Theme::current().error;
        return written != m_written.end() ? QVariant(Theme::current().accent)
               : index.column() == Key    ? QVariant(Theme::current().text2)
                                          : QVariant();
    case Qt::TextAlignmentRole:
        return int(index.column() == Value ? Qt::AlignRight | Qt::AlignVCenter
                                           : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::ToolTipRole: {
        QString tip = QString::fromStdString(key) + QStringLiteral(": ") +
                      QString::fromUtf8(field.meaning.data(), static_cast<qsizetype>(field.meaning.size())) +
                      QLatin1Char('.');
        if (mistake != m_mistakes.end())
            tip += QLatin1Char('\n') + mistake->second;
        if (written != m_written.end())
            tip += tr("\nChanged; the recipe's value is %1. Press Delete to "
                      "reset.").arg(shown(field.get(m_base)));
        return tip;
    }
    default:
        return {};
    }
}

QVariant RecipeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == Key ? tr("Value of the recipe") : QString();
}

} // namespace headroom::app
