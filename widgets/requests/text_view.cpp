#include "widgets/requests/text_view.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>

#include "widgets/painting/lit.h"
#include "widgets/support/eliding_label.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {
namespace {

constexpr double kMostBits = 8;  // a surprise of this and more has the full tint

}  // namespace

TextView::TextView(TextModel* model, QWidget* parent)
    : CursorView(
          model,
          {.way = CursorHabits::Way::kAcross, .ends = true, .fromEnd = true, .enter = true, .leftOnly = true},
          parent),
      m_text(model),
      m_bar(new QWidget(this)),
      m_legend(new ElidingLabel(m_bar)),
      m_surprise(new QCheckBox(tr("Surprise"), m_bar)) {
  setAccessibleName(tr("Text of the request"));
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_legend->setTextFormat(Qt::PlainText);
  m_legend->setText(
      tr("boxed: this step · green: draft accepted · struck: draft rejected · outlined: from the model"));
  m_legend->setToolTip(tr("The prompt is dimmed. A click on a token goes to the step that sampled it."));
  m_legend->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_legend->setForegroundRole(QPalette::PlaceholderText);
  m_surprise->setToolTip(
      tr("Tint each token by −log2 of its probability: the darker and the thicker the line "
         "under it, the less the model expected it"));
  m_bar->setBackgroundRole(QPalette::Base);
  m_bar->setAutoFillBackground(true);
  auto* row = new QHBoxLayout(m_bar);
  row->setContentsMargins(kSide, 0, 8, 2);
  row->addWidget(m_legend, 1);
  row->addWidget(m_surprise);
  connect(m_surprise, &QCheckBox::toggled, viewport(), qOverload<>(&QWidget::update));
  connect(verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] {
    m_follow = verticalScrollBar()->sliderPosition() >= verticalScrollBar()->maximum() - lineHeight();
  });
  connect(model->session(), &Session::selectionChanged, this, [this] {
    m_follow = true;
    placeCursor({});
  });
  setViewportMargins(0, 0, 0, m_bar->sizeHint().height());
}

bool TextView::showsSurprise() const { return m_surprise->isChecked(); }
void TextView::setShowsSurprise(bool shows) { m_surprise->setChecked(shows); }
void TextView::copyText() const { QApplication::clipboard()->setText(m_text->plainText()); }

QString TextView::emptyText() const {
  return m_text->rowCount() > 0 ? QString()
                                : tr("Choose a request to read its prompt and its answer, token by token.");
}

void TextView::arrange() {
  m_flow.measure(m_text->rows(), font());
  m_flow.place(m_text->promptTokens(), kSide, viewport()->width() - kSide);
}

void TextView::contentChanged() {
  CursorView::contentChanged();
  layoutContent();
  follow();
}

void TextView::follow() {
  if (m_follow && m_flow.size() > 0) reveal(tokenRect(m_flow.size() - 1).adjusted(0, -4, 0, 8));
}

QRect TextView::tokenRect(int row) const {
  if (row < 0 || row >= m_flow.size()) return {};
  const FlowToken& token = m_flow.at(row);
  const double blank = token.blank < token.width ? token.blank : 0;
  return QRectF(token.x + blank, lineTop(token.line) + 2, token.width - blank, lineHeight() - 4)
      .toAlignedRect();
}

void TextView::paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  const int lines = m_flow.lines();
  const int first = std::clamp((exposed.top() - kTop) / lineHeight(), 0, std::max(0, lines - 1));
  const int last = std::clamp((exposed.bottom() - kTop) / lineHeight(), -1, lines - 1);
  const int prompt = m_text->promptTokens();
  if (first == 0) paintCaption(painter, 0, tr("Prompt · %n token(s)", nullptr, prompt), theme);
  const int answer = static_cast<int>(std::ranges::count_if(m_text->rows(), [](const TextRow& row) {
    return row.fate != TokenFate::kPrompt && !row.isDraftGone();
  }));
  if (m_flow.answerLine() >= first && m_flow.answerLine() <= last)
    paintCaption(painter, m_flow.answerLine(), tr("Answer · %n token(s)", nullptr, answer), theme);
  const int end = last + 1 < lines ? m_flow.lineStart(last + 1) : m_flow.size();
  for (int row = lines > 0 ? m_flow.lineStart(first) : 0; row < end; ++row) paintToken(painter, row, theme);
}

void TextView::paintCaption(QPainter& painter, int line, const QString& words, const Theme& theme) const {
  painter.setFont(boldened(font()));
  paintText(painter, QRectF(kSide, lineTop(line), viewport()->width() - 2 * kSide, lineHeight()), kAtLeft,
            words, theme.dimText());
  painter.setFont(font());
}

void TextView::paintGround(QPainter& painter, const QRectF& box, const TextRow& row,
                           const Theme& theme) const {
  QColor ground, edge;
  if (row.computed) ground = theme.panel();
  if (showsSurprise() && row.surprise >= 0) {
    const double share = std::clamp(double(row.surprise) / kMostBits, 0.0, 1.0);
    ground = mix(theme.base(), theme.surprise(), 0.5 * share);
    painter.fillRect(QRectF(box.left(), box.bottom() + 1, box.width(), 0.5 + 3 * share), theme.surprise());
  } else if (row.fate == TokenFate::kAccepted) {
    ground = mix(theme.base(), theme.good(), 0.2);
  } else if (row.isDraftGone()) {
    ground = mix(theme.base(), theme.warning(), 0.16);
  } else if (row.now) {
    ground = mix(theme.base(), theme.accent(), 0.14);
  }
  if (row.fate == TokenFate::kModel) edge = theme.text();
  if (row.now && !row.isDraftGone()) edge = theme.accent();
  if (!ground.isValid() && !edge.isValid()) return;
  drawBox(painter, box, 4, edge.isValid() ? QPen(edge, 1.4) : QPen(Qt::NoPen),
          ground.isValid() ? QBrush(ground) : QBrush(Qt::NoBrush));
}

void TextView::paintToken(QPainter& painter, int index, const Theme& theme) const {
  const FlowToken& token = m_flow.at(index);
  const TextRow& row = m_text->at(index);
  const QRectF box = QRectF(tokenRect(index)).adjusted(-1.5, 0, 1.5, 0);
  paintGround(painter, box, row, theme);
  const bool dim = row.fate == TokenFate::kPrompt || row.text.isEmpty();
  paintText(painter, QRectF(token.x, lineTop(token.line), token.width + 2, lineHeight()),
            kAtLeft | Qt::TextDontClip, token.shown,
            row.isDraftGone() ? theme.warning()
            : dim             ? theme.dimText()
                              : theme.text());
  if (row.isDraftGone()) {
    painter.setPen(QPen(theme.warning(), 1.6));
    painter.drawLine(QPointF(box.left() + 1, box.center().y() + 1),
                     QPointF(box.right() - 1, box.center().y() + 1));
  }
  const prose::Target& lit = spotlight().target();
  if (lit.position == row.position && lit.sequence == m_text->session()->selectedSequence())
    paintLitFrame(painter, box, 4, theme);
  if (index != currentRow() || !hasFocus()) return;
  drawBox(painter, box.adjusted(-1, -1, 1, 1), 0, QPen(theme.text(), 1.6, Qt::DotLine));
}

ViewItem TextView::itemAt(const QPoint& content) const {
  const int line = (content.y() - kTop) / lineHeight();
  const int row = content.y() < kTop || line >= m_flow.lines() ? -1 : m_flow.nearestIn(line, content.x());
  if (row < 0) return {};
  const FlowToken& token = m_flow.at(row);
  return {content.x() >= token.x && content.x() < token.x + token.width ? row : -1};
}

prose::Target TextView::targetOf(const ViewItem& item) const {
  const Session* const session = m_text->session();
  const SequenceId sequence = session->selectedSequence();
  return {.request = session->names().requestOf(sequence, session->state()),
          .sequence = sequence,
          .step = m_text->at(item.row).step,
          .position = m_text->at(item.row).position};
}

void TextView::addActions(QMenu& menu) {
  menu.addAction(tr("Copy the te&xt"), this, &TextView::copyText);
  QAction* surprise = menu.addAction(tr("Show the s&urprise"), this, &TextView::setShowsSurprise);
  surprise->setCheckable(true);
  surprise->setChecked(showsSurprise());
}

void TextView::activate(const ViewItem& item) {
  if (const int step = m_text->at(item.row).step; step > 0) emit stepRequested(step);
}

// The caption of the answer is passed over.
std::optional<ViewItem> TextView::itemBeside(int key) const {
  const int from = currentRow() < 0 ? m_flow.size() - 1 : currentRow();
  if (key == Qt::Key_Right && currentRow() < 0) return ViewItem{from};
  if (key != Qt::Key_Up && key != Qt::Key_Down) return CursorView::itemBeside(key);
  const FlowToken& token = m_flow.at(from);
  const int by = key == Qt::Key_Up ? -1 : 1;
  const int line = token.line + by + (token.line + by == m_flow.answerLine() ? by : 0);
  const int row =
      line <= 0 || line >= m_flow.lines() ? -1 : m_flow.nearestIn(line, token.x + token.blank + 1);
  return ViewItem{row < 0 ? from : row};
}

void TextView::resizeEvent(QResizeEvent* event) {
  PaintedView::resizeEvent(event);
  const QRect port = viewport()->geometry();
  m_bar->setGeometry(port.left(), port.bottom() + 1, port.width(), m_bar->sizeHint().height());
  follow();
}

void TextView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange) {
    m_flow = {};
    setViewportMargins(0, 0, 0, m_bar->sizeHint().height());
  }
  PaintedView::changeEvent(event);
}

}  // namespace vitrine

#include "moc_text_view.cpp"
