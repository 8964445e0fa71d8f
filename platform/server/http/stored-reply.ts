import { sql } from 'kysely'
import { stringify as stableStringify } from 'safe-stable-stringify'
import type { UserId } from '../../contract/words/ids.ts'
import type { Db, Tx } from '../db/schema.ts'
import { Problem } from '../core/errors.ts'

export interface IdempotentRequest {
  readonly actor: UserId
  readonly key: string
  readonly call: string
  readonly body: object
  /** Keyed hash, because the body may contain a password that must not be guessable from the stored hash. */
  readonly fingerprint: (text: string) => Buffer
}

/**
 * Runs `answer` once per idempotency key and stores the reply. A repeated request gets the stored reply, a concurrent
 * one waits for the first, and a different request under the same key is refused with 422.
 */
export async function replyOnce<Reply>(
  tx: Tx,
  request: IdempotentRequest,
  answer: () => Promise<Reply>,
): Promise<Reply> {
  const bodyHash = request.fingerprint(stableStringify(request.body))
  const { actor: actor_id, key, call } = request
  const inserted = await tx
    .insertInto('stored_reply')
    .values({ actor_id, key, call, body_hash: bodyHash, reply: null })
    .onConflict((on) => on.doNothing())
    .returning('key')
    .executeTakeFirst()
  if (inserted === undefined) {
    return (await storedReply(tx, request)) as Reply
  }
  const reply = await answer()
  await tx
    .updateTable('stored_reply')
    .set({ reply: JSON.stringify(reply) })
    .where('actor_id', '=', actor_id)
    .where('key', '=', key)
    .execute()
  return reply
}

export async function storedReply(db: Db, request: IdempotentRequest): Promise<unknown> {
  const stored = await db
    .selectFrom('stored_reply')
    .select(['call', 'body_hash', 'reply'])
    .where('actor_id', '=', request.actor)
    .where('key', '=', request.key)
    .executeTakeFirst()
  if (stored === undefined) return undefined
  if (stored.call !== request.call || !stored.body_hash.equals(request.fingerprint(stableStringify(request.body)))) {
    throw new Problem('keyReused', 'This Idempotency-Key was used for another request.')
  }
  return stored.reply
}

/** Deletes stored replies older than two days; the API guarantees at least 24 h. */
export async function deleteOldReplies(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('stored_reply')
    .where('created_at', '<', sql<Date>`portal_now() - interval '2 days'`)
    .execute()
}
