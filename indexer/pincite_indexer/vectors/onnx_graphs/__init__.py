"""Build ONNX graphs of embedding models without torch, from a model's weights or its published graph."""
