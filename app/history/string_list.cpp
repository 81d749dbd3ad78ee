#include "string_list.h"

#include <nlohmann/json.hpp>

#include "search_text.h"
#include "vitrine/json_reader.h"

namespace vitrine {

QString stringsToText(const QStringList& strings) {
  nlohmann::json list = nlohmann::json::array();
  for (const QString& one : strings) list.push_back(storable(one).toStdString());
  return QString::fromStdString(list.dump());
}

QStringList stringsFromText(const QString& text) {
  struct NotJson {};
  QStringList strings;
  try {
    const auto list =
        readJson<nlohmann::json>(text.toStdString(), {}, [](const std::string&) { throw NotJson(); });
    for (const auto& one : list)
      if (one.is_string()) strings += QString::fromStdString(one.get<std::string>());
  } catch (const NotJson&) {
    return {};
  }
  return strings;
}

}  // namespace vitrine
