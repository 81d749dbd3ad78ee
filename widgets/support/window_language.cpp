#include "widgets/support/window_language.h"

#include <QCoreApplication>
#include <QLocale>

namespace vitrine {
namespace {

class WindowLanguage : public prose::Language {
 public:
  std::string translate(const char* text, int count) const override {
    return QCoreApplication::translate(prose::kContext, text, nullptr, count).toStdString();
  }
  // Most numbers in a sentence name something, such as a block or a position, so digits are not grouped.
  std::string number(std::int64_t value) const override {
    QLocale locale;
    locale.setNumberOptions(locale.numberOptions() | QLocale::OmitGroupSeparator);
    return locale.toString(static_cast<qlonglong>(value)).toStdString();
  }
  std::string decimal(double value, int digits) const override {
    return QLocale().toString(value, 'f', digits).toStdString();
  }
};

}  // namespace

const prose::Language& windowLanguage() {
  static const WindowLanguage kLanguage;
  return kLanguage;
}

}  // namespace vitrine
