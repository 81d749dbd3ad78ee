// SettingRow: one setting in the dialog: its name and its help, the field, and the way back to its default
// when it has another value. Thread: the window's. Read next: setting.h.
#pragma once

#include <QWidget>

#include "gui/settings/setting.h"

class QLabel;
class QToolButton;

namespace vitrine {

class SettingRow : public QWidget {
  Q_OBJECT

 public:
  SettingRow(Setting setting, QWidget* parent);

  const Setting& setting() const { return m_setting; }
  QWidget* field() const { return m_editor.field; }
  QToolButton* reset() const { return m_reset; }
  QLabel* complaint() const { return m_complaint; }

  // Whether name, help, group and what stands behind it have all words of it. They are lit.
  bool find(const QStringList& words);
  void follow();  // shows the owner's value
  // The owner gets it; false: it had it already. The row says the fault of a wrong value; the owner's stays.
  bool change(const QVariant& value);

 signals:
  void changed();  // by the person

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void changeByHand(const QVariant& value);
  void nameParts();
  void render();

  const Setting m_setting;
  QLabel *m_name, *m_help;
  SettingEditor m_editor;
  QToolButton* m_reset;
  QLabel* m_complaint;
  QStringList m_sought;
  QVariant m_refused;  // what the field has and the owner does not take
};

}  // namespace vitrine
