"""Decodes JSON bodies with strict types, directly from the bytes, and reports errors in one sentence.

Litestar's own decoding coerces types (`"5"` becomes 5). A DTO is its documented extension point for other decoding.
"""

import re
from collections.abc import Generator
from typing import Any, TypeVar

import msgspec
from litestar import post
from litestar.dto import AbstractDTO, DTOFieldDefinition
from litestar.openapi.datastructures import ResponseSpec
from litestar.typing import FieldDefinition

from pincite_server.http.transport.problems import Problem, problem_responses

__all__ = ("MAX_BODY_BYTES", "post_json")

_BODY_PROBLEMS = ("invalid_request", "body_too_slow", "body_too_large", "unsupported_media_type")
MAX_BODY_BYTES = 256 * 1024  # several times a selection of 10,000 characters, five turns and an embedding

_MISSING = re.compile("Object missing required field `(.*)`")

T = TypeVar("T", bound=msgspec.Struct)


class _StrictJson(AbstractDTO[T]):
    """DTO that decodes a request's body into the struct of its type parameter, and counts unknown fields."""

    def decode_bytes(self, value: bytes) -> Any:
        """Return the body as a struct.

        Raises:
            Problem: The body is not JSON, not declared as JSON, or has missing or mistyped fields.
        """
        content_type = self.asgi_connection.headers.get("content-type", "").partition(";")[0].strip().lower()
        if content_type != "application/json":
            raise Problem("unsupported_media_type")
        try:
            body = msgspec.json.decode(value, type=self.model_type)
        except msgspec.ValidationError as error:
            raise Problem("invalid_request", _sentence(error)) from error
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:  # deeply nested brackets
            raise Problem("invalid_request", "The body is no valid JSON in UTF-8. Send a JSON object.") from error
        sent = msgspec.json.decode(value, type=dict[str, msgspec.Raw])
        unknown = sent.keys() - set(self.model_type.__struct_encode_fields__)
        self.asgi_connection.app.state.sidecar.counters.add("unknown_fields", len(unknown))
        return body

    @classmethod
    def create_for_field_definition(cls, field_definition: Any, handler_id: str, backend_cls: Any = None) -> None:
        """Do nothing: msgspec decodes into the struct itself."""

    @classmethod
    def create_openapi_schema(cls, field_definition: FieldDefinition, handler_id: str, schema_creator: Any) -> Any:
        """Return the struct's own schema."""
        return schema_creator.for_field_definition(field_definition)

    @classmethod
    def generate_field_definitions(cls, model_type: type[Any]) -> Generator[DTOFieldDefinition, None, None]:
        """Yield nothing: the struct's fields are not transformed."""
        yield from ()

    @classmethod
    def detect_nested_field(cls, field_definition: FieldDefinition) -> bool:
        """Return False: the struct's fields are not transformed."""
        return False


def post_json(
    path: str, body: type[msgspec.Struct], summary: str, *problems: str, reply: ResponseSpec | None = None
) -> post:
    """Return the decorator of a POST route that decodes its JSON body into a struct and can return some problems."""
    return post(
        path,
        dto=_StrictJson[body],  # type: ignore[valid-type]
        return_dto=None,
        status_code=200,
        responses={**({200: reply} if reply else {}), **problem_responses(*_BODY_PROBLEMS, *problems)},
        summary=summary,
    )


def _sentence(error: msgspec.ValidationError) -> str:
    """Convert msgspec's message, such as "Expected `str`, got `int` - at `$.query`", to a sentence for a client."""
    what, _, where = str(error).partition(" - at ")
    path = where.strip("`").removeprefix("$").lstrip(".")
    if missing := _MISSING.fullmatch(what):
        field = f"{path}.{missing[1]}" if path else missing[1]
        return f"The field `{field}` is missing. Send it."
    return f"The field `{path}` is wrong: {what[:1].lower()}{what[1:]}." if path else f"The body is wrong: {what}."
