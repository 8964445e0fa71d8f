import type { KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import type { OrganisationId, UserId } from '../../contract/words/ids.ts'
import type { ProblemCode } from '../../contract/words/problems.ts'
import type { Db } from '../db/schema.ts'
import type { Actor } from './actor.ts'
import { hook, sqlHook, sqlOf } from './events.ts'

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

/** The organisation that a call of a superadmin, or a refused call with a claimed e-mail address, concerns. */
export const auditedOrganisation = sqlHook<Pick<AuditEntry, 'request' | 'claimed'>, OrganisationId | null>(
  'audit.organisation',
  ([answered]) => answered ?? sql<null>`null`,
)

/** A person whose addresses and names are replaced in the audit. */
export interface ErasedPerson {
  readonly users: readonly UserId[]
  /**
   * Organisation to whose rows, and to rows without an organisation, the erasure is limited. Null: rows of all
   * organisations.
   */
  readonly organisation: string | null
  /** Regular expression of PostgreSQL that matches the person's addresses. */
  readonly pattern: string
  readonly replaceAddresses: (text: string) => string
  /** Replaces names that are whole words. */
  readonly replaceNames: (text: string) => string
}

/**
 * Replaces a person in the audit, with the login of the database's owner and without a transaction. The answer is the
 * number of changed rows.
 */
export const auditErased = hook<ErasedPerson & { readonly key: KeyObject; readonly signal: AbortSignal }, number>(
  'audit.erased',
  0,
  (first, second) => first + second,
)

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
    organisation_id: entry.organisation ?? ownOf(actor) ?? concernedOrganisation(entry),
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

function concernedOrganisation(entry: AuditEntry) {
  const { actor, refused, claimed } = entry
  const isUnknown = Boolean(claimed) || (actor?.role === 'superadmin' && refused === undefined)
  return isUnknown ? sqlOf(auditedOrganisation, entry) : null
}
