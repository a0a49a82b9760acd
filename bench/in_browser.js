/** What `bench/in_browser.py` runs in the browser: the built files of the widget over an index folder's static files. */
window.openSite = async (site, hasEncoder) => {
  const answering = await import('/widget/pincite-answering.js');
  const fetched = async (file) => {
    const response = await fetch(`/${site}/search/${file}`);
    if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
    return response;
  };
  const start = performance.now();
  const library = await answering.openLibrary({
    load: async (file) => (await fetched(file)).json(),
    loadBytes: async (file) => (await fetched(file)).arrayBuffer(),
    place: {},
  });
  const opened = performance.now() - start;
  const { createEncoder } = hasEncoder ? await import('/widget/pincite-encoder.js') : {};
  window.site = { ...answering, library, encoder: createEncoder?.({ folder: `/${site}/`, limit: 60_000 }) };
  return opened;
};

/** What each question finds, what its answer cites (nothing: it is refused), and milliseconds of the search. */
window.ask = async (texts, byWords, k) => {
  const { answer, library, parseQuery, search, encoder } = window.site;
  const rows = [];
  for (const text of texts) {
    const embedded = byWords ? null : await encoder.embed(parseQuery(library, text).text);
    const start = performance.now();
    const { sections } = await search(library, text, embedded, k);
    const ms = performance.now() - start;
    const places = sections.map(({ shard, section }) => [shard.sections[section].url, shard.sections[section].anchor]);
    const reply = await answer(library, { query: text, mode: 'corpus' }, embedded);
    const cited = reply.type === 'answer' ? reply.citations.map(({ url, anchor }) => [url ?? '', anchor ?? '']) : null;
    rows.push({ places, cited, ms });
  }
  return rows;
};
