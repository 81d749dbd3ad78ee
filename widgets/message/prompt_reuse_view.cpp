#include "widgets/message/prompt_reuse_view.h"

#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/support/formats.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/shaped_text.h"
#include "widgets/support/theme.h"

namespace vitrine {
namespace {

constexpr int kRowHeight = 16, kReuseGap = 6, kWedge = 6;  // pixels
constexpr double kNarrowest = 4;  // of a block; of narrower ones only parts are drawn

}  // namespace

PromptBlocks::PromptBlocks(QWidget* parent) : QWidget(parent) {
  setFont(readable(font()));
  setAccessibleName(tr("Blocks of the prompt"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void PromptBlocks::display(const PromptReuse& reuse) {
  if (m_reuse == reuse) return;
  m_reuse = reuse;
  const int size = std::max(reuse.blockSize, 1);
  const QString words =
      tr("Blocks of %1 tokens: %2 from the cache, %3 lost, %4 computed in all")
          .arg(formatCount(size), formatCount(reuse.cachedTokens / size), formatCount(reuse.lostBlocks),
               formatCount((reuse.computedTokens() + size - 1) / size));
  setAccessibleDescription(words);
  setToolTip(words + u'\n' + tr("Filled: from the cache. Hatched: lost. Empty: computed."));
  updateGeometry();
  update();
}

QSize PromptBlocks::sizeHint() const {
  const int rows = m_reuse.cause ? 2 : 1;
  return {320, rows * kRowHeight + (rows - 1) * kReuseGap + kWedge + 2};
}

void PromptBlocks::paintRow(QPainter& painter, const QRectF& row, int tokens, bool cached) const {
  const Theme theme = Theme::of(this);
  const int size = std::max(m_reuse.blockSize, 1);
  const double perToken = row.width() / std::max(m_reuse.promptTokens, 1);
  const auto part = [&](int from, int to) {
    return QRectF(row.left() + from * perToken, row.top(), (to - from) * perToken, row.height());
  };
  const int found = m_reuse.cause ? m_reuse.matchedTokens : m_reuse.cachedTokens;
  painter.fillRect(part(0, std::min(found, tokens)), theme.accentText());
  const int lost = std::min(found + m_reuse.lostTokens(), tokens);
  if (cached && lost > found) painter.fillRect(part(found, lost), QBrush(theme.warning(), Qt::BDiagPattern));
  if (cached && m_reuse.cause == MissCause::kDiffers && m_reuse.sharedTokens > found)
    painter.fillRect(part(found, std::min(m_reuse.sharedTokens, tokens)),
                     QBrush(theme.accentText(), Qt::Dense6Pattern));
  drawBox(painter, part(0, tokens), 0, QPen(theme.dimText(), 1));
  if (size * perToken < kNarrowest) return;
  for (int at = size; at < tokens; at += size) {
    painter.setPen(QPen(at < found ? theme.base() : theme.dimText(), 1));
    painter.drawLine(part(at, at).topLeft(), part(at, at).bottomLeft());
  }
}

void PromptBlocks::paintEvent(QPaintEvent*) {
  if (m_reuse.promptTokens <= 0) return;
  QPainter painter(this);
  const Theme theme = Theme::of(this);
  const QString names[] = {tr("cached"), tr("this prompt")};
  const double label = std::max(textWidth(font(), names[0]), textWidth(font(), names[1])) + 8;
  QRectF row(label, 1.5, width() - label - 2, kRowHeight - 1);
  const int size = std::max(m_reuse.blockSize, 1);
  const auto name = [&](const QString& text) {
    paintText(painter, QRectF(0, row.center().y() - 10, label, 20), kAtLeft, text, theme.dimText());
  };
  if (m_reuse.cause) {
    name(names[0]);
    const bool differs = *m_reuse.cause == MissCause::kDiffers;
    const int end =
        differs ? (m_reuse.sharedTokens / size + 1) * size : m_reuse.matchedTokens + m_reuse.lostTokens();
    paintRow(painter, row, std::min(end, m_reuse.promptTokens), true);
    row.translate(0, kRowHeight + kReuseGap);
  }
  name(names[1]);
  paintRow(painter, row, m_reuse.promptTokens, false);
  if (m_reuse.cause != MissCause::kDiffers) return;
  const double at = row.left() + row.width() * m_reuse.sharedTokens / m_reuse.promptTokens;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme.warning());
  const QPointF wedge[] = {{at, row.bottom() + 1},
                           {at - kWedge, row.bottom() + 1 + kWedge},
                           {at + kWedge, row.bottom() + 1 + kWedge}};
  painter.drawPolygon(wedge, 3);
}

PromptReuseView::PromptReuseView(QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 2, 0, 2);
  column->setSpacing(4);
  column->addWidget(m_blocks = new PromptBlocks(this));
  m_words = new QLabel(this);
  m_words->setTextFormat(Qt::PlainText);  // it quotes tokens
  m_words->setWordWrap(true);
  m_words->setMinimumHeight(1);
  m_words->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_words->setFocusPolicy(Qt::StrongFocus);
  m_words->setAccessibleName(tr("Why the prompt was computed"));
  column->addWidget(m_words);
}

void PromptReuseView::display(const PromptReuse& reuse) {
  m_blocks->display(reuse);
  const QString words = promptReuseSentences(reuse).join(u'\n');
  if (m_words->text() != words) m_words->setText(words);
  m_words->setVisible(!words.isEmpty());
}

PromptReuseLine::PromptReuseLine(QWidget* parent) : QWidget(parent) {
  auto* column = withoutMargins(new QVBoxLayout(this));
  column->setSpacing(0);
  m_button = new QToolButton(this);
  m_button->setAutoRaise(true);
  m_button->setCheckable(true);
  m_button->setArrowType(Qt::RightArrow);
  m_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_button->setToolTip(tr("The part of the prompt that was computed again, and why"));
  // In a narrow conversation it is cut; its whole text must not make the conversation wider than the view.
  m_button->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  m_button->setMinimumWidth(1);
  column->addWidget(m_button);
  connect(m_button, &QToolButton::toggled, this, &PromptReuseLine::open);
  hide();
}

void PromptReuseLine::display(const std::shared_ptr<const PromptReuse>& reuse) {
  setVisible(reuse != nullptr && reuse->promptTokens > 0);
  if (reuse == m_reuse) return;
  m_reuse = reuse;
  if (!reuse) return;
  m_button->setText(promptReuseTitle(*reuse));
  m_button->setAccessibleName(m_button->text());
  if (m_view != nullptr) m_view->display(*reuse);
}

void PromptReuseLine::open(bool open) {
  m_button->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
  if (open && m_view == nullptr) {
    layout()->addWidget(m_view = new PromptReuseView(this));
    m_view->display(*m_reuse);
  }
  if (m_view != nullptr) m_view->setVisible(open);
}

}  // namespace vitrine

#include "moc_prompt_reuse_view.cpp"
