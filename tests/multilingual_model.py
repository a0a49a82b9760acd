"""Models of the shapes of multilingual ones, made in seconds: sentencepiece over ten languages, random weights.

The libraries that make them take seconds to import: only a test that makes one pays for it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer, decoders, normalizers, pre_tokenizers, processors
from tokenizers.models import Unigram
from tokenizers.trainers import UnigramTrainer

__all__ = ("E5", "SENTENCES", "save_multilingual_model", "unigram_tokenizer")

E5 = {"query": "query: ", "passage": "passage: "}
SENTENCES = (
    "The cache keeps an answer for thirty seconds before the worker asks again.",
    "Der Zwischenspeicher behält eine Antwort dreißig Sekunden, bevor der Arbeiter wieder fragt.",
    "Le cache garde une réponse trente secondes avant que le processus ne redemande.",
    "La caché guarda una respuesta treinta segundos antes de que el proceso vuelva a preguntar.",
    "Кэш хранит ответ тридцать секунд, прежде чем рабочий процесс спросит снова.",
    "تحتفظ الذاكرة المؤقتة بالإجابة ثلاثين ثانية قبل أن يسأل العامل مرة أخرى.",
    "कैश तीस सेकंड तक उत्तर रखता है, फिर कार्यकर्ता दोबारा पूछता है।",
    "キャッシュは回答を三十秒間保存し、その後ワーカーが再び尋ねます。",
    "缓存将答案保留三十秒，然后工作进程再次询问。",
    "แคชเก็บคำตอบไว้สามสิบวินาทีก่อนที่ตัวทำงานจะถามอีกครั้ง",
)
_MARKS = ("<s>", "<pad>", "</s>", "<unk>")  # with XLM-RoBERTa's numbers
_WIDTH = {"hidden_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
_POSITIONS = 64


def unigram_tokenizer(size: int = 320) -> Tokenizer:
    """Return a tokenizer of XLM-RoBERTa's kind, trained on the sentences."""
    tokenizer = Tokenizer(Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    tokenizer.decoder = decoders.Metaspace()
    trainer = UnigramTrainer(vocab_size=size, special_tokens=list(_MARKS), unk_token="<unk>", show_progress=False)
    tokenizer.train_from_iterator([*SENTENCES, *E5.values()], trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    return tokenizer


def save_multilingual_model(
    folder: Path,
    kind: str = "xlm-roberta",
    pooling: str = "mean",
    *,
    prompts: Mapping[str, str] | None = None,
    dense: tuple[int, str] | None = None,
    normalize: bool = True,
    include_prompt: bool = True,
    **width: int,
) -> Path:
    """Save a random model and return its folder.

    Args:
        folder: Where to; the model's own is below it.
        kind: `xlm-roberta`, `bert`, `modernbert` or `qwen3`.
        pooling: As sentence-transformers names it.
        prompts: What its configuration names.
        dense: The size and the activation, a class of torch, of a layer behind the pooling.
        normalize: Whether the model ends with unit length by itself.
        include_prompt: Whether the pooling takes in the prompt's tokens.
        width: Sizes in place of the usual ones, such as `hidden_size`.
    """
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules
    from transformers import PreTrainedTokenizerFast

    torch.manual_seed(7)
    tokenizer = unigram_tokenizer()
    sizes = {**_WIDTH, "max_position_embeddings": _POSITIONS, **width}
    transformer = folder / "transformer"
    _architecture(kind, tokenizer.get_vocab_size(), sizes).save_pretrained(transformer)
    limit = sizes["max_position_embeddings"] - (2 if kind == "xlm-roberta" else 0)
    names = {"bos_token": "<s>", "cls_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>", "sep_token": "</s>"}
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=limit, unk_token="<unk>", **names)
    fast.save_pretrained(transformer)
    hidden = sizes["hidden_size"]
    layers: list[Any] = [
        modules.Transformer(str(transformer)),
        modules.Pooling(hidden, pooling, include_prompt=include_prompt),
    ]
    if dense:
        layers.append(modules.Dense(hidden, dense[0], activation_function=getattr(torch.nn, dense[1])()))
    model = SentenceTransformer(modules=layers + [modules.Normalize()] * normalize, device="cpu", prompts=prompts)
    model.save(str(folder / "model"))
    return folder / "model"


def _architecture(kind: str, vocabulary: int, sizes: dict[str, int]) -> Any:
    from transformers import (
        BertConfig,
        BertModel,
        ModernBertConfig,
        ModernBertModel,
        Qwen3Config,
        Qwen3Model,
        XLMRobertaConfig,
        XLMRobertaModel,
    )

    marks = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2}
    if kind == "xlm-roberta":
        return XLMRobertaModel(XLMRobertaConfig(vocab_size=vocabulary, **sizes, **marks, type_vocab_size=1))
    if kind == "bert":
        return BertModel(BertConfig(vocab_size=vocabulary, **sizes, pad_token_id=1))
    if kind == "modernbert":
        marks |= {"cls_token_id": 0, "sep_token_id": 2}
        return ModernBertModel(ModernBertConfig(vocab_size=vocabulary, **sizes, **marks))
    heads = {"num_key_value_heads": 2, "head_dim": 12}
    return Qwen3Model(Qwen3Config(vocab_size=vocabulary, **sizes, **heads, **marks))
