#include "gui/help/welcome_dialog.h"

#include <QEvent>
#include <QFontInfo>
#include <algorithm>

#include "gui/parts/focus_ring.h"
#include "gui/parts/screen_fit.h"
#include "gui/parts/scroll_page.h"
#include "gui/parts/small_parts.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {
namespace {

constexpr int kWelcomeLetters = 64, kWidest = 900;  // of a line; px, on a small screen

// A button with a title and a sentence that wraps. Qt's own (QCommandLinkButton) has letters of 9 points.
class WayIn final : public QPushButton {
 public:
  WayIn(const QString& title, const QString& sentence, QWidget* parent)
      : QPushButton(parent), m_title(wrappedLabel(title, this)) {
    setAccessibleName(title);
    setAccessibleDescription(sentence);
    QLabel* const words = wrappedLabel(sentence, this);
    for (QLabel* label : {m_title, words}) label->setAttribute(Qt::WA_TransparentForMouseEvents);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(16, 12, 16, 12);
    addParts(rows, {m_title, {words, 1, Qt::AlignTop}});
    QSizePolicy grows(QSizePolicy::Expanding, QSizePolicy::Preferred);
    grows.setHeightForWidth(true);
    setSizePolicy(grows);
    enlarge();
  }

  QSize sizeHint() const override { return layout()->totalSizeHint(); }
  QSize minimumSizeHint() const override { return {layout()->totalMinimumSize().width(), 0}; }
  int heightForWidth(int width) const override { return layout()->totalHeightForWidth(width); }

 protected:
  void changeEvent(QEvent* event) override {
    QPushButton::changeEvent(event);
    if (event->type() == QEvent::FontChange) enlarge();
  }

 private:
  void enlarge() {
    QFont larger = font();
    larger.setPointSizeF(QFontInfo(font()).pointSizeF() * 1.2);
    larger.setBold(true);
    m_title->setFont(larger);
  }

  QLabel* m_title;
};

}  // namespace

WelcomeDialog::WelcomeDialog(QWidget* parent) : QDialog(parent), m_skip(new QPushButton(tr("&Skip"), this)) {
  setWindowTitle(tr("Welcome to Vitrine"));
  setFont(readable(font()));
  m_skip->setToolTip(tr("Vitrine opens as it does by default"));
  connect(m_skip, &QPushButton::clicked, this, &QDialog::reject);
  auto* again = new QLabel(tr("Help → Welcome… shows this page again."), this);
  auto* foot = addParts(new QHBoxLayout, {{again, 1}, m_skip});
  QWidget* const ways = makeWays();
  auto* rows = addParts(new QVBoxLayout(this), {{scrollable(ways), 1}, foot});
  const QMargins around = rows->contentsMargins();
  const int width = std::min(kWelcomeLetters * fontMetrics().averageCharWidth(), kWidest);
  // Labels that wrap ask a scroll area for about a line more than they take.
  const int asWide = ways->layout()->totalHeightForWidth(width - around.left() - around.right());
  const int inside = std::max(asWide, ways->minimumSizeHint().height()) + 3 * fontMetrics().lineSpacing() / 2;
  resize(width, inside + rows->spacing() + foot->sizeHint().height() + around.top() + around.bottom());
  new ScreenFit(this);
  new FocusRing(this);
  setTabOrder(m_buttons.back(), m_skip);
  m_buttons.front()->setFocus();
}

QWidget* WelcomeDialog::makeWays() {
  const std::array<std::pair<QString, QString>, 3> words = {{
      {tr("Look inside"),
       tr("A first experiment with the model that comes with Vitrine: press Step, and see what "
          "the engine decides, and why.")},
      {tr("Just chat"),
       tr("Only the conversation, as in any chat program. The machine can be opened later with Ctrl+2.")},
      {tr("Open my model"),
       tr("The models on this computer, also those of other programs, whether they fit, and "
          "how to get another one.")},
  }};
  auto* ways = new QWidget(this);
  auto* rows = withoutMargins(new QVBoxLayout(ways));
  rows->addWidget(
      wrappedLabel(tr("How does a machine answer? Here one really runs, and you can chat with it, stop it at "
                      "any moment, and look. Where do you want to begin?"),
                   ways));
  for (std::size_t i = 0; i < words.size(); ++i) {
    m_buttons[i] = new WayIn(words[i].first, words[i].second, ways);
    rows->addWidget(m_buttons[i], 1);
    connect(m_buttons[i], &QPushButton::clicked, this, [this, choice = static_cast<WelcomeChoice>(i)] {
      accept();
      emit chosen(choice);
    });
  }
  return ways;
}

}  // namespace vitrine

#include "moc_welcome_dialog.cpp"
