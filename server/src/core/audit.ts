import type { ProblemCode } from '@trainyard/contract/words/problems.ts'
import type { Db } from '../db/schema.ts'
import type { Actor } from './actor.ts'

const SECRET = new Set(['password', 'token', 'signature'])

export interface AuditEntry {
  readonly call: string
  readonly requestId: string
  readonly actor: Actor | null
  readonly asked: Record<string, unknown>
  readonly address?: string
  /** Of a refusal, together with whom the asker claimed to be. */
  readonly refused?: ProblemCode
  readonly claimed?: string | null
}

/**
 * Writes down who changed what, from where, in the change's own transaction; secrets are left out.
 * @param tx the database itself for what was refused: there is no change
 */
export async function writeAudit(tx: Db, ...entries: AuditEntry[]): Promise<void> {
  await tx.insertInto('audit').values(entries.map(rowOf)).execute()
}

const rowOf = ({ call, requestId, actor, asked, address, refused, claimed }: AuditEntry) => ({
  call,
  request_id: requestId,
  actor_id: actor?.id ?? null,
  actor_email: actor?.email ?? claimed ?? null,
  actor_role: actor?.role ?? null,
  organisation_id: actor?.organisation?.id ?? null,
  address: address ?? null,
  refused: refused ?? null,
  detail: JSON.stringify(asked, (key, value: unknown) => (SECRET.has(key) ? undefined : value)),
})
