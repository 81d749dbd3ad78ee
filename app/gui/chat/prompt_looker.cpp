#include "gui/chat/prompt_looker.h"

#include <QAction>
#include <QEvent>
#include <QPlainTextEdit>
#include <algorithm>

#include "desk/asking.h"
#include "gui/chat/chat_page.h"
#include "gui/chat/prompt_page.h"
#include "gui/turns/answer_form.h"
#include "gui/turns/chat_controller.h"
#include "widgets/chat/chat_view.h"
#include "widgets/chat/context_meter.h"
#include "widgets/prompt/prompt_view.h"
#include "widgets/session/prefix_chains.h"

namespace vitrine {
namespace {
constexpr int kRestMs = 120;  // of several changes one look
}  // namespace

PromptLooker::PromptLooker(Place place, QAction& action, QObject* parent)
    : QObject(parent), m_place(place), m_action(action), m_page(new PromptPage(&place.session, &place.page)) {
  m_page->hide();
  m_page->installEventFilter(this);
  m_place.page.setFront(m_page);
  m_resting.setSingleShot(true);
  m_resting.setInterval(kRestMs);
  connect(&m_resting, &QTimer::timeout, this, &PromptLooker::look);
  connect(&action, &QAction::toggled, this, &PromptLooker::open);
  connect(m_page, &PromptPage::closeRequested, &action, [&action] { action.setChecked(false); });
  connect(m_page, &PromptPage::typedMarksRequested, this, &PromptLooker::setTypedMarks);
  connect(&place.host, &EngineHost::loaded, this, &PromptLooker::lookSoon);
  connect(&place.host, &EngineHost::modeChanged, this, [this](MachineMode mode) {
    if (mode != MachineMode::kEmpty) return;
    m_question.drop();
    lookSoon();
  });
  connect(&place.desk, &Desk::opened, this, &PromptLooker::lookSoon);
  connect(&place.desk, &Desk::listChanged, this, &PromptLooker::lookSoon);
  connect(&place.desk, &Desk::settingsChanged, this, &PromptLooker::lookSoon);
  connect(&place.controller, &ChatController::thinkingChanged, this, &PromptLooker::lookSoon);
  connect(&place.controller.files(), &ChatFiles::changed, this, &PromptLooker::lookSoon);
  connect(&place.controller.answers(), &AnswerWriter::begun, this, &PromptLooker::lookSoon);
  connect(&place.controller.answers(), &AnswerWriter::ended, this,
          [this](MessageId answer, const RequestFinished& finished) {
            m_answered[answer] = finished.request;
            lookSoon();
          });
  connect(&place.session, &Session::runStarted, this, [this] { m_answered.clear(); });
  connect(place.view.input(), &QPlainTextEdit::textChanged, this, &PromptLooker::lookSoon);
}

void PromptLooker::open(bool open) {
  m_place.page.showFront(open);
  if (open)
    m_page->prompt().setFocus(Qt::OtherFocusReason);
  else
    m_place.view.focusInput();
}

bool PromptLooker::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_page && event->type() == QEvent::Show) look();
  return false;
}

void PromptLooker::lookSoon() {
  if (m_page->isVisible()) m_resting.start();
}

void PromptLooker::look() {
  if (!m_page->isVisible()) return;
  m_resting.stop();
  m_question.drop();
  if (m_place.host.mode() == MachineMode::kEmpty)
    return m_page->sayNothing(tr("Open a model first: its template and its tokenizer make the prompt."));
  Dialogue dialogue = m_place.controller.dialogueShown();
  if (dialogue.messages.empty())
    return m_page->sayNothing(
        tr("No question yet. The text of your message appears here as the model reads it."));
  ++m_looks;
  const auto work = [query = ordered(std::move(dialogue))](const AskedMachine& asked) {
    if (asked.engine.tokenizer() == nullptr) return std::shared_ptr<SeenPrompt>();
    auto seen = std::make_shared<SeenPrompt>(showPrompt(asked.engine, query));
    seen->model = asked.model.string();
    return seen;
  };
  m_question = m_place.host.ask(
      work, this, [this](const auto& seen) { take(seen.value_or(nullptr)); }, Manner::kWaits);
}

// With the tokens of the last answer that the branch has, as long as the machine knows them.
PromptQuery PromptLooker::ordered(Dialogue dialogue) const {
  PromptQuery query{.dialogue = std::move(dialogue)};
  if (asksForForm(m_place.desk.settings(m_place.desk.shown()).form)) query.thought = OpenedThought::kEnds;
  const std::vector<ShownMessage> branch = m_place.desk.branch();
  const auto last = std::ranges::find(branch.rbegin(), branch.rend(), MessageRole::kAssistant,
                                      [](const ShownMessage& shown) { return shown.message.role; });
  if (last == branch.rend()) return query;
  const auto answered = m_answered.find(last->message.id);
  if (answered == m_answered.end()) return query;
  const MachineState& live = m_place.session.recording().live();
  const auto request = live.requests.find(answered->second);
  if (request == live.requests.end() || request->second.sequences.empty()) return query;
  const auto sequence = live.sequences.find(request->second.sequences.front());
  if (sequence == live.sequences.end()) return query;
  query.before = sequence->second.tokens;
  query.beforePrompt = sequence->second.promptTokens;
  return query;
}

// Null: a model without a tokenizer, or none any more.
void PromptLooker::take(std::shared_ptr<const SeenPrompt> seen) {
  if (!seen) return m_page->sayNothing(tr("This model has no tokenizer, so it reads no text."));
  m_page->display(seen);
  tellCached(*seen);
}

// As the meter under the input counts it. The last token is always computed.
void PromptLooker::tellCached(const SeenPrompt& seen) {
  const PrefixChains* const chains = m_place.view.contextMeter()->chains();
  const auto& engine = m_place.session.engine();
  if (chains == nullptr || !engine || !engine->options.prefixCache || seen.tokens.empty()) return;
  SequenceState asked;
  for (const SeenToken& token : seen.tokens) asked.tokens.push_back(token.id);
  const int found = chains->cachedBlocksOf(asked, m_place.session.state()) * engine->options.blockSize;
  m_page->tellCached(std::min(found, static_cast<int>(seen.tokens.size()) - 1));
}

void PromptLooker::setTypedMarks(bool count) {
  changeAsking(m_place.desk, m_place.desk.shown(), [count](Asking& asking) { asking.typedMarks = count; });
}

}  // namespace vitrine

#include "moc_prompt_looker.cpp"
