import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { SecondFactorRule } from '@trainyard/contract/words/sign-in.ts'
import type { Db } from '../db/schema.ts'
import type { RouteParts } from '../http/server.ts'
import type { Upgrades } from '../http/upgrades.ts'
import type { Job, JobQueue, Run, RunnableJob } from '../jobs/jobs.ts'
import type { Desktops } from '../providers/desktop.ts'
import type { FilesConnector } from '../providers/machine-files.ts'
import type { Lms } from '../providers/lms.ts'
import type { OpenId } from '../providers/open-id.ts'
import type { Payments } from '../providers/payments.ts'
import type { Shells } from '../providers/shell.ts'
import type { TextRecords } from '../providers/text-records.ts'
import type { Webhooks } from '../providers/webhooks.ts'
import type { ClaimableRow, ClaimableTable } from '../reconcile/claim.ts'
import { type Kind, type LoopOptions, startLoop } from '../reconcile/loop.ts'
import type { Loop } from '../reconcile/running.ts'
import type { Task } from '../reconcile/task.ts'
import type { Proof } from '../secrets/proof.ts'
import type { Seal } from '../secrets/seal.ts'
import type { Gauges } from '../telemetry/meters.ts'
import type { Pace, WorkerDependencies } from '../worker/parts.ts'
import type { Connected } from './events.ts'
import type { Handlers } from './handler.ts'

/** Notifications of changes, by the training or organisation that they concern. */
interface Changes {
  /** @param onChange receives the changed machines, or null if any machine may have changed */
  subscribe(
    subject: string,
    onChange: (machines: readonly MachineId[] | null, ofAll: boolean) => void,
    channels?: readonly string[],
  ): { unsubscribe(): void }
  close(): Promise<void>
}

/**
 * Parts that the handlers are built from. No cloud provider is among them, because handlers only change the desired
 * state.
 */
export interface CallDependencies {
  readonly seal: Seal
  readonly jobs: JobQueue
  readonly changes: Changes
  readonly secondFactor: SecondFactorRule
  readonly payments: Payments | null
  /** Client for organisations' OpenID Connect providers. Only sign-in calls use it. */
  readonly openId: OpenId
  readonly lms: Lms
  /** Client for DNS TXT records. */
  readonly dnsTexts: TextRecords
  readonly webhooks: Webhooks
  readonly publicUrl: string
  readonly remotePage: string
  readonly connector: FilesConnector
  readonly azure: {
    readonly emulated: boolean
    readonly portalUrl: string
    readonly labDomain: string | null
    readonly sandboxLimit: number | null
  }
  readonly aws: {
    readonly labDomain: string | null
    readonly pool: readonly string[]
    readonly consoleUrl: (account: string) => string
  }
  readonly disk: { isFull(): boolean }
  /**
   * Signs a nonce. A process with the same settings uses the signature to verify that this portal has the same
   * settings.
   */
  readonly prove: (nonce: string) => Proof
}

/** Parts of routes that are no calls of the contract, such as WebSockets. */
interface RouteDependencies extends CallDependencies, RouteParts {
  readonly db: Db
  readonly rateLimitFactor: number
  readonly upgrades: Upgrades
  /** URL at which other processes of the portal reach this one; null: the address of HOST. */
  readonly peerUrl: string | null
  readonly shells: Shells
  readonly desktops: Desktops
  readonly onAgents: (open: (connection: string, ticket: string, signal: AbortSignal) => Promise<Duplex> | null) => void
  readonly onBug: (bug: unknown) => void
}

/** Handlers of some calls. Two modules may share a group of calls. */
type SomeHandlers = { readonly [Group in keyof Handlers]?: Partial<Handlers[Group]> }

/** Rows that the worker reconciles with a provider. */
interface Reconciler {
  readonly table: ClaimableTable
  /** Returns null without the settings of the provider. */
  start(parts: WorkerDependencies, options: LoopOptions): Loop | null
}

/** Declares rows that the worker reconciles. */
export const reconciles = <Row extends ClaimableRow>(
  table: ClaimableTable,
  kindOf: (parts: WorkerDependencies) => Kind<Row> | null,
): Reconciler => ({
  table,
  start(parts, options) {
    const kind = kindOf(parts)
    return kind === null ? null : startLoop(kind, options)
  },
})

interface DeclaredJob {
  readonly job: Job<unknown>
  readonly runOf: (parts: WorkerDependencies) => RunnableJob['run']
}

/** Declares a job and the function that runs it. */
export const runs = <Data extends object>(
  job: Job<Data>,
  runOf: (parts: WorkerDependencies) => Run<Job<Data>>,
): DeclaredJob => ({ job, runOf })

/** What a feature adds to the server. */
export interface ServerModule extends Connected {
  readonly name: string
  /** Names of the add-ons that this add-on imports. */
  readonly requires?: readonly string[]
  calls?(parts: CallDependencies): SomeHandlers
  routes?(server: FastifyInstance, parts: RouteDependencies): void
  /** Background tasks. Their periods and limits are in seconds. */
  tasks?(parts: WorkerDependencies, pace: Pace): readonly Task[]
  readonly kinds?: readonly Reconciler[]
  readonly jobs?: readonly DeclaredJob[]
  readonly gauges?: Gauges
}

export const serverModule = (module: ServerModule): ServerModule => module

/** Returns the handlers of all modules. */
export function handlersOf(modules: readonly ServerModule[], parts: CallDependencies): Handlers {
  const handlers: Record<string, object> = {}
  for (const { calls } of modules)
    for (const [group, some] of Object.entries(calls?.(parts) ?? {})) handlers[group] = { ...handlers[group], ...some }
  return handlers as unknown as Handlers
}

export const tasksOf = (modules: readonly ServerModule[], parts: WorkerDependencies, pace: Pace): readonly Task[] =>
  modules.flatMap(({ tasks }) => tasks?.(parts, pace) ?? [])
