#include "gui/compare/compare_window.h"

#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QShortcut>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "compare/contrast.h"
#include "gui/compare/compare_axis.h"
#include "gui/compare/compare_side.h"
#include "gui/compare/contrast_model.h"
#include "gui/machine/usage_notice.h"
#include "gui/parts/card.h"
#include "gui/parts/first_size.h"
#include "gui/parts/focus_ring.h"
#include "gui/parts/headed_card.h"
#include "gui/parts/message_bar.h"
#include "gui/parts/small_parts.h"
#include "gui/settings/engine_options_dialog.h"
#include "vitrine/prose/compare_words.h"
#include "widgets/painting/data_table_view.h"
#include "widgets/predict/prediction_view.h"
#include "widgets/support/formats.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/locale_name.h"
#include "widgets/support/spoken_label.h"
#include "widgets/support/theme.h"
#include "widgets/support/window_language.h"
#include "widgets/support/window_words.h"

namespace vitrine {

namespace {

constexpr QSize kCompareRoomy(1326, 760);
constexpr int kSideShare = 8, kRightShare = 7, kUsualShare = 57;  // of the width, in pixels
constexpr int kTableShare = 3, kPredictShare = 2;

// What of one side is other than of the other one: "Preemption: swapped out".
QString sideWords(const std::vector<OptionChange>& changes, std::string OptionChange::*side) {
  QStringList words;
  for (const OptionChange& change : changes) {
    const QString key = windowText(change.option);
    words << CompareWindow::tr("%1: %2").arg(optionName(key), optionValue(key, windowText(change.*side)));
  }
  return words.join(QStringLiteral(" · "));
}

QString changeWords(const std::vector<OptionChange>& changes) {
  QStringList words;
  for (const OptionChange& change : changes) {
    const QString key = windowText(change.option);
    words << CompareWindow::tr("%1: %2 → %3")
                 .arg(optionName(key), optionValue(key, windowText(change.one)),
                      optionValue(key, windowText(change.other)));
  }
  return words.isEmpty() ? CompareWindow::tr("no option differs") : words.join(QStringLiteral(" · "));
}

}  // namespace

CompareWindow::CompareWindow(QWidget* parent)
    : QDialog((speakLabelsWhole(), parent), Qt::Window),  // before there is a label
      m_messages(new MessageBar(this)),
      m_scenarios(new QComboBox(this)),
      m_changes(new QComboBox(this)),
      m_place(namedLabel(tr("Step of both machines"), this)),
      m_verdict(namedLabel(tr("Whether the answers are the same"), this)),
      m_what(namedLabel(tr("What is changed"), this)),
      m_table(new DataTableView(new ContrastModel(&m_session, m_pair, this),
                                tr("Step both machines: what differs stands here."), this)),
      m_axis(new CompareAxis(new CompareAxisModel(&m_session, m_pair, this), this)),
      m_prediction(new PredictionView(new PredictionModel(&m_pair.side(0).session(), this), this)) {
  setWindowTitle(tr("Compare"));
  setFont(readable(font()));
  for (int i = 0; i < ComparedPair::kSides; ++i)
    m_sides[static_cast<std::size_t>(i)] = new CompareSide(m_pair.side(i), i + 1, this);
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(kCardGap, kCardGap, kCardGap, kCardGap);
  rows->setSpacing(kCardGap);
  auto* steps = new TitledCard(tr("Tokens of each step"), this);
  steps->column()->addWidget(m_axis);
  steps->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  QWidget* const head = makeHead();
  addParts(rows, {m_messages, head, {makeMiddle(), 1}, steps});
  makeKeys();
  openRoomy(this, kCompareRoomy);
  setMinimumSize(kLeastWindow);
  new FocusRing(this);
  fillScenarios();

  connect(&m_pair, &ComparedPair::opened, this, &CompareWindow::onOpened);
  connect(&m_pair, &ComparedPair::changed, this, &CompareWindow::tell);
  connect(&m_pair, &ComparedPair::noticed, m_messages, m_messages->saying(MessageCause::kMachine));
  connect(&m_pair, &ComparedPair::opened, m_messages, m_messages->ending(MessageCause::kMachine));
  connect(this, &QDialog::finished, &m_pair, &ComparedPair::close);  // by Esc, or by its frame
  connect(m_prediction, &PredictionView::nextRequested, &m_pair, &ComparedPair::stepBoth);
  connect(m_axis, &CompareAxis::stepRequested, &m_pair, &ComparedPair::goTo);
  for (CompareSide* side : m_sides) connect(side, &CompareSide::stepRequested, &m_pair, &ComparedPair::goTo);
  connect(m_scenarios, &QComboBox::activated, this, &CompareWindow::chooseScenario);
  connect(m_changes, &QComboBox::activated, this, &CompareWindow::chooseChange);
  tell();
}

QToolButton* CompareWindow::addButton(QWidget* head, const QString& text, const QString& tip,
                                      const QKeySequence& key) {
  QToolButton* const button = commandButton(text, {}, head);
  button->setToolTip(key.isEmpty() ? tip : tr("%1 (%2)").arg(tip, key.toString(QKeySequence::NativeText)));
  button->setShortcut(key);
  head->layout()->addWidget(button);
  return button;
}

QWidget* CompareWindow::makeHead() {
  auto* head = new QWidget(this);
  auto* row = withoutMargins(new QHBoxLayout(head));
  m_scenarios->setAccessibleName(tr("The scenario that both machines play"));
  m_changes->setAccessibleName(tr("What the second machine has otherwise"));
  for (QComboBox* box : {m_scenarios, m_changes}) {
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(16);
  }
  addParts(row, {{m_scenarios, 2}, {m_changes, 2}});
  m_restart =
      addButton(head, tr("⟲ Restart"), tr("Both machines from their beginning"), Qt::CTRL | Qt::Key_F5);
  m_back = addButton(head, tr("◀ Back"), tr("One step back in both"), Qt::SHIFT | Qt::Key_F10);
  m_step = addButton(head, tr("▶| Step both"), tr("One step of both machines"), Qt::Key_F10);
  m_run = addButton(head, tr("▶ Run both"), tr("Run both machines, or pause them"), Qt::Key_F5);
  m_pace =
      addButton(head, tr("In step"),
                tr("While they run, a machine waits for the other one after each step; else each runs at its "
                   "own speed"),
                {});
  m_pace->setCheckable(true);
  m_pace->setChecked(true);
  m_place->setWordWrap(false);
  row->addStretch(1);
  row->addWidget(m_place);
  connect(m_restart, &QToolButton::clicked, &m_pair, &ComparedPair::restart);
  connect(m_back, &QToolButton::clicked, &m_pair, &ComparedPair::back);
  connect(m_step, &QToolButton::clicked, &m_pair, &ComparedPair::stepBoth);
  connect(m_run, &QToolButton::clicked, this, &CompareWindow::toggleRun);
  connect(m_pace, &QToolButton::toggled, &m_pair, [this](bool inStep) {
    m_pair.setPace(inStep ? ComparedPair::Pace::kInStep : ComparedPair::Pace::kOwnSpeed);
  });
  return head;
}

QWidget* CompareWindow::makeMiddle() {
  auto* middle = new QSplitter(Qt::Horizontal, this);
  middle->setChildrenCollapsible(false);
  middle->setHandleWidth(kCardGap);
  for (CompareSide* side : m_sides) middle->addWidget(side);
  middle->addWidget(makeRight());
  for (int i = 0; i < ComparedPair::kSides; ++i) middle->setStretchFactor(i, kSideShare);
  middle->setStretchFactor(ComparedPair::kSides, kRightShare);
  middle->setSizes({kSideShare * kUsualShare, kSideShare * kUsualShare, kRightShare * kUsualShare});
  return middle;
}

QWidget* CompareWindow::makeRight() {
  auto* right = new QSplitter(Qt::Vertical, this);
  right->setChildrenCollapsible(false);
  right->setHandleWidth(kCardGap);
  auto* differs = new TitledCard(tr("What differs"), right);
  m_table->setAccessibleName(tr("Figures of both machines"));
  m_table->leaveColumns();
  QHeaderView& columns = *m_table->horizontalHeader();
  columns.setStretchLastSection(false);
  columns.setSectionResizeMode(QHeaderView::ResizeToContents);
  columns.setSectionResizeMode(ContrastModel::kFigure, QHeaderView::Stretch);
  differs->column()->addWidget(m_what);
  differs->column()->addWidget(m_table, 1);
  differs->column()->addWidget(m_verdict);
  auto* predict = new TitledCard(tr("Predict machine 1"), right);
  predict->column()->addWidget(m_prediction, 1);
  right->addWidget(differs);
  right->addWidget(predict);
  right->setStretchFactor(0, kTableShare);
  right->setStretchFactor(1, kPredictShare);
  return right;
}

// A clicker's, wherever the focus is.
void CompareWindow::makeKeys() {
  new QShortcut(Qt::Key_PageDown, this, &m_pair, &ComparedPair::stepBoth);
  new QShortcut(Qt::Key_PageUp, this, &m_pair, &ComparedPair::back);
}

void CompareWindow::fillScenarios() {
  for (const std::string& name : shippedScenarioNames()) {
    try {
      const Scenario scenario = readScenario(name, InputKind::kFile, localeName());
      m_scenarios->addItem(windowText(scenario.title), QString::fromStdString(name));
    } catch (const std::exception&) {  // choosing it in the main window says why
    }
  }
}

void CompareWindow::compare(Scenario scenario) {
  const std::vector<compare::Variation> usual = compare::usualVariations(scenario);
  Scenario other = usual.empty() ? scenario : compare::varied(scenario, usual.front());
  compare(std::move(scenario), std::move(other));
}

void CompareWindow::compare(Scenario one, Scenario other) { m_pair.open(std::move(one), std::move(other)); }

// A scenario that does not ship is the first entry for as long as it is compared.
void CompareWindow::onOpened() {
  const Scenario& scenario = m_pair.scenario(0);
  int place = m_scenarios->findData(QString::fromStdString(scenario.name));
  if (m_scenarios->count() > 0 && m_scenarios->itemData(0).isNull()) {
    m_scenarios->removeItem(0);
    place = std::max(place - 1, -1);
  }
  if (place < 0) m_scenarios->insertItem(place = 0, windowText(scenario.title));
  m_scenarios->setCurrentIndex(place);
  fillChanges();
  const auto changes = compare::changedOptions(scenario, m_pair.scenario(1));
  m_sides[0]->setTitle(sideWords(changes, &OptionChange::one));
  m_sides[1]->setTitle(sideWords(changes, &OptionChange::other));
  m_what->setText(tr("Same requests, same seed. %1").arg(changeWords(changes)));
}

void CompareWindow::fillChanges() {
  const Scenario& scenario = m_pair.scenario(0);
  const auto present = compare::changedOptions(scenario, m_pair.scenario(1));
  m_variations = compare::usualVariations(scenario);
  m_changes->clear();
  int shown = -1;
  for (const compare::Variation& variation : m_variations) {
    const auto changes = compare::changedOptions(scenario, compare::varied(scenario, variation));
    if (changes == present) shown = m_changes->count();
    m_changes->addItem(changeWords(changes));
  }
  if (shown < 0) {
    m_changes->insertItem(0, changeWords(present));
    m_variations.insert(m_variations.begin(), compare::Variation());
    shown = 0;
  }
  m_changes->addItem(tr("Other options…"));
  m_changes->setCurrentIndex(shown);
}

void CompareWindow::chooseScenario(int place) {
  const QString name = m_scenarios->itemData(place).toString();
  if (name.isEmpty()) return m_pair.restart();
  try {
    compare(readScenario(name.toStdString(), InputKind::kFile, localeName()));
  } catch (const EngineError& error) {
    m_messages->say(MessageCause::kOpening, noticeOf(error));
  } catch (const UsageError& error) {
    m_messages->say(MessageCause::kOpening, noticeOf(error));
  }
}

// An entry without options is what is compared already.
void CompareWindow::chooseChange(int place) {
  if (place >= static_cast<int>(m_variations.size())) return chooseOptions();
  const compare::Variation& variation = m_variations[static_cast<std::size_t>(place)];
  if (variation.options.empty()) return m_pair.restart();
  Scenario one = m_pair.scenario(0);
  Scenario other = compare::varied(one, variation);
  compare(std::move(one), std::move(other));
}

void CompareWindow::chooseOptions() {
  Scenario one = m_pair.scenario(0), other = m_pair.scenario(1);
  EngineOptionsDialog dialog(other.engine.toOptions(), this);
  dialog.setForEditing(QString::fromStdString(one.title), one.engine.toOptions());
  if (dialog.exec() != QDialog::Accepted) return fillChanges();
  other.engine.options = dialog.options();
  compare(std::move(one), std::move(other));
}

void CompareWindow::toggleRun() {
  if (m_pair.isRunning())
    m_pair.pause();
  else
    m_pair.run();
}

// No button is ever out of reach: a disabled one would give the focus to another.
void CompareWindow::tell() {
  for (CompareSide* side : m_sides) side->tell();
  if (const bool runs = m_pair.isRunning(); runs != m_isRunning) {
    m_isRunning = runs;
    m_run->setText(runs ? tr("⏸ Pause both") : tr("▶ Run both"));
    m_run->setShortcut(Qt::Key_F5);  // which a button's new text takes from it
  }
  const QString step = tr("step %1").arg(m_pair.step());
  m_place->setText(m_pair.isLoading()                     ? tr("loading…")
                   : m_pair.isRunning()                   ? tr("RUNNING · %1").arg(step)
                   : m_pair.isOpen() && !m_pair.canStep() ? tr("AT THE END · %1").arg(step)
                                                          : tr("PAUSED · %1").arg(step));
  tellVerdict();
}

QString CompareWindow::verdict() const { return m_verdict->text(); }

void CompareWindow::tellVerdict() {
  const SameAnswers answers = compare::sameAnswers(m_pair.side(0).tally(), m_pair.side(1).tally());
  const QString words = windowText(prose::answersVerdict(answers, windowLanguage()));
  const bool isSame = answers.areSame() && answers.complete;
  m_verdict->setText(answers.tokens == 0 && answers.areSame() ? QString()
                     : isSame                                 ? QStringLiteral("✓ ") + words
                     : answers.areSame()                      ? words
                                                              : QStringLiteral("≠ ") + words);
  QPalette ink = palette();
  const Theme theme = Theme::of(this);
  if (isSame) ink.setColor(QPalette::WindowText, theme.good());
  if (!answers.areSame()) ink.setColor(QPalette::WindowText, theme.warning());
  m_verdict->setPalette(ink);
}

void CompareWindow::hideEvent(QHideEvent* event) {
  m_pair.pause();
  QDialog::hideEvent(event);
}

}  // namespace vitrine

#include "moc_compare_window.cpp"
