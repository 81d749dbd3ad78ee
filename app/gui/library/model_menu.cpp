#include "gui/library/model_menu.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

namespace vitrine {

ModelMenu::ModelMenu(Settings& settings, QWidget* parent)
    : QMenu(tr("&Model"), parent), m_settings(settings) {
  setToolTipsVisible(true);
  connect(this, &QMenu::aboutToShow, this, &ModelMenu::fill);
  fill();
}

void ModelMenu::fill() {
  clear();
  addAction(tr("&Built-in model"), this, [this] { emit modelChosen(QString()); });
  m_models = addAction(tr("&Models on this computer…"), Qt::CTRL | Qt::SHIFT | Qt::Key_M, this,
                       &ModelMenu::modelsRequested);
  m_models->setToolTip(tr("Those of other programs too, whether they fit, and getting another one"));
  QAction* open = addAction(tr("&Open a model folder…"), this, &ModelMenu::chooseFolder);
  open->setShortcut(QKeySequence::Open);
  open->setToolTip(
      tr("A Hugging Face folder: config.json, *.safetensors, tokenizer.json or tokenizer.model"));
  QAction* file = addAction(tr("Open a model &file (GGUF)…"), this, &ModelMenu::chooseFile);
  file->setToolTip(
      tr("What LM Studio, Ollama, llama.cpp, Jan and GPT4All store: weights and tokenizer in one file"));
  QAction* server = addAction(tr("&Connect to a server…"), this, &ModelMenu::serverRequested);
  server->setToolTip(
      tr("A model that vLLM, SGLang, llama.cpp, Ollama or another OpenAI-compatible server runs"));
  QAction* inside =
      addAction(tr("What is &inside…"), Qt::CTRL | Qt::Key_I, this, &ModelMenu::insideRequested);
  inside->setToolTip(tr("Sizes, tensors and weights of the model that is open, or of another file"));
  const QStringList recent = m_settings.recentModels();
  if (!recent.isEmpty()) addSeparator();
  for (const QString& directory : recent) {
    QAction* action = addAction(m_settings.recentModelName(directory), this,
                                [this, directory] { emit modelChosen(directory); });
    action->setToolTip(QDir::toNativeSeparators(directory));
  }
  addSeparator();
  addAction(tr("&Quit"), Qt::CTRL | Qt::Key_Q, this, &ModelMenu::quitRequested);
}

QString ModelMenu::startFolder() const {
  const QString newest = m_settings.recentModels().value(0);
  return newest.isEmpty() ? QDir::homePath() : QFileInfo(newest).path();
}

void ModelMenu::chooseFolder() {
  const QString directory =
      QFileDialog::getExistingDirectory(parentWidget(), tr("Open a model folder"), startFolder());
  if (!directory.isEmpty()) emit modelChosen(directory);
}

void ModelMenu::chooseFile() {
  const QString file = QFileDialog::getOpenFileName(parentWidget(), tr("Open a model file"), startFolder(),
                                                    tr("GGUF models (*.gguf)"));
  if (!file.isEmpty()) emit modelChosen(file);
}

}  // namespace vitrine

#include "moc_model_menu.cpp"
