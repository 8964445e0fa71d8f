import { type Overrides, workerOf } from '@trainyard/server/compose.ts'
import { sql } from 'kysely'
import type { AzureUserRow, SandboxRow } from '@trainyard/lab-users/tables.gen.ts'
import { sandboxKind } from '@trainyard/sandbox-azure/server/azure/sandbox-step.ts'
import { azureUserKind } from '@trainyard/sandbox-azure/server/azure/user-step.ts'
import { endExpiredSandboxes, endExpiredAzureUsers } from '@trainyard/sandbox-azure/server/azure/wake.ts'
import { queueOf } from '../server/run/reconcile/claim.ts'
import { workOn } from '../server/run/reconcile/work.ts'
import type { AzureLabs } from '@trainyard/sandbox-azure/server/connection.ts'
import type { LabEnvironment } from './lab-environment.ts'

/** A request to the provider, with its time by the portal's clock. `status` null: no response. */
export interface LabCall {
  readonly at: Date
  readonly target: string
  readonly status: number | null
  readonly retryAfter: number | null
}

/**
 * Performs a worker's work step by step, on a clock that jumps to the next due time, so that hours pass in
 * milliseconds. A worker killed at a call never returns from it.
 */
export interface LabDriver {
  readonly calls: readonly LabCall[]
  readonly bugs: unknown[]
  /** Performs all work due within so many seconds. Throws after more than `LOOPS` claims. */
  run(seconds: number): Promise<void>
}

/** Maximum number of loops: enough for a scenario of minutes, and exceeded by a loop without pauses. */
const LOOPS = 600

export interface DriverOptions {
  /** Wraps the adapters of the worker. `kill` never settles, because the worker died there. */
  readonly labs?: (labs: AzureLabs, kill: () => Promise<never>) => AzureLabs
  readonly timeoutMs?: number
}

export async function driveLabs(env: LabEnvironment, options: DriverOptions = {}): Promise<LabDriver> {
  const calls: LabCall[] = []
  const bugs: unknown[] = []
  const record = (target: string, status: number | null, pause: string | null | undefined) =>
    calls.push({
      at: env.now(),
      target: target,
      status,
      retryAfter: pause === null || pause === undefined ? null : Number(pause),
    })
  const azure: Overrides['azure'] = {
    http: (wire) => ({
      async sendRequest(request) {
        const target = `${request.method} ${new URL(request.url).pathname}`
        try {
          const response = await wire.sendRequest(request)
          record(target, response.status, response.headers.get('retry-after'))
          return response
        } catch (broken) {
          record(target, null, null)
          throw broken
        }
      },
    }),
    async send(url, init) {
      const target = `${init?.method} ${url instanceof URL ? url.pathname : ''}`
      try {
        const response = await fetch(url, init)
        record(target, response.status, response.headers.get('retry-after'))
        return response
      } catch (broken) {
        record(target, null, null)
        throw broken
      }
    },
  }
  const realLabs = (await workerOf(env.portal.app, { azure })).azureLabs!
  const watching = new Set<() => void>()
  const labs = options.labs?.(realLabs, rejectCall) ?? realLabs
  const { db, seal } = env.parts
  const onBug = (bug: unknown) => bugs.push(bug)
  const userKind = azureUserKind({ seal, ...labs })
  const groupKind = sandboxKind({ db, ...labs })
  const azureUsers = queueOf<AzureUserRow>('azure_user')
  const sandboxes = queueOf<SandboxRow>('sandbox')
  const signal = () => AbortSignal.timeout(options.timeoutMs ?? 20_000)

  /** Ends the driver's turn. The killed worker's leases remain until they expire. */
  function rejectCall(): Promise<never> {
    for (const stop of watching) stop()
    return new Promise(() => {})
  }
  const step = (begin: () => Promise<void>) =>
    new Promise<void>((resolve, reject) => {
      watching.add(resolve)
      begin()
        .finally(() => watching.delete(resolve))
        .then(resolve, reject)
    })

  async function processDue(): Promise<boolean> {
    await endExpiredAzureUsers(db)
    await endExpiredSandboxes(db)
    const users = await azureUsers.claimDue(db, 50, 20)
    const groups = await sandboxes.claimDue(db, 50, 20)
    await Promise.all([
      ...users.map((user) => step(() => workOn(db, userKind, user, signal(), onBug))),
      ...groups.map((group) => step(() => workOn(db, groupKind, group, signal(), onBug))),
    ])
    return users.length + groups.length > 0
  }

  return {
    calls,
    bugs,
    async run(seconds) {
      const end = env.now().getTime() + seconds * 1000
      for (let loops = 0; ; loops++) {
        if (loops > LOOPS) throw new Error(`Still busy after ${LOOPS} turns: ${JSON.stringify(calls.slice(-10))}`)
        if (await processDue()) continue
        const due = [await azureUsers.msUntilDue(db), await sandboxes.msUntilDue(db), await untilOver(env)]
        const next = Math.min(...due.map((ms) => ms ?? Number.POSITIVE_INFINITY))
        const remaining = end - env.now().getTime()
        if (remaining <= 0) return
        await env.step(Math.max(0.05, Math.min(next, remaining) / 1000))
      }
    },
  }
}

/** Returns the milliseconds until the next lab user or sandbox expires. */
async function untilOver(env: LabEnvironment): Promise<number | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select least((select min(delete_at) from sandbox where desired <> 'gone'),
      (select min(end_at) from azure_user where desired = 'ready')) as at`.execute(env.db)
  const at = rows[0]!.at
  return at === null ? null : at.getTime() - env.now().getTime()
}
