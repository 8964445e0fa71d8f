import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { hostname } from 'node:os'
import { awaitDatabase, tellOutagesOnce } from '../db/await-database.ts'
import type { Connection } from '../db/connection.ts'
import type { Db } from '../db/schema.ts'
import type { JobHandlers } from '../jobs.ts'
import type { AwsUsers } from '../providers/aws-users.ts'
import type { Cloud } from '../providers/cloud.ts'
import type { Shells } from '../providers/shell.ts'
import type { PowerRecord } from '../providers/power-record.ts'
import type { Payments } from '../providers/payments.ts'
import type { Seal } from '../secrets/seal.ts'
import { startAwsLabs } from './aws-labs.ts'
import { type AzureLabs, startAzureLabs } from './azure-labs.ts'
import { startComparer } from './comparer.ts'
import { startClockwork } from './clockwork.ts'
import { startJobRunner } from './jobs.ts'
import { startKeyKeeper } from './key-keeper.ts'
import { startPaymentKeeper } from './payment-keeper.ts'
import type { Running } from './leased-loop.ts'
import { startPortKeeper } from './port-keeper.ts'
import { startReconciler } from './reconciler.ts'
import { startScheduler } from './scheduler.ts'
import { startSurveyor } from './surveyor.ts'
import { startSweeper } from './sweeper.ts'

export interface WorkerParts {
  readonly db: Db
  readonly connection: Connection
  readonly cloud: Cloud
  /** null: there is no AWS, and nobody has a lab user there. */
  readonly aws: AwsUsers | null
  /** null: there are no lab users at Azure. */
  readonly azureLabs: AzureLabs | null
  readonly seal: Seal
  /** null: nobody can pay online. */
  readonly payments: Payments | null
  readonly jobs: JobHandlers
  /** The provider's own record of what it billed; null: it offers none, and nothing is compared. */
  readonly powerRecord: PowerRecord | null
  /** The way to machines' shells; left out: host keys are kept only when somebody connects. */
  readonly shells?: Shells
  readonly mail: { readonly host: string; readonly port: number }
  readonly onFault: (fault: unknown) => void
  /** Tells whoever runs the portal what is no fault, and worth knowing. */
  readonly say: (sentence: string) => void
}

/** How fast a worker goes about its work. */
export interface Pace {
  readonly concurrency: number
  readonly leaseSeconds: number
  /** Seconds between looks at everything: while machines are on their way, and otherwise. */
  readonly sweepBusy: number
  readonly sweepIdle: number
  /** How often it is asked whether what happens every so often is due. */
  readonly turnMs: number
}

const PACE: Pace = { concurrency: 24, leaseSeconds: 20, sweepBusy: 2, sweepIdle: 20, turnMs: 5_000 }

/** All that a worker does, started; any number of workers may run at once. */
export async function startWorker(parts: WorkerParts, pace: Pace = PACE): Promise<Running> {
  const { db, cloud, onFault, mail, say } = parts
  const worker = `${hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`
  const runner = await startJobRunner(db, parts.jobs, onFault)
  const running = [
    runner,
    startReconciler({ ...parts, ...pace }),
    startSweeper({ db, cloud, onFault, busy: pace.sweepBusy, idle: pace.sweepIdle }),
    startPortKeeper({ ...parts, ...pace }),
    ...(parts.aws === null ? [] : [startAwsLabs({ ...parts, ...pace, aws: parts.aws })]),
    ...(parts.azureLabs === null ? [] : [startAzureLabs({ ...parts, ...pace, ...parts.azureLabs })]),
    ...(parts.shells === undefined ? [] : [startKeyKeeper({ db, onFault, shells: parts.shells })]),
    startScheduler({ db, onFault }),
    ...(parts.payments === null ? [] : [startPaymentKeeper({ ...parts, ...pace, payments: parts.payments })]),
    startClockwork({ db, worker, mail, onFault, say }),
    startSurveyor({ db, cloud, onFault, tickMs: pace.turnMs }),
    ...(parts.powerRecord === null
      ? []
      : [startComparer({ db, record: parts.powerRecord, onFault, tickMs: pace.turnMs })]),
  ]
  return {
    async stop() {
      await Promise.allSettled(running.map((part) => part.stop()))
    },
  }
}

/**
 * Works until a signal ends it, and waits for the database whenever it is away. Answers the exit code.
 * @param say tells people so
 */
export async function runWorker(parts: WorkerParts, say: (sentence: string) => void): Promise<number> {
  const stopping = new AbortController()
  const stopped = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]).then(() => stopping.abort())
  const waiting = { say, signal: stopping.signal }
  await awaitDatabase(parts.db, waiting)
  if (!stopping.signal.aborted) {
    const worker = await startWorker({ ...parts, onFault: tellOutagesOnce(parts.db, waiting, parts.onFault) })
    await stopped
    await worker.stop()
  }
  await parts.db.destroy()
  return 0
}
