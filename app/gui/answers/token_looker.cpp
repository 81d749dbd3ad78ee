#include "gui/answers/token_looker.h"

#include <utility>

#include "widgets/message/answer_text.h"
#include "widgets/message/token_popup.h"

namespace vitrine {
namespace {

TokenChoice choiceOf(const LikelyToken& likely, bool drawn) {
  return {QString::fromStdString(likely.text), likely.probability, drawn, likely.isControl};
}

TokenCard cardOf(const SeenAnswer& seen, const AnswerTurn& turn) {
  TokenCard card{seen.place, static_cast<int>(turn.answer.tokens.size())};
  card.given = seen.place < std::ssize(turn.request.outputIds);
  card.token = choiceOf(seen.token, true);
  for (const LikelyToken& likely : seen.likely)
    card.choices.push_back(choiceOf(likely, likely.token == seen.token.token));
  return card;
}

}  // namespace

TokenLooker::TokenLooker(EngineHost& host, Desk& desk, ChatView& view, QObject* parent)
    : QObject(parent), m_host(host), m_desk(desk), m_view(view), m_popup(new TokenPopup(&view)) {
  connect(&view, &ChatView::wordPointed, this, &TokenLooker::point);
  connect(&desk, &Desk::opened, m_popup, &QWidget::hide);
  connect(m_popup, &TokenPopup::moved, this, &TokenLooker::move);
  connect(m_popup, &TokenPopup::chosen, this, &TokenLooker::choose);
  connect(m_popup, &TokenPopup::closed, this, &TokenLooker::forget);
}

// A mouse that rests asks nothing of a machine that runs.
void TokenLooker::point(qint64 message, qint64 byte, bool clicked) {
  const bool idle = m_host.mode() == MachineMode::kPaused || m_host.mode() == MachineMode::kHeld;
  if (!clicked && (!idle || m_popup->hasTheFocus())) return;
  m_clicked = clicked;
  ask(message, {}, static_cast<std::size_t>(byte));
}

void TokenLooker::open(MessageId answer) {
  m_clicked = true;
  ask(answer, {}, std::size_t{0});
}

void TokenLooker::ask(MessageId answer, std::optional<int> place, std::optional<std::size_t> byte) {
  if (m_turn.answer.id != answer || !place) {
    std::optional<AnswerTurn> turn = answerTurn(m_desk, answer);
    if (!turn) return;
    m_turn = std::move(*turn);
  }
  AnswerQuery query{.shown = m_turn.answer.text.toStdString(), .place = place, .byte = byte};
  query.order = {m_turn.dialogue, m_turn.request};
  query.order.request.outputIds.clear();
  for (const AnswerToken& token : m_turn.answer.tokens) query.tokens.push_back(token.id);
  m_question = askAboutAnswer(m_host, std::move(query), this, [this](const SeenAnswer& seen) { take(seen); });
}

void TokenLooker::take(const SeenAnswer& seen) {
  m_seen = seen;
  AnswerText* const text = m_view.answer(m_turn.answer.id);
  if (text == nullptr || !text->isVisible()) return m_popup->hide();
  const bool shown = seen.place >= 0 && !seen.likely.empty();
  if (!shown && !m_clicked) return;
  const TokenSpan span = seen.place < 0 ? TokenSpan() : seen.spans[static_cast<std::size_t>(seen.place)];
  if (shown) {
    text->mark(span.begin, span.end);
    m_popup->showCard(wordAt(span), cardOf(seen, m_turn));
  } else {
    m_popup->showWords(wordAt(span), whyNot());
  }
  if (m_clicked) m_popup->takeFocus();
}

QString TokenLooker::whyNot() const {
  if (m_host.mode() == MachineMode::kEmpty || m_host.mode() == MachineMode::kLoading)
    return tr("Open a model first: it computes how likely the tokens were.");
  if (m_host.isConnected() && !m_seen.spans.empty())
    return tr("%1 tells no candidates of this token.").arg(m_host.connected()->order().server.place());
  if (m_seen.spans.empty())
    return tr("Another model wrote this answer: %1. Open it to look at the tokens.")
        .arg(m_turn.answer.provenance.model);
  return tr("The candidates of this token cannot be computed with this model and these options.");
}

// In the view's coordinates.
QRect TokenLooker::wordAt(const TokenSpan& span) const {
  const AnswerText* const text = m_view.answer(m_turn.answer.id);
  const QRect word = text->placeOf(span.begin, span.end);
  return {text->mapTo(&m_view, word.topLeft()), word.size()};
}

void TokenLooker::move(int by) {
  const int place = m_seen.place + by;
  if (m_seen.place < 0 || place < 0 || place >= std::ssize(m_turn.answer.tokens)) return;
  ask(m_turn.answer.id, place, {});
}

void TokenLooker::choose(int index) {
  if (m_question.isOpen() || index < 0 || index >= std::ssize(m_seen.likely)) return;
  const LikelyToken token = m_seen.likely[static_cast<std::size_t>(index)];
  const int place = m_seen.place;
  const MessageId answer = m_turn.answer.id;
  const std::string before =
      m_turn.answer.text.toStdString().substr(0, m_seen.spans[static_cast<std::size_t>(place)].begin);
  m_popup->hide();
  if (token.isControl)
    emit endChosen(answer, QString::fromStdString(before));
  else
    emit branchChosen(answer, place, token.token);
}

void TokenLooker::forget() {
  m_question.drop();
  if (AnswerText* const text = m_view.answer(m_turn.answer.id)) text->mark(0, 0);
}

}  // namespace vitrine

#include "moc_token_looker.cpp"
