"""What a trainer calls a completion → the answer in it: text, without thoughts and without marks of the chat template.

Frameworks hand over text, messages, messages of blocks, or the whole decoded query; see the call shapes in the README's
"Rewards". The answer is the last thing that the model says after it has finished thinking.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cabs.errors import InputError
from cabs.io.record import kind_of

THINK, THOUGHT = "<think>", "</think>"

_THOUGHT = re.compile(
    r"<(?P<close>/)?(?:think|thinking|thought|reasoning)>|<\|channel\|>\s*(?P<channel>\w++)[^<]*+<\|message\|>"
)
"""The marks of thoughts: tags, and the channels of templates that have them, of which `final` holds the answer."""
_TURN = re.compile(
    r"<\|im_start\|>\s*assistant\s*|<\|start_header_id\|>\s*assistant\s*<\|end_header_id\|>|<start_of_turn>\s*model\s*"
    r"|<\|start\|>assistant[^<]*(?:<\|channel\|>final)?<\|message\|>|<\|assistant\|>|<\uff5cAssistant\uff5c>|\[/INST\]"
)
"""Where the turn of the model begins in a decoded query, in the chat templates in use."""
_END = re.compile(
    r"<\|im_end\|>|<\|eot_id\|>|<\|endoftext\|>|<\|end_of_text\|>|<end_of_turn>|<\|end\|>|<\|return\|>|</s>|<eos>"
    r"|<\uff5cend\u2581of\u2581sentence\uff5c>"
)
_MARK = re.compile(r"<\|[a-z_0-9]{1,40}\|>|<pad>|<s>|<bos>|<\uff5c[^<>]{1,40}\uff5c>")


@dataclass(frozen=True, slots=True)
class Answer:
    """`text`: what is scored. `whole`: everything that the model wrote, thoughts too. `cut`: the answer never came, or
    its end is missing."""

    text: str
    whole: str
    cut: bool = False


def answer_of(completion: object, *, query: bool = False, thinking: bool = False) -> Answer:
    """The answer of a completion; "" where there is none.

    - completion: text; a message, whose content is text or a list of blocks; a list of messages, of which the
      assistant's last one counts; None.
    - query: the text is prompt and answer together; what stands before the last turn of the model is the prompt's, even
      where it shows section tags.
    - thinking: the chat template opens the thought, so that an answer without `</think>` has none. A thought that is
      opened and never closed is recognised without it, and so is a lone `</think>`.

    Raises:
        InputError: it is none of these.
    """
    written = _written(completion)
    if query:
        turns = _TURN.split(written)
        if len(turns) == 1:
            raise InputError("no turn of the model found in the query", place="completion", hint="cut the prompt off")
        written = turns[-1]
    marks = list(_THOUGHT.finditer(written))
    closing = [mark for mark in marks if mark["close"] or mark["channel"] == "final"]
    start = closing[-1].end() if closing else 0
    opened = any(mark.start() >= start for mark in marks) or (thinking and not closing)
    ended = _END.search(written, start)
    whole = _MARK.sub("", written if ended is None else written[: ended.start()]).strip()
    if opened:
        return Answer("", whole, cut=True)
    return Answer(_MARK.sub("", written[start : len(written) if ended is None else ended.start()]).strip(), whole)


def _written(completion: object) -> str:
    if completion is None:
        return ""
    if isinstance(completion, str):
        return completion
    if isinstance(completion, Mapping):
        return _content(completion)
    if isinstance(completion, Sequence):
        return _last(completion)
    raise InputError(f"text or messages expected, found {kind_of(completion)}", place="completion")


def _last(messages: Sequence[object]) -> str:
    """The text of the assistant's last message; of the last one where none names a role."""
    known = [m for m in messages if isinstance(m, Mapping)]
    if len(known) < len(messages):
        raise InputError("a list of messages holds something else", place="completion", hint='{"role", "content"}')
    own = [m for m in known if m.get("role", "assistant") == "assistant"]
    return _content(own[-1]) if own else ""


def _content(message: Mapping[str, object]) -> str:
    if "content" not in message:
        raise InputError("a message without content", place="completion", hint='{"role", "content"}')
    content = message["content"]
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        return "".join(_block(block) for block in content)
    raise InputError(f"a message holds {kind_of(content)}, text or blocks expected", place="completion")


def _block(block: object) -> str:
    text = block.get("text") if isinstance(block, Mapping) else block
    return text if isinstance(text, str) else ""
