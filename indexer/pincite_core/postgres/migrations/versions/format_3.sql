-- What PostgreSQL holds of builds of format 3. The tables are those of schema.sql, with `index_no` before their columns:
-- a partition an index, made by a push beside the others and attached when it is whole.
CREATE TABLE sites (
  site     text PRIMARY KEY CHECK (site ~ '^[a-z0-9][a-z0-9._-]*$'),
  current  integer, -- the build that answers
  earlier  integer  -- the one before, for pages that were loaded before the push
);

CREATE TABLE builds (
  build_id    integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  site        text NOT NULL REFERENCES sites,
  digest      bytea NOT NULL, -- of all that was pushed
  pushed_at   timestamptz NOT NULL DEFAULT now(),
  replaced_at timestamptz -- since when it answers no page
);

CREATE TABLE indexes (
  index_no  integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  build_id  integer NOT NULL REFERENCES builds ON DELETE CASCADE,
  ordinal   integer NOT NULL, -- 0: the one that was named; the others are the site's other languages
  folder    text NOT NULL,
  info      bytea NOT NULL,   -- index.json as it is; empty when there was none
  dimension integer NOT NULL CHECK (dimension > 0),
  UNIQUE (build_id, ordinal)
);

-- Encoders and their tokenizers, each once however many indexes it made.
CREATE TABLE files (
  sha256 text NOT NULL,
  part   integer NOT NULL,
  data   bytea NOT NULL,
  PRIMARY KEY (sha256, part)
);

-- Which roles may read which sites; `let_read` fills it.
CREATE TABLE readers (
  role name NOT NULL,
  site text NOT NULL,
  PRIMARY KEY (role, site)
);

CREATE TABLE meta (
  index_no integer NOT NULL,
  key      text NOT NULL,
  value    text NOT NULL CHECK (value::json IS NOT NULL AND octet_length(value) <= 1048576),
  PRIMARY KEY (index_no, key)
) PARTITION BY LIST (index_no);

CREATE TABLE scopes (
  index_no      integer NOT NULL,
  scope_id      integer NOT NULL CHECK (scope_id > 0),
  plugin        text NOT NULL,
  plugin_id     text NOT NULL,
  version       text,
  version_label text,
  is_last       boolean NOT NULL,
  locale        text NOT NULL,
  PRIMARY KEY (index_no, scope_id)
) PARTITION BY LIST (index_no);

CREATE TABLE pages (
  index_no     integer NOT NULL,
  page_id      integer NOT NULL CHECK (page_id > 0),
  scope_id     integer NOT NULL,
  url          text COLLATE "C" NOT NULL CHECK (url LIKE '/%'),
  title        text NOT NULL,
  description  text NOT NULL,
  source_type  text NOT NULL CHECK (source_type IN ('guide', 'api', 'example', 'blog', 'page')),
  doc_id       text NOT NULL,
  breadcrumbs  text NOT NULL CHECK (json_typeof(breadcrumbs::json) = 'array'),
  tags         text NOT NULL CHECK (json_typeof(tags::json) = 'array'),
  translated   boolean NOT NULL,
  source       text NOT NULL,
  content_hash text NOT NULL,
  PRIMARY KEY (index_no, page_id),
  UNIQUE (index_no, url)
) PARTITION BY LIST (index_no);

CREATE TABLE targets (
  index_no     integer NOT NULL,
  target_id    integer NOT NULL CHECK (target_id > 0),
  page_id      integer NOT NULL,
  parent_id    integer CHECK (parent_id < target_id),
  position     integer NOT NULL,
  anchor       text COLLATE "C" NOT NULL,
  kind         text NOT NULL CHECK (kind IN ('page', 'heading', 'row', 'item', 'term', 'details', 'member', 'option', 'other')),
  level        integer NOT NULL,
  title        text NOT NULL,
  heading_path text NOT NULL CHECK (json_typeof(heading_path::json) = 'array'),
  stable_id    text COLLATE "C" NOT NULL,
  id_kind      text NOT NULL CHECK (id_kind IN ('author', 'auto')),
  landing      text NOT NULL CHECK (json_typeof(landing::json) = 'array'),
  PRIMARY KEY (index_no, target_id)
) PARTITION BY LIST (index_no);
CREATE INDEX ON targets (page_id, position);
CREATE INDEX ON targets (parent_id);
CREATE INDEX ON targets USING hash (stable_id); -- of any length

CREATE TABLE chunks (
  index_no  integer NOT NULL,
  chunk_id  integer NOT NULL CHECK (chunk_id > 0),
  target_id integer NOT NULL,
  page_id   integer NOT NULL,
  scope_id  integer NOT NULL,
  ordinal   integer NOT NULL,
  vector_id integer NOT NULL CHECK (vector_id > 0),
  length    integer NOT NULL CHECK (length >= 0),
  text      text NOT NULL,
  PRIMARY KEY (index_no, chunk_id) INCLUDE (scope_id, length)
) PARTITION BY LIST (index_no);
CREATE INDEX ON chunks (target_id);
CREATE INDEX ON chunks (page_id);

CREATE TABLE sentences (
  index_no    integer NOT NULL,
  sentence_id integer NOT NULL CHECK (sentence_id > 0),
  chunk_id    integer NOT NULL,
  target_id   integer NOT NULL,
  scope_id    integer NOT NULL,
  start       integer NOT NULL CHECK (start >= 0),
  "end"       integer NOT NULL CHECK ("end" >= start),
  kind        text NOT NULL CHECK (kind IN ('prose', 'item', 'row', 'term', 'code')),
  vector_id   integer NOT NULL CHECK (vector_id >= 0),
  PRIMARY KEY (index_no, sentence_id)
) PARTITION BY LIST (index_no);
CREATE INDEX ON sentences (chunk_id);

CREATE TABLE vectors (
  index_no  integer NOT NULL,
  vector_id integer NOT NULL CHECK (vector_id > 0),
  text_hash bytea NOT NULL,
  int8      bytea NOT NULL,
  PRIMARY KEY (index_no, vector_id)
) PARTITION BY LIST (index_no);
CREATE INDEX ON vectors (text_hash);

CREATE TABLE tokens (
  index_no  integer NOT NULL,
  vector_id integer NOT NULL,
  packed    bytea NOT NULL CHECK (octet_length(packed) % 16 = 0),
  PRIMARY KEY (index_no, vector_id)
) PARTITION BY LIST (index_no);

CREATE TABLE links (
  index_no        integer NOT NULL,
  rowid           integer NOT NULL, -- the order in which they were written, as SQLite calls it
  from_target_id  integer NOT NULL,
  to_target_id    integer NOT NULL,
  text            text NOT NULL,
  to_anchor_found boolean NOT NULL
) PARTITION BY LIST (index_no);
CREATE INDEX ON links (from_target_id);
CREATE INDEX ON links (to_target_id);

CREATE TABLE redirects (
  index_no integer NOT NULL,
  url      text COLLATE "C" NOT NULL CHECK (url LIKE '/%'),
  to_url   text NOT NULL CHECK (to_url LIKE '/%')
) PARTITION BY LIST (index_no);

CREATE TABLE ids (
  index_no  integer NOT NULL,
  stable_id text COLLATE "C" NOT NULL,
  successor text
) PARTITION BY LIST (index_no);
CREATE INDEX ON ids USING hash (stable_id);

CREATE TABLE postings (
  index_no   integer NOT NULL,
  posting_id integer NOT NULL,
  term       text COLLATE "C" NOT NULL,
  chunks     integer NOT NULL CHECK (chunks > 0),
  chunk_ids  bytea NOT NULL CHECK (octet_length(chunk_ids) = 4 * chunks),
  body       bytea CHECK (octet_length(body) = 2 * chunks),
  headings   bytea CHECK (octet_length(headings) = 2 * chunks),
  page       bytea CHECK (octet_length(page) = 2 * chunks),
  links      bytea CHECK (octet_length(links) = 2 * chunks),
  code       bytea CHECK (octet_length(code) = 2 * chunks)
) PARTITION BY LIST (index_no);
CREATE INDEX ON postings (term) INCLUDE (chunks);

-- What finds candidates: a bit a component, the first component first; an index of dimension n casts to bit(n).
CREATE TABLE chunk_bits (
  index_no  integer NOT NULL,
  chunk_id  integer NOT NULL,
  scope_id  integer NOT NULL,
  vector_id integer NOT NULL,
  bits      bit varying NOT NULL
) PARTITION BY LIST (index_no);
CREATE INDEX ON chunk_bits (scope_id);

CREATE TABLE sentence_bits (
  index_no    integer NOT NULL,
  sentence_id integer NOT NULL,
  chunk_id    integer NOT NULL,
  scope_id    integer NOT NULL,
  vector_id   integer NOT NULL,
  bits        bit varying NOT NULL
) PARTITION BY LIST (index_no);
CREATE INDEX ON sentence_bits (scope_id);
CREATE INDEX ON sentence_bits (chunk_id);

-- -- for the statements that SQLite and PostgreSQL share ---------------------------------------------------------------

CREATE FUNCTION unhex(text) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT decode($1, 'hex') $$;

-- -- who may read what -------------------------------------------------------------------------------------------------

CREATE FUNCTION readable_sites(reader name) RETURNS text[] LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$
    SELECT coalesce(array_agg(listed.site), '{}')
    FROM pincite.readers AS listed JOIN pg_roles ON rolname = listed.role
    WHERE pg_has_role(reader, pg_roles.oid, 'MEMBER')
  $$;

CREATE FUNCTION readable_indexes(reader name) RETURNS integer[] LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$
    SELECT coalesce(array_agg(index_no), '{}')
    FROM pincite.indexes JOIN pincite.builds USING (build_id)
    WHERE site = ANY (pincite.readable_sites(reader))
  $$;

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['sites', 'builds'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY by_site ON %I FOR SELECT USING (site = ANY ((SELECT readable_sites(current_user))::text[]))', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY[
    'indexes', 'meta', 'scopes', 'pages', 'targets', 'chunks', 'sentences', 'vectors', 'tokens', 'links', 'redirects',
    'ids', 'postings', 'chunk_bits', 'sentence_bits'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY by_site ON %I FOR SELECT '
      'USING (index_no = ANY ((SELECT readable_indexes(current_user))::integer[]))', name);
  END LOOP;
END $$;

CREATE FUNCTION let_read(reader name, site text) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA pincite TO %I', reader);
  EXECUTE format(
    'GRANT SELECT ON sites, builds, indexes, files, meta, scopes, pages, targets, chunks, sentences, vectors, tokens, '
    'links, redirects, ids, postings, chunk_bits, sentence_bits, alembic_version TO %I', reader);
  INSERT INTO readers VALUES (reader, let_read.site) ON CONFLICT DO NOTHING;
END $$;
REVOKE ALL ON FUNCTION let_read FROM PUBLIC;

-- -- for people who use SQL --------------------------------------------------------------------------------------------

CREATE FUNCTION embedding(int8 bytea) RETURNS vector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path FROM CURRENT
  AS $$
    SELECT array_agg(((get_byte(int8, i) + 128) % 256 - 128)::real ORDER BY i)::vector
    FROM generate_series(0, octet_length(int8) - 1) AS i
  $$;

-- The sections of all sites that the role may read (or of one) that are nearest to a vector, by cosine. Of each index
-- the bits name candidates, eight times as many as are wanted, and the stored vectors put them in order.
CREATE FUNCTION match_chunks(
  query_embedding vector,
  match_count     integer DEFAULT 5,
  threshold       double precision DEFAULT 0,
  site            text DEFAULT NULL,
  version         text DEFAULT NULL, -- the last one of each where it is NULL
  locale          text DEFAULT NULL
) RETURNS TABLE (
  chunk_id bigint, content text, meta jsonb, document_id bigint, document_title text, document_url text,
  similarity double precision
) LANGUAGE plpgsql STABLE SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  candidates text;
BEGIN
  SELECT string_agg(format($sql$
    (SELECT %1$s AS index_no, near.chunk_id, 1 - (embedding(vectors.int8) <=> $1) AS similarity
    FROM (
      SELECT chunk_id, vector_id FROM chunk_bits
      WHERE index_no = %1$s AND scope_id IN (
        SELECT scope_id FROM scopes
        WHERE index_no = %1$s AND ($5 IS NULL OR locale = $5)
          AND CASE WHEN $4 IS NULL THEN is_last ELSE version = $4 END)
      ORDER BY bits::bit(%2$s) <~> binary_quantize($1)::bit(%2$s) LIMIT 8 * $2
    ) AS near JOIN vectors ON vectors.index_no = %1$s AND vectors.vector_id = near.vector_id)
    $sql$, indexes.index_no, indexes.dimension), ' UNION ALL ')
  INTO candidates
  FROM sites JOIN indexes ON indexes.build_id = sites.current
  WHERE (match_chunks.site IS NULL OR sites.site = match_chunks.site)
    AND indexes.dimension = vector_dims(query_embedding);
  IF candidates IS NULL THEN
    RAISE EXCEPTION 'No site that % may read has vectors of % components.', current_user, vector_dims(query_embedding);
  END IF;
  RETURN QUERY EXECUTE format($sql$
    SELECT
      found.index_no::bigint << 32 | found.chunk_id, chunks.text,
      jsonb_build_object('site', builds.site, 'locale', scopes.locale, 'version', scopes.version,
        'source_type', pages.source_type, 'stable_id', targets.stable_id, 'anchor', targets.anchor,
        'heading_path', targets.heading_path::jsonb),
      found.index_no::bigint << 32 | pages.page_id, pages.title,
      coalesce(info.value::json ->> 'site_url', '') || pages.url, found.similarity
    FROM (SELECT * FROM (%s) AS each WHERE similarity >= $3 ORDER BY similarity DESC LIMIT $2) AS found
    JOIN indexes ON indexes.index_no = found.index_no
    JOIN builds ON builds.build_id = indexes.build_id
    JOIN chunks ON (chunks.index_no, chunks.chunk_id) = (found.index_no, found.chunk_id)
    JOIN targets ON (targets.index_no, targets.target_id) = (found.index_no, chunks.target_id)
    JOIN pages ON (pages.index_no, pages.page_id) = (found.index_no, chunks.page_id)
    JOIN scopes ON (scopes.index_no, scopes.scope_id) = (found.index_no, chunks.scope_id)
    JOIN meta AS info ON (info.index_no, info.key) = (found.index_no, 'info')
    ORDER BY found.similarity DESC, 1
  $sql$, candidates)
  USING query_embedding, match_count, threshold, match_chunks.version, match_chunks.locale;
END $$;
