#include "widgets/predict/prediction_view.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/support/formats.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {
namespace {

constexpr int kAskSide = 12, kAskGap = 6;
constexpr int kMostNumber = 1'000'000;
constexpr int kLetterColumns = 4, kTokenColumns = 2;

QLabel* wrappedLine(QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  return label;
}

QToolButton* flatButton(const QString& text, const QString& tip, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setText(text);
  button->setToolTip(tip);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::StrongFocus);
  return button;
}

}  // namespace

PredictionView::PredictionView(PredictionModel* model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_outcome(wrappedLine(this)),
      m_question(wrappedLine(this)),
      m_soFar(wrappedLine(this)),
      m_grid(new QGridLayout),
      m_group(new QButtonGroup(this)),
      m_number(new QSpinBox(this)),
      m_go(new QPushButton(tr("Guess, then step"), this)),
      m_another(flatButton(tr("Ask another"), tr("Ask something else about the same step"), this)),
      m_anew(flatButton(tr("Start anew"), tr("Set the score to nothing"), this)) {
  setFont(readable(font()));
  setAccessibleName(tr("Predict, then step"));
  m_outcome->setAccessibleName(tr("What the last guess earned"));
  m_question->setAccessibleName(tr("The question"));
  m_number->setRange(0, kMostNumber);
  m_number->setAccessibleName(tr("Your guess"));
  m_go->setAutoDefault(false);
  m_go->setToolTip(tr("Keep the guess, do the step, and see what came"));
  QFont bold = font();
  bold.setBold(true);
  m_question->setFont(bold);

  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(kAskSide, kAskGap, kAskSide, kAskGap);
  column->setSpacing(kAskGap);
  addParts(column, {m_outcome, m_question, m_soFar, m_grid, {m_number, 0, Qt::AlignLeft}});
  column->addStretch(1);
  for (std::size_t place = 0; place < kMostChoices; ++place) {
    m_boxes.push_back(new QCheckBox(page));
    m_group->addButton(m_boxes.back());
    connect(m_boxes.back(), &QCheckBox::toggled, this, &PredictionView::nameButton);
  }

  auto* scroll = new QScrollArea(this);
  scroll->setWidget(page);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->viewport()->setAutoFillBackground(false);  // the card's colour
  page->setAutoFillBackground(false);
  auto* last = addParts(new QHBoxLayout, {m_go, m_another, {new QWidget(this), 1}, m_anew});
  last->setContentsMargins(kAskSide, 0, kAskGap, kAskGap);
  addParts(withoutMargins(new QVBoxLayout(this)), {{scroll, 1}, last})->setSpacing(0);

  connect(model, &PredictionModel::changed, this, &PredictionView::tell);
  connect(m_go, &QPushButton::clicked, this, &PredictionView::guess);
  connect(m_another, &QToolButton::clicked, model, &PredictionModel::askAnother);
  connect(m_anew, &QToolButton::clicked, model, &PredictionModel::startAnew);
  tell();
}

QString PredictionView::summary() const {
  if (m_model->guesses() == 0) return {};
  return tr("%1 of %2 points").arg(formatDecimal(m_model->points(), 1), formatDecimal(m_model->most(), 1));
}

void PredictionView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  m_model->setWatched(true);
}

void PredictionView::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  m_model->setWatched(false);
}

void PredictionView::tell() {
  tellOutcome();
  const QString unseen = m_model->session()->unseenWords();
  const bool asks = m_model->question().has_value();
  m_question->setText(asks                ? m_model->text()
                      : !unseen.isEmpty() ? unseen
                                          : tr("When a request waits or runs, a question about the next step "
                                               "stands here."));
  const QString soFar = m_model->soFar();
  m_soFar->setText(soFar);
  m_soFar->setVisible(!soFar.isEmpty());
  tellChoices();
  m_another->setVisible(asks);
  const QString now = summary();
  m_anew->setVisible(m_model->guesses() > 0);
  if (now != m_summary) emit summaryChanged(m_summary = now);
}

void PredictionView::tellOutcome() {
  const auto& outcome = m_model->outcome();
  m_outcome->setVisible(outcome.has_value());
  if (!outcome) return;
  const QString points = formatDecimal(outcome->points, 2);
  m_outcome->setText(outcome->isRight
                         ? tr("✓ Step %1: %2. Points: %3.").arg(outcome->step).arg(outcome->right, points)
                         : tr("✗ Step %1: %2, and not %3. Points: %4.")
                               .arg(outcome->step)
                               .arg(outcome->right, outcome->guessed, points));
  m_outcome->setToolTip(plainTip(outcome->asked));
}

// A guess that was begun stays while the question does.
void PredictionView::tellChoices() {
  const auto& question = m_model->question();
  if (question != m_shown) {
    m_group->setExclusive(false);
    for (QCheckBox* box : m_boxes) box->setChecked(false);
    m_number->setValue(0);
    m_shown = question;
    placeBoxes();
  }
  m_group->setExclusive(question && question->kind == QuestionKind::kNextToken);
  const QStringList choices = m_model->choices();
  for (std::size_t place = 0; place < m_boxes.size(); ++place) {
    const auto at = static_cast<qsizetype>(place);
    m_boxes[place]->setVisible(at < choices.size());
    if (at < choices.size())
      m_boxes[place]->setText(QString(choices[at]).replace(u'&', QStringLiteral("&&")));
  }
  m_number->setVisible(question && question->asksForNumber());
  nameButton();
}

// Letters stand four in a row, tokens two.
void PredictionView::placeBoxes() {
  const bool areTokens = m_shown && m_shown->kind == QuestionKind::kNextToken;
  const int columns = areTokens ? kTokenColumns : kLetterColumns;
  for (int place = 0; place < static_cast<int>(m_boxes.size()); ++place)
    m_grid->addWidget(m_boxes[static_cast<std::size_t>(place)], place / columns, place % columns);
}

Guess PredictionView::guessMade() const {
  Guess guess;
  if (m_shown && m_shown->asksForNumber()) {
    guess.number = m_number->value();
    return guess;
  }
  for (std::size_t place = 0; place < m_boxes.size(); ++place)
    if (m_boxes[place]->isChecked()) guess.chosen.push_back(static_cast<int>(place));
  return guess;
}

// Of sequences it may be none; a token is one of those that stand there.
bool PredictionView::mustChoose() const {
  return m_shown && m_shown->kind == QuestionKind::kNextToken && guessMade().chosen.empty();
}

// No button is ever out of reach: the focus would go on to another one, which the next key would press.
void PredictionView::nameButton() {
  const bool mayBeNone = m_shown && !m_shown->asksForNumber() && m_shown->kind != QuestionKind::kNextToken;
  m_go->setText(!m_shown                                  ? tr("Step")
                : mayBeNone && guessMade().chosen.empty() ? tr("Guess none, then step")
                                                          : tr("Guess, then step"));
}

void PredictionView::guess() {
  if (mustChoose()) return m_boxes.front()->setFocus();
  // Inside a step it is too late to guess.
  if (!m_model->session()->isInsideStep()) m_model->setGuess(guessMade());
  emit nextRequested();
}

}  // namespace vitrine

#include "moc_prediction_view.cpp"
