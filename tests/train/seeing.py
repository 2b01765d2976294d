"""A vision-language model of some eighty thousand parameters with its processor, made on the spot."""

from __future__ import annotations

import json
from pathlib import Path

from tests.rewards.adapters.tiny import TEXTS

SPECIAL = [
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
    "<|vision_start|>",
    "<|vision_end|>",
    "<|image_pad|>",
    "<|video_pad|>",
]
PROCESSOR = """
from transformers import Qwen3VLProcessor


class ImagesOnly(Qwen3VLProcessor):
    '''Without videos, whose processor needs torchvision.'''

    def __init__(self, image_processor=None, tokenizer=None, chat_template=None, **kwargs):
        super().__init__(image_processor, tokenizer, None, chat_template=chat_template)
"""
CHAT = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{% if message['content'] is string %}{{ message['content'] }}{% else %}{% for block in message['content'] %}"
    "{% if block['type'] == 'image' %}<|vision_start|><|image_pad|><|vision_end|>"
    "{% elif block['type'] == 'text' %}{{ block['text'] }}{% endif %}{% endfor %}{% endif %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def _tokenizer():
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    bpe.train_from_iterator(
        TEXTS, trainers.BpeTrainer(vocab_size=320, special_tokens=SPECIAL, initial_alphabet=alphabet)
    )
    made = PreTrainedTokenizerFast(tokenizer_object=bpe, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    made.add_special_tokens({"additional_special_tokens": SPECIAL[3:]})
    for name, token in zip(("vision_start", "vision_end", "image", "video"), SPECIAL[3:], strict=True):
        setattr(made, f"{name}_token", token)
        setattr(made, f"{name}_token_id", made.convert_tokens_to_ids(token))
    return made


def save_seeing_model(folder: Path) -> None:
    """The model, its processor and its generation settings, as a hub would have them."""
    import torch
    from transformers import (
        Qwen3VLConfig,
        Qwen3VLForConditionalGeneration,
    )
    from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

    tokenizer = _tokenizer()
    size = {"shortest_edge": 32 * 32, "longest_edge": 64 * 64}
    images = Qwen2VLImageProcessorPil(patch_size=16, merge_size=2, size=size)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "processing_images.py").write_text(PROCESSOR)
    images.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    (folder / "chat_template.jinja").write_text(CHAT)
    kind = {"processor_class": "ImagesOnly", "auto_map": {"AutoProcessor": "processing_images.ImagesOnly"}}
    settings = folder / "processor_config.json"
    settings.write_text(json.dumps(kind))
    ids = {name: tokenizer.convert_tokens_to_ids(token) for name, token in zip(SPECIAL, SPECIAL, strict=True)}
    text = {
        "vocab_size": len(tokenizer), "hidden_size": 24, "intermediate_size": 32, "num_hidden_layers": 2,
        "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 12, "max_position_embeddings": 1024,
        "rope_scaling": {"rope_type": "default", "mrope_section": [2, 2, 2], "mrope_interleaved": True},
        "eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id, "bos_token_id": None,
    }  # fmt: skip
    vision = {
        "depth": 2, "hidden_size": 16, "intermediate_size": 32, "num_heads": 2, "patch_size": 16,
        "spatial_merge_size": 2, "temporal_patch_size": 2, "out_hidden_size": 24, "num_position_embeddings": 16,
        "deepstack_visual_indexes": [1],
    }  # fmt: skip
    config = Qwen3VLConfig(
        text_config=text,
        vision_config=vision,
        image_token_id=ids["<|image_pad|>"],
        video_token_id=ids["<|video_pad|>"],
        vision_start_token_id=ids["<|vision_start|>"],
        vision_end_token_id=ids["<|vision_end|>"],
        tie_word_embeddings=True,
    )
    torch.manual_seed(0)
    model = Qwen3VLForConditionalGeneration(config)
    model.generation_config.eos_token_id = tokenizer.eos_token_id
    model.generation_config.suppress_tokens = [ids[name] for name in SPECIAL[3:]]
    model.save_pretrained(folder)
