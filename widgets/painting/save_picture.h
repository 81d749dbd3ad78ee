// Saves a picture under a name that the user chooses. Thread: the window's.
#pragma once

#include "widgets/support/picture_export.h"

class QWidget;

namespace vitrine {

struct SavePictureTexts {
  QString question;    // title of the file dialog
  QString suggestion;  // the file's name
  QString failure;     // title of the message when it could not be written
};

// Asks for the file, .svg or .png, and writes it; a failure is a message with its hint. Nothing when
// cancelled.
void savePictureAs(QWidget* parent, const Picture& picture, const SavePictureTexts& texts);

}  // namespace vitrine
