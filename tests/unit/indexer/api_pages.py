"""The API of a marina, as three tools for OpenAPI show it: short pages in the markup of each."""

__all__ = ("DOCUSAURUS", "PAGES", "REDOC", "SWAGGER_UI")

DOCUSAURUS = """
<h1 class="openapi__heading">Reserve a berth</h1>
<pre class="openapi__method-endpoint"><span class="badge badge--success">POST</span>
<h2 class="openapi__method-endpoint-path">/berths/{harbor}</h2></pre>
<div class="openapi__divider"></div><p>Keeps a berth for one boat.</p>
<h2 class="openapi-tabs__heading" id="request">Request<a href="#request" class="hash-link"></a></h2>
<details class="openapi-markdown__details" open><summary><h3>Query Parameters</h3></summary><div><ul>
<div class="openapi-params__list-item"><span class="openapi-schema__container"><strong
class="openapi-schema__property">nights</strong><span class="openapi-schema__type">integer</span></span>
<div><strong>Default value: </strong><span><code>2</code></span></div><p>Length of the stay.</p></div>
</ul></div></details>
<details class="openapi-markdown__details" open><summary><h3>Body</h3></summary><div><ul>
<div class="openapi-schema__list-item"><div><span class="openapi-schema__container"><strong
class="openapi-schema__property">boat_id</strong><span class="openapi-schema__name">string&lt;uuid&gt;</span><span
class="openapi-schema__divider"></span><span class="openapi-schema__required">required</span></span>
<p>The boat that stays.</p></div></div>
<div class="openapi-schema__list-item"><details><summary><span class="openapi-schema__container"><strong
class="openapi-schema__property">owner</strong><span class="openapi-schema__name">object[]</span></span></summary><div>
<div><p>Who pays.</p></div><li><div>Array [</div></li>
<div class="openapi-schema__list-item"><div><span class="openapi-schema__container"><strong
class="openapi-schema__property">street</strong><span class="openapi-schema__name">string</span></span>
<p><strong>Possible values:</strong> <code>&lt;= 80 characters</code></p></div></div>
<li><div>]</div></li></div></details></div>
</ul></div></details>
<h2 class="openapi-tabs__heading" id="responses">Responses</h2>
<ul role="tablist"><li role="tab">201</li><li role="tab">404</li></ul>
<div role="tabpanel"><p>The berth is kept.</p></div>
<div role="tabpanel" hidden><p>The harbor is not known.</p></div>
<form class="openapi-explorer__request-form"><span>Base URL</span></form>
"""

_REDOC_FIELD = (
    '<tr><td class="a" kind="field" title="{name}"><span></span><span class="property-name">{name}</span>{badge}</td>'
    "<td><div><div><span></span><span>{type}</span></div>{more}<div><div><p>{about}</p></div></div></div></td></tr>"
)


def _redoc_field(name: str, kind: str, about: str, badge: str = "", more: str = "") -> str:
    return _REDOC_FIELD.format(name=name, type=kind, about=about, badge=badge, more=more)


_REQUIRED = '<div class="b">required</div>'
_DEFAULT = "<div><span>Default:</span> <span>2</span></div>"

REDOC = f"""
<div class="api-content">
<div id="tag/berths" data-section-id="tag/berths"><h1><a href="#tag/berths"></a>berths</h1></div>
<div id="tag/berths/operation/reserve"><div id="operation/reserve"><div class="c">
<h2><a href="#tag/berths/operation/reserve"></a>Reserve a berth<span type="warning"> Deprecated </span></h2>
<p>Keeps a berth for one boat.</p>
<div><h5>query Parameters</h5><table><tbody>
{_redoc_field("nights", "integer", "Length of the stay.", more=_DEFAULT)}
{_redoc_field("flag", "string", "Country of the boat.")}
</tbody></table></div>
<h5>Request Body schema: <span>application/json</span></h5><table><tbody>
{_redoc_field("boat_id", "string &lt;uuid&gt;", "The boat that stays.", badge=_REQUIRED)}
{_redoc_field("owner", "object", "Who pays.").replace(">owner<", "><button>owner</button><")}
<tr><td colspan="2"><div><table><tbody>{_redoc_field("street", "string", "Street and number.", badge=_REQUIRED)}
</tbody></table></div></td></tr>
</tbody></table>
<div><h3>Responses</h3><div><button><svg></svg><strong>201</strong><span><p>The berth is kept.</p></span></button></div>
<div><button><strong>404</strong><span><p>The harbor is not known.</p></span></button></div></div></div>
<div class="d"><div><button><span type="post" class="http-verb post">post</span><span>/berths/{{harbor}}</span></button>
<div aria-hidden="true"><span>https://api.marina.example</span>/berths/{{harbor}}</div></div>
<div><h3>Request samples</h3><div class="redoc-json"><code><button class="collapser"></button><span>{{</span><ul><li>
<div><span>"boat_id"</span>: <span>"7d3f"</span></div></li></ul><span>}}</span></code></div></div></div>
</div></div></div>
"""

SWAGGER_UI = """
<section class="swagger-ui swagger-container"><div class="swagger-ui"><h1 class="title">Marina API<span><small><pre
class="version">1.4</pre></small></span></h1>
<main id="operations"><div><h3 class="opblock-tag" id="operations-tag-berths"><a href="#/berths"><span>berths</span></a>
<small><div class="renderedMarkdown"><p>Places for boats.</p></div></small></h3><div><span>
<div class="opblock opblock-post is-open" id="operations-berths-reserve"><div class="opblock-summary"><button
class="opblock-summary-control"><span class="opblock-summary-method">POST</span><div><span
class="opblock-summary-path"><a href="#/berths/reserve"><span>/berths<wbr>/{harbor}</span></a></span><div
class="opblock-summary-description">Reserve a berth</div></div></button></div>
<div class="opblock-body"><p>Keeps a berth for one boat.</p><h4>Parameters</h4>
<table class="parameters"><thead><tr><th>Name</th><th>Description</th></tr></thead><tbody>
<tr data-param-name="nights" data-param-in="query"><td><div class="parameter__name">nights</div><div
class="parameter__type">integer</div><div class="parameter__in">(query)</div></td><td><div><p>Length of the stay.</p>
</div><div class="parameter__default renderedMarkdown"><p><i>Default value</i> : 2</p></div>
<input type="text"></td></tr>
</tbody></table>
<div class="opblock-section-request-body"><h4>Request body</h4><span class="model"><span class="brace-open">{</span>
<span class="inner-object"><table class="model"><tbody>
<tr class="property-row required"><td>boat_id<span class="star">*</span></td><td><span class="model"><span
class="prop"><span class="prop-type">string</span><span class="prop-format">($uuid)</span><div
class="renderedMarkdown"><p>The boat that stays.</p></div></span></span></td></tr>
<tr class="property-row"><td>owner</td><td><span class="model"><strong class="model-title"><span
class="model-title__text">Person</span></strong><span>{</span><span class="inner-object"><table class="model"><tbody>
<tr class="property-row"><td>street</td><td><span class="model"><span class="prop"><span
class="prop-type">string</span><span class="property primitive"><br>maxLength: 80</span></span></span></td></tr>
</tbody></table></span><span>}</span></span></td></tr>
</tbody></table></span><span>}</span></span></div>
<h4>Responses</h4><table class="responses-table"><thead><tr><td>Code</td><td>Description</td></tr></thead><tbody>
<tr class="response" data-code="201"><td>201</td><td><div><p>The berth is kept.</p></div></td>
<td><i>No links</i></td></tr>
<tr class="response" data-code="404"><td>404</td><td><div><p>The harbor is not known.</p></div></td></tr>
</tbody></table></div></div></span></div></div></main></div></section>
"""

PAGES = {"docusaurus": DOCUSAURUS, "redoc": REDOC, "swagger-ui": SWAGGER_UI}
"""Contents of the page by tool."""
