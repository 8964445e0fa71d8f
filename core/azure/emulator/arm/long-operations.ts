import { randomUUID } from 'node:crypto'
import type { Database } from '@trainyard/platform/emulator/record/database.ts'
import type { Call, Failure } from './operation.ts'
import type { Resource } from './resources.ts'

/** Returns the final status of an ended operation. The resource's provisioning state has the same value. */
export const endState = (failure: Failure | null): 'Succeeded' | 'Failed' | 'Canceled' =>
  failure === null ? 'Succeeded' : failure.isCanceled === true ? 'Canceled' : 'Failed'

export interface LongOperation {
  readonly id: string
  readonly name: string
  readonly namespace: string
  readonly subscription: string
  readonly location: string
  readonly target: string
  readonly uid: string
  readonly effect: string
  readonly status: 'InProgress' | 'Succeeded' | 'Failed' | 'Canceled'
  readonly startedAt: number
  /** Null if the operation ends only when another request cancels it. */
  readonly endsAt: number | null
  readonly endedAt: number | null
  readonly failure: Failure | null
}

interface Row {
  id: string
  name: string
  namespace: string
  subscription: string
  location: string
  target: string
  uid: string
  effect: string
  status: LongOperation['status']
  started_at: number
  ends_at: number | null
  ended_at: number | null
  failure: string | null
}

export type Effect = (operation: LongOperation, instant: number, failure: Failure | null) => void

export interface OperationPlan {
  readonly effect: string
  readonly seconds: number
  /**
   * Key of the resource that the operation changes, if it is not the resource passed to `begin`. Example: an operation on
   * a VM extension changes its virtual machine.
   */
  readonly target?: string
  readonly id?: string
}

/**
 * Long-running operations. There are no timers: each call first completes the operations that are due, so a restart of
 * the emulator does not change when they end.
 */
export class LongOperations {
  readonly #database: Database
  /** Factor of all durations. At 0, operations end at once. */
  readonly latency: number
  readonly #effects = new Map<string, Effect>()

  constructor(database: Database, latency: number) {
    this.#database = database
    this.latency = latency
  }

  registerEffects(effects: Readonly<Record<string, Effect>>): void {
    for (const [name, effect] of Object.entries(effects)) this.#effects.set(name, effect)
  }

  /** Starts an operation. At latency 0, the returned operation has already ended. */
  begin(call: Call, resource: Resource, plan: OperationPlan): LongOperation {
    const id = plan.id ?? randomUUID()
    const endsAt = call.ending.kind === 'never' ? null : call.now + Math.round(plan.seconds * this.latency * 1000)
    const failure = call.ending.kind === 'failure' ? call.ending.failure : null
    this.#database.run(
      `INSERT INTO operation (id, name, namespace, subscription, location, target, uid, effect, status, started_at, ends_at, failure)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'InProgress', ?, ?, ?)`,
      id,
      call.operation,
      resource.type.split('/', 1)[0] ?? '',
      call.params.subscription?.toLowerCase() ?? '',
      resource.location,
      plan.target ?? resource.key,
      resource.uid,
      plan.effect,
      call.now,
      endsAt,
      failure === null ? null : JSON.stringify(failure),
    )
    if (endsAt !== null && endsAt <= call.now) this.settle(call.now)
    return this.get(id)
  }

  find(id: string): LongOperation | undefined {
    const row = this.#database.one<Row>('SELECT * FROM operation WHERE id = ?', id)
    return row === undefined ? undefined : read(row)
  }

  get(id: string): LongOperation {
    const found = this.find(id)
    if (found === undefined) throw new Error(`Operation ${id} does not exist.`)
    return found
  }

  findInProgress(target: string): LongOperation | undefined {
    const row = this.#database.one<Row>("SELECT * FROM operation WHERE status = 'InProgress' AND target = ?", target)
    return row === undefined ? undefined : read(row)
  }

  /** Cancels the operation in progress on the target without its effect, because a newer request replaces it. */
  preempt(target: string, now: number): void {
    this.#database.run(
      "UPDATE operation SET status = 'Canceled', ended_at = ?, failure = ? WHERE status = 'InProgress' AND target = ?",
      now,
      JSON.stringify({
        code: 'OperationPreempted',
        message: 'Operation execution has been preempted by a more recent operation.',
      }),
      target,
    )
  }

  /** Completes the operations that are due, in the order of their ends. */
  settle(now: number): void {
    for (;;) {
      const row = this.#database.one<Row>(
        "SELECT * FROM operation WHERE status = 'InProgress' AND ends_at <= ? ORDER BY ends_at, rowid LIMIT 1",
        now,
      )
      if (row === undefined) return
      this.#database.transaction(() => this.#complete(read(row)))
    }
  }

  #complete(operation: LongOperation): void {
    const endedAt = operation.endsAt ?? operation.startedAt
    const effect = this.#effects.get(operation.effect)
    if (effect === undefined) throw new Error(`There is no effect named ${operation.effect}.`)
    this.#database.run(
      'UPDATE operation SET status = ?, ended_at = ? WHERE id = ?',
      endState(operation.failure),
      endedAt,
      operation.id,
    )
    effect(operation, endedAt, operation.failure)
  }
}

function read(row: Row): LongOperation {
  return {
    id: row.id,
    name: row.name,
    namespace: row.namespace,
    subscription: row.subscription,
    location: row.location,
    target: row.target,
    uid: row.uid,
    effect: row.effect,
    status: row.status,
    startedAt: row.started_at,
    endsAt: row.ends_at,
    endedAt: row.ended_at,
    failure: row.failure === null ? null : (JSON.parse(row.failure) as Failure),
  }
}
