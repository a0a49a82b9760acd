-- The index format. Described table by table in docs/index-format.md; {bits} is the model's dimension in whole bytes.
CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL -- JSON
) WITHOUT ROWID;

CREATE TABLE scopes (
  scope_id      INTEGER PRIMARY KEY,
  plugin        TEXT NOT NULL,
  plugin_id     TEXT NOT NULL,
  version       TEXT, -- the version's name; NULL: unversioned
  version_label TEXT,
  is_last       INTEGER NOT NULL,
  locale        TEXT NOT NULL
);

CREATE TABLE pages (
  page_id      INTEGER PRIMARY KEY,
  scope_id     INTEGER NOT NULL REFERENCES scopes,
  url          TEXT NOT NULL UNIQUE,
  title        TEXT NOT NULL,
  description  TEXT NOT NULL,
  source_type  TEXT NOT NULL,
  doc_id       TEXT NOT NULL,
  breadcrumbs  TEXT NOT NULL, -- JSON array
  tags         TEXT NOT NULL, -- JSON array
  translated   INTEGER NOT NULL,
  source       TEXT NOT NULL,
  content_hash TEXT NOT NULL
);

CREATE TABLE targets (
  target_id    INTEGER PRIMARY KEY,
  page_id      INTEGER NOT NULL REFERENCES pages,
  parent_id    INTEGER REFERENCES targets,
  position     INTEGER NOT NULL,
  anchor       TEXT NOT NULL, -- '': the page itself
  kind         TEXT NOT NULL,
  level        INTEGER NOT NULL,
  title        TEXT NOT NULL,
  heading_path TEXT NOT NULL, -- JSON array
  stable_id    TEXT NOT NULL,
  id_kind      TEXT NOT NULL,
  landing      TEXT NOT NULL, -- JSON array of [kind, label]
  UNIQUE (page_id, anchor)
);
CREATE INDEX targets_by_stable_id ON targets (stable_id);

CREATE TABLE chunks (
  chunk_id  INTEGER PRIMARY KEY,
  target_id INTEGER NOT NULL REFERENCES targets,
  page_id   INTEGER NOT NULL REFERENCES pages,
  scope_id  INTEGER NOT NULL REFERENCES scopes,
  ordinal   INTEGER NOT NULL,
  vector_id INTEGER NOT NULL,
  length    INTEGER NOT NULL, -- search terms, repeats counted
  text      TEXT NOT NULL     -- last, so that the numbers are read without it
);
CREATE INDEX chunks_by_scope ON chunks (scope_id, length);
CREATE INDEX chunks_by_target ON chunks (target_id, ordinal);
CREATE INDEX chunks_by_page ON chunks (page_id);

CREATE TABLE units (
  unit_id      INTEGER PRIMARY KEY,
  chunk_id     INTEGER NOT NULL REFERENCES chunks,
  target_id    INTEGER NOT NULL REFERENCES targets,
  scope_id     INTEGER NOT NULL REFERENCES scopes,
  start        INTEGER NOT NULL, -- characters into chunks.text
  "end"        INTEGER NOT NULL,
  kind         TEXT NOT NULL,
  vector_id    INTEGER NOT NULL, -- 0: none
  block        INTEGER NOT NULL, -- of the section, from 1
  mark         TEXT NOT NULL,
  labels       TEXT NOT NULL, -- JSON
  admonition   INTEGER NOT NULL,
  tab          TEXT NOT NULL,
  first_tab    TEXT NOT NULL,
  role         TEXT NOT NULL,
  facts        INTEGER NOT NULL, -- bits
  cells        TEXT NOT NULL, -- JSON
  passage      TEXT NOT NULL, -- JSON
  tab_passages TEXT NOT NULL, -- JSON
  links        TEXT NOT NULL -- JSON
);
CREATE INDEX units_by_chunk ON units (chunk_id);

CREATE TABLE vectors (
  vector_id INTEGER PRIMARY KEY,
  text_hash BLOB NOT NULL UNIQUE,
  int8      BLOB NOT NULL -- the embedding, each divided by its largest component and scaled to 127
);

CREATE TABLE tokens (
  vector_id INTEGER PRIMARY KEY REFERENCES vectors,
  packed    BLOB NOT NULL -- 16 bytes a content token: 64 components of two bits, the first in the lowest
);

CREATE TABLE links (
  from_target_id  INTEGER NOT NULL REFERENCES targets,
  to_target_id    INTEGER NOT NULL REFERENCES targets,
  text            TEXT NOT NULL,
  to_anchor_found INTEGER NOT NULL
);
CREATE INDEX links_by_source ON links (from_target_id);
CREATE INDEX links_by_destination ON links (to_target_id);

CREATE TABLE redirects (
  url    TEXT PRIMARY KEY,
  to_url TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE ids (
  stable_id TEXT PRIMARY KEY, -- no longer current
  successor TEXT              -- NULL: lost
) WITHOUT ROWID;

-- Where each search term occurs. Arrays are little-endian and have one number a chunk of the term.
CREATE TABLE postings (
  posting_id INTEGER PRIMARY KEY,
  term       TEXT NOT NULL,
  chunks     INTEGER NOT NULL,
  chunk_ids  BLOB NOT NULL, -- int32, ascending
  body       BLOB,          -- uint16, how often in that column; NULL: nowhere
  headings   BLOB,
  page       BLOB,
  links      BLOB,
  code       BLOB
);
CREATE UNIQUE INDEX postings_by_term ON postings (term, chunks);

CREATE VIRTUAL TABLE chunk_bits USING vec0(
  chunk_id INTEGER PRIMARY KEY,
  scope_id INTEGER PARTITION KEY,
  bits bit[{bits}],
  chunk_size=16
);

CREATE VIRTUAL TABLE unit_bits USING vec0(
  unit_id INTEGER PRIMARY KEY,
  scope_id INTEGER PARTITION KEY,
  bits bit[{bits}],
  chunk_size=16
);
