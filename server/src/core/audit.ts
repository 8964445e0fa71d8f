import { type RawBuilder, sql } from 'kysely'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { ProblemCode } from '@trainyard/contract/words/problems.ts'
import type { Db } from '../db/schema.ts'
import type { Actor } from './actor.ts'

/**
 * Fields that are removed from audit rows: secrets, chunks of uploaded files, and images. The row contains the image's
 * address instead of the image.
 */
const SECRET = new Set([
  'password',
  'newPassword',
  'token',
  'signature',
  'code',
  'setup',
  'challenge',
  'assertion',
  'attestation',
  'clientSecret',
  'answer',
  'idToken',
  'stateToken',
  'proof',
  'ticket',
  'messageHint',
  'image',
  'bytes',
  'csv',
])

/** A resource before and after a change; `before` is null for a creation, `after` for a deletion. */
export interface Change {
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}

export interface AuditEntry {
  readonly call: string
  readonly requestId: string
  readonly actor: Actor | null
  readonly request: Record<string, unknown>
  readonly address?: string
  readonly change?: Change | undefined
  readonly refused?: ProblemCode
  readonly claimed?: string | null
  readonly organisation?: OrganisationId
}

/** Inserts the audit rows in the transaction of the change. Secrets are removed. */
export async function writeAudit(tx: Db, ...entries: AuditEntry[]): Promise<void> {
  await tx.insertInto('audit').values(entries.map(rowOf)).execute()
}

const rowOf = (entry: AuditEntry) => {
  const { call, requestId, actor, request, address, refused, claimed, change } = entry
  return {
    call,
    request_id: requestId,
    actor_id: actor?.id ?? null,
    actor_email: actor?.email ?? claimed ?? null,
    actor_role: actor?.role ?? null,
    organisation_id: entry.organisation ?? ownOf(actor) ?? organisationInRequest(entry),
    address: address ?? null,
    refused: refused ?? null,
    detail: withoutSecrets(request),
    before: change?.before ? withoutSecrets(change.before) : null,
    after: change?.after ? withoutSecrets(change.after) : null,
  }
}

/** Returns the actor's organisation, except for superadmins: their calls often concern another organisation. */
const ownOf = (actor: Actor | null) => (actor?.role === 'superadmin' ? undefined : actor?.organisation?.id)

const withoutSecrets = (value: object) =>
  JSON.stringify(value, (key, each: unknown) => (SECRET.has(key) ? undefined : each))

/** Returns the organisation that a superadmin's call, or a refused call with a claimed e-mail address, concerns. */
function organisationInRequest({ actor, request, refused, claimed }: AuditEntry): RawBuilder<OrganisationId> | null {
  if (claimed) return organisationOf(claimed)
  if (actor?.role !== 'superadmin' || refused !== undefined) return null
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
  if (training === undefined && person === undefined) return null
  if (training === undefined) return organisationOf(person!)
  return sql`(select min(organisation_id::text)::uuid from training where name = ${training}::text
    having count(*) = 1)`
}

const organisationOf = (email: string) =>
  sql<OrganisationId>`(select organisation_id from portal_user where email = ${email})`
