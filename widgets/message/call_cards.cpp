#include "widgets/message/call_cards.h"

#include <QPainter>
#include <QVBoxLayout>

#include "widgets/message/answer_text.h"
#include "widgets/message/fold_button.h"
#include "widgets/message/lit_label.h"
#include "widgets/support/theme.h"

namespace vitrine {
namespace {

constexpr int kFirstCallPart = kTextPart + 1, kPartsOfCall = 2;  // the call, and the text after it

}  // namespace

// One call, and below its card the text that stands behind it.
class CallCard final : public QWidget {
 public:
  explicit CallCard(CallCards* cards) : QWidget(cards) {
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 2, 0, 0);
    rows->setSpacing(4);
    m_card = new QWidget(this);
    auto* inside = new QVBoxLayout(m_card);
    inside->setContentsMargins(6, 3, 6, 6);
    inside->setSpacing(2);
    m_fold = new FoldButton(m_card);
    m_body = LitLabel::plain(m_card, true);
    m_body->setAccessibleName(CallCards::tr("The call"));
    m_body->hide();
    inside->addWidget(m_fold);
    inside->addWidget(m_body);
    connect(m_fold, &FoldButton::toggled, m_body, &QWidget::setVisible);
    connect(m_body, &LitLabel::letterClicked, cards,
            [this, cards](int position) { emit cards->wordPointed(callByteAt(m_call, position), true); });
    rows->addWidget(m_card);
  }

  void display(const ShownCall& call, bool grows, CallCards& cards) {
    if (call == m_call && grows == m_grows) return;
    m_call = call;
    m_grows = grows;
    m_fold->setTitle(titleOf(call), beginningOf(call));
    m_fold->setToolTip(tipOf(call.state));
    m_body->setText(callInLines(call));
    const QString& after = call.after.text;
    if (m_after == nullptr && !after.isEmpty()) addAfter(cards);
    if (m_after == nullptr) return;
    m_after->setSource(after, grows);
    m_after->setVisible(!after.isEmpty());
  }
  void light(const SoughtText& sought, int inCall, int inAfter) {
    if (inCall >= 0) m_fold->setChecked(true);
    m_body->light(sought, inCall);
    if (m_after != nullptr) m_after->light(sought, inAfter);
  }
  QRect hitRect(int index, bool isAfter) const {
    if (isAfter) return m_after == nullptr ? QRect() : m_after->hitRect(index).translated(m_after->pos());
    return m_body->hitRect(index).translated(m_body->mapTo(this, QPoint()));
  }
  void applyTheme(const QFont& text) {
    m_body->setFont(fixedFont(text));
    if (m_after == nullptr) return;
    m_after->setFont(text);
    m_after->applyTheme();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme theme = Theme::of(this);
    painter.setPen(theme.line());
    painter.drawRoundedRect(QRectF(m_card->geometry()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  }

 private:
  static QString titleOf(const ShownCall& call) {
    const bool isNamed = !call.name.isEmpty();
    switch (call.state) {
      case ShownCall::State::kWhole:
        return CallCards::tr("Calls %1").arg(call.name);
      case ShownCall::State::kBegun:
        return isNamed ? CallCards::tr("Calls %1 …").arg(call.name) : CallCards::tr("Calls a tool …");
      case ShownCall::State::kCut:
        return isNamed ? CallCards::tr("Call of %1, cut off").arg(call.name)
                       : CallCards::tr("Call of a tool, cut off");
      case ShownCall::State::kUnreadable:
        break;
    }
    return isNamed ? CallCards::tr("Call of %1, unreadable").arg(call.name)
                   : CallCards::tr("Call of a tool, unreadable");
  }
  static QString tipOf(ShownCall::State state) {
    if (state == ShownCall::State::kCut)
      return CallCards::tr("The answer ended within this call. With Continue or Again it may become whole.");
    if (state == ShownCall::State::kUnreadable)
      return CallCards::tr(
          "The model made a mistake in this call, such as JSON that is not valid, so it has no result.");
    return CallCards::tr("The model's call of this tool. Nothing is run.");
  }
  // Of a broken one the title says which tool it is, so the marks need not be seen before it is opened.
  static QString beginningOf(const ShownCall& call) {
    return call.state == ShownCall::State::kWhole ? call.arguments : QString();
  }
  void addAfter(CallCards& cards) {
    m_after = new AnswerText(this);
    layout()->addWidget(m_after);
    connect(m_after, &AnswerText::linkChosen, &cards, &CallCards::linkChosen);
    const auto point = [this, &cards](qint64 byte, bool clicked) {
      emit cards.wordPointed(m_call.after.begins + byte, clicked);
    };
    connect(m_after, &AnswerText::wordClicked, &cards, [point](qint64 byte) { point(byte, true); });
    connect(m_after, &AnswerText::wordHovered, &cards, [point](qint64 byte) { point(byte, false); });
  }

  ShownCall m_call;
  bool m_grows = false;
  QWidget* m_card;
  FoldButton* m_fold;
  LitLabel* m_body;
  AnswerText* m_after = nullptr;  // made when there is text
};

CallCards::CallCards(QWidget* parent) : QWidget(parent) {
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(0, 0, 0, 2);
  rows->setSpacing(2);
}

void CallCards::setCalls(const std::vector<ShownCall>& calls, bool grows) {
  while (m_cards.size() > calls.size()) {
    delete m_cards.back();
    m_cards.pop_back();
  }
  while (m_cards.size() < calls.size()) {
    m_cards.push_back(new CallCard(this));
    layout()->addWidget(m_cards.back());
    m_cards.back()->show();
  }
  for (std::size_t i = 0; i < calls.size(); ++i) m_cards[i]->display(calls[i], grows, *this);
  setVisible(!calls.empty());
  applyTheme(m_text);
  light(m_sought, m_present);
}

void CallCards::light(const SoughtText& sought, const std::optional<FoundPlace>& present) {
  m_sought = sought;
  m_present = present;
  const auto indexIn = [&](int part) { return present && present->part == part ? present->index : -1; };
  int part = kFirstCallPart;
  for (CallCard* card : m_cards) {
    card->light(sought, indexIn(part), indexIn(part + 1));
    part += kPartsOfCall;
  }
}

QRect CallCards::hitRect(const FoundPlace& hit) const {
  const auto place = static_cast<std::size_t>((hit.part - kFirstCallPart) / kPartsOfCall);
  if (hit.part < kFirstCallPart || place >= m_cards.size()) return {};
  const QRect area = m_cards[place]->hitRect(hit.index, (hit.part - kFirstCallPart) % kPartsOfCall == 1);
  return area.isValid() ? area.translated(m_cards[place]->pos()) : area;
}

void CallCards::applyTheme(const QFont& text) {
  m_text = text;
  for (CallCard* card : m_cards) card->applyTheme(text);
  update();
}

}  // namespace vitrine

#include "moc_call_cards.cpp"
