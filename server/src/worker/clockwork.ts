import { sql } from 'kysely'
import { connect as connectTcp } from 'node:net'
import type { Db } from '../db/schema.ts'
import { addUpTallies } from '../domain/home/counting.ts'
import { forgetEndedSessions } from '../domain/user/sessions.ts'
import { forgetOldAnswers } from '../http/stored-reply.ts'
import { clockWatch } from './clock.ts'
import { notePart } from './part-state.ts'
import type { Running } from './leased-loop.ts'

export interface ClockworkOptions {
  readonly db: Db
  /** This worker's name, another one each time it starts. */
  readonly worker: string
  /** Where mail goes: only whether it answers is asked. */
  readonly mail: { readonly host: string; readonly port: number }
  readonly onFault: (fault: unknown) => void
  /** Tells whoever runs the portal, in a sentence. */
  readonly say: (sentence: string) => void
}

const PULSE_MS = 5_000
const MAIL_MS = 10_000
const CLEAN_MS = 10 * 60_000
const ADD_UP_MS = 5_000
const MAIL_PATIENCE_MS = 3_000

/** What happens every so often: the worker's pulse, a look at the clock and whether mail answers, and cleaning up. */
export function startClockwork({ db, worker, mail, onFault, say }: ClockworkOptions): Running {
  const every = (ms: number, work: () => Promise<unknown>) => {
    const run = () => void work().catch(onFault)
    run()
    return setInterval(run, ms)
  }
  const watchClock = clockWatch(db, say)
  const timers = [
    every(PULSE_MS, watchClock),
    every(PULSE_MS, () => pulse(db, worker)),
    every(MAIL_MS, async () => notePart(db, 'mail', await answers(mail))),
    every(CLEAN_MS, () => cleanUp(db)),
    every(ADD_UP_MS, () => addUpTallies(db)),
  ]
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await db.deleteFrom('worker_pulse').where('worker', '=', worker).execute().catch(onFault)
    },
  }
}

async function pulse(db: Db, worker: string): Promise<void> {
  await db
    .insertInto('worker_pulse')
    .values({ worker, seen_at: sql<Date>`portal_now()` })
    .onConflict((on) => on.column('worker').doUpdateSet({ seen_at: sql<Date>`portal_now()` }))
    .execute()
}

/** Sessions and invitations that ran out, answers kept long enough, full buckets, and workers that are no more. */
async function cleanUp(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await forgetEndedSessions(tx)
    await forgetOldAnswers(tx)
    await tx
      .deleteFrom('call_bucket')
      .where('counted_at', '<', sql<Date>`portal_now() - interval '1 day'`)
      .where('closed_until', '<', sql<Date>`portal_now()`)
      .execute()
    await tx
      .deleteFrom('worker_pulse')
      .where('seen_at', '<', sql<Date>`portal_now() - interval '1 day'`)
      .execute()
  })
}

function answers({ host, port }: { readonly host: string; readonly port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTcp({ host, port })
    const end = (up: boolean) => {
      socket.destroy()
      resolve(up)
    }
    socket.setTimeout(MAIL_PATIENCE_MS, () => end(false))
    socket.on('connect', () => end(true))
    socket.on('error', () => end(false))
  })
}
