"""Embedding models as ONNX graphs without torch: from a model's weights, or from the graph it is published with."""
