// vitrine-cli serve: the engine behind an HTTP API that the field's clients use.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>

#include "request_run.h"
#include "server/api_server.h"
#include "server/served_engine.h"
#include "vitrine/message_text.h"

namespace vitrine::cli {
namespace {

// Running requests may finish for so long, and what is written may still be read; a second signal ends at
// once.
constexpr std::chrono::milliseconds kFinishTime{4000}, kReadTime{1000};
constexpr const char *kTokenVariable = "VITRINE_SERVE_TOKEN", *kWatchVariable = "VITRINE_SERVE_WATCH_TOKEN";

struct ServeArguments {
  EngineArguments engine;
  std::string host = "127.0.0.1", token, tokenFile, watchTokenFile;
  std::vector<std::string> names;  // under which clients reach it
  int port = 8000, requests = server::ApiServer::kUsualMost;
};

// Waits for SIGTERM or SIGINT. From its making on they end nothing by themselves; the second one does.
class EndSignal {
 public:
  EndSignal() {
    if (pipe2(s_ends, O_CLOEXEC) != 0) throw EngineError(ErrorCode::kIo, "cannot make a pipe");
    struct sigaction action = {};
    action.sa_handler = [](int) {
      const int before = errno;
      [[maybe_unused]] const auto written = ::write(s_ends[1], "x", 1);
      errno = before;
    };
    action.sa_flags = SA_RESETHAND;
    sigaction(SIGTERM, &action, nullptr);
    sigaction(SIGINT, &action, nullptr);
  }
  void wait() {
    char byte = 0;
    while (::read(s_ends[0], &byte, 1) < 0 && errno == EINTR) {
    }
  }

 private:
  inline static int s_ends[2] = {-1, -1};
};

// Of a file, else of a variable; empty when neither is given.
std::string tokenFrom(const std::string& option, const std::string& file, const char* variable) {
  std::string token;
  if (!file.empty()) {
    token = readFile(file);
    token.erase(token.find_last_not_of(" \t\r\n") + 1);
    if (token.empty()) throw UsageError(option + " holds no token");
  } else if (const char* const value = std::getenv(variable)) {
    token = value;
  }
  if (!token.empty()) server::requireToken(token);
  return token;
}

std::string tokenOf(const ServeArguments& arguments) {
  if (arguments.token.empty()) return tokenFrom("--token-file", arguments.tokenFile, kTokenVariable);
  if (!arguments.tokenFile.empty()) throw UsageError("--token and --token-file exclude each other");
  server::requireToken(arguments.token);
  return arguments.token;
}

// Without a token that steers every client may steer, and a token that only watches would keep none from it.
std::string watchTokenOf(const ServeArguments& arguments, const std::string& token) {
  std::string watches = tokenFrom("--watch-token-file", arguments.watchTokenFile, kWatchVariable);
  if (!watches.empty() && token.empty())
    throw UsageError("a token that only watches needs one beside it that steers",
                     std::string("Give --token-file, or the variable ") + kTokenVariable + ".");
  if (!watches.empty() && watches == token)
    throw UsageError("the token that only watches must be another than the one that steers");
  return watches;
}

// "localhost" is the one name that needs no look-up.
std::string addressOf(const std::string& host) {
  const std::string address = host == "localhost" ? "127.0.0.1" : host;
  if (!server::HttpServer::isAddress(address))
    throw UsageError("--host must be an address, such as 127.0.0.1 or 0.0.0.0, not \"" +
                     forMessage(host, 60) + "\"");
  return address;
}

int serve(const ServeArguments& arguments, bool json) {
  const std::string address = addressOf(arguments.host), token = tokenOf(arguments);
  const std::string watchToken = watchTokenOf(arguments, token);
  if (token.empty() && !server::HttpServer::isLoopback(address))
    throw UsageError("--host " + address + " can be reached from outside, so it needs a token",
                     std::string("Give --token-file, or the variable ") + kTokenVariable + ".");
  server::AnswerEvents events;
  const LoadedEngine loaded = loadEngine(arguments.engine, events);
  noteChatFormat(*loaded.engine);
  server::ServedEngine served(*loaded.engine, events,
                              server::servedModel(*loaded.engine, arguments.engine.modelDirectory()));
  server::ApiServer api(served, server::AccessRules::forAddress(address, arguments.names, token, watchToken),
                        arguments.requests);
  server::HttpServer http(api);
  EndSignal signal;
  http.listen(address, arguments.port);
  const std::string& model = served.model()->name;
  if (json)
    printJson({{"url", http.url()}, {"host", address}, {"port", http.port()}, {"model", model}});
  else
    print("%s is served at %s/v1 (Ctrl+C ends)\n", model.c_str(), http.url().c_str());
  flushOutput();
  requireOutput();
  signal.wait();
  http.stopListening();
  served.drain(kFinishTime);
  http.close(kReadTime);
  return 0;
}

}  // namespace

void addServe(CLI::App& app, Program& program) {
  CLI::App* command = app.add_subcommand("serve", "answer clients of OpenAI's API over HTTP and WebSocket");
  const auto arguments = std::make_shared<ServeArguments>();
  command
      ->add_option("--host", arguments->host,
                   "the address to listen on; one beyond this machine needs a token")
      ->capture_default_str();
  addNumber(*command, arguments->port, {"--port", 0, 65535, "the port to listen on; 0: one that is free"});
  command->add_option(
      "--token", arguments->token,
      "what clients must send as Authorization: Bearer TOKEN; other users of this machine see it in "
      "the list of processes, but not --token-file or the variable VITRINE_SERVE_TOKEN");
  command->add_option("--token-file", arguments->tokenFile, "a file that holds the token");
  command->add_option(
      "--watch-token-file", arguments->watchTokenFile,
      "a file that holds a second token, with which clients may watch (events, metrics, models) "
      "and make no requests; or the variable VITRINE_SERVE_WATCH_TOKEN");
  command
      ->add_option("--allow-host", arguments->names,
                   "another name by which clients reach this machine (may be given several times)")
      ->allow_extra_args(false);
  addNumber(*command, arguments->requests,
            {"--max-requests", 1, 100000, "requests that may wait or run at once; one more is refused"});
  addEngineOptions(*command, arguments->engine);
  addTemplateOption(*command, arguments->engine);
  setWork(*command, program, [arguments](bool json) { return serve(*arguments, json); });
}

}  // namespace vitrine::cli
