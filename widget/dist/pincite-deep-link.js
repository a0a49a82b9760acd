function o(n){let e=new URL(location.href),t=e.searchParams.get("ask");t&&(e.searchParams.delete("ask"),history.replaceState(history.state,"",e),n.open({question:t}))}export{o as openLink};
