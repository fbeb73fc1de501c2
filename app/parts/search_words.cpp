// SPDX-License-Identifier: GPL-3.0-or-later
// What people call the actions of the window who do not know their names yet.
#include "app/parts/actions.h"

#include <QAction>
#include <QActionGroup>
#include <QVariant>

#include <utility>

namespace headroom::app {

namespace {

constexpr const char* kSearchWords = "searchWords";

} // namespace

void setSearchWords(QAction* action, const QString& words) {
    action->setProperty(kSearchWords, words);
}

QString searchWordsOf(const QAction* action) {
    return action->property(kSearchWords).toString();
}

QString panelSearchWords(const QString& objectName) {
    const std::pair<const char*, QString> words[] = {
        {"windowsTab", Actions::tr("D(w) CL CCD diagonality curve contribution loss Algorithm 1 suggested band")},
        {"cadTab", Actions::tr("cumulative attention diagonality phonetic linguistic D(r)")},
        {"headsTab", Actions::tr("head relevance importance")},
        {"parTab", Actions::tr("phones phonemes attention relationship")},
        {"statisticsTab", Actions::tr("entropy distance maximum silence numbers heads")},
        {"probeTab", Actions::tr("phones classifier accuracy confusion")},
        {"latencyTab", Actions::tr("time speed duration milliseconds cost measure")},
        {"mixingTab", Actions::tr("mixing similarity rollout norms value zeroing")},
        {"similarityTab", Actions::tr("CKA PWCCA compare layers")},
        {"readout", Actions::tr("values numbers cursor row profile")},
        {"checks", Actions::tr("problems warnings alignment errors")},
        {"layers", Actions::tr("small maps thumbnails overview")},
        {"crossAttention", Actions::tr("heads decoder words")},
        {"analysis", Actions::tr("tabs results plots tables")},
        {"studies", Actions::tr("results list batch measure corpus")},
        {"places", Actions::tr("places list examples utterances behind a number")},
        {"messages", Actions::tr("errors warnings log history")},
        {"presets", Actions::tr("templates architectures examples list")},
        {"cost", Actions::tr("measure latency time speed parameters MACs memory")},
        {"difference", Actions::tr("compare baseline changes")},
        {"queue", Actions::tr("jobs waiting running progress")},
        {"devices", Actions::tr("GPU CPU memory use")},
        {"runs", Actions::tr("results scores table experiments WER BLEU")},
        {"log", Actions::tr("output text examples decoded")},
    };
    for (const auto& [name, said] : words)
        if (objectName == QLatin1String(name))
            return said;
    return {};
}

void Actions::addSearchWords() {
    setSearchWords(openAudio, tr("load import add file sound recording wav flac mp3 ogg speech"));
    setSearchWords(openFolder, tr("load import directory batch wav files"));
    setSearchWords(newText, tr("type sentence translate translation source line txt write"));
    setSearchWords(openModel, tr("load import add download Hugging Face checkpoint weights network Whisper wav2vec"));
    setSearchWords(openMaps, tr("load import attention npz NumPy array toolkit other matrix"));
    setSearchWords(openStudy, tr("load import results"));
    setSearchWords(openDemoModel, tr("example sample tutorial network"));
    setSearchWords(openDemo, tr("example sample tutorial start"));
    setSearchWords(exportFigure, tr("save download picture image screenshot plot graph print PDF SVG PNG"));
    setSearchWords(exportData, tr("save download array numbers table CSV NPZ NumPy"));
    setSearchWords(exportTab, tr("save download picture table CSV PDF SVG PNG"));
    setSearchWords(figureInWindowColours, tr("export picture colours background"));
    setSearchWords(quit, tr("exit close leave end"));
    setSearchWords(newSession, tr("project reset delete close all clear empty"));
    setSearchWords(openSession, tr("load project workspace recent"));
    setSearchWords(saveSession, tr("project store keep"));
    setSearchWords(saveSessionAs, tr("project store rename copy"));
    setSearchWords(undo, tr("back revert mistake"));
    setSearchWords(redo, tr("again forward repeat"));
    setSearchWords(copyReadOut, tr("clipboard values numbers"));
    setSearchWords(record, tr("microphone mic capture voice audio"));
    setSearchWords(play, tr("listen hear audio pause stop sound"));
    for (QAction* extend : {selectPreviousToken, selectNextToken, selectPreviousWord, selectNextWord, selectToStart, selectToEnd})
        setSearchWords(extend, tr("mark range region crop part"));
    setSearchWords(goToTime, tr("jump seek position second cursor"));
    setSearchWords(toStart, tr("rewind beginning home"));
    setSearchWords(loop, tr("repeat again"));
    setSearchWords(zoomIn, tr("larger bigger magnify enlarge"));
    setSearchWords(zoomOut, tr("smaller shrink"));
    setSearchWords(fit, tr("zoom all whole everything reset"));
    setSearchWords(fitSelection, tr("zoom part"));
    setSearchWords(linkAxes, tr("synchronise scroll"));
    setSearchWords(equalAxes, tr("aspect square ratio scale"));
    setSearchWords(hideDiagonal, tr("mask contrast show"));
    setSearchWords(showWindow, tr("band hide local"));
    for (QAction* theme : themes->actions())
        setSearchWords(theme, tr("colour color mode appearance contrast night settings preferences"));
    for (QAction* size : textSizes->actions())
        setSearchWords(size, tr("font larger smaller bigger zoom scale accessibility settings preferences"));
    setSearchWords(previousLayer, tr("lower down"));
    setSearchWords(nextLayer, tr("higher up"));
    setSearchWords(focusWindow, tr("band width change"));
    setSearchWords(suggestedWindow, tr("automatic recommend optimal best local"));
    setSearchWords(suggestedWindows, tr("automatic recommend optimal best local"));
    setSearchWords(fullWindow, tr("reset remove delete global"));
    setSearchWords(compare, tr("side by side two models second"));
    setSearchWords(difference, tr("subtract delta minus compare"));
    setSearchWords(blink, tr("toggle flip compare"));
    setSearchWords(keepCurve, tr("pin hold freeze"));
    setSearchWords(encoderView, tr("maps layers map contributions"));
    setSearchWords(decoderView, tr("self-attention text target"));
    setSearchWords(words, tr("text transcript recognise recognition subtitles cross-attention decode ASR"));
    setSearchWords(newStudy, tr("measure batch experiment statistics corpus many evaluate run the"));
    setSearchWords(showStudies, tr("results list batch measure"));
    setSearchWords(trainThis, tr("learn fine-tune finetune run start fit"));
    setSearchWords(alignments, tr("TextGrid phoneme labels transcript segmentation classes"));
    setSearchWords(analyseSelection, tr("crop cut part"));
    setSearchWords(analyseWhole, tr("uncrop all"));
    setSearchWords(analyseAgain, tr("refresh recompute reload rerun"));
    setSearchWords(cancel, tr("stop abort interrupt"));
    setSearchWords(restartWorker, tr("crash hang reset kill process"));
    setSearchWords(resetLayout, tr("panels docks default windows restore arrange"));
    setSearchWords(guide, tr("help manual documentation tutorial how"));
    setSearchWords(keys, tr("hotkeys keys shortcut bindings keyboard"));
    setSearchWords(fullScreen, tr("fullscreen maximise maximize whole"));
    setSearchWords(about, tr("version licence license credits"));
}

} // namespace headroom::app
