#include "widgets/chat/context_meter.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "widgets/support/formats.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {
namespace {

QString nameOf(ContextPart part) {
  switch (part) {
    case ContextPart::kSystem:
      return ContextMeter::tr("System message");
    case ContextPart::kHistory:
      return ContextMeter::tr("Conversation");
    case ContextPart::kFiles:
      return ContextMeter::tr("Files");
    case ContextPart::kAnswer:
      return ContextMeter::tr("Answer");
    case ContextPart::kDraft:
      return ContextMeter::tr("Being typed (not yet sent)");
  }
  return {};
}

}  // namespace

QColor contextColour(ContextPart part, const Theme& theme) {
  switch (part) {
    case ContextPart::kSystem:
      return theme.surprise();
    case ContextPart::kHistory:
      return theme.change(BlockChange::kCached);
    case ContextPart::kFiles:
      return theme.breakpoint();
    case ContextPart::kAnswer:
      return theme.good();
    case ContextPart::kDraft:
      return theme.dimText();
  }
  return theme.dimText();
}

ContextMeter::ContextMeter(Session* session, QWidget* parent) : QWidget(parent), m_session(session) {
  setFont(readable(font()));
  setAccessibleName(tr("Context"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  connect(session, &Session::stateChanged, this, &ContextMeter::refresh);
}

void ContextMeter::setSequence(SequenceId sequence) {
  if (m_sequence == sequence) return;
  m_sequence = sequence;
  refresh();
}

void ContextMeter::setChains(const PrefixChains* chains) {
  m_chains = chains;
  refresh();
}

void ContextMeter::setShares(const ContextShares& shares) {
  if (m_shares == shares) return;
  m_shares = shares;
  refresh();
}

void ContextMeter::refresh() {
  if (!isVisible()) return;
  const MachineState& state = m_session->state();
  const auto found = state.sequences.find(m_sequence);
  m_known = found != state.sequences.end();
  // What a full context has evicted is no longer in it; the prompt goes first.
  const int evicted = m_known ? found->second.evictedTokens : 0;
  m_tokens = m_known ? static_cast<int>(found->second.tokens.size()) - evicted : m_shares.conversation;
  m_prompt = m_known ? std::clamp(found->second.promptTokens - evicted, 0, m_tokens) : m_tokens;
  m_isHeld = m_known && !found->second.blockTable.empty();
  m_blocks = m_isHeld                         ? static_cast<int>(found->second.blockTable.size())
             : m_known && m_chains != nullptr ? cachedBlocks(found->second)
                                              : 0;
  m_blockSize = state.blockSize;
  const auto& engine = m_session->engine();
  m_context = engine ? engine->model.contextLength : 0;
  const bool evicts =
      engine && engine->options.eviction != Eviction::kNone;  // a sequence outlives the pool's tokens then
  m_limit = engine && !evicts ? std::min(m_context, engine->options.numBlocks * engine->options.blockSize)
                              : m_context;
  tell();
  update();
}

int ContextMeter::cachedBlocks(const SequenceState& sequence) {
  const CountedFor now{m_chains, m_chains->changes(),
                       m_session->isLive() ? CountedFor::kLive : m_session->shownEnd(), m_sequence,
                       sequence.tokens.size()};
  if (now == m_countedFor) return m_counted;
  m_countedFor = now;
  ++m_countings;
  return m_counted = m_chains->cachedBlocksOf(sequence, m_session->state());
}

void ContextMeter::tell() {
  const QString words = text() + u'\n' + legend();
  if (words == accessibleDescription()) return;
  setAccessibleDescription(words);
  setToolTip(plainTip(tr("How much of the context is in use.\n%1").arg(words)));
}

std::vector<ContextMeter::Part> ContextMeter::parts() const {
  const int system = std::min(m_shares.system, m_prompt), files = std::min(m_shares.files, m_prompt - system);
  const Part wanted[] = {{ContextPart::kSystem, system, 0},
                         {ContextPart::kHistory, m_prompt - system - files, 0},
                         {ContextPart::kFiles, files, 0},
                         {ContextPart::kAnswer, m_tokens - m_prompt, 0},
                         {ContextPart::kDraft, m_shares.draft, 0}};
  std::vector<Part> parts;
  const int size = std::max(m_blockSize, 1);
  int end = 0;
  for (Part part : wanted) {
    if (part.tokens <= 0) continue;
    const int begin = end;
    end += part.tokens;
    part.blocks = (end + size - 1) / size - (begin + size - 1) / size;
    parts.push_back(part);
  }
  return parts;
}

QString ContextMeter::text() const {
  QString words = m_limit <= 0 ? tr("%n token(s)", nullptr, m_tokens)
                  : isPoolSmaller()
                      ? tr("%1 of %2 tokens of KV memory").arg(formatCount(m_tokens), formatCount(m_limit))
                      : tr("%1 of %2 tokens").arg(formatCount(m_tokens), formatCount(m_limit));
  if (m_isHeld)
    words += QStringLiteral(" · ") + tr("%n block(s)", nullptr, m_blocks);
  else if (m_known && m_blocks > 0)
    words += QStringLiteral(" · ") + tr("%n block(s) cached", nullptr, m_blocks);
  else if (!m_known && m_tokens > 0)
    words = tr("about %1").arg(words);  // without the marks of the model's template
  if (m_shares.leftOut > 0)
    words += QStringLiteral(" · ") + tr("%1 left out").arg(formatCount(m_shares.leftOut));
  return words;
}

QString ContextMeter::legend() const {
  QStringList lines;
  for (const Part& part : parts())
    lines << (m_isHeld ? tr("%1: %2, %3")
                             .arg(nameOf(part.part), tr("%n token(s)", nullptr, part.tokens),
                                  tr("%n block(s)", nullptr, part.blocks))
                       : tr("%1: %2").arg(nameOf(part.part), tr("%n token(s)", nullptr, part.tokens)));
  if (m_limit > 0)
    lines << tr("Free: %1").arg(tr("%n token(s)", nullptr, std::max(m_limit - m_tokens - m_shares.draft, 0)))
          << (isPoolSmaller() ? tr("The KV memory holds %1 tokens; the model's context has %2.")
                                    .arg(formatCount(m_limit), formatCount(m_context))
                              : tr("The limit is the model's context."));
  if (m_known && !m_isHeld)
    lines << (m_blocks > 0 ? tr("No sequence holds it now. %n block(s) of it are still cached: the next "
                                "question need not "
                                "compute them again.",
                                nullptr, m_blocks)
                           : tr("No sequence holds it now: the next question computes it again."));
  if (m_shares.leftOut > 0)
    lines << tr("Left out of the conversation: %1").arg(tr("%n token(s)", nullptr, m_shares.leftOut));
  return lines.join(u'\n');
}

QSize ContextMeter::sizeHint() const {
  const QString widest = tr("%1 of %2 tokens of KV memory").arg(formatCount(88888), formatCount(88888)) +
                         QStringLiteral(" · ") + tr("%n block(s)", nullptr, 8888);
  return {fontMetrics().horizontalAdvance(widest) + 70, fontMetrics().height() + 4};
}

void ContextMeter::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme theme = Theme::of(this);
  const QString words = text();
  const double wordsWidth = textWidth(font(), words) + 10;
  const bool nearlyFull = m_limit > 0 && m_tokens + m_shares.draft > 0.9 * m_limit;
  paintText(painter, QRectF(rect()).adjusted(2, 0, -2, 0), kAtRight, words,
            nearlyFull ? theme.warning() : theme.dimText());
  const QRectF bar(2, height() / 2.0 - 4, width() - wordsWidth - 4, 8);
  if (bar.width() >= 20) paintParts(painter, bar);
}

// A part that is there is at least three pixels wide. What is being typed is hatched, since it is not there
// yet.
void ContextMeter::paintParts(QPainter& painter, const QRectF& bar) const {
  const Theme theme = Theme::of(this);
  QPainterPath shape;
  shape.addRoundedRect(bar, 4, 4);
  painter.fillPath(shape, mix(theme.base(), theme.text(), 0.16));
  if (m_limit <= 0) return;
  painter.setClipPath(shape);
  double at = bar.left();
  for (const Part& part : parts()) {
    const double width = std::max(3.0, bar.width() * part.tokens / m_limit);
    const QRectF area(at, bar.top(), width - 1, bar.height());
    const QColor colour = contextColour(part.part, theme);
    if (part.part == ContextPart::kDraft) painter.fillRect(area, theme.base());
    painter.fillRect(area,
                     QBrush(colour, part.part == ContextPart::kDraft ? Qt::BDiagPattern : Qt::SolidPattern));
    at += width;
  }
}

void ContextMeter::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

}  // namespace vitrine

#include "moc_context_meter.cpp"
