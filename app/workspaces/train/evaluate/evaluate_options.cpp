// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/evaluate/evaluate_options.h"

#include "app/documents/items/paths.h"
#include "app/parts/availability.h"
#include "app/parts/forms/form_row.h"
#include "app/parts/forms/opening_entry.h"
#include "core/architecture/usual_length.h"
#include "core/corpus/kinds/text_lines.h"
#include "core/corpus/language_tasks.h"
#include "core/corpus/sentence_source.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headroom::app {

using widgets::Sizes;
namespace fs = std::filesystem;

namespace {

/// Shows U+2212 as every number does, and takes a hyphen as well.
class SignedField : public QDoubleSpinBox {
public:
    using QDoubleSpinBox::QDoubleSpinBox;
    QString textFromValue(double value) const override { return widgets::withMinus(QDoubleSpinBox::textFromValue(value)); }
    double valueFromText(const QString& text) const override { return QDoubleSpinBox::valueFromText(typed(text)); }
    QValidator::State validate(QString& text, int& at) const override {
        QString plain = typed(text);
        const auto state = QDoubleSpinBox::validate(plain, at);
        text = widgets::withMinus(plain);
        return state;
    }

private:
    static QString typed(QString text) { return text.replace(QChar(0x2212), QLatin1Char('-')); }
};

QDoubleSpinBox* decimalField(double least, double most, double step, int decimals, QWidget* parent) {
    auto* field = new SignedField(parent);
    field->setRange(least, most);
    field->setSingleStep(step);
    field->setDecimals(decimals);
    return field;
}

/// "None", what was chosen before, and an entry that opens a dialogue.
QComboBox* pathField(const QString& opens, QWidget* parent) {
    auto* field = new QComboBox(parent);
    field->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    field->setMinimumContentsLength(20);
    field->addItem(EvaluateOptions::tr("None"), QString());
    field->addItem(opens);
    return field;
}

void choosePath(QComboBox* field, const fs::path& path) {
    const QString wanted = toQString(path);
    int at = field->findData(wanted);
    if (at < 0) {
        at = field->count() - 1;
        field->insertItem(at, toQString(path.filename()), wanted);
        field->setItemData(at, wanted, Qt::ToolTipRole);
    }
    field->setCurrentIndex(at);
}

/// Empty where none is chosen, or the field cannot be used.
fs::path chosenPath(const QComboBox* field) {
    return field->isEnabled() ? toPath(field->currentData().toString()) : fs::path();
}

/// As the worker does: a text of blanks alone is none.
EvaluationSplits::Count countTexts(const CorpusTable& table) {
    const auto texts = std::ranges::count_if(table.utterances,
                                             [](const Utterance& one) { return !trimmedText(one.text).empty(); });
    return {static_cast<int>(texts), static_cast<int>(table.utterances.size()) - static_cast<int>(texts)};
}

/// Files of sentences replace the texts of the corpus.
void addSentenceFiles(const fs::path& folder, EvaluationSplits::Counts& sentences) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (const auto file = SentenceFile::named(entry.path()))
            sentences[file->split][file->task] = {-1, 0};
}

} // namespace

EvaluationSplits EvaluationSplits::of(const fs::path& folder) {
    EvaluationSplits found;
    try {
        const Corpus corpus = Corpus::open(folder);
        for (const CorpusTable& table : corpus.tables())
            if (const Count count = countTexts(table); count.texts > 0)
                found.utterances[table.split][table.task] = count;
        const std::string spoken = textTaskOf(corpus);
        const auto addTexts = [&](const Corpus& texts) {
            for (const CorpusTable& table : texts.tables())
                for (const std::string& task : {"lm_" + table.task, table.task == spoken ? std::string("lm") : std::string()})
                    if (const Count count = countTexts(table); !task.empty() && count.texts > 0)
                        found.sentences[table.split][task] = count;
        };
        // A row whose recording is missing has a text.
        if (corpus.problems().empty())
            addTexts(corpus);
        else
            addTexts(Corpus::open(folder, {}, Corpus::Wanted::Texts));
    } catch (const std::exception& failure) {
        found.mistake = QString::fromUtf8(failure.what());
    }
    addSentenceFiles(folder, found.sentences);
    return found;
}

DecodableModel DecodableModel::of(const fs::path& folder) {
    DecodableModel model;
    std::error_code ignored;
    if (!fs::exists(folder / "architecture.json", ignored))
        return model;
    try {
        const Architecture architecture = readArchitecture(folder / "architecture.json");
        model.hasDecoder = architecture.decoder.has_value();
        model.hasCtc = architecture.ctc.has_value();
        model.isLanguageModel = architecture.languageModel.has_value();
        model.readsText = headroom::readsText(architecture);
        model.isKnown = true;
    } catch (const Error&) { // the evaluation will say what is wrong with it
    }
    return model;
}

EvaluateOptions::EvaluateOptions(QWidget* parent)
    : QWidget(parent)
    , askPath(pathQuestion(nullptr, this))
    , m_opener(new QToolButton(this))
    , m_fields(new QWidget(this))
    , m_lengthPenalty(decimalField(-10, 10, 0.1, 2, m_fields))
    , m_coverageWeight(decimalField(-100, 100, 0.05, 2, m_fields))
    , m_ctcWeight(decimalField(0, 1, 0.05, 2, m_fields))
    , m_languageModelWeight(decimalField(-100, 100, 0.05, 2, m_fields))
    , m_window(decimalField(0, 3600, 1, 1, m_fields))
    , m_nBest(new QSpinBox(m_fields))
    , m_languageModel(pathField(tr("Open a language model…"), m_fields))
    , m_rules(pathField(tr("Open mapping rules…"), m_fields)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(qRound(Sizes::unit()));
    m_opener->setText(tr("Options"));
    m_opener->setObjectName(QStringLiteral("evaluateOptions"));
    m_opener->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_opener->setAutoRaise(true);
    m_opener->setCheckable(true);
    m_opener->setArrowType(Qt::RightArrow);
    m_opener->setToolTip(tr("Show how the texts are searched and scored, besides the number of beams."));
    layout->addWidget(m_opener);
    layout->addWidget(m_fields);
    auto* rows = new QVBoxLayout(m_fields);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(qRound(Sizes::unit()));
    QWidget* above = m_opener;
    const auto row = [&](const QString& label, QWidget* field, const QString& tip) {
        field->setToolTip(tip);
        setTabOrder(std::exchange(above, field), field);
        rows->addWidget(new FormRow(label, field, m_fields));
    };
    row(tr("Length penalty"), m_lengthPenalty,
        tr("A text's score is its sum of ln P divided by its number of tokens to this power. 0 prefers short texts."));
    row(tr("Coverage weight"), m_coverageWeight,
        tr("Added to the score for each encoder token that the text has attended to with more than 0.5 in all, and not divided by "
           "the length. Prefers texts that leave nothing out. 0: off."));
    row(tr("Texts kept"), m_nBest, tr("How many hypotheses of each utterance are kept for the list of errors."));
    row(tr("CTC weight"), m_ctcWeight, tr("Share of the CTC output in the score; the decoder has the rest."));
    row(tr("Language model"), m_languageModel, tr("A language model over the same pieces, whose score is added."));
    row(tr("Its weight"), m_languageModelWeight, tr("Weight of the language model's ln P."));
    row(tr("Mapping rules"), m_rules, tr("A GLM file. sclite's WER after its replacements is computed too."));
    row(tr("Window"), m_window, tr("Longer recordings are decoded in overlapping windows, whose texts are stitched."));
    m_lengthPenalty->setValue(EvaluationRequest().lengthPenalty);
    m_languageModelWeight->setValue(0.3);
    m_nBest->setRange(0, 100);
    m_nBest->setSpecialValueText(tr("As many as beams"));
    m_window->setSuffix(tr(" s"));
    m_window->setSpecialValueText(tr("Whole recordings"));
    connect(m_opener, &QToolButton::toggled, this, [this](bool open) {
        m_opener->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
        m_fields->setVisible(open);
        if (!open)
            Q_EMIT folded();
    });
    m_fields->hide();
    for (QDoubleSpinBox* field : {m_lengthPenalty, m_coverageWeight, m_ctcWeight, m_languageModelWeight, m_window})
        connect(field, &QDoubleSpinBox::valueChanged, this, &EvaluateOptions::refresh);
    connect(m_nBest, &QSpinBox::valueChanged, this, &EvaluateOptions::refresh);
    for (QComboBox* field : {m_languageModel, m_rules})
        connect(field, &QComboBox::currentIndexChanged, this, &EvaluateOptions::refresh);
    letLastEntryOpen(m_languageModel, [this] {
        if (const QString folder = askPath({AppSettings::FolderOf::LanguageModels, tr("Open a language model")}); !folder.isEmpty())
            chooseLanguageModel(toPath(folder));
    });
    letLastEntryOpen(m_rules, [this] {
        if (const QString file =
                askPath({AppSettings::FolderOf::MappingRules, tr("Open mapping rules"), tr("Mapping rules (*.glm)")});
            !file.isEmpty())
            chooseRules(toPath(file));
    });
    refresh();
}

void EvaluateOptions::chooseLanguageModel(const fs::path& folder) {
    choosePath(m_languageModel, folder);
}

void EvaluateOptions::chooseRules(const fs::path& file) {
    choosePath(m_rules, file);
}

bool EvaluateOptions::isOpen() const {
    return m_opener->isChecked();
}

void EvaluateOptions::setModel(const DecodableModel& model, int beams) {
    m_model = model;
    m_beams = beams;
    refresh();
}

QString EvaluateOptions::whyNotDecoded() const {
    return m_model.isLanguageModel ? tr("A language model is not decoded. Its perplexity is measured.") : QString();
}

void EvaluateOptions::refresh() {
    const QString language = whyNotDecoded();
    const auto firstOf = [&](std::initializer_list<std::pair<bool, QString>> reasons) {
        if (!language.isEmpty())
            return language;
        for (const auto& [holds, reason] : reasons)
            if (holds)
                return reason;
        return QString();
    };
    const bool greedy = m_beams <= 1;
    const QString needsBeams = tr("Needs more than one beam.");
    setAvailable(m_lengthPenalty, firstOf({{!m_model.hasDecoder, tr("This model has no decoder. Its CTC output needs no length penalty.")},
                                           {greedy, needsBeams}}));
    setAvailable(m_window, firstOf({{m_model.readsText, tr("This model reads text, which has no seconds.")}}));
    setAvailable(m_nBest, firstOf({{greedy, needsBeams},
                                   {m_window->isEnabled() && m_window->value() > 0, tr("The text of a long recording is stitched from the best text "
                                                              "of each window, so there is only one.")}}));
    setAvailable(m_ctcWeight, firstOf({{!m_model.hasDecoder, tr("This model has no decoder, so its CTC output decides alone.")},
                                       {!m_model.hasCtc, tr("This model has no CTC output.")},
                                       {greedy, needsBeams}}));
    setAvailable(m_coverageWeight, firstOf({{!m_model.hasDecoder, tr("This model has no decoder whose attention could be counted.")},
                                            {greedy, needsBeams},
                                            {m_ctcWeight->isEnabled() && m_ctcWeight->value() == 1,
                                             tr("With a CTC weight of 1 the decoder's attention is not computed.")}}));
    setAvailable(m_languageModel, firstOf({{!m_model.hasDecoder && !m_model.hasCtc, tr("This model is decoded greedily.")},
                                           {greedy, needsBeams}}));
    const bool hasModel = !chosenPath(m_languageModel).empty();
    setAvailable(m_languageModelWeight, firstOf({{!hasModel, tr("Choose a language model first.")}}));
    setAvailable(m_rules, firstOf({}));
    Q_EMIT changed();
}

void EvaluateOptions::applyTo(EvaluationRequest& request) const {
    if (m_lengthPenalty->isEnabled())
        request.lengthPenalty = m_lengthPenalty->value();
    if (m_coverageWeight->isEnabled())
        request.coverageWeight = m_coverageWeight->value();
    if (m_nBest->isEnabled())
        request.nBest = std::min<std::int64_t>(m_nBest->value(), m_beams);
    if (m_ctcWeight->isEnabled())
        request.ctcWeight = m_ctcWeight->value();
    if (m_languageModelWeight->isEnabled() && m_languageModelWeight->value() != 0) {
        request.languageModel = chosenPath(m_languageModel);
        request.languageModelWeight = m_languageModelWeight->value();
    }
    request.glm = chosenPath(m_rules);
    if (m_window->isEnabled())
        request.window = m_window->value();
}

QByteArray EvaluateOptions::state() const {
    const nlohmann::json fields{{"open", m_opener->isChecked()},
                                {"lengthPenalty", m_lengthPenalty->value()},
                                {"coverageWeight", m_coverageWeight->value()},
                                {"nBest", m_nBest->value()},
                                {"ctcWeight", m_ctcWeight->value()},
                                {"languageModel", m_languageModel->currentData().toString().toStdString()},
                                {"languageModelWeight", m_languageModelWeight->value()},
                                {"glm", m_rules->currentData().toString().toStdString()},
                                {"window", m_window->value()}};
    return QByteArray::fromStdString(fields.dump());
}

void EvaluateOptions::restore(const QByteArray& state) {
    const nlohmann::json fields = nlohmann::json::parse(state.toStdString(), nullptr, false);
    if (!fields.is_object()) // nothing yet
        return;
    const auto number = [&](const char* key, auto* field) {
        if (const auto found = fields.find(key); found != fields.end() && found->is_number())
            field->setValue(found->get<decltype(field->value())>());
    };
    number("lengthPenalty", m_lengthPenalty);
    number("coverageWeight", m_coverageWeight);
    number("nBest", m_nBest);
    number("ctcWeight", m_ctcWeight);
    number("languageModelWeight", m_languageModelWeight);
    number("window", m_window);
    for (const auto& [key, field] : {std::pair{"languageModel", m_languageModel}, {"glm", m_rules}})
        if (const auto found = fields.find(key); found != fields.end() && found->is_string()) {
            std::error_code ignored;
            if (const fs::path path = found->get<std::string>(); !path.empty() && fs::exists(path, ignored))
                choosePath(field, path);
        }
    if (const auto open = fields.find("open"); open != fields.end() && open->is_boolean())
        m_opener->setChecked(open->get<bool>());
}

} // namespace headroom::app
