import type { ReplyOf } from '../../contract/call.ts'
import type { health } from '../../contract/health.ts'
import { type Config, productVersion } from '../config/config.ts'
import type { Db } from '../db/schema.ts'
import type { Proof } from '../run/secrets/proof.ts'
import type { HandlersOf } from '../core/handler.ts'
import type { DiskState } from './disk-state.ts'
import { findActor } from './authenticate.ts'
import { selectHealth, selectOne } from './queries.ts'

const TIMEOUT_MS = 3_000
const VERSION = productVersion()

type Parts = Record<'database' | 'disk' | 'worker' | 'cloud' | 'mail', 'up' | 'down'>

export interface HealthDependencies {
  readonly prove: (nonce: string) => Proof
  readonly disk: Pick<DiskState, 'isFull'>
  readonly unset: Config['unset']
  readonly status: (db: Db) => Promise<Details>
}

/** Reports "up" if the database responds and can write, a worker is alive, and cloud and mail server answered when last checked. */
export function healthHandlers({ prove, disk, unset, status: readStatus }: HealthDependencies): HandlersOf<'health'> {
  const sharedState = shared((db) => stateOf(db, unset))
  const sharedDatabaseState = shared(databaseState)
  const detailsFor = async (db: Db, authorization: string | undefined, cookie: Buffer | null): Promise<Details> => {
    if (authorization === undefined && cookie === null) return {}
    try {
      const actor = await findActor(db, authorization, cookie)
      return actor?.role === 'superadmin' ? await readStatus(db) : {}
    } catch {
      return {}
    }
  }
  return {
    async check(db, { answerUnavailable, header, browserSession }) {
      const [state, details] = await Promise.all([
        Promise.race([sharedState(db), afterTimeout(ALL_DOWN)]),
        Promise.race([detailsFor(db, header('authorization'), browserSession), afterTimeout({})]),
      ])
      const parts: Parts = { ...state, disk: upOrDown(!disk.isFull()) }
      const status = Object.values(parts).every((state) => state === 'up') ? 'up' : 'down'
      if (status === 'down') answerUnavailable()
      return { status, version: VERSION, parts, ...details }
    },

    live: async () => ({ status: 'up' }),

    async ready(db, { answerUnavailable }) {
      const status = await Promise.race([sharedDatabaseState(db), afterTimeout('down' as const)])
      if (status === 'down') answerUnavailable()
      return { status }
    },

    prove: async (_db, { query }) => prove(query.nonce),
  }
}

type Reply = ReplyOf<(typeof health)['check']>
type Details = Pick<Reply, 'tasks' | 'rows'>

type State = Omit<Parts, 'disk'>

const ALL_DOWN: State = { database: 'down', worker: 'down', cloud: 'down', mail: 'down' }

/** An unset part counts as up until it was used, so that a proxy lets the operator reach the set-up. */
async function stateOf(db: Db, unset: HealthDependencies['unset']): Promise<State> {
  try {
    const { rows } = await selectHealth(db)
    const { worker, cloud, mail } = rows[0]!
    // Without a worker the recorded state of other parts is outdated.
    return {
      database: 'up',
      worker: upOrDown(worker),
      cloud: upOrDown(worker && (cloud ?? unset.includes('cloud'))),
      mail: upOrDown(worker && (mail ?? unset.includes('mail'))),
    }
  } catch {
    return ALL_DOWN
  }
}

async function databaseState(db: Db): Promise<'up' | 'down'> {
  return selectOne(db).then(
    () => 'up',
    () => 'down',
  )
}

/** Returns a function whose concurrent callers share one query, so that a flood of probes occupies one connection. */
function shared<Answer>(query: (db: Db) => Promise<Answer>): (db: Db) => Promise<Answer> {
  let running: Promise<Answer> | null = null
  return (db) => (running ??= query(db).finally(() => (running = null)))
}

const upOrDown = (up: boolean): 'up' | 'down' => (up ? 'up' : 'down')

function afterTimeout<Answer>(answer: Answer): Promise<Answer> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(answer), TIMEOUT_MS).unref()
  })
}
