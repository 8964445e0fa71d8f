import type { ProblemCode } from '@trainyard/contract/words/problems.ts'
import type { Db } from '../db/schema.ts'
import type { Actor } from './actor.ts'

const SECRET = new Set(['password', 'token', 'signature'])

/**
 * Writes down who changed what, from where, in the change's own transaction; secrets are left out.
 * @param tx the database itself for what was refused: there is no change
 */
export async function writeAudit(
  tx: Db,
  entry: {
    call: string
    requestId: string
    actor: Actor | null
    asked: Record<string, unknown>
    address?: string
    /** Of a refusal, together with whom the asker claimed to be. */
    refused?: ProblemCode
    claimed?: string | null
  },
): Promise<void> {
  const { actor } = entry
  await tx
    .insertInto('audit')
    .values({
      call: entry.call,
      request_id: entry.requestId,
      actor_id: actor?.id ?? null,
      actor_email: actor?.email ?? entry.claimed ?? null,
      actor_role: actor?.role ?? null,
      organisation_id: actor?.organisation?.id ?? null,
      address: entry.address ?? null,
      refused: entry.refused ?? null,
      detail: JSON.stringify(entry.asked, (key, value: unknown) => (SECRET.has(key) ? undefined : value)),
    })
    .execute()
}
