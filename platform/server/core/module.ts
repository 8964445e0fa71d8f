import type { Mail } from '../mail/mail.ts'
import type { FastifyInstance } from 'fastify'
import type { SecondFactorRule } from '../../contract/words/sign-in.ts'
import type { Config, Secrets } from '../config/config.ts'
import type { Db } from '../db/schema.ts'
import type { Check } from '../doctor/check.ts'
import type { RouteParts } from '../http/server.ts'
import type { Upgrades } from '../http/upgrades.ts'
import type { Job, JobQueue, Run, RunnableJob } from '../run/jobs/job.ts'
import type { ClaimableRow, ClaimableTable } from '../run/reconcile/claim.ts'
import { type Kind, type LoopOptions, startLoop } from '../run/reconcile/loop.ts'
import type { Loop } from '../run/reconcile/running.ts'
import type { Task } from '../run/reconcile/task.ts'
import type { Proof } from '../run/secrets/proof.ts'
import type { Seal } from '../run/secrets/seal.ts'
import type { Gauges, Meters } from '../run/telemetry/meters.ts'
import type { Pace, WorkerDependencies } from '../run/parts.ts'
import type { Connected } from './events.ts'
import type { Handlers } from './handler.ts'

/** Parts that handlers are built from. Modules add theirs. No cloud provider is among them: handlers only change the desired state. */
export interface CallDependencies {
  readonly seal: Seal
  readonly jobs: JobQueue
  readonly secondFactor: SecondFactorRule
  readonly publicUrl: string
  readonly disk: { isFull(): boolean }
  readonly unset: Config['unset']
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
  readonly onBug: (bug: unknown) => void
}

/** Objects from which modules build their connections to other systems. */
export interface Connecting {
  readonly config: Config
  readonly secrets: Secrets
  readonly db: Db
  readonly seal: Seal
  readonly meters: Meters | null
  readonly overrides: Overrides
  /** Logs a call of a provider. */
  readonly logCall: (call: object, message: string) => void
  /** Registers what to close with the process. */
  onClose(close: () => Promise<void>): void
}

/** Settings of connections that only tests change. Modules add theirs. */
// oxlint-disable-next-line typescript/no-empty-object-type -- joined by the modules
export interface Overrides {}

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

/** Parts that a feature adds to the server. */
export interface ServerModule extends Connected {
  readonly name: string
  /** Names of the add-ons that this add-on imports. */
  readonly requires?: readonly string[]
  /**
   * Returns its parts of an API process.
   * @param parts receives the parts of all modules, so that functions called later find those of later modules
   */
  connectCalls?(from: Connecting, parts: CallDependencies): Partial<CallDependencies>
  /** Returns its parts of the worker. @param parts see `connectCalls` */
  connectWorker?(from: Connecting, parts: WorkerDependencies): Promise<Partial<WorkerDependencies>>
  /** Returns the sender of the worker's e-mails, for example with a line at their end. */
  mail?(mail: Mail, from: Connecting): Mail
  /** Loads libraries of an API process, so that no user waits for them and a damaged package is detected at start. */
  load?(): Promise<unknown>
  /** Prepares an installation at each start, and returns lines for the terminal. */
  prepareStart?(config: Config, secrets: Secrets): Promise<readonly string[]>
  calls?(parts: CallDependencies): SomeHandlers
  routes?(server: FastifyInstance, parts: RouteDependencies): void
  /** Background tasks. Their periods and limits are in seconds. */
  tasks?(parts: WorkerDependencies, pace: Pace): readonly Task[]
  readonly kinds?: readonly Reconciler[]
  readonly jobs?: readonly DeclaredJob[]
  readonly gauges?: Gauges
  /** Checks of `npm run doctor`. @param from `readable`: the check that the database can be read */
  checks?(from: { readonly db: Db; readonly readable: Check }): readonly Check[]
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
