import { type RawBuilder, sql } from 'kysely'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { AuditEntry } from '@trainyard/platform/server/core/audit.ts'

/** SQL: the organisation that a request names, directly or through a training or a user. */
export function organisationInRequest({
  request,
  claimed,
}: Pick<AuditEntry, 'request' | 'claimed'>): RawBuilder<OrganisationId | null> {
  if (claimed) return organisationOf(claimed)
  const named = (field: string) =>
    [request['query'], request['body']]
      .map((part) => (part as Record<string, unknown> | null | undefined)?.[field])
      .find((value) => typeof value === 'string')
  const organisation = named('organization')
  if (organisation !== undefined) {
    return sql`(select id from organisation where comparison_key(name) = comparison_key(${organisation}::text)
      and removed_at is null order by name = ${organisation}::text desc limit 1)`
  }
  const training = named('trainingName')
  const person = named('email')
  if (training === undefined && person === undefined) return sql<null>`null`
  if (training === undefined) return organisationOf(person!)
  return sql`(select min(organisation_id::text)::uuid from training where name = ${training}::text
    having count(*) = 1)`
}

const organisationOf = (email: string) =>
  sql<OrganisationId>`(select organisation_id from portal_user where email = ${email})`
