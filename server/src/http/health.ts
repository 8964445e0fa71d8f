import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import type { Proof } from '../secrets/proof.ts'
import type { HandlersOf } from './handler.ts'

/** Seconds after which a worker, or what it last saw of a far part, counts for nothing. */
const PULSE_SECONDS = 30
const PATIENCE_MS = 3_000

type Parts = Record<'database' | 'worker' | 'cloud' | 'mail', 'up' | 'down'>

/** Up when the database answers, a worker is alive, and the cloud and the mail system were last seen to answer. */
export function healthHandlers({ prove }: { readonly prove: (nonce: string) => Proof }): HandlersOf<'health'> {
  return {
    async check(db, { answerUnavailable }) {
      const parts = await Promise.race([stateOf(db), patience()])
      const status = Object.values(parts).every((state) => state === 'up') ? 'up' : 'down'
      if (status === 'down') answerUnavailable()
      return { status, parts }
    },

    prove: async (_db, { query }) => prove(query.nonce),
  }
}

const NOTHING: Parts = { database: 'down', worker: 'down', cloud: 'down', mail: 'down' }

async function stateOf(db: Db): Promise<Parts> {
  try {
    const { rows } = await sql<{ worker: boolean; cloud: boolean; mail: boolean }>`
      select
        exists (select from worker_pulse where seen_at > portal_now() - make_interval(secs => ${PULSE_SECONDS})) as worker,
        coalesce((select up from part_state where part = 'cloud'), false) as cloud,
        coalesce((select up from part_state where part = 'mail'), false) as mail
    `.execute(db)
    const { worker, cloud, mail } = rows[0]!
    // What nobody looks at any more is not known to be up.
    return { database: 'up', worker: word(worker), cloud: word(worker && cloud), mail: word(worker && mail) }
  } catch {
    return NOTHING
  }
}

const word = (up: boolean): 'up' | 'down' => (up ? 'up' : 'down')

function patience(): Promise<Parts> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(NOTHING), PATIENCE_MS).unref()
  })
}
