"""One encoder runs in two ways, with its activations as they are and in int8, and each is made of the other."""

from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from pincite_indexer.vectors.onnx_graphs.quantised import with_float_activations, with_int8_activations

ROWS, WIDTH = 5, 64
NUMBERS = np.random.default_rng(7)
GIVEN = NUMBERS.normal(size=(ROWS, WIDTH)).astype(np.float32)
WEIGHTS = {name: NUMBERS.normal(size=(WIDTH, WIDTH)).astype(np.float32) for name in ("first", "second", "third")}
GRAPH = f"""
<ir_version: 10, opset_import: ["" : 20]>
layers (float[n,{WIDTH}] given) => (float[n,{WIDTH}] made)
{{
  one = MatMul (given, first)
  two = MatMul (given, second)
  both = Add (one, two)
  active = Tanh (both)
  made = MatMul (active, third)
}}
"""


@pytest.fixture
def rounding(tmp_path: Any) -> onnx.ModelProto:
    """Three products, two of the same activations, as onnxruntime's quantiser writes them."""
    proto = onnx.parser.parse_model(GRAPH)
    proto.graph.initializer.extend(numpy_helper.from_array(values, name) for name, values in WEIGHTS.items())
    target = tmp_path / "rounding.onnx"
    quantize_dynamic(proto, target, per_channel=True, reduce_range=True, weight_type=QuantType.QInt8)
    return onnx.load(target)


def copied(proto: onnx.ModelProto) -> onnx.ModelProto:
    return onnx.load_from_string(proto.SerializeToString())


def kinds(proto: onnx.ModelProto) -> list[str]:
    return [node.op_type for node in proto.graph.node]


def run(proto: onnx.ModelProto) -> np.ndarray:
    onnx.checker.check_model(proto)
    session = ort.InferenceSession(proto.SerializeToString(), providers=["CPUExecutionProvider"])
    return np.asarray(session.run(None, {"given": GIVEN})[0])


def test_activations_stay_floats_and_weights_stay_int8(rounding: onnx.ModelProto) -> None:
    plain = with_float_activations(copied(rounding))
    assert kinds(plain).count("MatMul") == 3
    assert not {"MatMulInteger", "DynamicQuantizeLinear"} & set(kinds(plain))
    assert [tensor.SerializeToString() for tensor in plain.graph.initializer] == [
        tensor.SerializeToString() for tensor in rounding.graph.initializer
    ]


def test_floats_are_nearer_to_the_products_of_the_weights_than_rounded_ones(rounding: onnx.ModelProto) -> None:
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in rounding.graph.initializer}
    first, second, third = (
        stored[f"{name}_quantized"].astype(np.float32) * stored[f"{name}_scale"] for name in WEIGHTS
    )
    exact = np.tanh(GIVEN @ first + GIVEN @ second) @ third
    plain = run(with_float_activations(copied(rounding)))
    assert np.abs(plain - exact).max() < np.abs(run(rounding) - exact).max()


def test_rounding_again_gives_the_same_bits_and_rounds_shared_activations_once(rounding: onnx.ModelProto) -> None:
    again = with_int8_activations(with_float_activations(copied(rounding)))
    assert kinds(again).count("MatMulInteger") == 3
    assert kinds(again).count("DynamicQuantizeLinear") == 2
    assert np.array_equal(run(again), run(rounding))


def test_a_graph_without_what_is_looked_for_stays_as_it_is(rounding: onnx.ModelProto) -> None:
    before = rounding.SerializeToString(deterministic=True)
    assert with_int8_activations(copied(rounding)).SerializeToString(deterministic=True) == before
    proto = onnx.parser.parse_model(GRAPH)
    proto.graph.initializer.extend(numpy_helper.from_array(values, name) for name, values in WEIGHTS.items())
    untouched = proto.SerializeToString(deterministic=True)
    assert with_float_activations(copied(proto)).SerializeToString(deterministic=True) == untouched
    assert with_int8_activations(copied(proto)).SerializeToString(deterministic=True) == untouched
