import type { KeyObject } from 'node:crypto'
import type { Connection } from '../db/dial.ts'
import type { Db } from '../db/schema.ts'
import type { AutomaticArchive } from '../domain/audit/archive.ts'
import type { JobHandlers, Jobs } from '../jobs/jobs.ts'
import type { AwsUsers } from '../providers/aws-users.ts'
import type { Cloud } from '../providers/cloud.ts'
import type { Greetings } from '../providers/greeting.ts'
import type { Identity } from '../providers/identity.ts'
import type { MachineMetrics } from '../providers/machine-metrics.ts'
import type { Payments } from '../providers/payments.ts'
import type { PowerRecord } from '../providers/power-record.ts'
import type { SandboxGroups } from '../providers/sandbox-groups.ts'
import type { Shells } from '../providers/shell.ts'
import type { Seal } from '../secrets/seal.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'

/** All that a worker is given. */
export interface WorkerParts {
  readonly db: Db
  readonly connection: Connection
  /** Left out: nobody watches. */
  readonly telemetry?: Telemetry
  readonly cloud: Cloud
  /** null: there is no AWS, and nobody has a lab user there. */
  readonly aws: AwsUsers | null
  /** null: there are no lab users at Azure. */
  readonly azureLabs: AzureLabs | null
  /** The provider's measurements of machines; left out: nobody can say which are idle. */
  readonly metrics?: MachineMetrics
  readonly seal: Seal
  /** null: nobody can pay online. */
  readonly payments: Payments | null
  readonly jobs: JobHandlers
  /** The way for a task to ask for a job. */
  readonly putJobs: Jobs
  /** The provider's own record of what it billed; null: it offers none, and nothing is compared. */
  readonly powerRecord: PowerRecord | null
  /** The way to machines' shells; left out: host keys are kept only when somebody connects. */
  readonly shells?: Shells
  /** Asks machines if they answer; left out: nobody knows when one can be used. */
  readonly greetings?: Greetings
  /** Backs the database up once a day; left out: somebody else does. */
  readonly backUp?: (() => Promise<void>) | null
  readonly mail: { readonly host: string; readonly port: number }
  /** The key that the audit's heads are signed with; made when first asked for, where there is none. */
  readonly auditKey: () => KeyObject
  /** null: nothing is archived by itself. */
  readonly auditArchive: AutomaticArchive | null
  /** Days after which a run that ended moves to the archive; left out, or null: none does. */
  readonly runArchiveDays?: number | null
  readonly onBug: (bug: unknown) => void
  /** Tells whoever runs the portal what is no bug, and worth knowing. */
  readonly say: (sentence: string) => void
}

/** The places where Azure's lab users and their sandboxes are. */
export interface AzureLabs {
  readonly identity: Identity
  readonly groups: SandboxGroups
}

/** How fast a worker goes about its work. */
export interface Pace {
  readonly concurrency: number
  readonly leaseSeconds: number
  /** Seconds between looks at all machines: while some are on their way, and otherwise. */
  readonly sweepBusy: number
  readonly sweepIdle: number
}

export const PACE: Pace = { concurrency: 24, leaseSeconds: 20, sweepBusy: 2, sweepIdle: 20 }
