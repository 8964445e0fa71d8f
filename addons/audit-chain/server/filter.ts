import { type RawBuilder, sql } from 'kysely'
import type { BodyOf, QueryOf } from '@trainyard/platform/contract/call.ts'
import type { audit } from '../contract/audit.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { organisationInScope } from '@trainyard/organisations/server/scope.ts'

type FilterInput = QueryOf<typeof audit.list> | BodyOf<typeof audit.export>

export interface RowFilter {
  readonly where: RawBuilder<boolean>
  readonly words: RawBuilder<boolean> | null
}

/** Returns the conditions of a filter, limited to the rows that the actor may read. */
export async function rowFilter(db: Db, actor: Actor, input: FilterInput): Promise<RowFilter> {
  const { organization, text, person, call, from, until } = input
  const all = actor.role === 'superadmin' && organization === undefined
  const organisation = all ? null : await organisationInScope(db, actor, organization)
  const conditions = [
    ...(organisation === null ? [] : [sql`a.organisation_id = ${organisation.id}`]),
    ...(person === undefined ? [] : [sql`a.actor_email = ${person}`]),
    ...(call === undefined ? [] : [sql`a.call = ${call}`]),
    ...(from === undefined ? [] : [sql`a.at >= ${from}::timestamptz`]),
    ...(until === undefined ? [] : [sql`a.at < ${until}::timestamptz`]),
  ]
  return {
    where: conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`,
    words: text === undefined ? null : sql<boolean>`a.search_words @@ to_tsquery('simple', ${prefixQuery(text)})`,
  }
}

/**
 * Returns a search query such as the word raj and a word that starts with acme, because the last word may be
 * incomplete.
 */
const prefixQuery = (text: string): string => `${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' & ')}:*`
