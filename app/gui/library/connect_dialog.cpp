#include "gui/library/connect_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <chrono>

#include "gui/parts/screen_fit.h"
#include "gui/parts/server_fields.h"
#include "gui/parts/small_parts.h"
#include "widgets/support/formats.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {

namespace {

using namespace std::chrono_literals;

constexpr int kConnectLetters = 64;  // the width of the dialog
constexpr auto kTypingPause = 600ms;

// "127.0.0.1:5557" as ZeroMQ writes it.
std::string kvAddress(const QString& text) {
  const QString address = text.trimmed();
  if (address.isEmpty() || address.contains(QLatin1String("://"))) return address.toStdString();
  return "tcp://" + address.toStdString();
}

// Empty: it is an address, or none at all.
QString wrongWith(const QString& text) {
  const std::string address = kvAddress(text);
  if (address.empty()) return {};
  try {
    connect::checkKvEndpoint(address);
    return {};
  } catch (const EngineError& error) {
    return QStringLiteral("%1. %2").arg(QString::fromUtf8(error.what()),
                                        QString::fromStdString(error.hint()));
  }
}

}  // namespace

ConnectDialog::ConnectDialog(const QString& address, QWidget* parent) : QDialog(parent) {
  setWindowTitle(tr("Connect to a server"));
  setFont(readable(font()));
  QLabel* const about = wrappedLabel(
      tr("A model that another program runs answers the chats of this window: vLLM, SGLang, llama.cpp, "
         "Ollama, or anything with OpenAI's API. Its machine is seen from outside alone, and this window's "
         "closes."),
      this);
  m_address = ServerFields::address(address, this);
  m_address->selectAll();
  m_key = ServerFields::key(this);
  m_models = new QComboBox(this);
  m_models->setAccessibleName(tr("Model of the server"));
  m_models->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_events = new QLineEdit(this);
  m_events->setPlaceholderText(tr("none"));
  m_events->setAccessibleName(tr("Address of the server's KV events"));
  m_events->setToolTip(
      tr("Where a vLLM or SGLang publishes the events of its KV cache (--kv-events-config): "
         "tcp://127.0.0.1:5557. With them its prefix cache is shown."));
  m_replay = new QLineEdit(this);
  m_replay->setPlaceholderText(tr("none"));
  m_replay->setAccessibleName(tr("Address where KV events are sent again"));
  m_replay->setToolTip(
      tr("Its replay_endpoint: tcp://127.0.0.1:5558. It tells of blocks that are stored already, "
         "and fills gaps."));
  m_words = wrappedLabel({}, this);
  auto* const form = new QFormLayout;
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->addRow(labelFor(m_address, tr("&Address"), this), m_address);
  form->addRow(labelFor(m_key, tr("&Key"), this), m_key);
  form->addRow(labelFor(m_models, tr("&Model"), this), m_models);
  form->addRow(labelFor(m_events, tr("KV &events"), this), m_events);
  form->addRow(labelFor(m_replay, tr("&Replay"), this), m_replay);
  auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  m_connect = buttons->addButton(tr("C&onnect"), QDialogButtonBox::AcceptRole);
  m_connect->setDefault(true);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  addParts(new QVBoxLayout(this), {about, form, m_words, buttons});
  m_pause.setSingleShot(true);
  m_pause.setInterval(kTypingPause);
  connect(&m_pause, &QTimer::timeout, this, &ConnectDialog::ask);
  connect(m_address, &QLineEdit::textChanged, this, &ConnectDialog::onTyped);
  connect(m_key, &QLineEdit::textChanged, this, &ConnectDialog::onTyped);
  connect(m_events, &QLineEdit::textChanged, this, &ConnectDialog::follow);
  connect(m_replay, &QLineEdit::textChanged, this, &ConnectDialog::follow);
  connect(&m_probe, &ServerProbe::listed, this, &ConnectDialog::take);
  connect(&m_probe, &ServerProbe::failed, this,
          [this](const QString& why) { say(tr("%1 tells no models: %2.").arg(m_asked->place(), why)); });
  const int width = kConnectLetters * fontMetrics().averageCharWidth();
  m_words->setMinimumHeight(2 * fontMetrics().lineSpacing());
  resize(width, layout()->totalHeightForWidth(width));
  take({});
  ask();
  new ScreenFit(this);
}

void ConnectDialog::onTyped() {
  m_probe.forget();
  m_asked.reset();
  take({});
  m_pause.start();
}

void ConnectDialog::ask() {
  m_asked = apiAddress(m_address->text(), m_key->text());
  if (!m_asked)
    return say(m_address->text().trimmed().isEmpty() ? QString() : tr("This is no address of a server."));
  say(tr("Asking %1 for its models…").arg(m_asked->place()));
  m_probe.ask(*m_asked);
}

void ConnectDialog::take(const connect::ModelList& list) {
  m_list = list;
  m_models->clear();
  for (const connect::ServedModelName& model : list.models) m_models->addItem(windowText(model.id));
  m_models->setEnabled(!list.models.empty());
  follow();
}

// Says what is wrong with the addresses of the events, or else what the server has.
void ConnectDialog::follow() {
  const bool any = !m_list.models.empty();
  const QString wrong = wrongWith(m_events->text()) + wrongWith(m_replay->text());
  m_connect->setEnabled(any && wrong.isEmpty());
  if (!wrong.isEmpty()) return say(wrong);
  if (any)
    say(tr("%1, %n model(s)", nullptr, static_cast<int>(m_list.models.size()))
            .arg(QLatin1String(connect::traitsOf(m_list.kind).name)));
}

void ConnectDialog::say(const QString& words) {
  m_words->setText(words);
  m_words->setAccessibleName(words);
}

std::optional<ConnectOrder> ConnectDialog::order() const {
  const int chosen = m_models->currentIndex();
  if (!m_asked || chosen < 0) return std::nullopt;
  const connect::ServedModelName& model = m_list.models.at(static_cast<std::size_t>(chosen));
  return ConnectOrder{*m_asked,
                      model.id,
                      m_list.kind,
                      model.contextLength,
                      kvAddress(m_events->text()),
                      kvAddress(m_replay->text())};
}

}  // namespace vitrine

#include "moc_connect_dialog.cpp"
