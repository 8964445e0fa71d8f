import type { Tx } from '../db/schema.ts'
import type { Actor } from './actor.ts'

const SECRET = new Set(['password', 'token', 'signature'])

/** Writes down who changed what, in the change's own transaction; secrets are left out. */
export async function writeAudit(
  tx: Tx,
  entry: { call: string; requestId: string; actor: Actor | null; asked: Record<string, unknown> },
): Promise<void> {
  const { actor } = entry
  await tx
    .insertInto('audit')
    .values({
      call: entry.call,
      request_id: entry.requestId,
      actor_id: actor?.id ?? null,
      actor_email: actor?.email ?? null,
      actor_role: actor?.role ?? null,
      organisation_id: actor?.organisation?.id ?? null,
      detail: JSON.stringify(entry.asked, (key, value: unknown) => (SECRET.has(key) ? undefined : value)),
    })
    .execute()
}
