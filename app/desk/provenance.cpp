#include "desk/provenance.h"

#include <nlohmann/json.hpp>

#include "common/argument_text.h"
#include "common/json_files.h"
#include "common/request_line.h"

namespace vitrine {
namespace {

QString compact(const Json& json) { return QString::fromStdString(json.dump()); }

// The part of the device's description that names the instructions: "AVX-512" of "AVX-512, 2 threads".
QString instructionsOf(const std::string& device) {
  return QString::fromStdString(device.substr(0, device.find(',')));
}

}  // namespace

Provenance provenanceOf(const EngineLoaded& engine, const EngineOptions& options, const Request& request) {
  RequestLine line;
  line.arguments.request = request;
  Provenance provenance;
  provenance.model = QString::fromStdString(engine.model.name);
  if (!engine.isFromOutside()) {  // the options of another program are not known
    provenance.engineOptions = compact(engineKeysToJson({.options = options}));
    provenance.computeMode = QLatin1String(nameOf(engine.options.compute));
  }
  provenance.instructionSet = instructionsOf(engine.device);
  provenance.seed = request.sampling.seed;
  provenance.sampling = compact(requestToJson(line));
  return provenance;
}

std::optional<Request> requestOf(const Provenance& provenance) {
  try {
    Request request = requestFromJson(parseJson(provenance.sampling.toStdString())).arguments.request;
    request.name.clear();
    return request;
  } catch (const UsageError&) {
    return std::nullopt;
  } catch (const EngineError&) {
    return std::nullopt;
  }
}

}  // namespace vitrine
