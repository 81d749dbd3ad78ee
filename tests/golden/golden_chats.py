"""Chat templates in the wording models ship with: what transformers' own apply_chat_template makes of conversations.

The templates are what Vitrine has to recognise, so they are facts kept as they are; their branches for tools are
left out, since Vitrine writes no tools. Each goes with one of the small tokenizers beside it, one that knows its marks:
"rendered" is the text, "ids" are those of apply_chat_template(tokenize=True), which adds no special token of its own.
"""

import json

ZEPHYR = (
    "{% for message in messages %}\n{% if message['role'] == 'user' %}\n{{ '<|user|>\n' + message['content'] + eos_token }}\n"
    "{% elif message['role'] == 'system' %}\n{{ '<|system|>\n' + message['content'] + eos_token }}\n"
    "{% elif message['role'] == 'assistant' %}\n{{ '<|assistant|>\n'  + message['content'] + eos_token }}\n{% endif %}\n"
    "{% if loop.last and add_generation_prompt %}\n{{ '<|assistant|>' }}\n{% endif %}\n{% endfor %}")

# The built-in model's: Zephyr's, but it writes the bos token, since the model was trained with it.
ZEPHYR_BOS = "{{ bos_token }}" + ZEPHYR

CHATML = (
    "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n'}}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}")

QWEN2 = (
    "{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}"
    "{{ '<|im_start|>system\\nYou are a helpful assistant.<|im_end|>\\n' }}{% endif %}"
    "{{'<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n'}}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}")

QWEN25 = r"""{%- if messages[0]['role'] == 'system' %}
    {{- '<|im_start|>system\n' + messages[0]['content'] + '<|im_end|>\n' }}
{%- else %}
    {{- '<|im_start|>system\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.<|im_end|>\n' }}
{%- endif %}
{%- for message in messages %}
    {%- if (message.role == "user") or (message.role == "system" and not loop.first) or (message.role == "assistant" and not message.tool_calls) %}
        {{- '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>' + '\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\n' }}
{%- endif %}
"""

QWEN3 = r"""{%- if messages[0].role == 'system' %}
    {{- '<|im_start|>system\n' + messages[0].content + '<|im_end|>\n' }}
{%- endif %}
{%- set ns = namespace(multi_step_tool=true, last_query_index=messages|length - 1) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if ns.multi_step_tool and message.role == "user" and message.content is string and not(message.content.startswith('<tool_response>') and message.content.endswith('</tool_response>')) %}
        {%- set ns.multi_step_tool = false %}
        {%- set ns.last_query_index = index %}
    {%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- if message.content is string %}
        {%- set content = message.content %}
    {%- else %}
        {%- set content = '' %}
    {%- endif %}
    {%- if (message.role == "user") or (message.role == "system" and not loop.first) %}
        {{- '<|im_start|>' + message.role + '\n' + content + '<|im_end|>' + '\n' }}
    {%- elif message.role == "assistant" %}
        {%- set reasoning_content = '' %}
        {%- if message.reasoning_content is string %}
            {%- set reasoning_content = message.reasoning_content %}
        {%- else %}
            {%- if '</think>' in content %}
                {%- set reasoning_content = content.split('</think>')[0].rstrip('\n').split('<think>')[-1].lstrip('\n') %}
                {%- set content = content.split('</think>')[-1].lstrip('\n') %}
            {%- endif %}
        {%- endif %}
        {%- if loop.index0 > ns.last_query_index %}
            {%- if loop.last or (not loop.last and reasoning_content) %}
                {{- '<|im_start|>' + message.role + '\n<think>\n' + reasoning_content.strip('\n') + '\n</think>\n\n' + content.lstrip('\n') }}
            {%- else %}
                {{- '<|im_start|>' + message.role + '\n' + content }}
            {%- endif %}
        {%- else %}
            {{- '<|im_start|>' + message.role + '\n' + content }}
        {%- endif %}
        {{- '<|im_end|>\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\n\n</think>\n\n' }}
    {%- endif %}
{%- endif %}"""

LLAMA2 = (
    "{% if messages[0]['role'] == 'system' %}{% set loop_messages = messages[1:] %}{% set system_message = messages[0]['content'] %}"
    "{% else %}{% set loop_messages = messages %}{% set system_message = false %}{% endif %}{% for message in loop_messages %}"
    "{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}"
    "{% if loop.index0 == 0 and system_message != false %}"
    "{% set content = '<<SYS>>\\n' + system_message + '\\n<</SYS>>\\n\\n' + message['content'] %}{% else %}"
    "{% set content = message['content'] %}{% endif %}{% if message['role'] == 'user' %}"
    "{{ bos_token + '[INST] ' + content.strip() + ' [/INST]' }}{% elif message['role'] == 'assistant' %}"
    "{{ ' '  + content.strip() + ' ' + eos_token }}{% endif %}{% endfor %}")

LLAMA3 = (
    "{% set loop_messages = messages %}{% for message in loop_messages %}{% set content = '<|start_header_id|>' + message['role'] + "
    "'<|end_header_id|>\n\n'+ message['content'] | trim + '<|eot_id|>' %}{% if loop.index0 == 0 %}"
    "{% set content = bos_token + content %}{% endif %}{{ content }}{% endfor %}{% if add_generation_prompt %}"
    "{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %}")

LLAMA31 = r"""{{- bos_token }}
{%- if not date_string is defined %}
    {%- set date_string = "26 Jul 2024" %}
{%- endif %}

{#- This block extracts the system message, so we can slot it into the right place. #}
{%- if messages[0]['role'] == 'system' %}
    {%- set system_message = messages[0]['content']|trim %}
    {%- set messages = messages[1:] %}
{%- else %}
    {%- set system_message = "" %}
{%- endif %}

{{- "<|start_header_id|>system<|end_header_id|>\n\n" }}
{{- "Cutting Knowledge Date: December 2023\n" }}
{{- "Today Date: " + date_string + "\n\n" }}
{{- system_message }}
{{- "<|eot_id|>" }}

{%- for message in messages %}
    {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\n\n'+ message['content'] | trim + '<|eot_id|>' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start_header_id|>assistant<|end_header_id|>\n\n' }}
{%- endif %}
"""

LLAMA32 = LLAMA31.replace(
    '    {%- set date_string = "26 Jul 2024" %}\n',
    '    {%- if strftime_now is defined %}\n        {%- set date_string = strftime_now("%d %b %Y") %}\n    {%- else %}\n'
    '        {%- set date_string = "26 Jul 2024" %}\n    {%- endif %}\n')

MISTRAL1 = (
    "{{ bos_token }}{% for message in messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}"
    "{% if message['role'] == 'user' %}{{ '[INST] ' + message['content'] + ' [/INST]' }}{% elif message['role'] == 'assistant' %}"
    "{{ message['content'] + eos_token}}{% else %}{{ raise_exception('Only user and assistant roles are supported!') }}{% endif %}"
    "{% endfor %}")

MISTRAL1_SPACE = MISTRAL1.replace("message['content'] + eos_token}}", "message['content'] + eos_token + ' ' }}")

MISTRAL2 = r"""{%- if messages[0]["role"] == "system" %}
    {%- set system_message = messages[0]["content"] %}
    {%- set loop_messages = messages[1:] %}
{%- else %}
    {%- set loop_messages = messages %}
{%- endif %}

{{- bos_token }}
{%- for message in loop_messages %}
    {%- if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}
        {{- raise_exception('After the optional system message, conversation roles must alternate user/assistant/user/assistant/...') }}
    {%- endif %}
    {%- if message["role"] == "user" %}
        {%- if loop.first and system_message is defined %}
            {{- " [INST] " + system_message + "\n\n" + message["content"] + " [/INST]" }}
        {%- else %}
            {{- " [INST] " + message["content"] + " [/INST]" }}
        {%- endif %}
    {%- elif message["role"] == "assistant" %}
        {{- " " + message["content"] + eos_token}}
    {%- else %}
        {{- raise_exception("Only user and assistant roles are supported, with the exception of an initial optional system message!") }}
    {%- endif %}
{%- endfor %}
"""

MISTRAL3 = r"""{%- if messages[0]["role"] == "system" %}
    {%- set system_message = messages[0]["content"] %}
    {%- set loop_messages = messages[1:] %}
{%- else %}
    {%- set loop_messages = messages %}
{%- endif %}
{%- set user_messages = loop_messages | selectattr("role", "equalto", "user") | list %}

{{- bos_token }}
{%- for message in loop_messages %}
    {%- if message["role"] == "user" %}
        {%- if loop.last and system_message is defined %}
            {{- "[INST] " + system_message + "\n\n" + message["content"] + "[/INST]" }}
        {%- else %}
            {{- "[INST] " + message["content"] + "[/INST]" }}
        {%- endif %}
    {%- elif message["role"] == "assistant" %}
        {{- " " + message["content"]|trim + eos_token}}
    {%- endif %}
{%- endfor %}
"""

USER = [{"role": "user", "content": "Why is the sky blue?"}]
SYSTEM = [{"role": "system", "content": "You answer briefly."}] + USER
TURNS = USER + [{"role": "assistant", "content": "Rayleigh scattering."}, {"role": "user", "content": "And at dusk?\nExplain."}]
SYSTEM_TURNS = SYSTEM[:1] + TURNS
SPACES = [{"role": "user", "content": "  spaced \n"}, {"role": "assistant", "content": "\n answer "}, {"role": "user", "content": "\tend\n\n"}]
SYSTEM_SPACES = [{"role": "system", "content": " sys \n"}] + SPACES
EMPTY = [{"role": "user", "content": ""}]
THOUGHT = [{"role": "user", "content": "2+2?"}, {"role": "assistant", "content": "<think>\nTwo and two.\n</think>\n\nFour."},
           {"role": "user", "content": "Sure?"}]
THOUGHT_LAST = THOUGHT[:2]
ANSWER_LAST = TURNS[:2]
TWO_ANSWERS = USER + [{"role": "assistant", "content": "One."}, {"role": "assistant", "content": "<think>\nhm\n</think>\nTwo."}]
LATE_SYSTEM = USER + [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Go on."}]

WITH_SYSTEM = [USER, SYSTEM, TURNS, SYSTEM_TURNS, SPACES, SYSTEM_SPACES, EMPTY]
WITHOUT_SYSTEM = [USER, TURNS, SPACES, EMPTY]
CHATML_EXTRA = [THOUGHT, THOUGHT_LAST, ANSWER_LAST, LATE_SYSTEM]

# name, kind as ChatFormat::name() says it, tokenizer, bos, eos, template, conversations, thinking options, further arguments
CHATS = [
    ("zephyr", "zephyr", "mistral", "<s>", "</s>", ZEPHYR, WITH_SYSTEM + [LATE_SYSTEM], [None], {}),
    ("zephyr-bos", "zephyr", "mistral", "<s>", "</s>", ZEPHYR_BOS, WITH_SYSTEM + [LATE_SYSTEM], [None], {}),
    ("chatml", "chatml", "qwen2", None, "<|im_end|>", CHATML, WITH_SYSTEM + CHATML_EXTRA, [None], {}),
    ("qwen2", "chatml", "qwen2", None, "<|im_end|>", QWEN2, WITH_SYSTEM + CHATML_EXTRA, [None], {}),
    ("qwen2.5", "chatml", "qwen2", None, "<|im_end|>", QWEN25, WITH_SYSTEM + CHATML_EXTRA, [None], {}),
    ("qwen3", "chatml", "qwen2", None, "<|im_end|>", QWEN3, WITH_SYSTEM + CHATML_EXTRA + [TWO_ANSWERS], [True, False], {}),
    ("llama-2", "llama-2", "llama-prepend", "<s>", "</s>", LLAMA2, WITH_SYSTEM, [None], {}),
    ("llama-3", "llama-3", "llama3", "<|begin_of_text|>", "<|eot_id|>", LLAMA3, WITH_SYSTEM + [LATE_SYSTEM], [None], {}),
    ("llama-3.1", "llama-3", "llama3", "<|begin_of_text|>", "<|eot_id|>", LLAMA31, WITH_SYSTEM + [LATE_SYSTEM], [None], {}),
    # Vitrine writes the template's own fixed date, not today's, so that one prompt is always the same tokens.
    ("llama-3.2", "llama-3", "llama3", "<|begin_of_text|>", "<|eot_id|>", LLAMA32, WITH_SYSTEM, [None], {"date_string": "26 Jul 2024"}),
    ("mistral-v0.1", "mistral", "mistral", "<s>", "</s>", MISTRAL1, WITHOUT_SYSTEM, [None], {}),
    ("mistral-v0.1-space", "mistral", "mistral", "<s>", "</s>", MISTRAL1_SPACE, WITHOUT_SYSTEM, [None], {}),
    ("mistral-v0.2", "mistral", "mistral", "<s>", "</s>", MISTRAL2, WITH_SYSTEM, [None], {}),
    ("mistral-v0.3", "mistral", "mistral", "<s>", "</s>", MISTRAL3, WITH_SYSTEM, [None], {}),
]


def load(folder, bos, eos):
    """The tokenizer.json of a golden, by transformers; and by the tokenizers library, whose ids the goldens beside hold."""
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerFast

    path = str(folder / "tokenizer.json")
    named = {"bos_token": bos} if bos else {}
    return PreTrainedTokenizerFast(tokenizer_file=path, eos_token=eos, **named), Tokenizer.from_file(path)


def make(out, header, tokenizers):
    """Writes out/chat/expected.json; `tokenizers` is the folder of the small tokenizers."""
    cases, templates = [], {}
    for name, kind, folder, bos, eos, template, conversations, thinking_options, further in CHATS:
        templates[name] = template
        tokenizer, plain = load(tokenizers / folder, bos, eos)
        for conversation in conversations:
            for thinking in thinking_options:
                options = dict(further, chat_template=template, add_generation_prompt=True)
                if thinking is not None:
                    options["enable_thinking"] = thinking
                rendered = tokenizer.apply_chat_template(conversation, tokenize=False, **options)
                ids = tokenizer.apply_chat_template(conversation, tokenize=True, return_dict=False, **options)
                if list(ids) != plain.encode(rendered, add_special_tokens=False).ids:
                    raise RuntimeError(f"{name}: transformers and tokenizers disagree about {rendered!r}")
                cases.append({"template": name, "kind": kind, "tokenizer": folder, "thinking": thinking, "bos": bos, "eos": eos,
                              "messages": conversation, "rendered": rendered, "ids": list(ids)})
    folder = out / "chat"
    folder.mkdir(parents=True, exist_ok=True)
    head = json.dumps({**header, "templates": templates}, ensure_ascii=False, indent=1)[:-2]
    lines = ",\n".join(json.dumps(case, ensure_ascii=False, separators=(",", ":")) for case in cases)
    (folder / "expected.json").write_text(f'{head},\n "cases": [\n{lines}\n]}}\n', encoding="utf-8")
    return f"{len(cases)} cases of {len(templates)} templates"
