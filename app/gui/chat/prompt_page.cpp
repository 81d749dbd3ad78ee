#include "gui/chat/prompt_page.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QSplitter>
#include <utility>

#include "common/argument_text.h"
#include "gui/parts/card.h"
#include "gui/parts/headed_card.h"
#include "gui/parts/small_parts.h"
#include "widgets/prompt/prompt_bar.h"
#include "widgets/prompt/prompt_view.h"
#include "widgets/prompt/template_view.h"
#include "widgets/support/eliding_label.h"
#include "widgets/support/formats.h"
#include "widgets/support/layout_parts.h"

namespace vitrine {
namespace {

constexpr int kSideBySideLetters = 110;  // of the page, in the average letter of the font; narrower: below

class PromptCard : public HeadedCard {
 public:
  explicit PromptCard(QWidget* parent) : HeadedCard(parent) {
    column()->setContentsMargins(kCardInset, 8, kCardInset, 8);
    head()->setContentsMargins(10, 0, 10, 0);
  }
  void setHead(const QString& title, QWidget* at) {
    auto* label = new QLabel(title, this);
    makeBold(label);
    head()->addWidget(label);
    head()->addStretch(1);
    head()->addWidget(at);
  }
  void addView(QWidget* view) { column()->addWidget(view, 1); }
  void addWords(QWidget* words) {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(10, 0, 10, 0);
    row->addWidget(words);
    column()->addLayout(row);
  }
};

QWidget* wordsWith(QLabel* words, QToolButton* button, QWidget* parent) {
  auto* both = new QWidget(parent);
  addParts(withoutMargins(new QHBoxLayout(both)), {{words, 1}, button});
  return both;
}

// Its text is its name to a screen reader, which reads it where the keyboard's focus is on it.
QLabel* readableLabel() {
  QLabel* label = wrappedLabel({}, nullptr);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  label->setFocusPolicy(Qt::StrongFocus);
  return label;
}

QString thoughtWords(const SeenPrompt& prompt) {
  const int answers = static_cast<int>(prompt.thoughtsLeftOut.size());
  if (answers == 0) return {};
  const QString tokens = PromptPage::tr("%n token(s)", nullptr, prompt.thoughtTokensLeftOut);
  if (answers == 1)
    return PromptPage::tr("The thoughts of message %1 (%2) are left out: the template drops them.")
        .arg(prompt.thoughtsLeftOut.front() + 1)
        .arg(tokens);
  return PromptPage::tr("The thoughts of %n answer(s) (%1) are left out: the template drops them.", nullptr,
                        answers)
      .arg(tokens);
}

QString typedWords(const SeenPrompt& prompt) {
  if (prompt.typedMarks == 0) return {};
  const QString tokens = PromptPage::tr("%n ordinary token(s)", nullptr, prompt.typedAsText);
  return prompt.typedMarksCount
             ? PromptPage::tr(
                   "Typed special tokens count here, as the template's own do. As text they would "
                   "be %1.")
                   .arg(tokens)
             : PromptPage::tr("Typed names of special tokens (dotted line) are read as %1.").arg(tokens);
}

QString placeWords(const SeenPrompt& prompt) {
  if (!prompt.problem.empty())
    return PromptPage::tr("plain form of this program: %1").arg(windowText(prompt.problem));
  if (prompt.isPlain) return PromptPage::tr("plain form of this program");
  return windowText(prompt.place);
}

}  // namespace

PromptPage::PromptPage(Session* session, QWidget* parent)
    : QWidget(parent),
      m_model(new PromptModel(session, this)),
      m_prompt(new PromptView(m_model)),
      m_template(new TemplateView(m_model)),
      m_counts(new ElidingLabel),
      m_place(new ElidingLabel),
      m_typed(namedLabel(tr("Typed special tokens"), nullptr)),
      m_leftOut(readableLabel()),
      m_thoughts(namedLabel(tr("Thoughts"), nullptr)),
      m_shared(namedLabel(tr("Beside the last prompt"), nullptr)),
      m_wrote(namedLabel(tr("Line of the template that wrote the token"), nullptr)),
      m_otherReading(
          commandButton({}, tr("Read this chat the other way from now on: a choice of the chat"), this)),
      m_toDifference(
          commandButton(tr("Go there"), tr("To the first token that differs from the last prompt"), this)),
      m_command(nullptr),
      m_cards(new QSplitter(this)),
      m_copied(namedLabel(tr("Copied"), nullptr)),
      m_cached(namedLabel(tr("From the cache"), nullptr)) {
  setFont(readable(font()));
  for (QToolButton* button : {m_otherReading, m_toDifference}) button->setAutoRaise(false);
  auto* rows = withoutMargins(new QVBoxLayout(this));
  rows->setSpacing(kCardGap);
  rows->addWidget(makeHead());
  m_cards->addWidget(makePromptCard());
  m_cards->addWidget(makeTemplateCard());
  m_cards->setChildrenCollapsible(false);
  for (int card = 0; card < m_cards->count(); ++card) m_cards->setStretchFactor(card, 1);
  m_cards->setHandleWidth(kCardGap);
  rows->addWidget(m_cards, 1);
  rows->addWidget(makeFoot());
  connect(m_prompt, &PromptView::pointed, this, &PromptPage::follow);
  connect(m_template, &TemplateView::lineChosen, this, [this](int line, const std::set<int>& writers) {
    m_prompt->mark(writers, true);
    m_wrote->setText(m_model->whatLineWrote(line));
  });
  connect(m_otherReading, &QToolButton::clicked, this,
          [this] { emit typedMarksRequested(!m_model->prompt().typedMarksCount); });
  connect(m_toDifference, &QToolButton::clicked, this, [this] {
    m_prompt->setCurrent(m_model->firstThatDiffers());
    m_prompt->setFocus(Qt::OtherFocusReason);
  });
  tell();
}

QWidget* PromptPage::makeHead() {
  auto* head = new QWidget(this);
  auto* row = withoutMargins(new QHBoxLayout(head));
  auto* back = commandButton(tr("‹ Conversation"), tr("Back to the conversation (Esc)"), head);
  connect(back, &QToolButton::clicked, this, &PromptPage::closeRequested);
  row->addWidget(back);
  auto* title = new QLabel(tr("The prompt as tokens"), head);
  makeBold(title);
  row->addWidget(title);
  row->addStretch(1);
  row->addWidget(m_copied);
  m_copied->setWordWrap(false);
  const auto add = [&](const QString& text, const QString& tip) {
    auto* button = commandButton(text, tip, head);
    row->addWidget(button);
    return button;
  };
  connect(add(tr("Copy text"), tr("The prompt as text, special tokens written out")), &QToolButton::clicked,
          this, [this] { copy(windowText(m_model->prompt().text), tr("Text copied.")); });
  connect(add(tr("Copy ids"), tr("The ids of the tokens, as generate --token-ids takes them")),
          &QToolButton::clicked, this, [this] {
            QStringList ids;
            for (const SeenToken& token : m_model->rows()) ids << QString::number(token.id);
            copy(ids.join(QStringLiteral(", ")), tr("Ids copied."));
          });
  m_command =
      add(tr("Copy command"), tr("A command of vitrine-cli that writes the same text and the same tokens"));
  connect(m_command, &QToolButton::clicked, this, [this] { copy(command(), tr("Command copied.")); });
  return head;
}

QWidget* PromptPage::makePromptCard() {
  auto* card = new PromptCard(m_cards);
  m_counts->setTextFormat(Qt::PlainText);
  m_counts->setAccessibleName(tr("Tokens"));
  card->setHead(tr("Prompt"), m_counts);
  card->addView(m_prompt);
  card->addWords(wordsWith(m_typed, m_otherReading, card));
  card->addWords(m_leftOut);
  card->addWords(m_thoughts);
  card->addWords(wordsWith(m_shared, m_toDifference, card));
  return card;
}

QWidget* PromptPage::makeTemplateCard() {
  auto* card = new PromptCard(m_cards);
  m_place->setTextFormat(Qt::PlainText);
  m_place->setAccessibleName(tr("Where the template is from"));
  card->setHead(tr("Template"), m_place);
  card->addView(m_template);
  card->addWords(m_wrote);
  return card;
}

QWidget* PromptPage::makeFoot() {
  auto* foot = new QWidget(this);
  auto* row = new QHBoxLayout(foot);
  row->setContentsMargins(8, 0, 8, 4);
  row->addWidget(new PromptBar(m_model, foot), 1);
  m_cached->setWordWrap(false);
  row->addWidget(m_cached);
  return foot;
}

void PromptPage::display(std::shared_ptr<const SeenPrompt> prompt) {
  m_copied->clear();
  m_cached->clear();
  m_prompt->setEmptyWords(
      prompt->refusal.empty()
          ? tr("This template writes nothing for this conversation.")
          : tr("The chat template refuses this conversation:\n“%1”").arg(windowText(prompt->refusal)));
  m_model->setPrompt(std::move(prompt));
  tell();
}

void PromptPage::tellCached(int tokens) {
  m_cached->setText(tr("%1 from the cache, %2 to compute")
                        .arg(formatCount(tokens), formatCount(m_model->rowCount() - tokens)));
}

void PromptPage::sayNothing(const QString& why) {
  m_cached->clear();
  m_model->setPrompt(nullptr);
  m_prompt->setEmptyWords(why);
  tell();
}

void PromptPage::tell() {
  const SeenPrompt& prompt = m_model->prompt();
  m_counts->setText(m_prompt->summary());
  QStringList place = {placeWords(prompt), m_template->summary()};
  place.removeAll(QString());
  m_place->setText(place.join(QStringLiteral(" · ")));
  m_typed->setText(typedWords(prompt));
  m_typed->parentWidget()->setVisible(prompt.typedMarks > 0);
  m_otherReading->setText(prompt.typedMarksCount ? tr("Read them as text") : tr("What if they were not?"));
  m_leftOut->setText(m_model->whatIsLeftOut());
  m_leftOut->setVisible(!m_leftOut->text().isEmpty());
  m_thoughts->setText(thoughtWords(prompt));
  m_thoughts->setVisible(!m_thoughts->text().isEmpty());
  m_shared->setText(m_model->whatIsShared());
  m_shared->parentWidget()->setVisible(!m_shared->text().isEmpty());
  m_toDifference->setVisible(m_model->firstThatDiffers() >= 0);
  m_command->setEnabled(!command().isEmpty());
  follow(m_prompt->current());
}

void PromptPage::follow(int row) {
  const int writer = m_model->writer(row);
  const std::set<int> writers = writer < 0 ? std::set<int>() : std::set<int>{writer};
  m_prompt->mark(writers);
  m_template->mark(m_model->templateLine(row), writers);
  m_wrote->setText(row >= 0
                       ? m_model->whatWrote(row)
                       : tr("Point at a token for its line, click a line for its tokens. ◀ ▶ ▲ ▼ go from "
                            "token to token."));
}

QString PromptPage::command() const {
  const SeenPrompt& prompt = m_model->prompt();
  if (prompt.isPlain || prompt.messages.empty()) return {};
  std::vector<std::string> words = {"vitrine-cli", "template",   "--json",      "--messages",    "/dev/stdin",
                                    "--model",     prompt.model, "--variables", prompt.variables};
  if (!prompt.tools.empty()) words.insert(words.end(), {"--tools", prompt.tools});
  if (prompt.typedMarksCount) words.emplace_back("--typed-marks");
  QStringList quoted;
  for (const std::string& word : words) quoted << windowText(shellQuoted(word));
  return QStringLiteral("printf %s ") + windowText(shellQuoted(prompt.messages)) + QStringLiteral(" |\n  ") +
         quoted.join(u' ');
}

void PromptPage::copy(const QString& text, const QString& what) {
  QApplication::clipboard()->setText(text);
  m_copied->setText(what);
}

// The template beside the prompt, or below it.
void PromptPage::arrange() {
  const bool wide = width() >= kSideBySideLetters * fontMetrics().averageCharWidth();
  const Qt::Orientation wanted = wide ? Qt::Horizontal : Qt::Vertical;
  if (m_cards->orientation() != wanted) m_cards->setOrientation(wanted);
}

void PromptPage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

void PromptPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  arrange();
}

void PromptPage::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape) return QWidget::keyPressEvent(event);
  emit closeRequested();
}

}  // namespace vitrine

#include "moc_prompt_page.cpp"
