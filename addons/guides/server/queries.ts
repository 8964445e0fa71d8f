import { sql } from 'kysely'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'

/** Size of all guides of an organisation. */
export const selectSize = (tx: Tx, organisation: OrganisationId) =>
  sql<{ bytes: number }>`
    select (
      (select coalesce(sum(octet_length(content)), 0) from guide_file where organisation_id = ${organisation})
      + (select coalesce(sum(pg_column_size(content) + pg_column_size(texts) + pg_column_size(findings)), 0)
          from guide_version where organisation_id = ${organisation})
    )::float8 as bytes`.execute(tx)
