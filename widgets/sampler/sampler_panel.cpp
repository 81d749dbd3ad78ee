#include "widgets/sampler/sampler_panel.h"

#include <QEvent>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/sampler/draw_line.h"
#include "widgets/sampler/sampler_controls.h"
#include "widgets/sampler/sampler_view.h"
#include "widgets/sampler/uncertainty_strip.h"
#include "widgets/support/eliding_label.h"
#include "widgets/support/layout_parts.h"

namespace vitrine {
namespace {

constexpr int kLineSide = 10;
constexpr int kLeastControls = 2;  // the controls may have a half of the height
constexpr int kRowsKept = 2;       // of the candidates, while all controls are open
constexpr int kStripShare = 5;     // the strip has this part of the width

}  // namespace

SamplerPanel::SamplerPanel(SamplerControls* controls, QWidget* page, SamplerView* candidates,
                           UncertaintyStrip* strip, QWidget* parent)
    : QWidget(parent),
      m_controls(controls),
      m_page(page),
      m_candidates(candidates),
      m_strip(strip),
      m_line(new ElidingLabel(this)),
      m_undo(new QToolButton(this)) {
  setFont(readable(font()));
  m_line->setTextFormat(Qt::PlainText);
  m_line->setAccessibleName(tr("How the token was chosen"));
  m_undo->setObjectName(QStringLiteral("undoTry"));
  m_undo->setText(tr("Undo"));
  m_undo->setAccessibleName(tr("Undo the try"));
  m_undo->setToolTip(tr("Cancel the request that was tried, and go back to where it began"));
  m_undo->setFocusPolicy(Qt::StrongFocus);
  m_undo->setAutoRaise(true);
  m_undo->hide();
  connect(m_undo, &QToolButton::clicked, this, &SamplerPanel::undoRequested);
  auto* last = addParts(new QHBoxLayout, {{m_line, 1}, m_undo, m_strip});
  last->setContentsMargins(kLineSide, 0, kLineSide, 0);
  auto* column = withoutMargins(new QVBoxLayout(this));
  column->setSpacing(0);
  column->setSizeConstraint(QLayout::SetNoConstraint);
  addParts(column, {m_page, {m_candidates, 1}, last});
  m_controls->installEventFilter(this);
  connect(m_controls, &SamplerControls::foldChanged, this, &SamplerPanel::share);
  connect(m_controls, &SamplerControls::summaryChanged, this, [this] { emit summaryChanged(summary()); });
  connect(m_candidates->candidates(), &SessionModel::refreshed, this, &SamplerPanel::follow);
  connect(m_strip->tokens(), &SessionModel::refreshed, this, &SamplerPanel::follow);
  follow();
}

QString SamplerPanel::summary() const {
  QStringList parts = {m_controls->summary()};
  const SamplerModel& model = *m_candidates->candidates();
  if (const DrawBar* previewed = model.previewed())
    parts << tr("preview: “%1”").arg(previewed->chosenText);
  else if (const DrawBar* drawn = model.drawn())
    parts << tr("drawn: “%1”").arg(drawn->chosenText);
  return parts.join(QStringLiteral(" · "));
}

// The longest line that has room. What it leaves out is in its tooltip.
void SamplerPanel::follow() {
  const SamplerModel& model = *m_candidates->candidates();
  QString line, tip;
  if (const DrawBar* drawn = model.drawn()) {
    const QStringList all = lines();
    const auto fits = [this](const QString& one) {
      return fontMetrics().horizontalAdvance(one) <= m_line->width();
    };
    const auto longest = std::ranges::find_if(all, fits);
    line = longest == all.end() ? all.back() : *longest;
    tip = (m_token.isEmpty() ? QString() : all.front() + u'\n') + drawn->sentence();
    if (const DrawBar* previewed = model.previewed())
      tip += u'\n' + tr("Preview: %1").arg(previewed->sentence());
  }
  m_line->setText(line);
  m_line->setToolTip(tip);
  m_line->setAccessibleDescription(tip);
  emit summaryChanged(summary());
}

QStringList SamplerPanel::lines() const {
  const SamplerModel& model = *m_candidates->candidates();
  if (m_token.isEmpty())
    return drawLines(*model.drawn(), model.previewed(), m_strip->tokens()->entropyAt(model.position()));
  const QString words = m_words.isEmpty() ? QStringLiteral("…") : m_words;
  const Session& session = *model.session();
  if (session.isLive())
    return {tr("“%1” would go on: “%2”").arg(m_token, words), tr("“%1”: “%2”").arg(m_token, words)};
  return {tr("“%1” would go on: “%2” · try it leaves step %3").arg(m_token, words).arg(session.step()),
          tr("Try it leaves step %3 · “%1”: “%2”").arg(m_token, words).arg(session.step())};
}

void SamplerPanel::setNextWords(const QString& token, const QString& words) {
  m_token = token;
  m_words = words;
  follow();
}

void SamplerPanel::setUndoable(bool undoable) {
  m_undo->setVisible(undoable);
  layout()->activate();
  follow();
}

void SamplerPanel::share() {
  QLayout& fields = *m_controls->layout();
  const int wanted = fields.hasHeightForWidth() ? fields.totalHeightForWidth(m_page->width())
                                                : fields.totalSizeHint().height();
  const int left = height() - m_strip->sizeHint().height() - m_candidates->heightOf(kRowsKept);
  // A page without a width yet has no height for it.
  m_page->setFixedHeight(std::max(0, std::min(wanted, std::max(left, height() / kLeastControls))));
  layout()->activate();
}

bool SamplerPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::LayoutRequest) share();
  return QWidget::eventFilter(watched, event);
}

void SamplerPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_strip->setFixedWidth(width() / kStripShare);
  m_undo->setFixedHeight(m_strip->sizeHint().height());  // the line is as high with it
  share();
  follow();
}

}  // namespace vitrine

#include "moc_sampler_panel.cpp"
