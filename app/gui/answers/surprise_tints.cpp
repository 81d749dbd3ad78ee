#include "gui/answers/surprise_tints.h"

#include <QLocale>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>

#include "desk/answer_turn.h"
#include "widgets/markdown/markdown_look.h"
#include "widgets/message/answer_text.h"
#include "widgets/support/theme.h"

namespace vitrine {
namespace {

constexpr float kQuietBits = 1, kLoudBits = 8;

// The meaning of the colours, in one line.
class Legend final : public QWidget {
 public:
  explicit Legend(QWidget* parent) : QWidget(parent) {
    setAccessibleName(
        SurpriseTints::tr("Colours of words by their probability: none at 50 % and above, the "
                          "strongest at 0.4 % and below"));
    setToolTip(
        SurpriseTints::tr("How likely the model held each token; let the mouse rest on a word for its "
                          "number"));
  }
  QSize sizeHint() const override { return {240, fontMetrics().height() + 6}; }
  QSize minimumSizeHint() const override { return {0, fontMetrics().height() + 6}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    static const std::array<double, 5> kShares = {0.5, 0.15, 0.05, 0.015, 0.004};
    QPainter painter(this);
    const Theme theme = Theme::of(this);
    const MarkdownLook look = MarkdownLook::of(theme);
    const int cell = fontMetrics().horizontalAdvance(QStringLiteral(" 1.5 % "));
    QRect box(12, 1, cell, height() - 3);
    for (const double share : kShares) {
      painter.fillRect(box, look.tint(surpriseOf(static_cast<float>(std::log(share)))));
      painter.setPen(theme.text());
      painter.drawText(box, Qt::AlignCenter, QLocale().toString(share * 100, 'g', 2) + QStringLiteral(" %"));
      box.translate(cell + 2, 0);
    }
    painter.drawText(QRect(box.left() + 4, 0, width() - box.left() - 4, height()),
                     Qt::AlignVCenter | Qt::AlignLeft, SurpriseTints::tr("probability of the token"));
  }
};

std::vector<Tint> tintsOf(const std::vector<TokenSpan>& spans, const std::vector<AnswerToken>& tokens) {
  std::vector<Tint> tints;
  for (std::size_t i = 0; i < std::min(spans.size(), tokens.size()); ++i) {
    const float value = surpriseOf(tokens[i].logprob);
    if (value > 0 && spans[i].begin < spans[i].end) tints.push_back({spans[i].begin, spans[i].end, value});
  }
  return tints;
}

}  // namespace

float surpriseOf(float logprob) {
  if (std::isnan(logprob)) return 0;
  const float bits = -logprob / std::log(2.0f);
  return std::clamp((bits - kQuietBits) / (kLoudBits - kQuietBits), 0.0f, 1.0f);
}

SurpriseTints::SurpriseTints(EngineHost& host, Desk& desk, ChatView& view, ChatModel& model, QObject* parent)
    : QObject(parent),
      m_host(host),
      m_desk(desk),
      m_view(view),
      m_model(model),
      m_action(new QAction(tr("&Colour surprising words"), this)),
      m_legend(new Legend(&view)) {
  m_action->setCheckable(true);
  m_action->setToolTip(tr("The less likely the model held a token, the stronger its colour"));
  m_legend->hide();
  view.addStrip(m_legend);
  connect(m_action, &QAction::toggled, this, &SurpriseTints::setOn);
}

void SurpriseTints::setOn(bool on) {
  m_legend->setVisible(on);
  m_hears.reset();
  m_asked.clear();
  if (!on) {
    for (const auto& [answer, tints] : m_tints) colour(answer, {});
    m_tints.clear();
    return;
  }
  m_hears = std::make_unique<QObject>();
  // Later, in one go: messages have their widgets by then.
  const auto later = [this] {
    QMetaObject::invokeMethod(
        m_hears.get(), [this] { follow(); }, Qt::QueuedConnection);
  };
  connect(&m_view, &ChatView::answerShown, m_hears.get(), later);
  connect(&m_model, &QAbstractItemModel::modelReset, m_hears.get(), later);
  connect(&m_model, &ChatModel::answeringChanged, m_hears.get(), later);
  connect(&m_host, &EngineHost::loaded, m_hears.get(), [this, later] {
    m_tints.clear();  // what the model before did not know, this one may
    later();
  });
  follow();
}

void SurpriseTints::follow() {
  const MachineMode mode = m_host.mode();
  const bool ready = mode != MachineMode::kEmpty && mode != MachineMode::kLoading;
  for (int row = 0; row < m_model.rowCount(); ++row) {
    const ChatEntry& entry = m_model.at(row);
    const bool ended = entry.status == AnswerStatus::kDone || entry.status == AnswerStatus::kStopped;
    if (entry.role != ChatRole::kAssistant || entry.message == 0 || !ended) continue;
    const auto known = m_tints.find(entry.message);
    if (known != m_tints.end())
      colour(entry.message, known->second);
    else if (ready && m_view.answer(entry.message) != nullptr)
      ask(entry.message, entry.text);
  }
}

void SurpriseTints::ask(MessageId answer, const QString& shown) {
  if (m_asked.contains(answer)) return;
  AnswerQuery query{.shown = shown.toStdString()};
  for (const AnswerToken& token : m_desk.history().tokens(answer)) query.tokens.push_back(token.id);
  if (query.tokens.empty()) {
    m_tints[answer] = {};
    return;
  }
  m_asked[answer] = askAboutAnswer(m_host, std::move(query), this,
                                   [this, answer](const SeenAnswer& seen) { take(answer, seen); });
}

void SurpriseTints::take(MessageId answer, const SeenAnswer& seen) {
  m_asked.erase(answer);
  m_tints[answer] = tintsOf(seen.spans, m_desk.history().tokens(answer));
  colour(answer, m_tints[answer]);
}

void SurpriseTints::colour(MessageId answer, const std::vector<Tint>& tints) {
  if (AnswerText* const text = m_view.answer(answer)) text->setTints(tints);
}

}  // namespace vitrine

#include "moc_surprise_tints.cpp"
