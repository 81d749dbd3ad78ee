#include "gui/runs/request_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>

#include "gui/parts/screen_fit.h"
#include "gui/parts/small_parts.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {

namespace {

constexpr int kRequestLetters = 60;  // the width of the dialog
constexpr int kTextLines = 5;
constexpr int kUsualTokens = 60, kMostTokens = 1000;

}  // namespace

RequestDialog::RequestDialog(const QString& server, QWidget* parent) : QDialog(parent) {
  setWindowTitle(tr("Send a request"));
  setFont(readable(font()));
  QLabel* const about = wrappedLabel(
      tr("A chat of one message for the model of %1. It joins the requests there, and the views show "
         "its answer as it comes.")
          .arg(server),
      this);
  m_text = new QPlainTextEdit(this);
  m_text->setTabChangesFocus(true);
  m_text->setAccessibleName(tr("Message"));
  m_text->setFixedHeight(kTextLines * m_text->fontMetrics().lineSpacing() + 2 * m_text->frameWidth() + 8);
  m_tokens = new QSpinBox(this);
  m_tokens->setRange(1, kMostTokens);
  m_tokens->setValue(kUsualTokens);
  m_tokens->setAccessibleName(tr("Longest answer in tokens"));
  auto* const form = new QFormLayout;
  form->addRow(labelFor(m_text, tr("&Message"), this), m_text);
  form->addRow(labelFor(m_tokens, tr("&Tokens at most"), this), m_tokens);
  auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  m_send = buttons->addButton(tr("&Send"), QDialogButtonBox::AcceptRole);
  m_send->setDefault(true);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_text, &QPlainTextEdit::textChanged, this, &RequestDialog::follow);
  addParts(new QVBoxLayout(this), {about, form, buttons});
  const int width = kRequestLetters * fontMetrics().averageCharWidth();
  resize(width, layout()->totalHeightForWidth(width));
  follow();
  new ScreenFit(this);
}

QString RequestDialog::message() const { return m_text->toPlainText().trimmed(); }
int RequestDialog::maxTokens() const { return m_tokens->value(); }

void RequestDialog::follow() { m_send->setEnabled(!message().isEmpty()); }

}  // namespace vitrine

#include "moc_request_dialog.cpp"
