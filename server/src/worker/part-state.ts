import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import { CloudError } from '../providers/errors.ts'
import { connect as connectTcp } from 'node:net'

/** Writes down whether a part that only workers talk to was reached: what /health tells. */
export async function notePart(db: Db, part: 'cloud' | 'mail', up: boolean): Promise<void> {
  await db
    .insertInto('part_state')
    .values({ part, up, seen_at: sql<Date>`portal_now()` })
    .onConflict((on) => on.column('part').doUpdateSet({ up, seen_at: sql<Date>`portal_now()` }))
    .execute()
}

/** Does something that asks the cloud, and writes down whether it was reached; null says that it was not asked. */
export async function noteCloud(db: Db, work: () => Promise<unknown>): Promise<void> {
  try {
    if ((await work()) !== null) await notePart(db, 'cloud', true)
  } catch (error) {
    const away = error instanceof CloudError && (error.kind === 'unreachable' || error.kind === 'unauthorised')
    if (away) await notePart(db, 'cloud', false)
    throw error
  }
}

const PATIENCE_MS = 3_000

/** Tells whether the mail system takes connections. */
export function mailAnswers({ host, port }: { readonly host: string; readonly port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTcp({ host, port })
    const end = (up: boolean) => {
      socket.destroy()
      resolve(up)
    }
    socket.setTimeout(PATIENCE_MS, () => end(false))
    socket.on('connect', () => end(true))
    socket.on('error', () => end(false))
  })
}
