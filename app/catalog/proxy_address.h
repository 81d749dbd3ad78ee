// What a person writes as a proxy: "http://proxy.example:8080", "socks5://name:password@host:1080", or
// "none". Thread: values, any. Read next: download_settings.h.
#pragma once

#include <QNetworkProxy>
#include <QString>
#include <optional>

namespace vitrine {

struct ParsedProxy {
  std::optional<QNetworkProxy> proxy = {};
  QString problem = {};  // a sentence, in place of a proxy
};

// Neither for an empty text, which stands for the system's proxy. Without a scheme it is one of HTTP.
ParsedProxy parseProxy(const QString& text);

}  // namespace vitrine
