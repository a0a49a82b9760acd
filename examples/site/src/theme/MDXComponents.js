import MDXComponents from '@theme-original/MDXComponents';
import Row from '@site/src/components/Row';

// Every MDX page may write <Row id="…"> without an import.
export default {...MDXComponents, Row};
