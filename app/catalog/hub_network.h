// The way to the hub that listing, downloads and searches share. Thread: the one that asks.
#pragma once

#include <QNetworkAccessManager>
#include <memory>

#include "catalog/download_problem.h"
#include "catalog/download_settings.h"

namespace vitrine {

// With the proxy of the settings, or the system's.
std::unique_ptr<QNetworkAccessManager> makeHubNetwork(const DownloadSettings& settings);

// Why the hub is not even asked: its address is no safe one, or this computer has no network. Known at once.
DownloadProblem problemBeforeAsking(const DownloadSettings& settings);

}  // namespace vitrine
