#include "gui/runs/attach_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>

#include "gui/parts/screen_fit.h"
#include "gui/parts/small_parts.h"
#include "gui/runs/remote_run.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {

namespace {

constexpr int kAttachLetters = 60;  // the width of the dialog

}  // namespace

AttachDialog::AttachDialog(const QString& address, QWidget* parent) : QDialog(parent) {
  setWindowTitle(tr("Attach to a server"));
  setFont(readable(font()));
  QLabel* const about = wrappedLabel(
      tr("Shows the engine of another window's Serve, or of vitrine-cli serve, in all views of "
         "this one, as it goes. With its token it is steered from here, too, with its watch token it "
         "is watched. This window's machine closes."),
      this);
  m_address = new QLineEdit(address, this);
  m_address->setPlaceholderText(QStringLiteral("10.0.0.5:8000"));
  m_address->setAccessibleName(tr("Address of the server"));
  m_address->setToolTip(tr("Address and port, or the link to the server's page, which may hold the token"));
  m_token = new QLineEdit(this);
  m_token->setEchoMode(QLineEdit::Password);
  m_token->setPlaceholderText(tr("none"));
  m_token->setAccessibleName(tr("Token of the server"));
  m_token->setToolTip(
      tr("Where the server asks for one; its watch token is enough to watch. It is kept in no file."));
  auto* const form = new QFormLayout;
  form->addRow(labelFor(m_address, tr("&Address"), this), m_address);
  form->addRow(labelFor(m_token, tr("&Token"), this), m_token);
  auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  m_watch = buttons->addButton(tr("&Watch"), QDialogButtonBox::AcceptRole);
  m_watch->setDefault(true);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_address, &QLineEdit::textChanged, this, &AttachDialog::follow);
  addParts(new QVBoxLayout(this), {about, form, buttons});
  const int width = kAttachLetters * fontMetrics().averageCharWidth();
  resize(width, layout()->totalHeightForWidth(width));
  follow();
  new ScreenFit(this);
}

std::optional<watch::ServerPlace> AttachDialog::place() const {
  auto place = serverPlace(m_address->text());
  if (place && !m_token->text().isEmpty()) place->token = m_token->text().toStdString();
  return place;
}

void AttachDialog::follow() { m_watch->setEnabled(place().has_value()); }

}  // namespace vitrine

#include "moc_attach_dialog.cpp"
