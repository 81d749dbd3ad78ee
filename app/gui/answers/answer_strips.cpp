#include "gui/answers/answer_strips.h"

#include <QFontMetrics>
#include <QToolButton>
#include <algorithm>

#include "widgets/conversation/chat_words.h"
#include "widgets/support/eliding_label.h"
#include "widgets/support/formats.h"
#include "widgets/support/layout_parts.h"

namespace vitrine {
namespace {

constexpr int kCountingMs = 250;
constexpr int kTitleLetters = 28;  // width, in the average letter of the font

QToolButton* addTool(QWidget* line) {
  auto* tool = new QToolButton(line);
  tool->setAutoRaise(true);
  line->layout()->addWidget(tool);
  return tool;
}

// A chat's title is text from outside: an ampersand in it is no mnemonic.
QString buttonText(QString text) { return text.replace(u'&', QStringLiteral("&&")); }

}  // namespace

AnswerStrips::AnswerStrips(Desk& desk, const Session& session, const AnswerWriter& answers, QWidget* parent)
    : QWidget(parent),
      m_desk(desk),
      m_session(session),
      m_answers(answers),
      m_lines(new QVBoxLayout),
      m_more(new QLabel(this)) {
  setAccessibleName(tr("Chats that are being answered"));
  auto* column = withoutMargins(new QVBoxLayout(this));
  column->setSpacing(0);
  addParts(column, {m_lines, m_more});
  m_lines->setSpacing(0);
  m_more->setIndent(8);  // below the words of the lines
  // Later, since a button of a line may be what caused the change; and once for several changes.
  m_arranging.setSingleShot(true);
  m_arranging.setInterval(0);
  connect(&m_arranging, &QTimer::timeout, this, &AnswerStrips::arrange);
  const auto arrangeSoon = [this] { m_arranging.start(); };
  connect(&answers, &AnswerWriter::answeringChanged, this, arrangeSoon);
  connect(&desk, &Desk::opened, this, arrangeSoon);
  connect(&desk, &Desk::listChanged, this, arrangeSoon);  // a chat may have another title
  m_counting.setInterval(kCountingMs);
  connect(&m_counting, &QTimer::timeout, this, &AnswerStrips::count);
  hide();
}

// A line stays as long as its answer does: it is not made anew under the mouse.
void AnswerStrips::arrange() {
  std::vector<AnswerWriter::Answering> others = m_answers.answering();
  std::erase_if(others, [this](const auto& one) { return one.chat == m_desk.shown(); });
  std::erase_if(m_strips, [&](const Strip& strip) {
    const bool gone = std::ranges::find(others, strip.of) == others.end();
    if (gone) delete strip.line;
    return gone;
  });
  for (const auto& one : others) {
    if (std::ssize(m_strips) == kMostStrips) break;
    if (std::ranges::find(m_strips, one, &Strip::of) == m_strips.end()) m_strips.push_back(makeStrip(one));
  }
  const auto more = std::ssize(others) - std::ssize(m_strips);
  m_more->setText(tr("and %1 more").arg(more));
  m_more->setVisible(more > 0);
  setVisible(!m_strips.empty());
  if (m_strips.empty()) return m_counting.stop();
  for (const Strip& strip : m_strips) name(strip);
  count();
  m_counting.start();
}

AnswerStrips::Strip AnswerStrips::makeStrip(const AnswerWriter::Answering& of) {
  Strip strip{of, new QWidget(this)};
  auto* row = withoutMargins(new QHBoxLayout(strip.line));
  strip.title = addTool(strip.line);
  strip.figures = new ElidingLabel(strip.line);
  strip.figures->setTextFormat(Qt::PlainText);
  row->addWidget(strip.figures, 1);
  strip.stop = addTool(strip.line);
  strip.stop->setText(tr("Stop"));
  connect(strip.title, &QToolButton::clicked, this, [this, of] { emit showRequested(of.chat); });
  connect(strip.stop, &QToolButton::clicked, this, [this, of] { emit stopRequested(of.chat, of.request); });
  m_lines->addWidget(strip.line);
  strip.line->show();
  return strip;
}

// A removed chat is answered to its end, but it cannot be shown.
void AnswerStrips::name(const Strip& strip) {
  const auto summary = m_desk.history().summary(strip.of.chat);
  const QString title = summary && !summary->title.isEmpty() ? summary->title.simplified() : tr("New chat");
  const int width = kTitleLetters * strip.title->fontMetrics().averageCharWidth();
  strip.title->setText(buttonText(strip.title->fontMetrics().elidedText(title, Qt::ElideRight, width)));
  strip.title->setEnabled(summary && summary->removedMs == 0);
  const QString show = tr("Show the chat “%1”").arg(title), stop = tr("Stop the answer in “%1”").arg(title);
  strip.title->setToolTip(plainTip(show));
  strip.title->setAccessibleName(show);
  strip.stop->setToolTip(plainTip(stop));
  strip.stop->setAccessibleName(stop);
}

void AnswerStrips::count() {
  for (const Strip& strip : m_strips)
    if (const QString words = figuresOf(strip.of.request); strip.figures->text() != words)
      strip.figures->setText(words);
}

QString AnswerStrips::figuresOf(RequestId request) const {
  const Recording& recording = m_session.recording();
  const MachineState& live = recording.live();
  const auto asked = live.requests.find(request);
  if (asked == live.requests.end() || asked->second.sequences.empty()) return {};
  const auto found = live.sequences.find(asked->second.sequences.front());
  if (found == live.sequences.end()) return {};
  const SequenceState& sequence = found->second;
  if (sequence.status == SequenceStatus::kWaiting) return tr("Waiting in the queue");
  if (sequence.status != SequenceStatus::kRunning) return tr("Preempted, waits to resume");
  // The meter has seen no admission, so the prefill has no rate; that of the answer needs none.
  const EventRange last = recording.eventsFrom(std::max<std::int64_t>(recording.size() - 1, 0));
  const std::int64_t now = last.empty() ? 0 : last.back().timeNs;
  const AnswerFigures figures = AnswerMeter().figuresOf(asked->second, sequence, now);
  return figures.writtenTokens == 0 ? readingNote(figures) : writingNote(figures, false);
}

}  // namespace vitrine

#include "moc_answer_strips.cpp"
