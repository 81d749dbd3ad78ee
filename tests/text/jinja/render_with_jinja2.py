#!/usr/bin/env python3
"""Renders templates with Jinja itself, set up as transformers does for chat templates.

    render_with_jinja2.py CASES RESULTS

CASES is a JSON list of {"template": text, "variables": object}. RESULTS becomes a list of {"text": ...},
{"refused": ...} for raise_exception, or {"error": ...} for anything else that goes wrong.
"""

import datetime
import json
import sys

import jinja2
import jinja2.ext
import jinja2.sandbox

NOW = datetime.datetime(2025, 7, 9, 13, 5, 9)  # what strftime_now says


class Refusal(jinja2.exceptions.TemplateError):
    """What raise_exception raises, to tell it from Jinja's own errors."""


class GenerationTag(jinja2.ext.Extension):
    """{% generation %}: its body, rendered by a call block."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        call = self.call_method("_render")
        return jinja2.nodes.CallBlock(call, [], [], body).set_lineno(line)

    def _render(self, caller):
        return caller()


def raise_exception(message):
    raise Refusal(message)


def strftime_now(format):
    return NOW.strftime(format)


def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def make_environment():
    environment = jinja2.sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[GenerationTag, jinja2.ext.loopcontrols]
    )
    environment.filters["tojson"] = tojson
    environment.globals["raise_exception"] = raise_exception
    environment.globals["strftime_now"] = strftime_now
    return environment


def render(environment, parsed, case):
    text = case["template"]
    try:
        if text not in parsed:
            parsed[text] = environment.from_string(text)
        return {"text": parsed[text].render(**case["variables"])}
    except Refusal as refusal:
        return {"refused": str(refusal)}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        cases = json.load(file)
    environment, parsed = make_environment(), {}
    results = [render(environment, parsed, case) for case in cases]
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(results, file)


if __name__ == "__main__":
    main()
