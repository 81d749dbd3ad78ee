// AnswerFormBox: a chat's wish for the form of its answers: which kind, and its source, which is read while
// it is written. Thread: the window's. Read next: gui/turns/answer_form.h, gui/chat/form_checker.h.
#pragma once

#include <QGroupBox>
#include <map>

#include "gui/chat/form_checker.h"
#include "history/chat_record.h"

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace vitrine {

class AnswerFormBox : public QGroupBox {
  Q_OBJECT

 public:
  explicit AnswerFormBox(QWidget* parent = nullptr);

  // A kind that this program does not know stays what it is until another is chosen.
  void show(const AnswerForm& form);
  AnswerForm form() const;
  bool isRight() const;         // false while it is being read, as isWrong() is
  bool isWrong() const;         // and while it is empty
  void setTools(bool offered);  // whether the chat offers tools, which the words tell of

 signals:
  void changed();  // isRight(), too

 protected:
  void changeEvent(QEvent* event) override;

 private:
  bool needsSource() const;
  bool isMissing() const;  // the source that the kind needs
  void choose();
  void check();
  void tell();
  void openFile();
  void takeFile(const QString& path);

  FormChecker m_checker;
  std::map<QString, QString> m_sources;  // that were written for each kind, by its key
  QString m_kind;                        // that the source in sight is of
  QString m_fileComplaint;
  bool m_toolsOffered = false;
  QComboBox* m_kinds;
  QPlainTextEdit* m_source;
  QPushButton* m_open;
  QLabel* m_words;
};

}  // namespace vitrine
