function r(a){let e=new URL(location.href),t=e.searchParams.get("ask");t&&(e.searchParams.delete("ask"),history.replaceState(history.state,"",e),a.open({question:t}))}export{r as openLink};
