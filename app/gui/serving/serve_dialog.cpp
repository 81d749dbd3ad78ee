#include "gui/serving/serve_dialog.h"

#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QGuiApplication>
#include <QUrl>
#include <algorithm>

#include "gui/parts/focus_ring.h"
#include "gui/parts/screen_fit.h"
#include "gui/parts/small_parts.h"
#include "gui/serving/serving.h"
#include "gui/settings/settings.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {

namespace {

constexpr int kServeLetters = 64;  // the width of the dialog
constexpr int kMostPort = 65535;

void setIfChanged(QLabel* label, const QString& text) {
  if (label->text() != text) label->setText(text);
}

}  // namespace

ServeDialog::ServeDialog(Serving& serving, Settings& settings, QWidget* parent)
    : QDialog(parent), m_serving(serving), m_settings(settings) {
  setWindowTitle(tr("Serve"));
  setFont(readable(font()));
  QLabel* const about = wrappedLabel(tr("Programs that speak OpenAI's API can use the model of this window. "
                                        "Their requests join the batch of "
                                        "chats and scenarios, and are seen like any other."),
                                     this);
  m_problem = namedLabel(tr("Why the server is off"), this);
  m_turn = new QPushButton(this);
  m_turn->setDefault(true);
  auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  buttons->addButton(m_turn, QDialogButtonBox::ActionRole);
  buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
  addParts(new QVBoxLayout(this), {about, makePlace(), m_problem, makeState()});
  static_cast<QVBoxLayout*>(layout())->addStretch(1);
  layout()->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  connect(m_turn, &QPushButton::clicked, this, &ServeDialog::turnOnOrOff);
  connect(&m_serving, &Serving::changed, this, &ServeDialog::follow);
  resize(kServeLetters * fontMetrics().averageCharWidth(), 0);
  follow();
  new FocusRing(this);
  new ScreenFit(this);
}

QLayout* ServeDialog::makePlace() {
  m_address = new QComboBox(this);
  m_address->setEditable(true);
  m_address->setAccessibleName(tr("Address to listen on"));
  const auto add = [this](const QString& address, const QString& help) {
    m_address->addItem(address);
    m_address->setItemData(m_address->count() - 1, help, Qt::ToolTipRole);
  };
  add(QStringLiteral("127.0.0.1"), tr("Programs of this computer alone"));
  for (const QString& own : Serving::ownAddresses()) add(own, tr("Other computers of this network, too"));
  add(QStringLiteral("0.0.0.0"), tr("All networks of this computer"));
  m_address->setCurrentText(m_settings.serverAddress());
  m_address->setToolTip(
      tr("127.0.0.1: programs of this computer alone. Another address needs a token, and "
         "what passes the network is not encrypted."));
  m_port = new QSpinBox(this);
  m_port->setRange(0, kMostPort);
  m_port->setSpecialValueText(tr("any that is free"));
  m_port->setAccessibleName(tr("Port to listen on"));
  m_port->setToolTip(tr("Clients name it behind the address. 0: any that is free."));
  m_port->setValue(std::clamp(m_settings.serverPort(), 0, kMostPort));
  auto* const form = new QFormLayout;
  form->addRow(labelFor(m_address, tr("&Address"), this), m_address);
  form->addRow(labelFor(m_port, tr("&Port"), this), m_port);
  QLayout* const token = makeToken(
      m_token, {tr("Token that clients send"),
                tr("Clients send it as Authorization: Bearer TOKEN, which OpenAI's clients call the API "
                   "key. Any program that knows it can use the model."),
                tr("&New token"), tr("New token"), tr("S&how"), tr("Show the token"), tr("Copy the token")});
  form->addRow(labelFor(m_token.line, tr("&Token"), this), token);
  QLayout* const watchToken =
      makeToken(m_watchToken,
                {tr("Token of clients that watch"),
                 tr("Clients that send it in place of the token may watch the engine's events, figures and "
                    "model, and make no requests. Events hold all prompts and answers."),
                 tr("New token"), tr("New watch token"), tr("Show"), tr("Show the watch token"),
                 tr("Copy the watch token")});
  form->addRow(labelFor(m_watchToken.line, tr("&Watch token"), this), watchToken);
  form->addRow({}, wrappedLabel(tr("Tokens are in memory until Vitrine ends, and in no file."), this));
  return form;
}

// Shown, copied and made anew.
QLayout* ServeDialog::makeToken(TokenParts& parts, const TokenWords& words) {
  parts.line = new QLineEdit(this);
  parts.line->setEchoMode(QLineEdit::Password);
  parts.line->setAccessibleName(words.name);
  parts.line->setPlaceholderText(tr("none"));
  parts.line->setToolTip(words.tip);
  parts.make = plainButton(words.make, tr("48 random characters, copied for your client"), this);
  parts.make->setAccessibleName(words.makeName);
  parts.show = commandButton(words.show, words.showName, this);
  parts.show->setAccessibleName(words.showName);
  parts.show->setCheckable(true);
  parts.copy = plainButton(tr("Copy"), words.copyName, this);
  parts.copy->setAccessibleName(words.copyName);
  QLineEdit* const line = parts.line;
  connect(parts.make, &QPushButton::clicked, this, [line] {
    line->setText(Serving::newToken());
    QGuiApplication::clipboard()->setText(line->text());
  });
  connect(parts.show, &QToolButton::toggled, line,
          [line](bool shows) { line->setEchoMode(shows ? QLineEdit::Normal : QLineEdit::Password); });
  connect(parts.copy, &QPushButton::clicked, line,
          [line] { QGuiApplication::clipboard()->setText(line->text()); });
  connect(line, &QLineEdit::textChanged, this, &ServeDialog::follow);
  return addParts(new QHBoxLayout, {{line, 1}, parts.show, parts.copy, parts.make});
}

QLayout* ServeDialog::makeState() {
  m_state = namedLabel(tr("State of the server"), this);
  makeBold(m_state);
  m_state->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_copy = plainButton(tr("&Copy"), tr("Copies the address for a client: its base URL"), this);
  m_copy->setAccessibleName(tr("Copy the address of the server"));
  connect(m_copy, &QPushButton::clicked, this,
          [this] { QGuiApplication::clipboard()->setText(m_serving.url()); });
  m_page = namedLabel(tr("Page for browsers"), this);
  m_page->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_copyPage = plainButton(tr("Copy &link"),
                           tr("Copies the page's address, with the watch token: a browser "
                              "that has it sees all prompts and answers"),
                           this);
  m_copyPage->setAccessibleName(tr("Copy the link to the page"));
  connect(m_copyPage, &QPushButton::clicked, this,
          [this] { QGuiApplication::clipboard()->setText(pageLink()); });
  m_clients = namedLabel(tr("Clients of the server"), this);
  m_note = namedLabel(tr("Why clients wait"), this);
  m_pace = plainButton({}, {}, this);
  connect(m_pace, &QPushButton::clicked, this,
          [this] { m_serving.isHeld() ? emit runRequested() : emit pauseRequested(); });
  return addParts(new QVBoxLayout, {addParts(new QHBoxLayout, {{m_state, 1}, m_copy}),
                                    addParts(new QHBoxLayout, {{m_page, 1}, m_copyPage}), m_clients,
                                    addParts(new QHBoxLayout, {{m_note, 1}, m_pace})});
}

// The place is kept for the next time, and that it was turned on is not.
void ServeDialog::turnOnOrOff() {
  m_problem->clear();
  if (m_serving.state() == Serving::State::kOn) return m_serving.stop();
  const QString address = m_address->currentText().trimmed();
  const Serving::Place place{address, m_port->value(), m_token.line->text(), m_watchToken.line->text()};
  if (const auto problem = m_serving.start(place)) {
    m_problem->setText(problem->text());
    return follow();
  }
  m_settings.serverAddress.set(address);
  m_settings.serverPort.set(m_port->value());
}

void ServeDialog::follow() {
  const bool isOff = m_serving.state() == Serving::State::kOff;
  const bool isOn = m_serving.state() == Serving::State::kOn;
  for (QWidget* const field : std::initializer_list<QWidget*>{m_address, m_port}) field->setEnabled(isOff);
  for (const TokenParts& parts : {m_token, m_watchToken}) {
    for (QWidget* const field : std::initializer_list<QWidget*>{parts.line, parts.make})
      field->setEnabled(isOff);
    for (QWidget* const part : std::initializer_list<QWidget*>{parts.show, parts.copy})
      part->setEnabled(!parts.line->text().isEmpty());
  }
  m_turn->setText(isOff ? tr("Start &serving") : tr("Stop &serving"));
  m_turn->setEnabled(isOff || isOn);
  m_problem->setVisible(!m_problem->text().isEmpty());
  setIfChanged(m_state, state());
  for (QPushButton* const copy : {m_copy, m_copyPage}) copy->setVisible(isOn);
  m_page->setVisible(isOn);
  setIfChanged(m_page, isOn ? tr("Browsers watch at %1").arg(m_serving.pageUrl()) : QString());
  setIfChanged(m_clients, clients());
  setIfChanged(m_note, isOn ? note() : QString());
  const bool held = m_serving.isHeld();
  m_pace->setVisible(isOn && !m_serving.model().isEmpty());
  m_pace->setText(held ? tr("&Run") : tr("&Let requests wait"));
  m_pace->setToolTip(held ? tr("The machine runs, and answers what waits")
                          : tr("Pauses the machine, so that you can step through the next request"));
  // What is said may need more lines than there were.
  layout()->activate();
  if (const int needed = layout()->totalHeightForWidth(width()); needed > height()) resize(width(), needed);
}

QString ServeDialog::state() const {
  switch (m_serving.state()) {
    case Serving::State::kOff:
      return tr("Off");
    case Serving::State::kEnding:
      return tr("Ending: clients are told");
    case Serving::State::kOn:
      break;
  }
  return tr("Listening at %1").arg(m_serving.url());
}

// A browser needs a token where there is one. That of clients that make requests is not handed out: the page
// asks for it.
QString ServeDialog::pageLink() const {
  const QString token = m_watchToken.line->text();
  const QString fragment = QString::fromLatin1(QUrl::toPercentEncoding(token));
  return m_serving.pageUrl() + (token.isEmpty() ? QString() : QStringLiteral("#token=%1").arg(fragment));
}

QString ServeDialog::clients() const {
  if (m_serving.state() == Serving::State::kOff) return tr("No program can connect.");
  const QString connected = tr("%n connection(s)", nullptr, m_serving.connections());
  return tr("%1, %2").arg(connected, tr("%n request(s) under way", nullptr, m_serving.underWay()));
}

QString ServeDialog::note() const {
  if (m_serving.isHeld()) return tr("The machine is paused, so requests wait until it runs or is stepped.");
  const QString model = m_serving.model();
  if (model.isEmpty()) return tr("No model is open now: clients are told so, and may ask again.");
  return tr("Clients name the model “%1”, or none.").arg(model);
}

QString ServeDialog::stateText() const { return m_state->text(); }
QString ServeDialog::pageText() const { return m_page->text(); }
QString ServeDialog::clientsText() const { return m_clients->text(); }
QString ServeDialog::noteText() const { return m_note->text(); }
QString ServeDialog::problemText() const { return m_problem->text(); }

}  // namespace vitrine

#include "moc_serve_dialog.cpp"
