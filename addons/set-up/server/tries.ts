import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { insertTry } from './queries.ts'

type What = 'connections' | 'mail'

/** Seconds after which a try without an answer is given up. The checks of a provider that never answers take less. */
const PATIENCE = 180

/** Starts a try and returns its number; null if one is running. */
export async function startTry(tx: Tx, what: What): Promise<number | null> {
  const { rows } = await insertTry(tx, what, PATIENCE)
  return rows[0]?.attempt ?? null
}

/** Returns true until the try is answered or another one was started. */
export const isTryRunning = async (db: Db, what: What, attempt: number): Promise<boolean> =>
  (await db
    .selectFrom('set_up_try')
    .select('what')
    .where('what', '=', what)
    .where('attempt', '=', attempt)
    .where('answered_at', 'is', null)
    .executeTakeFirst()) !== undefined

export async function answerTry(db: Db, what: What, attempt: number, answer: object): Promise<void> {
  await db
    .updateTable('set_up_try')
    .set({ answered_at: sql<Date>`portal_now()`, answer: JSON.stringify(answer) })
    .where('what', '=', what)
    .where('attempt', '=', attempt)
    .where('answered_at', 'is', null)
    .execute()
}

export async function readTry<Answer extends z.ZodType>(db: Db, what: What, shape: Answer) {
  const found = await db
    .selectFrom('set_up_try')
    .select(['tried_at', 'answered_at', 'answer'])
    .select(sql<boolean>`tried_at < portal_now() - ${PATIENCE} * interval '1 second'`.as('is_late'))
    .where('what', '=', what)
    .executeTakeFirst()
  if (found === undefined) return null
  const { tried_at, answered_at, answer, is_late } = found
  const state = answered_at !== null ? 'answered' : is_late ? 'unanswered' : 'running'
  return { at: tried_at.toISOString(), state, answer: answer === null ? null : shape.parse(answer) } as const
}
