#include "widgets/painting/save_picture.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QMessageBox>

#include "widgets/support/notice.h"

namespace vitrine {

void savePictureAs(QWidget* parent, const Picture& picture, const SavePictureTexts& texts) {
  const QString kinds =
      QCoreApplication::translate("vitrine::savePictureAs", "Drawings (*.svg);;Pictures (*.png)");
  const QString path = QFileDialog::getSaveFileName(parent, texts.question, texts.suggestion, kinds);
  if (path.isEmpty()) return;
  try {
    savePicture(picture, path);
  } catch (const EngineError& error) {
    QMessageBox::warning(parent, texts.failure, noticeOf(error).text());
  }
}

}  // namespace vitrine
