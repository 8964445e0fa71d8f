import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { health } from '@trainyard/contract/calls/health.ts'
import type { Db } from '../db/schema.ts'
import type { Proof } from '../secrets/proof.ts'
import type { HandlersOf } from '../core/handler.ts'
import { recognised } from './authenticate.ts'

/** Seconds after which a worker, or what it last saw of a far part, counts for nothing. */
const PULSE_SECONDS = 30
const PATIENCE_MS = 3_000

type Parts = Record<'database' | 'worker' | 'cloud' | 'mail', 'up' | 'down'>

export interface HealthParts {
  readonly prove: (nonce: string) => Proof
  /** Reads what runs by itself, and how it goes. */
  readonly status: (db: Db) => Promise<Running>
}

/** Up when the database answers, a worker is alive, and the cloud and the mail system were last seen to answer. */
export function healthHandlers({ prove, status: readStatus }: HealthParts): HandlersOf<'health'> {
  /** For a superadmin; nothing for anybody else, or where the database does not answer. */
  const runningFor = async (db: Db, authorization: string | undefined, cookie: Buffer | null): Promise<Running> => {
    try {
      const actor = await recognised(db, authorization, cookie)
      return actor?.role === 'superadmin' ? await readStatus(db) : {}
    } catch {
      return {}
    }
  }
  return {
    async check(db, { answerUnavailable, header, browserSession }) {
      const [{ parts, clockJump }, running] = await Promise.all([
        Promise.race([stateOf(db), inVain(NOTHING)]),
        Promise.race([runningFor(db, header('authorization'), browserSession), inVain({})]),
      ])
      const status = Object.values(parts).every((state) => state === 'up') ? 'up' : 'down'
      if (status === 'down') answerUnavailable()
      return { status, parts, clockJump, ...running }
    },

    prove: async (_db, { query }) => prove(query.nonce),
  }
}

type Reply = ReplyOf<(typeof health)['check']>
type Running = Pick<Reply, 'tasks' | 'rows'>

interface State {
  readonly parts: Parts
  readonly clockJump: { readonly at: string; readonly seconds: number } | null
}

const NOTHING: State = { parts: { database: 'down', worker: 'down', cloud: 'down', mail: 'down' }, clockJump: null }

async function stateOf(db: Db): Promise<State> {
  try {
    const { rows } = await sql<{
      worker: boolean
      cloud: boolean
      mail: boolean
      jumped_at: Date | null
      jumped_by: number
    }>`
      select
        exists (select from worker_pulse where seen_at > portal_now() - make_interval(secs => ${PULSE_SECONDS})) as worker,
        coalesce((select up from part_state where part = 'cloud'), false) as cloud,
        coalesce((select up from part_state where part = 'mail'), false) as mail,
        jump.jumped_at, round(jump.jumped_by) as jumped_by
      from (select) as one left join portal_clock as jump on jump.jumped_at > portal_now() - interval '1 hour'
    `.execute(db)
    const { worker, cloud, mail, jumped_at, jumped_by } = rows[0]!
    return {
      // A part that nobody looks at any more is not known to be up.
      parts: { database: 'up', worker: word(worker), cloud: word(worker && cloud), mail: word(worker && mail) },
      clockJump: jumped_at === null ? null : { at: jumped_at.toISOString(), seconds: jumped_by },
    }
  } catch {
    return NOTHING
  }
}

const word = (up: boolean): 'up' | 'down' => (up ? 'up' : 'down')

/** Answers for what does not answer in time. */
function inVain<Answer>(answer: Answer): Promise<Answer> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(answer), PATIENCE_MS).unref()
  })
}
