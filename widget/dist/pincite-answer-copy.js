function l({title:o,section:n,page:r}){return n&&n!==r?n:o}function f(o){let n=new Map;for(let r of o){let t=r.n?r.source_type??"page":"related";n.set(t,[...n.get(t)??[],r])}return[...n].map(([r,t])=>({type:r,citations:t}))}function a(o,n){return n(`type_${o}`)||o}function c(o,n={},...r){let t=document.createElement(o);for(let[s,e]of Object.entries(n))e==null||e===!1||(typeof e=="function"?t.addEventListener(s.slice(2),e):t.setAttribute(s,e===!0?"":String(e)));return t.append(...r.filter(s=>s!=null&&s!==!1)),t}function y({title:o,turns:n},r,t){let s=n.map(e=>`## ${e.query}

${d(e,r,t)}`);return[`# ${o}`,...s].join(`

`)+`
`}function d({answer:o,citations:n,refusal:r},t,s){let e=f(n),u=r?p(r.nearest??[],t):e.map(i=>(e.length>1?`### ${a(i.type,s)}

`:"")+p(i.citations,t)).join(`

`);return[r?.message??o,u].filter(Boolean).join(`

`)}function p(o,n){return o.map(t=>{let s=n(t),e=l(t),u=s?`[${e}](${s})`:e;return t.n?`${t.n}. ${u}`:`- ${u}`}).join(`
`)}function S(o,n,r){let t=o.cloneNode(!0);for(let e of t.querySelectorAll("button"))e.remove();for(let e of t.querySelectorAll("[style]"))e.removeAttribute("style");for(let e of t.querySelectorAll(".cite"))e.textContent=`[${e.textContent}]`;let s=n.map(e=>c("p",{},e.n?`[${e.n}] `:"",c("a",{href:r(e)},l(e))));return new XMLSerializer().serializeToString(c("div",{},...t.childNodes,...s))}export{S as answerAsHtml,d as answerAsMarkdown,y as sessionAsMarkdown};
