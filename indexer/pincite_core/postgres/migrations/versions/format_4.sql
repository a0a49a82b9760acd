-- Each build has a partition of each table, such as `sentences_7`.
DO $$
DECLARE
  old name;
BEGIN
  FOR old IN
    SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent IN ('sentences'::regclass, 'sentence_bits'::regclass)
  LOOP
    EXECUTE format('ALTER TABLE %I RENAME TO %I', old, regexp_replace(old, '^sentence', 'unit'));
  END LOOP;
END $$;

ALTER TABLE sentences RENAME TO units;
ALTER TABLE units RENAME COLUMN sentence_id TO unit_id;
ALTER TABLE sentence_bits RENAME TO unit_bits;
ALTER TABLE unit_bits RENAME COLUMN sentence_id TO unit_id;

-- The defaults fill the rows of format 3, which are no longer read.
ALTER TABLE units
  ADD COLUMN block        integer NOT NULL DEFAULT 1 CHECK (block > 0),
  ADD COLUMN mark         text NOT NULL DEFAULT '',
  ADD COLUMN labels       text NOT NULL DEFAULT '[]',
  ADD COLUMN admonition   integer NOT NULL DEFAULT 0,
  ADD COLUMN tab          text NOT NULL DEFAULT '',
  ADD COLUMN first_tab    text NOT NULL DEFAULT '',
  ADD COLUMN role         text NOT NULL DEFAULT 'stands',
  ADD COLUMN facts        integer NOT NULL DEFAULT 0,
  ADD COLUMN cells        text NOT NULL DEFAULT '[]',
  ADD COLUMN passage      text NOT NULL DEFAULT '[]',
  ADD COLUMN tab_passages text NOT NULL DEFAULT '[]',
  ADD COLUMN links        text NOT NULL DEFAULT '[]';

CREATE OR REPLACE FUNCTION let_read(reader name, site text) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA pincite TO %I', reader);
  EXECUTE format(
    'GRANT SELECT ON sites, builds, indexes, files, meta, scopes, pages, targets, chunks, units, vectors, tokens, '
    'links, redirects, ids, postings, chunk_bits, unit_bits, alembic_version TO %I', reader);
  INSERT INTO readers VALUES (reader, let_read.site) ON CONFLICT DO NOTHING;
END $$;
