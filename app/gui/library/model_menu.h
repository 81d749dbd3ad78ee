// ModelMenu: a choice of models: the built-in one, a Hugging Face folder, a GGUF file, or a recent one; and
// the program's end.
#pragma once

#include <QMenu>

#include "gui/settings/settings.h"

namespace vitrine {

class ModelMenu : public QMenu {
  Q_OBJECT

 public:
  ModelMenu(Settings& settings, QWidget* parent);

  QAction* models() const { return m_models; }  // another one after the menu was opened

 signals:
  void modelChosen(const QString& model);  // folder or GGUF file; empty: the built-in one
  void modelsRequested();                  // the list of those on this computer
  void serverRequested();                  // another program's model
  void insideRequested();                  // what is inside the model that is open
  void quitRequested();

 private:
  void fill();
  void chooseFolder();
  void chooseFile();
  QString startFolder() const;  // of a dialog: beside the newest model

  Settings& m_settings;
  QAction* m_models = nullptr;
};

}  // namespace vitrine
