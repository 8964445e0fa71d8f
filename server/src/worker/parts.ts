import type { KeyObject } from 'node:crypto'
import type { Connection } from '../db/client.ts'
import type { Db } from '../db/schema.ts'
import type { JobQueue } from '../jobs/jobs.ts'
import type { AwsUsers } from '../providers/aws-users.ts'
import type { Cloud } from '../providers/cloud.ts'
import type { AccessProbe } from '../providers/access-probe.ts'
import type { ExpiringCredential, Identity } from '../providers/identity.ts'
import type { ConnectLabServices } from '../providers/lab-services.ts'
import type { Lms } from '../providers/lms.ts'
import type { MachineMetrics } from '../providers/machine-metrics.ts'
import type { Mail } from '../providers/mail.ts'
import type { Payments } from '../providers/payments.ts'
import type { SandboxGroups } from '../providers/sandbox-groups.ts'
import type { Shells } from '../providers/shell.ts'
import type { Webhooks } from '../providers/webhooks.ts'
import type { Seal } from '../secrets/seal.ts'
import type { Meters } from '../telemetry/meters.ts'

/** Runs work with the login of the database's owner. */
type WithOwner = <T>(callback: (owner: Db) => Promise<T>) => Promise<T>

export interface WorkerDependencies {
  readonly db: Db
  readonly connection: Connection
  readonly meters?: Meters | null
  readonly cloud: Cloud
  /** IPv4 prefixes from which the portal connects to machines; omitted: unknown. */
  readonly egress?: readonly string[]
  readonly aws: AwsUsers | null
  readonly azureLabs: AzureLabs | null
  /** Connects to the labs of a subscription, for imports. */
  readonly connectLabServices: ConnectLabServices
  /** Metrics of machines; if omitted, idle machines are not detected. */
  readonly metrics?: MachineMetrics
  readonly seal: Seal
  /** Reads the members of courses. */
  readonly lms: Lms
  readonly publicUrl: string
  readonly payments: Payments | null
  readonly webhooks: Webhooks
  readonly mail: Mail
  readonly jobQueue: JobQueue
  /** SSH shells of machines; if omitted, host keys are pinned only on the first connection. */
  readonly shells?: Shells
  /** Reads the SSH banner of machines; if omitted, the time at which a machine is ready is unknown. */
  readonly accessProbe?: AccessProbe
  readonly backUp?: (() => Promise<void>) | null
  readonly isMailUp: () => Promise<boolean>
  /** Finds the secrets and certificates of the portal; omitted: they are not checked. */
  readonly findExpiring?: (signal: AbortSignal) => Promise<readonly ExpiringCredential[]>
  readonly auditKey: () => KeyObject
  /** Folder for audit rows that are older than `days`; null if they stay in the database. */
  readonly auditArchive: { readonly folder: string; readonly days: number; readonly withOwner: WithOwner } | null
  /** Null if the process has only the login of the app. */
  readonly withOwner: WithOwner | null
  readonly onBug: (bug: unknown) => void
  readonly logMessage: (sentence: string) => void
}

export interface AzureLabs {
  readonly identity: Identity
  readonly groups: SandboxGroups
}

export interface Pace {
  readonly concurrency: number
  readonly leaseSeconds: number
  /** Seconds between sweeps over all machines: while some are changing, and otherwise. */
  readonly sweepBusy: number
  readonly sweepIdle: number
}

export const PACE: Pace = { concurrency: 24, leaseSeconds: 20, sweepBusy: 2, sweepIdle: 20 }
