// @ts-check
import Link from '@docusaurus/Link';
import Layout from '@theme/Layout';
import React from 'react';
import answer from '../../../docs/images/answer.png';

const DESCRIPTION =
  'Chat for documentation sites in which every claim carries a citation that lands on the exact heading, table row or '
  + 'tab it came from, and which says so when the docs do not hold the answer.';
const ALT =
  'The chat on a documentation page: an answer of quoted passages with numbered citations, the cited words highlighted '
  + 'on the page';

/** What Pincite is, on one screen. */
export default function Home() {
  return (
    <Layout title="Chat for documentation whose citations land" description={DESCRIPTION}>
      <main className="container home">
        <h1>Pincite</h1>
        <p className="home-lead">{DESCRIPTION}</p>
        <p>
          It reads the site as it was built and writes one file beside the pages. A small server answers from that file,
          without a language model or an account anywhere: answers are the docs&apos; own sentences, or a model&apos;s when
          you configure one.
        </p>
        <p className="home-ways">
          <Link className="button button--primary" to="/docs/install">Install</Link>
          <Link className="button button--secondary" to="/overview">Overview</Link>
          <button type="button" className="button button--secondary" data-pincite-open>Ask these docs</button>
        </p>
        <img src={answer} alt={ALT} width="1280" height="800" />
      </main>
    </Layout>
  );
}
