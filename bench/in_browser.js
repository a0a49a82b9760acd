/** Browser part of `bench/in_browser.py`: runs the built files of the widget on the static files of an index folder. */
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

/** Return the results of each question, the citations of its answer (none: refused), and the milliseconds of the search. */
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
