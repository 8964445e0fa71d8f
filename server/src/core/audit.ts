import { type RawBuilder, sql } from 'kysely'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { ProblemCode } from '@trainyard/contract/words/problems.ts'
import type { Db } from '../db/schema.ts'
import type { Actor } from './actor.ts'

/** Left out of the rows: secrets, images, whose address is there, and parts of files. */
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
  'image',
  'bytes',
])

/** A thing as it was before a change and as it is since; of either null where there was, or is, none. */
export interface Change {
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}

export interface AuditEntry {
  readonly call: string
  readonly requestId: string
  readonly actor: Actor | null
  readonly asked: Record<string, unknown>
  readonly address?: string
  readonly change?: Change | undefined
  /** Of a refusal, together with whom the asker claimed to be. */
  readonly refused?: ProblemCode
  readonly claimed?: string | null
  /** The organisation that it concerns, where neither the actor nor what was asked says it. */
  readonly organisation?: OrganisationId
}

/**
 * Writes down who changed what, from where, in the change's own transaction; secrets are left out.
 * @param tx the database itself for what was refused: there is no change
 */
export async function writeAudit(tx: Db, ...entries: AuditEntry[]): Promise<void> {
  await tx.insertInto('audit').values(entries.map(rowOf)).execute()
}

const rowOf = (entry: AuditEntry) => {
  const { call, requestId, actor, asked, address, refused, claimed, change } = entry
  return {
    call,
    request_id: requestId,
    actor_id: actor?.id ?? null,
    actor_email: actor?.email ?? claimed ?? null,
    actor_role: actor?.role ?? null,
    organisation_id: entry.organisation ?? ownOf(actor) ?? organisationAsked(entry),
    address: address ?? null,
    refused: refused ?? null,
    detail: withoutSecrets(asked),
    before: change?.before ? withoutSecrets(change.before) : null,
    after: change?.after ? withoutSecrets(change.after) : null,
  }
}

/** A superadmin may belong to an organisation: what they do is about another as often as not. */
const ownOf = (actor: Actor | null) => (actor?.role === 'superadmin' ? undefined : actor?.organisation?.id)

const withoutSecrets = (value: object) =>
  JSON.stringify(value, (key, each: unknown) => (SECRET.has(key) ? undefined : each))

/**
 * The organisation that a superadmin's call is about, as it names it, a training of it or a person, and that of whom somebody
 * claimed to be who is not signed in: its admins read these rows too. What was refused names nothing of anybody.
 */
function organisationAsked({ actor, asked, refused, claimed }: AuditEntry): RawBuilder<OrganisationId> | null {
  if (claimed) return organisationOf(claimed)
  if (actor?.role !== 'superadmin' || refused !== undefined) return null
  const named = (field: string) =>
    [asked['query'], asked['body']]
      .map((part) => (part as Record<string, unknown> | null | undefined)?.[field])
      .find((value) => typeof value === 'string')
  const organisation = named('organization')
  if (organisation !== undefined) {
    return sql`(select id from organisation where lower(name) = lower(${organisation}::text) and removed_at is null)`
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
