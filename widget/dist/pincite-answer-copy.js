function l({title:n,section:r,page:o}){return r&&r!==o?r:n}function i(n){let r=new Map;for(let o of n){let e=o.n?o.source_type??"page":"related";r.set(e,[...r.get(e)??[],o])}return[...r].map(([o,e])=>({type:o,citations:e}))}function f(n,r){return r(`type_${n}`)||n}function c(n,r={},...o){let e=document.createElement(n);for(let[s,t]of Object.entries(r))t==null||t===!1||(typeof t=="function"?e.addEventListener(s.slice(2),t):e.setAttribute(s,t===!0?"":String(t)));return e.append(...o.filter(s=>s!=null&&s!==!1)),e}function p(n,r,o){let e=n.refusal?a(n.refusal.nearest,r):d(n.citations,r,o);return[n.refusal?.message??n.answer,e].filter(Boolean).join(`

`)}function d(n,r,o){let e=i(n);return e.map(({type:s,citations:t})=>{let u=a(t,r);return e.length>1?`### ${f(s,o)}

${u}`:u}).join(`

`)}function a(n=[],r){return n.map(e=>{let s=r(e),t=l(e),u=s?`[${t}](${s})`:t;return e.n?`${e.n}. ${u}`:`- ${u}`}).join(`
`)}function S(n,r,o){let e=n.cloneNode(!0);for(let t of e.querySelectorAll("button"))t.remove();for(let t of e.querySelectorAll("[style]"))t.removeAttribute("style");for(let t of e.querySelectorAll(".cite"))t.textContent=`[${t.textContent}]`;let s=r.map(t=>c("p",{},t.n?`[${t.n}] `:"",c("a",{href:o(t)},l(t))));return new XMLSerializer().serializeToString(c("div",{},...e.childNodes,...s))}export{p as answerAsMarkdown,S as richAnswer};
