#include "stop_strings.h"

#include <nlohmann/json.hpp>

#include "search_text.h"
#include "vitrine/json_reader.h"

namespace vitrine {

QString stopsToText(const QStringList& stops) {
  nlohmann::json list = nlohmann::json::array();
  for (const QString& stop : stops) list.push_back(storable(stop).toStdString());
  return QString::fromStdString(list.dump());
}

QStringList stopsFromText(const QString& text) {
  struct NotJson {};
  QStringList stops;
  try {
    const auto list =
        readJson<nlohmann::json>(text.toStdString(), {}, [](const std::string&) { throw NotJson(); });
    for (const auto& stop : list)
      if (stop.is_string()) stops += QString::fromStdString(stop.get<std::string>());
  } catch (const NotJson&) {
    return {};
  }
  return stops;
}

}  // namespace vitrine
