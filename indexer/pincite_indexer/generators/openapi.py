"""Describe tools that show a web API from its OpenAPI description: Docusaurus's OpenAPI plugin, Redoc, Swagger UI.

Redoc's own classes are hashes, so that its parameters are recognised by the attribute `kind="field"`.
"""

from pincite_indexer.generators.generator import Generator

__all__ = ("OPENAPI_DOCS", "REDOC", "SWAGGER_UI")

OPENAPI_DOCS = Generator(  # `docusaurus-theme-openapi-docs`, in pages of Docusaurus
    furniture=frozenset(
        "openapi-explorer__request-form openapi-explorer__response-container "
        "openapi-explorer__code-block-btn-group".split()
    ),
    placeholders=frozenset({"openapi-skeleton"}),
    api_marks=(b"openapi-",),
    api_fields=frozenset({"openapi-schema__list-item", "openapi-params__list-item"}),
    api_names=frozenset({"openapi-schema__property"}),
    api_types=frozenset({"openapi-schema__name", "openapi-schema__type"}),
    api_deprecated=frozenset({"openapi-schema__strikethrough"}),
)

REDOC = Generator(
    content_otherwise=('.//div[contains(concat(" ", @class, " "), " api-content ")]',),
    placeholder_attributes=frozenset({"data-section-id"}),
    api_names=frozenset({"property-name"}),
    api_deprecated=frozenset({"deprecated"}),
    api_json=frozenset({"redoc-json"}),
)

SWAGGER_UI = Generator(  # a page that a browser has rendered and saved
    content=('.//section[contains(concat(" ", @class, " "), " swagger-container ")]',),
    content_otherwise=('.//div[contains(concat(" ", @class, " "), " swagger-ui ")]',),  # of earlier versions
    furniture=frozenset(
        "swagger-ui__skip-link scheme-container response-controls model-toggle model-hint "
        "json-schema-2020-12-expand-deep-button".split()
    ),
    api_fields=frozenset({"property-row", "json-schema-2020-12-property"}),
    api_names=frozenset({"parameter__name", "json-schema-2020-12__title"}),
    api_types=frozenset(
        "parameter__type prop-type prop-format model-title__text json-schema-2020-12__attribute--primary "
        "json-schema-2020-12__constraint".split()
    ),
    api_places=frozenset({"parameter__in"}),
    api_required=frozenset({"required", "json-schema-2020-12-property--required"}),
    api_deprecated=frozenset({"deprecated"}),
    api_values=frozenset({"json-schema-2020-12-json-viewer"}),
    api_labels=frozenset({"json-schema-2020-12-json-viewer__name"}),
    api_data=frozenset({"json-schema-2020-12-json-viewer__value"}),
)
