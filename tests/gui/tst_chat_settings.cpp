// What one chat asks of its answers, in the window: the dialog with real keys, what reaches the engine, and
// what the window says about it.
#include "gui/turns/chat_settings.h"

#include <QAction>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

#include "desk/provenance.h"
#include "gui/chat/chat_menu.h"
#include "gui/chat/chat_settings_dialog.h"
#include "gui/chat/chat_settings_line.h"
#include "gui/chat/chats.h"
#include "gui/chat/typed_tokens.h"
#include "gui/parts/escaped_lines.h"
#include "gui/turns/answer_form.h"
#include "support/window_bench.h"
#include "vitrine/form_check.h"
#include "vitrine/option_schema.h"
#include "vitrine/tokenizer.h"
#include "widgets/chat/chat_view.h"
#include "widgets/sampler/sampler_controls.h"
#include "widgets/support/sampling_modes.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

class Window : public ShownWindow {
 public:
  explicit Window(const QString& file = {}) : ShownWindow(Perspective::kChat) {
    window.keepChatsIn(file);
    emit window.panels().controls->maxTokensChanged(12);
  }
  QPlainTextEdit* input() { return window.panels().chat->input(); }
  ChatModel& chat() { return *window.panels().chatModel; }
  Desk& desk() { return window.chats().desk(); }
  void ask(const QString& text) {
    QTest::keyClicks(input(), text);
    QTest::keyClick(input(), Qt::Key_Return);
  }
  bool answered(int rows) {
    return waitUntil([&] {
      return chat().rowCount() == rows && chat().at(rows - 1).status == AnswerStatus::kDone &&
             !chat().isAnswering();
    });
  }
  ChatSettingsDialog* openSettings() {
    window.chats().menu().settings->trigger();
    ChatSettingsDialog* dialog = nullptr;
    const bool there = waitUntil([&] {
      for (auto* one : window.findChildren<ChatSettingsDialog*>())
        if (one->isVisible()) dialog = one;
      return dialog != nullptr;
    });
    return there ? dialog : nullptr;
  }
  // The text of the line over the input; empty while it is not in sight.
  QString line() {
    const auto* part = window.findChild<ChatSettingsLine*>();
    return part != nullptr && part->isVisible() ? part->findChild<QLabel*>()->text() : QString();
  }
  const Request* newestRequest() {
    const auto& requests = live().requests;
    return requests.empty() ? nullptr : window.session().sampling().submitted(requests.rbegin()->first);
  }
};

QPlainTextEdit* boxOf(ChatSettingsDialog& dialog, const QString& name) {
  for (auto* box : dialog.findChildren<QPlainTextEdit*>())
    if (box->accessibleName() == name) return box;
  return nullptr;
}

QComboBox* listOf(ChatSettingsDialog& dialog, const QString& name) {
  for (auto* list : dialog.findChildren<QComboBox*>())
    if (list->accessibleName() == name) return list;
  return nullptr;
}

QPushButton* okOf(ChatSettingsDialog& dialog) {
  return dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
}

void chooseForm(ChatSettingsDialog& dialog, const QString& kind) {
  dialog.findChild<QTabWidget*>()->setCurrentIndex(1);
  QComboBox* const list = listOf(dialog, "Form of the answer");
  QTest::keyClick(list, Qt::Key_Home);
  for (int i = 1; i < list->count() && list->currentText() != kind; ++i) QTest::keyClick(list, Qt::Key_Down);
  QCOMPARE(list->currentText(), kind);
}

void writeForm(ChatSettingsDialog& dialog, const QString& kind, const QString& source) {
  chooseForm(dialog, kind);
  QPlainTextEdit* const box = boxOf(dialog, kind);
  QVERIFY(box != nullptr && box->isVisible());
  box->selectAll();
  for (const QString& line : source.split(u'\n')) {
    QTest::keyClicks(box, line);
    QTest::keyClick(box, Qt::Key_Return);
  }
}

void press(ChatSettingsDialog& dialog, QDialogButtonBox::StandardButton button) {
  QTest::mouseClick(dialog.findChild<QDialogButtonBox*>()->button(button), Qt::LeftButton);
}

bool hasLabel(ChatSettingsDialog& dialog, const QString& text) {
  for (const auto* label : dialog.findChildren<QLabel*>())
    if (label->text().startsWith(text)) return true;
  return false;
}

}  // namespace

class TestChatSettings : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;
  QTemporaryDir m_folder;

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }

  void stopStringsAreLines() {
    const QStringList stops = {"a b", " x ", "line\nline", "tab\t", "back\\n", QString(QChar(7)), "\\"};
    const QString lines = toEscapedLines(stops);
    QCOMPARE(lines, QString("a b\n\\sx\\s\nline\\nline\ntab\\t\nback\\\\n\n\\x07\n\\\\"));
    QCOMPARE(fromEscapedLines(lines), stops);
    QCOMPARE(fromEscapedLines("\n\nEND\n\nEND\n"), QStringList{"END"});
    QCOMPARE(fromEscapedLines("\\d \\x1 \\"), QStringList{"\\d \\x1 \\"});  // no escapes: as they stand
  }

  void settingsBecomeTheRequest() {
    ChatOrder order;
    order.request.sampling.temperature = 0.3;
    order.request.sampling.seed = 7;
    order.request.beamWidth = 4;
    const ChatOrder before = order;
    applySettings({"  \n", {}, "unheard of"}, order.request);
    QVERIFY(order.request.sampling == before.request.sampling);
    QCOMPARE(order.request.beamWidth, 4);
    applySettings({"Be brief.", {"END", "\n\n"}, "free"}, order.request);
    QCOMPARE(order.request.stop, (std::vector<std::string>{"END", "\n\n"}));
    QCOMPARE(order.request.sampling.temperature, 1.0);
    QCOMPARE(order.request.sampling.minP, 0.05);
    QCOMPARE(order.request.sampling.seed, std::uint64_t(7));
    QCOMPARE(order.request.beamWidth, 1);
    for (const SamplingPreset& preset : samplingPresets()) {
      applySettings({{}, {}, preset.key}, order.request);
      order.request.validate();
      QCOMPARE(order.request.sampling.temperature, preset.temperature);
      Request shaped = order.request;  // by every stage there is
      visitSamplingOptions(shaped.sampling,
                           [](const auto&, auto& value) { value = value > 0 ? value / 2 : 1; });
      Request plain = order.request;
      plain.sampling = withPenaltiesOf(shaped.sampling);
      applySettings({{}, {}, preset.key}, shaped);
      applySettings({{}, {}, preset.key}, plain);
      QVERIFY2(shaped.sampling == plain.sampling, qPrintable(preset.key));
    }
  }

  void aFormBecomesTheRequest() {
    const auto asked = [](const AnswerForm& form) {
      Request request;
      applySettings({.instructions = {}, .stops = {}, .preset = {}, .form = form}, request);
      request.validate();
      return request;
    };
    QVERIFY(!asked({}).hasGrammar());
    QCOMPARE(asked({"json_object", {}}).jsonSchema, std::string(R"({"type":"object"})"));
    QCOMPARE(asked({"json_schema", "{}"}).jsonSchema, std::string("{}"));
    QCOMPARE(asked({"choice", "yes\n\nno\n"}).choice, (std::vector<std::string>{"yes", "no"}));
    QCOMPARE(asked({"regex", "[a-z]+\n"}).regex, std::string("[a-z]+"));
    QCOMPARE(asked({"grammar", "root ::= \"a\""}).grammar, std::string("root ::= \"a\""));
    for (const FormKind& kind : formKinds()) {
      const AnswerForm form{kind.key, kind.example};  // the example of each kind can be followed
      QCOMPARE(asksForForm(form), !kind.key.isEmpty());
      requireForm(asked(form));
      QVERIFY(kind.example.isEmpty() || !asksForForm({kind.key, " \n"}));
    }
    QVERIFY(!asked({"of a later version", "x"}).hasGrammar());
    QCOMPARE(formInWords({"choice", "yes\nno"}), QString("One of 2 texts"));
    QCOMPARE(formInWords({"of a later version", "x"}), QString("of a later version (not known here)"));
    QCOMPARE(formInWords({}), QString());
  }

  void aFormGoesWithItsChat() {
    const QString file = m_folder.filePath("form.db");
    ChatId chat = 0;
    {
      Window w(file);
      QVERIFY(w.openModel());
      ChatSettingsDialog* dialog = w.openSettings();
      QVERIFY(dialog != nullptr);
      writeForm(*dialog, "One of these texts", "perhaps\nperhaps not");
      QTRY_VERIFY_WITH_TIMEOUT(okOf(*dialog)->isEnabled(), kPatience);
      press(*dialog, QDialogButtonBox::Ok);
      QTRY_COMPARE(w.line(), QString("This chat: Form: One of 2 texts"));
      w.window.chats().controller().setThinking(true);
      QVERIFY(!w.window.chats().controller().dialogueShown().thinking);
      w.ask("Hello!");
      QVERIFY(w.answered(2));
      QVERIFY2(QStringList({"perhaps", "perhaps not"}).contains(w.chat().at(1).text),
               qPrintable(w.chat().at(1).text));
      chat = w.desk().shown();
      // The answer says how it was asked for, and another one is asked alike.
      const auto how = requestOf(w.desk().branch().back().message.provenance);
      QVERIFY(how && how->choice == (std::vector<std::string>{"perhaps", "perhaps not"}));
      emit w.window.panels().chat->againRequested(w.chat().at(1).message);
      QVERIFY(w.answered(2));
      QVERIFY(w.chat().at(1).text.startsWith("perhaps"));
    }
    Window w(file);
    QVERIFY(w.openModel());
    QCOMPARE(w.line(), QString());
    QVERIFY(w.desk().open(chat));
    QCOMPARE(w.line(), QString("This chat: Form: One of 2 texts"));
    ChatSettingsDialog* dialog = w.openSettings();
    QVERIFY(dialog != nullptr);
    QCOMPARE(listOf(*dialog, "Form of the answer")->currentText(), QString("One of these texts"));
    QCOMPARE(boxOf(*dialog, "One of these texts")->toPlainText(), QString("perhaps\nperhaps not\n"));
    press(*dialog, QDialogButtonBox::RestoreDefaults);
    QCOMPARE(listOf(*dialog, "Form of the answer")->currentText(), QString("Free text"));
    QTRY_VERIFY_WITH_TIMEOUT(okOf(*dialog)->isEnabled(), kPatience);
    press(*dialog, QDialogButtonBox::Ok);
    QTRY_VERIFY(!w.line().contains("Form"));
    w.ask("Hello again!");
    QVERIFY(w.answered(4));
    QVERIFY(!w.newestRequest()->hasGrammar());
  }

  void aWrongFormIsSaidWhileItIsWritten() {
    Window w;
    QVERIFY(w.openModel());
    ChatSettingsDialog* dialog = w.openSettings();
    QVERIFY(dialog != nullptr);
    QVERIFY(okOf(*dialog)->isEnabled());
    chooseForm(*dialog, "JSON schema");
    QVERIFY(!okOf(*dialog)->isEnabled() && hasLabel(*dialog, "Write it here, or choose Free text."));
    writeForm(*dialog, "JSON schema", R"({"type": "objekt"})");
    QTRY_VERIFY_WITH_TIMEOUT(hasLabel(*dialog, "the JSON schema, at its top: "), kPatience);
    QVERIFY(!okOf(*dialog)->isEnabled());
    QVERIFY(hasLabel(*dialog, "The form on the page Answer has a mistake"));
    writeForm(*dialog, "JSON schema", R"({"enum": ["yes", "no"]})");
    QTRY_VERIFY_WITH_TIMEOUT(okOf(*dialog)->isEnabled(), kPatience);
    QVERIFY(hasLabel(*dialog, "Each answer is JSON that is valid by this schema. The model does not think"));
    QVERIFY(!hasLabel(*dialog, "the JSON schema"));
    // A look at another kind loses nothing.
    chooseForm(*dialog, "Regular expression");
    QCOMPARE(boxOf(*dialog, "Regular expression")->toPlainText(), QString());
    chooseForm(*dialog, "JSON schema");
    QTRY_VERIFY_WITH_TIMEOUT(okOf(*dialog)->isEnabled(), kPatience);
    boxOf(*dialog, "Tools")
        ->setPlainText(
            R"([{"type": "function", "function": {"name": "search", "parameters": {"type": "object"}}}])");
    QVERIFY(hasLabel(*dialog,
                     "Each answer is JSON that is valid by this schema. The model does not think "
                     "before it. It calls a tool only where"));
    boxOf(*dialog, "Tools")->clear();
    press(*dialog, QDialogButtonBox::Ok);
    QTRY_COMPARE(w.line(), QString("This chat: Form: JSON schema"));
    w.ask("Hello!");
    QVERIFY(w.answered(2));
    QVERIFY2(QStringList({"\"yes\"", "\"no\""}).contains(w.chat().at(1).text.trimmed()),
             qPrintable(w.chat().at(1).text));
  }

  // The whole text has the form, also when it was cut once by its longest length.
  void anAnswerGoesOnInItsForm() {
    Window w;
    QVERIFY(w.openModel());
    emit w.window.panels().controls->maxTokensChanged(3);
    ChatSettings settings = w.desk().settings(0);
    settings.form = {"regex", "[a-d]{12}!"};
    w.desk().setSettings(0, settings);
    w.ask("Hello!");
    QVERIFY(w.answered(2));
    const QString begun = w.chat().at(1).text;
    QVERIFY(!begun.isEmpty() && !begun.endsWith(u'!'));
    QCOMPARE(w.chat().at(1).limit.words, QString("Stopped at 3 tokens"));
    emit w.window.panels().controls->maxTokensChanged(40);
    emit w.window.panels().chat->goOnRequested(w.chat().at(1).message);
    QVERIFY(waitUntil([&] { return w.chat().at(1).variants == 2 && w.answered(2); }));
    const QString whole = w.chat().at(1).text;
    QVERIFY2(QRegularExpression("^[a-d]{12}!$").match(whole).hasMatch(), qPrintable(whole));
    QVERIFY2(whole.startsWith(begun), qPrintable(begun + " / " + whole));
  }

  // A summary is no answer of the chat; the new chat asks as the old one did.
  void aSummaryIsFreeText() {
    Window w(m_folder.filePath("summary.db"));
    QVERIFY(w.openModel());
    ChatSettings settings = w.desk().settings(0);
    settings.form = {"choice", "yes\nno"};
    w.desk().setSettings(0, settings);
    w.ask("Hello!");
    QVERIFY(w.answered(2));
    QVERIFY(w.newestRequest()->hasGrammar());
    w.window.chats().controller().summarise(w.desk().shown());
    QVERIFY(w.answered(2));
    QVERIFY(!w.newestRequest()->hasGrammar());
    QCOMPARE(w.desk().settings(w.desk().shown()).form, settings.form);
    w.ask("And then?");
    QVERIFY(w.answered(4));
    QVERIFY(w.newestRequest()->hasGrammar());
  }

  // The built-in model comes with a temperature of 0.6 and a top-p of 0.9.
  void theModelsOwnSamplingIsAPreset() {
    Window w;
    QVERIFY(w.openModel());
    SamplingOptions other;
    other.temperature = 0.2;
    other.topK = 3;
    other.presencePenalty = 0.5;
    other.seed = 77;
    emit w.window.panels().controls->samplingChanged(other);
    ChatSettingsDialog* dialog = w.openSettings();
    QVERIFY(dialog != nullptr);
    QTest::keyClicks(listOf(*dialog, "Sampling"), "Model");
    QVERIFY(hasLabel(*dialog, "As the model's makers recommend: temperature 0.6, top-p 0.9."));
    press(*dialog, QDialogButtonBox::Ok);
    QTRY_COMPARE(w.line(), QString("This chat: Model's own"));
    w.ask("Hello!");
    QVERIFY(w.answered(2));
    SamplingOptions wanted;
    wanted.temperature = 0.6;
    wanted.topP = 0.9;
    wanted.presencePenalty = 0.5;
    wanted.seed = 77;
    QVERIFY(w.newestRequest() != nullptr);
    QVERIFY(w.newestRequest()->sampling == wanted);
  }

  // The sampling that is set in the window says 0.7, and the built-in model 0.6.
  void aNewChatHasTheModelsOwnSampling() {
    Window w(m_folder.filePath("own.db"));
    QVERIFY(w.openModel());
    const ChatId before = w.desk().history().createChat();  // by an earlier version
    w.ask("Hello!");
    QVERIFY(w.answered(2));
    const ChatId first = w.desk().shown();
    QCOMPARE(w.desk().settings(first).preset, QString(kModelPreset));
    QVERIFY(w.newestRequest() != nullptr);
    QCOMPARE(w.newestRequest()->sampling.temperature, 0.6);
    QCOMPARE(w.newestRequest()->sampling.topP, 0.9);
    QCOMPARE(w.line(), QString());  // nothing that a new chat would not have
    QVERIFY(w.desk().open(before));
    w.ask("Hello!");
    QVERIFY(w.answered(2));
    QCOMPARE(w.newestRequest()->sampling.temperature, Settings::defaultSampling().temperature);
    // A person who has turned a knob means it.
    SamplingOptions turned = Settings::defaultSampling();
    turned.temperature = 0.3;
    emit w.window.panels().controls->samplingChanged(turned);
    w.window.chats().controller().startAnew();
    w.ask("Hello!");
    QVERIFY(w.answered(2));
    QCOMPARE(w.newestRequest()->sampling.temperature, 0.3);
    QVERIFY(w.desk().open(first));
    QCOMPARE(w.line(), QString("This chat: Model's own"));
    // In the machine's perspectives the panel stands beside the conversation.
    emit w.window.panels().controls->samplingChanged(Settings::defaultSampling());
    w.window.chats().controller().startAnew();
    QCOMPARE(w.desk().settings(0).preset, QString(kModelPreset));
    w.window.showPerspective(Perspective::kStep);
    QCOMPARE(w.desk().settings(0).preset, QString());
    w.window.showPerspective(Perspective::kChat);
    emit w.window.panels().controls->answersChanged(1, 4);  // a beam search is greedy
    QCOMPARE(w.desk().settings(0).preset, QString());
  }

  void theDefaultsOfTheDialogAreThoseOfANewChat() {
    Window w;
    QVERIFY(w.openModel());
    w.desk().setSettings(0, {"Be brief.", {}, "exact"});
    ChatSettingsDialog* dialog = w.openSettings();
    QVERIFY(dialog != nullptr);
    press(*dialog, QDialogButtonBox::RestoreDefaults);
    QCOMPARE(listOf(*dialog, "Sampling")->currentText(), QString("Model's own"));
    press(*dialog, QDialogButtonBox::Ok);
    QTRY_VERIFY(w.desk().settings(0) == w.desk().defaults());
  }

  void aModelWithoutARecommendationIsAskedAsTheWindowSays() {
    ChatOrder order;
    order.request.sampling.temperature = 0.3;
    const SamplingOptions before = order.request.sampling;
    applySettings({{}, {}, kModelPreset}, order.request);
    QVERIFY(order.request.sampling == before);
    QVERIFY(modelPresetTip({}).contains("as set in the window"));
  }

  void aNewChatTakesItsSettingsAlong() {
    Window w(m_folder.filePath("new.db"));
    QVERIFY(w.openModel());
    QCOMPARE(w.line(), QString());
    ChatSettingsDialog* dialog = w.openSettings();
    QVERIFY(dialog != nullptr);
    QTest::keyClicks(boxOf(*dialog, "System prompt"), "You are a fox.");
    QTest::keyClicks(boxOf(*dialog, "Stop strings"), "END\\n");
    QTest::keyClicks(listOf(*dialog, "Sampling"), "Exact");
    press(*dialog, QDialogButtonBox::Ok);
    QTRY_VERIFY(w.line().startsWith("This chat: System prompt · 1 stop string"));
    QVERIFY2(w.line().endsWith(" · Exact"), qPrintable(w.line()));
    QVERIFY(w.desk().history().chats().empty());  // nothing is kept of a chat that is not begun
    w.ask("Hello!");
    QVERIFY(w.answered(2));
    const Request* request = w.newestRequest();
    QVERIFY(request != nullptr);
    QCOMPARE(request->sampling.temperature, 0.0);
    QVERIFY(std::ranges::count(request->stop, std::string("END\n")) == 1);
    const ChatSettings kept = w.desk().settings(w.desk().shown());
    QCOMPARE(kept.instructions, QString("You are a fox."));
    QCOMPARE(kept.stops, QStringList{"END\n"});
    QCOMPARE(kept.preset, QString("exact"));
    // The prompt has it as its first message, and the conversation does not show it.
    const auto tokenizer = loadTokenizer(builtinModelDirectory());
    const auto& sequence = w.live().sequences.rbegin()->second;
    const std::string prompt = tokenizer->decode(
        std::span(sequence.tokens).first(static_cast<std::size_t>(sequence.promptTokens)), false);
    QVERIFY2(prompt.find("You are a fox.") < prompt.find("Hello!"), prompt.c_str());
    QCOMPARE(w.chat().at(0).text, QString("Hello!"));
    w.window.activateWindow();  // the dialog had the keys
    QVERIFY(QTest::qWaitForWindowActive(&w.window));
    QTest::keyClick(&w.window, Qt::Key_N, Qt::ControlModifier);
    QCOMPARE(w.line(), QString());  // the next chat has none of it
    QVERIFY(w.desk().open(w.desk().history().chats().front().id));
    QVERIFY(!w.line().isEmpty());
  }

  void anAnswerEndsAtAStopString() {
    Window w;
    QVERIFY(w.openModel());
    w.desk().setSettings(0, {{}, {}, "exact"});
    w.ask("Hello!");
    QVERIFY(w.answered(2));
    const QString whole = w.chat().at(1).text;
    const QString word = whole.simplified().section(u' ', 1, 1);  // the second one
    QVERIFY(!word.isEmpty());
    w.window.chats().controller().startAnew();
    w.desk().setSettings(0, {{}, {word}, "exact"});
    w.ask("Hello!");
    QVERIFY(w.answered(2));
    QCOMPARE(w.chat().at(1).text.trimmed(), whole.left(whole.indexOf(word)).trimmed());
  }

  void theDialogCountsTokens() {
    Window w;
    QVERIFY(w.openModel());
    ChatSettingsDialog* dialog = w.openSettings();
    QVERIFY(dialog != nullptr);
    QTest::keyClicks(boxOf(*dialog, "System prompt"), "You are a lighthouse.");
    const auto tokenizer = loadTokenizer(builtinModelDirectory());
    const std::size_t tokens = tokenizer->encode("You are a lighthouse.", false).size();
    QVERIFY(tokens > 1);
    const QString wanted = QString("%1 token").arg(tokens);
    QTRY_VERIFY_WITH_TIMEOUT(hasLabel(*dialog, wanted), kPatience);
    boxOf(*dialog, "System prompt")->clear();
    QVERIFY(!hasLabel(*dialog, wanted));
    QTest::keyClick(dialog, Qt::Key_Escape);
  }

  void theInputCountsTokens() {
    Window w;
    QVERIFY(w.openModel());
    const auto* count = w.window.findChild<TypedTokens*>();
    QVERIFY(count != nullptr && count->text().isEmpty());
    const QString typed = "How many tokens has this?";
    QTest::keyClicks(w.input(), typed);
    const auto tokenizer = loadTokenizer(builtinModelDirectory());
    const auto words = [&](const QString& text) {
      return QString("%1 token").arg(tokenizer->encode(text.toStdString(), false).size());
    };
    QTRY_VERIFY_WITH_TIMEOUT(count->text().startsWith(words(typed)), kPatience);
    QTest::keyClicks(w.input(), " And this?");
    QTRY_VERIFY_WITH_TIMEOUT(count->text().startsWith(words(typed + " And this?")), kPatience);
    w.input()->clear();
    QCOMPARE(count->text(), QString());
    // A step that is held does not keep the count.
    w.ask("Hello!");
    w.window.host().pause();
    QVERIFY(waitUntil([&] { return w.isPaused() && w.chat().isAnswering(); }));
    w.window.stepPhase();
    QVERIFY(waitForMode(w.window, MachineMode::kHeld));
    QTest::keyClicks(w.input(), "held");
    QTRY_VERIFY_WITH_TIMEOUT(count->text().startsWith(words("held")), kPatience);
    // Without a model nothing is claimed.
    w.window.host().close();
    QVERIFY(waitForMode(w.window, MachineMode::kEmpty));
    QTest::keyClicks(w.input(), " on");
    QTRY_COMPARE_WITH_TIMEOUT(count->text(), QString(), kPatience);
  }

  void cancelAndDefaults() {
    Window w;
    QVERIFY(w.openModel());
    const ChatSettings settings{"Be brief.", {"a\nb"}, "imported preset"};
    w.desk().setSettings(0, settings);
    ChatSettingsDialog* dialog = w.openSettings();
    QVERIFY(dialog != nullptr);
    QCOMPARE(boxOf(*dialog, "Stop strings")->toPlainText(), QString("a\\nb"));
    QTest::keyClicks(boxOf(*dialog, "System prompt"), "x");
    QTest::keyClick(dialog, Qt::Key_Escape);
    QVERIFY(w.desk().settings(0) == settings);
    dialog = w.openSettings();
    QVERIFY(dialog != nullptr);
    press(*dialog, QDialogButtonBox::Ok);  // an unknown preset stays
    QTRY_VERIFY(w.window.findChildren<ChatSettingsDialog*>().isEmpty());
    QVERIFY(w.desk().settings(0) == settings);
    dialog = w.openSettings();
    QVERIFY(dialog != nullptr);
    press(*dialog, QDialogButtonBox::RestoreDefaults);
    press(*dialog, QDialogButtonBox::Ok);
    QTRY_VERIFY(w.desk().settings(0) == w.desk().defaults());
    QCOMPARE(w.line(), QString());
  }
};

QTEST_MAIN(TestChatSettings)
#include "tst_chat_settings.moc"
