// A model of the library as the draft of the open one, in the window: it is checked, loaded beside it,
// changes no answer, and is taken off again.
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <filesystem>

#include "gui/bars/status_strip.h"
#include "gui/library/models_list.h"
#include "gui/library/models_opening.h"
#include "gui/library/models_table_model.h"
#include "gui/library/models_window.h"
#include "gui/parts/message_bar.h"
#include "gui/settings/settings.h"
#include "support/window_bench.h"
#include "widgets/painting/data_table_view.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

QString golden(const char* name) {
  return QStringLiteral(VITRINE_SOURCE_DIR "/tests/golden/models/") + QLatin1String(name);
}

class Window : public ShownWindow {
 public:
  explicit Window(qint64 available = qint64{64} << 30) {
    window.models().setPlaces({[](const QStringList&) {
                                 ModelRoots roots;
                                 roots.folders.append({ModelProgram::kOwnFolder, golden("")});
                                 return roots;
                               },
                               {},
                               {},
                               [available] { return available; }});
    window.host().setStepsPerSecond(0);
  }
  // The button of the library, with this model selected.
  bool press(const char* name, const QString& label) {
    ModelsWindow* const library = window.models().open();
    if (!waitUntil([&] { return !library->isSearching(); })) return false;
    ModelsList& list = library->list();
    list.choose(golden(name));
    if (!list.chosen() || list.draft()->text().remove(u'&') != label) return false;
    QTest::mouseClick(list.draft(), Qt::LeftButton);
    return true;
  }
  bool pressInMessage(const QString& label) {
    for (auto* button : window.messages().findChildren<QToolButton*>()) {
      if (button->text() != label || !button->isVisible()) continue;
      QTest::mouseClick(button, Qt::LeftButton);
      return true;
    }
    return false;
  }
  ModelsWindow& library() { return *window.models().open(); }
  bool says(const QString& words) {
    return waitUntil(
        [&] { return window.messages().isVisible() && window.messages().text().contains(words); });
  }
  const SpeculationOptions& drafts() { return window.session().engine()->options.speculation; }

  // The tokens of an answer, and how many of them came from drafts.
  struct Answer {
    std::vector<TokenId> tokens = {};
    int accepted = 0;
  };
  Answer answer() {
    Answer found;
    const auto hear = [&](EventBatch events) {
      for (const Event& event : events) {
        if (const auto* sampled = bodyOf<TokenSampled>(event)) found.tokens.push_back(sampled->token);
        if (const auto* verified = bodyOf<DraftVerified>(event)) found.accepted += verified->accepted;
      }
    };
    const auto heard = QObject::connect(&window.session(), &Session::appended, &window, hear);
    Request request;
    request.tokenIds = {5, 9, 12, 7};
    request.maxTokens = 24;
    request.ignoreEos = true;
    window.host().submit(request);
    window.host().run();
    waitUntil([&] { return found.tokens.size() >= 24 && isPaused(); });
    QObject::disconnect(heard);
    return found;
  }
};

}  // namespace

class TestDraftChoice : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;

 private slots:
  void initTestCase() { QVERIFY(m_surroundings.prepare()); }
  void init() { QSettings().clear(); }

  void aDraftChangesNoAnswerAndIsTakenOff() {
    Window w;
    QVERIFY(w.openModel(golden("llama")));
    const Window::Answer alone = w.answer();
    QCOMPARE(alone.tokens.size(), 24u);
    QCOMPARE(alone.accepted, 0);
    QVERIFY(w.press("llama", "Use as draft"));  // of itself: each of its drafts is right
    QVERIFY(w.says("llama drafts for llama"));
    QVERIFY(waitForMode(w.window, MachineMode::kPaused));
    QCOMPARE(w.drafts().drafter, DraftMethod::kModel);
    QCOMPARE(QString::fromStdString(w.drafts().draftModel), golden("llama"));
    const Window::Answer drafted = w.answer();
    QCOMPARE(drafted.tokens, alone.tokens);
    QVERIFY(drafted.accepted > 12);

    QVERIFY(w.press("llama", "Stop drafting"));
    QVERIFY(w.says("llama answers alone again"));
    QCOMPARE(w.drafts().drafter, DraftMethod::kNone);
    QCOMPARE(w.library().list().draft()->text().remove(u'&'), QString("Use as draft"));
  }

  // Nothing is loaded of a model with another vocabulary.
  void anotherVocabularyIsRefused() {
    Window w;
    QVERIFY(w.openModel(golden("llama")));
    const std::int64_t events = w.window.session().recording().size();
    QVERIFY(w.press("qwen3", "Use as draft"));
    QVERIFY(w.says("qwen3 has a vocabulary of 256 tokens, and llama one of 320"));
    QCOMPARE(w.window.session().recording().size(), events);
    QCOMPARE(w.drafts().drafter, DraftMethod::kNone);
  }

  void tooLittleMemoryIsSaidFirst() {
    Window w(1000);
    QVERIFY(w.openModel(golden("llama")));
    QVERIFY(w.press("llama-f16", "Use as draft"));
    QVERIFY(w.library().messages().isVisible());
    QVERIFY(w.library().messages().text().contains("once more"));
    QCOMPARE(w.window.host().mode(), MachineMode::kPaused);
    QVERIFY(w.press("llama-f16", "Use as draft"));
    QVERIFY(w.says("llama-f16 drafts for llama"));
  }

  // A load that is cancelled leaves the machine as it was, and the next model has no draft.
  void aCancelledLoadChangesNothing() {
    Window w;
    QVERIFY(w.openModel(golden("llama")));
    auto* loading = w.window.findChild<ModelLoading*>();
    QVERIFY(loading != nullptr);
    bool cancels = true;
    connect(loading, &ModelLoading::begun, this, [&] {
      if (cancels) emit w.window.status().cancelLoadRequested();
    });
    // A small model may be loaded before the word comes; then it is taken off, for another try.
    for (int tries = 0; tries < 20; ++tries) {
      cancels = true;
      QSignalSpy ended(loading, &ModelLoading::ended);
      QVERIFY(w.press("llama-f16", "Use as draft"));
      QVERIFY(waitUntil([&] { return !ended.isEmpty(); }));
      if (w.drafts().drafter == DraftMethod::kNone) break;
      cancels = false;
      QVERIFY(w.press("llama-f16", "Stop drafting"));
      QVERIFY(w.says("answers alone again"));
      QVERIFY(waitForMode(w.window, MachineMode::kPaused));
    }
    QCOMPARE(w.drafts().drafter, DraftMethod::kNone);
    QCOMPARE(w.library().list().draft()->text().remove(u'&'), QString("Use as draft"));
  }

  // In the next window, once for each time that the model is opened, and until its file is gone.
  void theDraftIsOfferedAgain() {
    QTemporaryDir folder;
    const QString draft = folder.filePath("small");
    std::filesystem::copy(golden("llama-f16").toStdString(), draft.toStdString(),
                          std::filesystem::copy_options::recursive);
    {
      Window w;
      QVERIFY(w.openModel(golden("llama")));
      QVERIFY(!w.window.messages().isVisible());
      emit w.window.models().draftChosen(draft);
      QVERIFY(w.says("small drafts for llama"));
    }
    {
      Window w;
      QVERIFY(w.openModel(golden("qwen3")));
      QVERIFY(!w.window.messages().isVisible());  // it is llama's
      w.window.openModel(golden("llama"));
      QVERIFY(w.says("Last time small drafted for llama"));
      QVERIFY(waitForMode(w.window, MachineMode::kPaused));
      QCOMPARE(w.drafts().drafter, DraftMethod::kNone);  // offered, not done
      QVERIFY(w.pressInMessage("Use it again"));
      QVERIFY(w.says("small drafts for llama"));
      QCOMPARE(QString::fromStdString(w.drafts().draftModel), draft);
      QVERIFY(!w.pressInMessage("Use it again"));
      emit w.window.models().draftChosen({});
      QVERIFY(w.says("llama answers alone again"));
    }
    {
      Window w;
      QVERIFY(w.openModel(golden("llama")));
      QVERIFY(!w.window.messages().isVisible());  // a person has taken it off
      emit w.window.models().draftChosen(draft);
      QVERIFY(w.says("small drafts for llama"));
      QVERIFY(std::filesystem::remove_all(draft.toStdString()) > 0);
    }
    Window w;
    QVERIFY(w.openModel(golden("llama")));
    QVERIFY(w.says("small, which drafted for llama, is not there any more"));
    QVERIFY(!w.pressInMessage("Use it again"));
    QCOMPARE(Settings().draftOf(golden("llama")), QString());
  }

  // It goes with the model that it is for.
  void anOfferIsForItsModel() {
    Settings().setDraftOf(golden("llama"), golden("llama-f16"));
    Window w;
    QVERIFY(w.openModel(golden("llama")));
    QVERIFY(w.says("Last time llama-f16 drafted for llama"));
    w.window.openModel(golden("qwen3"));
    QVERIFY(waitUntil([&] { return w.window.session().engine()->model.name == "qwen3"; }));
    QVERIFY(waitForMode(w.window, MachineMode::kPaused));
    QVERIFY(!w.pressInMessage("Use it again"));
  }

  void anotherModelHasNoDraft() {
    Window w;
    QVERIFY(w.openModel(golden("llama")));
    QVERIFY(w.press("llama-f16", "Use as draft"));
    QVERIFY(w.says("llama-f16 drafts for llama"));
    QVERIFY(waitForMode(w.window, MachineMode::kPaused));
    w.window.openModel(golden("qwen3"));
    QVERIFY(waitUntil([&] { return w.window.session().engine()->model.name == "qwen3"; }));
    QVERIFY(waitForMode(w.window, MachineMode::kPaused));
    QCOMPARE(w.drafts().drafter, DraftMethod::kNone);
  }
};

QTEST_MAIN(TestDraftChoice)
#include "tst_draft_choice.moc"
