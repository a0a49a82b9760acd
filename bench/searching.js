/** Browser part of `bench/searching.py`: one function for each system opens it and returns its search. */
const place = (url, anchor) => [url, anchor ?? ''];

window.systems = {
  async pincite(site) {
    const { createFinder } = await import('/widget/src/search/finder.js');
    const host = document.createElement('div');
    host.setAttribute('search', `/${site}/search/`);
    const finder = createFinder(host);
    await finder.open();
    return async (text) => (await finder.find(text)).pages.flat().map(({ section }) => place(section.url, section.anchor));
  },
  async minisearch(site) {
    const { default: MiniSearch } = await import('/peers/node_modules/minisearch/dist/es/index.js');
    const documents = await (await fetch(`/${site}/documents.json`)).json();
    const index = new MiniSearch({ fields: ['title', 'page', 'text'] });
    index.addAll(documents);
    window.serialised = JSON.stringify(index);
    const options = { boost: { title: 3, page: 2 }, prefix: (term, at, terms) => at === terms.length - 1, fuzzy: 0.2 };
    return async (text) => {
      const found = index.search(text, options).slice(0, 100).map(({ id }) => place(documents[id].url, documents[id].anchor));
      return [...new Map(found.map((row) => [row.join('#'), row])).values()];
    };
  },
  async pagefind(site) {
    const pagefind = await import(`/${site}/pagefind/pagefind.js`);
    await pagefind.options({ basePath: `/${site}/pagefind/`, baseUrl: '/' });
    await pagefind.init();
    return async (text) => {
      const { results } = await pagefind.search(text);
      const pages = await Promise.all(results.slice(0, 5).map((result) => result.data()));
      return pages.map(({ url, sub_results: sections }) => {
        const best = sections.toSorted((a, b) => b.weighted_locations.length - a.weighted_locations.length)[0];
        return place(url, best?.anchor?.id);
      });
    };
  },
  async search_local(site) {
    const { SearchWorker } = await import(`/${site}/search_local/worker.js`);
    const worker = new SearchWorker();
    await worker.fetchIndexes(`/${site}/search_local/`, '');
    return async (text) => (await worker.search(`/${site}/search_local/`, '', text, 8)).map(({ document: { u, h } }) => place(u, h));
  },
};

/** Open a system, search for a text, and return the milliseconds of both. */
window.first = async (system, site, text) => {
  const start = performance.now();
  window.search = await window.systems[system](site);
  await window.search(text);
  return performance.now() - start;
};

/** Return the results of each text, and the median time in milliseconds. */
window.run = async (texts) => {
  const places = [];
  const times = [];
  for (const text of texts) {
    const start = performance.now();
    places.push((await window.search(text)).slice(0, 5));
    times.push(performance.now() - start);
  }
  return { places, ms: Math.round(times.sort((a, b) => a - b)[times.length >> 1] * 10) / 10 };
};
