import useBrokenLinks from '@docusaurus/useBrokenLinks';

/** A table row that links can point to: its id is known to Docusaurus' check of anchors, which a plain `<tr id>` is not. */
export default function Row({id, children}) {
  useBrokenLinks().collectAnchor(id);
  return <tr id={id}>{children}</tr>;
}
