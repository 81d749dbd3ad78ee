#include "gui/answers/answer_branches.h"

#include <QMenu>
#include <algorithm>

#include "desk/provenance.h"
#include "gui/answers/token_looker.h"
#include "history/chat_json.h"
#include "widgets/conversation/answer_calls.h"
#include "widgets/conversation/chat_copy.h"

namespace vitrine {
namespace {

std::vector<TokenId> idsOf(const std::vector<AnswerToken>& tokens, std::size_t count) {
  std::vector<TokenId> ids;
  for (std::size_t i = 0; i < std::min(count, tokens.size()); ++i) ids.push_back(tokens[i].id);
  return ids;
}

}  // namespace

AnswerBranches::AnswerBranches(EngineHost& host, Session& session, Desk& desk, ChatView& view,
                               ChatController& controller, QObject* parent)
    : QObject(parent),
      m_session(session),
      m_desk(desk),
      m_view(view),
      m_controller(controller),
      m_looker(new TokenLooker(host, desk, view, this)) {
  connect(&view, &ChatView::menuRequested, this, &AnswerBranches::showMenu);
  connect(&view, &ChatView::goOnRequested, this, &AnswerBranches::goOn);
  connect(m_looker, &TokenLooker::branchChosen, this, &AnswerBranches::branch);
  connect(m_looker, &TokenLooker::endChosen, &desk, &Desk::rewrite);
  const AnswerWriter& writer = controller.answers();
  connect(&writer, &AnswerWriter::begun, this, [this](const PendingTurn& taken, MessageId, MessageId answer) {
    const std::optional<OwnRequest>& own = taken.turn.own;
    if (own && own->repeats != 0) m_repeats[answer] = {own->repeats, own->differences};
  });
  // Not at once: the chat's model hears of the end as well, and is to have heard of it.
  connect(&writer, &AnswerWriter::answeringChanged, this, &AnswerBranches::onAnswering, Qt::QueuedConnection);
}

void AnswerBranches::showMenu(qint64 message, const QPoint& global) {
  auto* menu = new QMenu(&m_view);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  addActions(*menu, message);
  menu->popup(global);
}

void AnswerBranches::addActions(QMenu& menu, MessageId message) {
  const ChatEntry* const shown = m_view.entryOf(message);
  if (shown != nullptr && shown->role == ChatRole::kAssistant) addAnswerActions(menu, message, *shown);
  emit menuMade(menu, message);
}

void AnswerBranches::addAnswerActions(QMenu& menu, MessageId message, const ChatEntry& shown) {
  const std::optional<AnswerTurn> turn = answerTurn(m_desk, message);
  const bool free = m_controller.canAnswer();
  menu.setToolTipsVisible(true);
  menu.addAction(tr("Look at its &tokens"), this, [this, message] { m_looker->open(message); })
      ->setEnabled(turn.has_value());
  QAction* const on = menu.addAction(tr("&Continue"), this, [this, message] { goOn(message); });
  on->setEnabled(turn && turn->canGoOn() && free);
  on->setToolTip(tr("Goes on where the answer was stopped, as if it had not been"));
  QAction* const same = menu.addAction(tr("&Run again exactly"), this, [this, message] { repeat(message); });
  same->setEnabled(turn && free);
  same->setToolTip(tr("The same seed and sampling; then it is compared token for token"));
  if (turn)
    for (const QString& difference : differencesFrom(*turn)) menu.addAction(difference)->setEnabled(false);
  if (const auto kept = m_desk.shownMessage(message);
      kept && kept->provenance.leftOut == promptOfAnotherPath())
    menu.addAction(tr("It has read other messages than those above it"))->setEnabled(false);
  menu.addSeparator();
  const QString source = markdownWithCalls(shown);
  menu.addAction(tr("Copy as &Markdown"), this, [source] { copyAnswer(source, CopyForm::kMarkdown); });
  menu.addAction(tr("Copy as &plain text"), this, [source] { copyAnswer(source, CopyForm::kPlainText); });
  menu.addAction(tr("&Edit the answer…"), this, [this, message] {
    const std::vector<ShownMessage> branch = m_desk.branch();
    const auto found = std::ranges::find(branch, message, [](const ShownMessage& m) { return m.message.id; });
    if (found != branch.end()) m_view.edit(message, found->message.text);
  });
}

// With so many of the answer's first tokens; request.outputIds may have one more. It is one answer: of
// several, the first is the one that is shown, and a search cannot be begun by hand.
void AnswerBranches::begin(const AnswerTurn& turn, Request request, std::size_t kept) {
  request.sequences = request.beamWidth = 1;
  request.bestOf = 0;
  std::vector<AnswerToken> forced(turn.answer.tokens.begin(),
                                  turn.answer.tokens.begin() + static_cast<std::ptrdiff_t>(kept));
  for (std::size_t i = kept; i < request.outputIds.size(); ++i) forced.push_back({request.outputIds[i]});
  m_controller.answerInPlaceOf(turn.answer.id, {std::move(request), std::move(forced), turn.dialogue.thinking,
                                                turn.answer.provenance.leftOut});
}

void AnswerBranches::branch(MessageId answer, int place, TokenId token) {
  const std::optional<AnswerTurn> turn = answerTurn(m_desk, answer);
  if (!turn || !m_controller.canAnswer() || place < 0 || place >= std::ssize(turn->answer.tokens)) return;
  Request request = turn->request;
  const auto kept = static_cast<std::size_t>(place);
  request.outputIds = idsOf(turn->answer.tokens, kept);
  request.outputIds.push_back(token);
  if (request.maxTokens > 0) request.maxTokens = std::max(request.maxTokens, place + 2);
  begin(*turn, std::move(request), kept);
}

void AnswerBranches::goOn(MessageId answer) {
  const std::optional<AnswerTurn> turn = answerTurn(m_desk, answer);
  if (!turn || !turn->canGoOn() || !m_controller.canAnswer()) return;
  Request request = turn->request;
  const std::size_t kept = turn->answer.tokens.size();
  request.outputIds = idsOf(turn->answer.tokens, kept);
  // A stopped one has room left; one that was as long as it might be gets as much again.
  if (const int most = m_controller.maxTokens(); most == 0)
    request.maxTokens = 0;
  else if (request.maxTokens > 0 && static_cast<int>(kept) >= request.maxTokens)
    request.maxTokens = static_cast<int>(kept) + most;
  begin(*turn, std::move(request), kept);
}

void AnswerBranches::repeat(MessageId answer) {
  const std::optional<AnswerTurn> turn = answerTurn(m_desk, answer);
  if (!turn || !m_controller.canAnswer()) return;
  const std::size_t kept = turn->request.outputIds.size();
  std::vector<AnswerToken> forced(
      turn->answer.tokens.begin(),
      turn->answer.tokens.begin() +
          std::min(std::ssize(turn->answer.tokens), std::ssize(turn->request.outputIds)));
  forced.resize(kept);
  m_controller.answerInPlaceOf(answer, {turn->request, std::move(forced), turn->dialogue.thinking,
                                        turn->answer.provenance.leftOut, answer, differencesFrom(*turn)});
}

QStringList AnswerBranches::differencesFrom(const AnswerTurn& turn) const {
  QStringList differences;
  const Provenance& then = turn.answer.provenance;
  if (!m_session.engine()) return differences;
  const Provenance now = provenanceOf(*m_session.engine(), m_controller.machineOptions(), turn.request);
  const auto compare = [&](const QString& what, const QString& before, const QString& present) {
    if (before != present) differences << tr("%1: %2 then, %3 now").arg(what, before, present);
  };
  compare(tr("Model"), then.model, now.model);
  compare(tr("Compute mode"), then.computeMode, now.computeMode);
  compare(tr("Instruction set"), then.instructionSet, now.instructionSet);
  if (optionsWithNames(then.engineOptions) != optionsWithNames(now.engineOptions))
    differences << tr("Machine options differ");
  return differences;
}

void AnswerBranches::onAnswering() {
  for (auto it = m_repeats.begin(); it != m_repeats.end();) {
    const auto& [copy, repeat] = *it;
    const bool ended = m_controller.answers().requestOf(copy) == 0;
    if (ended) m_controller.addNote(copy, verdict(repeat, copy));
    it = ended ? m_repeats.erase(it) : std::next(it);
  }
}

// A run that was stopped, then or now, is compared as far as both went.
QString AnswerBranches::verdict(const Repeat& repeat, MessageId copy) const {
  const std::vector<AnswerToken> before = m_desk.history().tokens(repeat.original),
                                 now = m_desk.history().tokens(copy);
  const auto [first, second] = std::ranges::mismatch(before, now, {}, &AnswerToken::id, &AnswerToken::id);
  if (first == before.end() && second == now.end()) return tr("Token for token the same");
  const auto place = first - before.begin() + 1;
  QString words;
  if (first == before.end() || second == now.end())
    words = tr("The same up to token %1, where one of the two ends").arg(place - 1);
  else
    words = tr("Another token at place %1").arg(place);
  return repeat.differences.isEmpty()
             ? words
             : words + QStringLiteral(" (") + repeat.differences.join(QStringLiteral("; ")) + u')';
}

}  // namespace vitrine

#include "moc_answer_branches.cpp"
