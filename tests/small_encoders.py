"""Encoders of a few hundred bytes, good and hostile, and a tokenizer for them: no model is trained or downloaded."""

from collections.abc import Sequence

from onnx import NodeProto, TensorProto, helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

__all__ = ("BAD", "DIMENSION", "TOKENIZER", "endless", "external", "greedy", "steady")

DIMENSION = 64
TOKENIZER = Tokenizer(WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
TOKENIZER.pre_tokenizer = Whitespace()
TOKENIZER = TOKENIZER.to_str().encode()

_FLOAT, _INT = TensorProto.FLOAT, TensorProto.INT64


def _model(
    nodes: Sequence[NodeProto], inits: Sequence[TensorProto] = (), kind: int = _FLOAT, domain: str = ""
) -> bytes:
    inputs = [helper.make_tensor_value_info(name, _INT, ["b", "t"]) for name in ("input_ids", "attention_mask")]
    outputs = [helper.make_tensor_value_info("sentence_embedding", kind, None)]
    graph = helper.make_graph(list(nodes), "g", inputs, outputs, list(inits))
    domains = [helper.make_opsetid("", 17), *([helper.make_opsetid(domain, 1)] if domain else [])]
    return bytes(helper.make_model(graph, opset_imports=domains, ir_version=8).SerializeToString())


def steady(values: Sequence[float] = (1.0,) + (0.0,) * (DIMENSION - 1), kind: int = _FLOAT) -> bytes:
    """Return an encoder that gives every text the same vector."""
    tensor = helper.make_tensor("v", kind, [1, len(values)], list(values))
    return _model([helper.make_node("Constant", [], ["sentence_embedding"], value=tensor)], kind=kind)


def greedy(numbers: int = 1_100_000_000) -> bytes:
    """Return an encoder that makes so many numbers, four bytes each, of nothing."""
    one = helper.make_tensor("one", _FLOAT, [1], [1.0])
    return _model(
        [
            helper.make_node("ConstantOfShape", ["size"], ["many"], value=one),
            helper.make_node("ReduceSum", ["many"], ["sum"], keepdims=0),
            helper.make_node("Reshape", ["sum", "shape"], ["sentence_embedding"]),
        ],
        [helper.make_tensor("size", _INT, [1], [numbers]), helper.make_tensor("shape", _INT, [2], [1, 1])],
    )


def endless() -> bytes:
    """Return an encoder that goes round and round."""
    scalars = [helper.make_tensor_value_info(name, kind, []) for name, kind in (("i", _INT), ("go", TensorProto.BOOL))]
    body = helper.make_graph(
        [helper.make_node("Identity", ["go"], ["on"]), helper.make_node("Add", ["x", "x"], ["y"])],
        "body",
        [*scalars, helper.make_tensor_value_info("x", _FLOAT, [1, DIMENSION])],
        [
            helper.make_tensor_value_info("on", TensorProto.BOOL, []),
            helper.make_tensor_value_info("y", _FLOAT, [1, DIMENSION]),
        ],
    )
    return _model(
        [
            helper.make_node("Cast", ["input_ids"], ["c"], to=_FLOAT),
            helper.make_node("ReduceSum", ["c"], ["s"]),
            helper.make_node("Add", ["s", "zeros"], ["start"]),
            helper.make_node("Loop", ["times", "true", "start"], ["sentence_embedding"], body=body),
        ],
        [
            helper.make_tensor("times", _INT, [], [2**62]),
            helper.make_tensor("true", TensorProto.BOOL, [], [True]),
            helper.make_tensor("zeros", _FLOAT, [1, DIMENSION], [0.0] * DIMENSION),
        ],
    )


def external(location: str, length: int = DIMENSION) -> bytes:
    """Return an encoder whose weights are the bytes of another file."""
    weights = TensorProto(name="w", data_type=TensorProto.UINT8, dims=[length], data_location=TensorProto.EXTERNAL)
    weights.external_data.add(key="location", value=location)
    return _model(
        [
            helper.make_node("Cast", ["w"], ["c"], to=_FLOAT),
            helper.make_node("Reshape", ["c", "shape"], ["r"]),
            helper.make_node("LpNormalization", ["r"], ["sentence_embedding"]),
        ],
        [weights, helper.make_tensor("shape", _INT, [2], [1, length])],
    )


BAD: dict[str, tuple[bytes, str]] = {
    "no model": (b"not a model", "it cannot be loaded"),
    "nothing": (b"", "it cannot be loaded"),
    "too much memory": (greedy(), "it needs more memory than an encoder of its size"),
    "no numbers": (steady([float("nan")] * DIMENSION), "its vectors are not unit vectors"),
    "endless numbers": (steady([float("inf")] * DIMENSION), "its vectors are not unit vectors"),
    "zeros": (steady([0.0] * DIMENSION), "its vectors are not unit vectors"),
    "vectors of length 5": (steady([5.0] + [0.0] * (DIMENSION - 1)), "its vectors are not unit vectors"),
    "too few components": (steady([1.0]), "its vectors have another shape than the index's"),
    "double precision": (
        steady([1.0] + [0.0] * (DIMENSION - 1), TensorProto.DOUBLE),
        "its vectors have another shape than the index's",
    ),
    "another output": (
        steady().replace(b"sentence_embedding", b"sentence_somethin_"),
        "it fails on plain text",
    ),
    "an operator from elsewhere": (
        _model([helper.make_node("Run", ["input_ids"], ["sentence_embedding"], domain="evil")], domain="evil"),
        "it cannot be loaded",
    ),
    "Python as an operator": (
        _model(
            [helper.make_node("PyOp", ["input_ids"], ["sentence_embedding"], domain="ai.onnx.contrib")],
            domain="ai.onnx.contrib",
        ),
        "it cannot be loaded",
    ),
    "a file of the system": (external("/etc/passwd"), "it cannot be loaded"),
    "a file of the folder above": (external("../secret"), "it cannot be loaded"),
    "memory of the process": (external("*/_ORT_MEM_ADDR_/*"), "it cannot be loaded"),
}
"""Hostile encoders, and why each is refused."""
