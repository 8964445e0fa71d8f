import type { Connection } from '../db/client.ts'
import type { Db } from '../db/schema.ts'
import type { Check } from '../doctor/check.ts'
import type { Diagnosis } from '../doctor/diagnose.ts'
import type { JobQueue } from './jobs/job.ts'
import type { Mail } from '../mail/mail.ts'
import type { Seal } from './secrets/seal.ts'
import type { Meters } from './telemetry/meters.ts'

/** Runs work with the login of the database's owner. */
export type WithOwner = <T>(callback: (owner: Db) => Promise<T>) => Promise<T>

/** Parts of the worker. Modules add theirs. */
export interface WorkerDependencies {
  readonly db: Db
  readonly connection: Connection
  readonly meters?: Meters | null
  readonly seal: Seal
  readonly publicUrl: string
  readonly mail: Mail
  /** Microsoft 365, if a module knows it. */
  readonly entra?: EntraMail
  readonly jobQueue: JobQueue
  /** Null: no automatic backups. */
  readonly backUp?: (() => Promise<void>) | null
  /** Restores a backup into a new database and checks it. Returns false if there is no backup yet. */
  readonly verifyRestore?: (() => Promise<boolean>) | null
  /** Null if no mail server is set up. */
  readonly isMailUp: (() => Promise<boolean>) | null
  /** Runs checks of `npm run doctor`. */
  readonly diagnose: (isChosen: (check: Check) => boolean) => Promise<readonly Diagnosis[]>
  /** Replaces the secrets of this process in a text of another system. */
  readonly hideSecrets: (text: string) => string
  /** Null if the process has only the login of the app. */
  readonly withOwner: WithOwner | null
  readonly onBug: (bug: unknown) => void
  readonly logMessage: (sentence: string) => void
}

/** Sign-in and mail of Microsoft 365. */
export interface EntraMail {
  readonly credential: { getToken(scope: string): Promise<{ readonly token: string } | null> }
  readonly mailFrom: (from: string) => Mail
}

export interface Pace {
  readonly concurrency: number
  readonly leaseSeconds: number
  /** Seconds between sweeps over all machines: while some are changing, and otherwise. */
  readonly sweepBusy: number
  readonly sweepIdle: number
}

export const PACE: Pace = { concurrency: 24, leaseSeconds: 20, sweepBusy: 2, sweepIdle: 20 }
