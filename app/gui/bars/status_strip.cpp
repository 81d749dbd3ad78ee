#include "gui/bars/status_strip.h"

#include <QEvent>
#include <QLocale>
#include <QProgressBar>
#include <algorithm>

#include "gui/parts/small_parts.h"
#include "vitrine/prose/words.h"
#include "vitrine/state_digest.h"
#include "widgets/support/eliding_label.h"
#include "widgets/support/formats.h"
#include "widgets/support/layout_parts.h"

namespace vitrine {

namespace {

// Tokens that the blocks in use hold, and these blocks.
QString contextLine(const Session& session) {
  const MachineState& state = session.state();
  if (session.engine() && session.engine()->isFromOutside())
    return state.blocks.empty()
               ? QString()
               : StatusStrip::tr("%1 blocks in the prefix cache")
                     .arg(QLocale().toString(std::ranges::count_if(state.blocks, &BlockState::cached)));
  const int total = static_cast<int>(state.blocks.size());
  const int used = total - static_cast<int>(state.freeQueue.size());
  return StatusStrip::tr("%1 tokens in %2 of %3 blocks")
      .arg(QLocale().toString(heldTokens(state)), QLocale().toString(used), QLocale().toString(total));
}

QString deviceTip(const EngineLoaded& engine, bool isGpu) {
  if (engine.isFromOutside())
    return StatusStrip::tr("Another program's engine, which is seen from outside alone.");
  QStringList told{
      isGpu ? StatusStrip::tr("The model computes on this GPU; weights, keys and values lie in its memory.")
            : StatusStrip::tr("The model computes on the processor.")};
  if (engine.options.compute == Compute::kInt8)
    told << StatusStrip::tr(
        "Products are in int8: activations are rounded to 8 bits and multiplied with the int8 and int4 "
        "weights as whole numbers. The machine's options can choose float32.");
  if (engine.options.compute == Compute::kBf16)
    told << StatusStrip::tr(
        "Products are in bf16: activations are rounded to 16 bits. The machine's options can choose "
        "float32.");
  return (told << StatusStrip::tr("Machine → Compute on changes the device.")).join(u' ');
}

}  // namespace

StatusStrip::StatusStrip(QWidget* parent)
    : QStatusBar(parent),
      m_mode(addField(new QLabel(this), tr("Machine"))),
      m_model(addField(new ElidingLabel(this), tr("Model"))),
      m_device(addField(new ElidingLabel(this), tr("Device"))),
      m_scenario(addField(new ElidingLabel(this), tr("Scenario"))),
      m_server(addField(new ElidingLabel(this), tr("Server"))),
      m_reason(addField(new ElidingLabel(this), tr("Why the machine stopped"))),
      m_context(addField(new ElidingLabel(this), tr("Context in use"))),
      m_digest(addField(new ElidingLabel(this), tr("State of the machine"))),
      m_loading(new QWidget(this)),
      m_progress(new QProgressBar(m_loading)) {
  makeBold(m_mode);
  for (QLabel* field : {m_context, m_digest}) {  // at the right, before the progress
    removeWidget(field);
    addPermanentWidget(field);
    field->show();
  }
  m_progress->setRange(0, 1000);
  m_progress->setFixedWidth(fontMetrics().averageCharWidth() * 24);
  m_progress->setAccessibleName(tr("Loading the model"));
  auto* cancel = new QPushButton(tr("Cancel"), m_loading);
  cancel->setAccessibleName(tr("Cancel loading the model"));
  connect(cancel, &QPushButton::clicked, this, &StatusStrip::cancelLoadRequested);
  addParts(withoutMargins(new QHBoxLayout(m_loading)), {m_progress, cancel});
  addPermanentWidget(m_loading);
  hideProgress();
}

QLabel* StatusStrip::addField(QLabel* label, const QString& accessibleName) {
  label->setAccessibleName(accessibleName);
  label->setContentsMargins(6, 0, 6, 0);
  addWidget(label);
  return label;
}

// A status bar that has grown, as in the large font of a presentation, does not update the window's layout by
// itself.
bool StatusStrip::event(QEvent* event) {
  const bool done = QStatusBar::event(event);
  if (event->type() == QEvent::LayoutRequest) {
    fit();
    updateGeometry();
  }
  return done;
}

void StatusStrip::resizeEvent(QResizeEvent* event) {
  QStatusBar::resizeEvent(event);
  fit();
}

// Its words are whole, or a field is gone: the state's number, the model, the device and the scenario before
// the others, since the tool bar and the menus say them too. One without words is gone.
void StatusStrip::fit() {
  constexpr int kBetween = 8, kAround = 48;  // the size grip, its distance, and margins
  int left = width() - kAround - (m_loading->isHidden() ? 0 : m_loading->sizeHint().width());
  for (QLabel* field : {m_mode, m_context, m_reason, m_server, m_scenario, m_device, m_model, m_digest}) {
    const int wanted = field->sizeHint().width() + kBetween;
    const bool isNeeded = field == m_mode || field == m_context || field == m_reason || wanted <= left;
    const bool stays = isNeeded && !field->text().isEmpty();
    field->setVisible(stays);
    if (stays) left -= wanted;
  }
}

void StatusStrip::showEngine(const EngineLoaded& engine) {
  m_model->setText(windowText(engine.model.name));
  m_model->setToolTip(engine.isFromOutside()
                          ? QString()
                          : tr("%1, %2 layers, %3 parameters, %4 tokens of context")
                                .arg(QString::fromStdString(engine.model.family))
                                .arg(engine.model.layers)
                                .arg(QLocale().toString(static_cast<qlonglong>(engine.model.parameters)))
                                .arg(QLocale().toString(engine.model.contextLength)));
  const bool isGpu = engine.threads == 0 && !engine.isFromOutside();
  const QString device = QString::fromStdString(engine.device);
  m_device->setText(isGpu ? tr("GPU: %1").arg(device) : device);
  m_device->setToolTip(deviceTip(engine, isGpu));
  m_context->setToolTip(tr("At most %1 sequences run at once; the pool holds %2 whole contexts.")
                            .arg(engine.options.maxSequences)
                            .arg(engine.fittingSequences));
  fit();
}

void StatusStrip::showMachine(const QString& run, const Session& session) {
  m_mode->setText(run);
  if (session.step() != m_reasonStep) showReason({}, -1);
  m_context->setText(contextLine(session));
  showDigest(session.state());
  fit();
}

void StatusStrip::showDigest(const MachineState& state) {
  const std::uint64_t digest = state.blocks.empty() ? 0 : stateDigest(state);
  m_digest->setText(digest == 0 ? QString()
                                : tr("state %1").arg(QString::fromStdString(prose::shortHash(digest))));
  m_digest->setToolTip(
      tr("A number for the machine’s state, %1: every view of this step of the run shows the "
         "same, in this window, in another and on a page.")
          .arg(digest, 16, 16, QLatin1Char('0')));
}

void StatusStrip::showScenario(const QString& title) {
  m_scenario->setText(title);
  fit();
}

void StatusStrip::showServer(const QString& words, const QString& tip) {
  m_server->setToolTip(tip);
  if (words == m_server->text()) return;
  m_server->setText(words);
  fit();
}

void StatusStrip::showProgress(double fraction, const QString& what) {
  m_progress->setRange(0, fraction < 0 ? 0 : 1000);  // without a range it shows that something is done
  m_progress->setFormat(QStringLiteral("%1 %p%").arg(what));
  m_progress->setValue(static_cast<int>(fraction * 1000));
  m_loading->show();
  fit();
}

void StatusStrip::hideProgress() {
  m_loading->hide();
  fit();
}

QString StatusStrip::modeText() const { return m_mode->text(); }
void StatusStrip::showReason(const QString& reason, int step) {
  m_reasonStep = step;
  if (reason == m_reason->text()) return;
  m_reason->setText(reason);
  fit();
}
QString StatusStrip::deviceText() const { return m_device->text(); }
QString StatusStrip::reason() const { return m_reason->text(); }
QString StatusStrip::serverText() const { return m_server->text(); }
QString StatusStrip::contextText() const { return m_context->text(); }
QString StatusStrip::digestText() const { return m_digest->text(); }

}  // namespace vitrine

#include "moc_status_strip.cpp"
