#include "welcome_dialog.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "focus_ring.h"
#include "screen_fit.h"
#include "widgets/support/theme.h"

namespace vitrine {
namespace {

constexpr int kLetters = 64, kWidest = 900;  // of a line; px, on a small screen

QLabel* wrapped(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  return label;
}

// A button with a title and a sentence that wraps. Qt's own (QCommandLinkButton) has letters of 9 points.
class WayIn final : public QPushButton {
 public:
  WayIn(const QString& title, const QString& sentence, QWidget* parent)
      : QPushButton(parent), m_title(wrapped(title, this)) {
    setAccessibleName(title);
    setAccessibleDescription(sentence);
    QLabel* const words = wrapped(sentence, this);
    for (QLabel* label : {m_title, words}) label->setAttribute(Qt::WA_TransparentForMouseEvents);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(16, 12, 16, 12);
    rows->addWidget(m_title);
    rows->addWidget(words, 1, Qt::AlignTop);
    QSizePolicy grows(QSizePolicy::Expanding, QSizePolicy::Minimum);
    grows.setHeightForWidth(true);
    setSizePolicy(grows);
    enlarge();
  }

  QSize sizeHint() const override { return layout()->totalSizeHint(); }
  QSize minimumSizeHint() const override { return layout()->totalMinimumSize(); }
  int heightForWidth(int width) const override { return layout()->totalHeightForWidth(width); }

 protected:
  void changeEvent(QEvent* event) override {
    QPushButton::changeEvent(event);
    if (event->type() == QEvent::FontChange) enlarge();
  }

 private:
  void enlarge() {
    QFont larger = font();
    larger.setPointSizeF(larger.pointSizeF() * 1.2);
    larger.setBold(true);
    m_title->setFont(larger);
  }

  QLabel* m_title;
};

}  // namespace

WelcomeDialog::WelcomeDialog(QWidget* parent) : QDialog(parent), m_skip(new QPushButton(tr("&Skip"), this)) {
  setWindowTitle(tr("Welcome to Vitrine"));
  setFont(readable(font()));
  auto* rows = new QVBoxLayout(this);
  rows->addWidget(
      wrapped(tr("How does a machine answer? Here one really runs, and you can chat with it, stop it at "
                 "any moment, and look. Where do you want to begin?"),
              this));
  const std::array<std::pair<QString, QString>, 3> ways = {{
      {tr("Look inside"),
       tr("A first experiment with the model that comes with Vitrine: press Step, and see what "
          "the engine decides, and why.")},
      {tr("Just chat"),
       tr("Only the conversation, as in any chat program. The machine can be opened later with Ctrl+2.")},
      {tr("Open my model"),
       tr("The models on this computer, also those of other programs, whether they fit, and "
          "how to get another one.")},
  }};
  for (std::size_t i = 0; i < ways.size(); ++i) {
    m_buttons[i] = new WayIn(ways[i].first, ways[i].second, this);
    rows->addWidget(m_buttons[i], 1);
    connect(m_buttons[i], &QPushButton::clicked, this, [this, choice = static_cast<WelcomeChoice>(i)] {
      accept();
      emit chosen(choice);
    });
  }
  m_skip->setToolTip(tr("Vitrine opens as it does by default"));
  connect(m_skip, &QPushButton::clicked, this, &QDialog::reject);
  auto* foot = new QHBoxLayout;
  foot->addWidget(wrapped(tr("Help → Welcome… shows this page again."), this), 1);
  foot->addWidget(m_skip);
  rows->addLayout(foot);
  const int width = std::min(kLetters * fontMetrics().averageCharWidth(), kWidest);
  resize(width, rows->totalHeightForWidth(width));
  new ScreenFit(this);
  new FocusRing(this);
  m_buttons[0]->setFocus();
}

}  // namespace vitrine
