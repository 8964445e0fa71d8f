import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { restrictDataFolder } from '@trainyard/platform/server/run/files/private-folder.ts'
import { rotateLogs } from '@trainyard/platform/server/run/files/private-log.ts'
import { embeddedPlace } from '@trainyard/platform/server/db/embedded/place.ts'
import { DataInUse, type Embedded, startEmbedded } from '@trainyard/platform/server/db/embedded/start-embedded.ts'
import { lockFolder } from './folder-lock.ts'
import { keepRunning, type SupervisedPart, type Part } from './part.ts'
import { assertFree, untilListening, type RequiredPort } from './ports.ts'
import { messageOf } from './error-message.ts'

export interface Plan {
  readonly dataDir: string
  readonly embedded: boolean
  readonly ports: readonly RequiredPort[]
  /** Prepares the start, for example migrates the database, before waiting processes continue. */
  prepare(start: { readonly logMessage: LogMessage }): Promise<void>
  readonly parts: readonly Part[]
  isUp(): Promise<boolean>
  ready(): readonly string[]
  readonly watch?: (parts: readonly SupervisedPart[]) => Promise<void>
}

export type LogMessage = (sentence: string) => void

/**
 * Time in milliseconds for the children to end. With PostgreSQL, everything ends within 5 s of Ctrl-C, unless
 * PostgreSQL has much to write.
 */
const PATIENCE = 2_500
const LOOK_AT_LOGS = 30_000
/**
 * Milliseconds after which the portal reports ready in any case, because an unreachable provider must not delay this.
 */
const UP_LIMIT = 5_000
const LOOK_AGAIN = 100

/** Runs the portal. Returns the exit code: 0 when stopped, 1 when it could not start. */
export async function supervise(plan: Plan): Promise<number> {
  const logMessage: LogMessage = (sentence) => process.stdout.write(`${sentence}\n`)
  const stop = stopSignal()
  const stage = async <Result>(done: string, work: () => Promise<Result>): Promise<Result> => {
    const begun = performance.now()
    const result = await work()
    if (!stop.aborted) logMessage(`${done} in ${((performance.now() - begun) / 1_000).toFixed(1)} s`)
    return result
  }
  const logs = process.stdout.isTTY ? join(plan.dataDir, 'logs') : null
  const supervised: SupervisedPart[] = []
  const start = (parts: readonly Part[]) =>
    supervised.push(...parts.map((part) => keepRunning(part, logs, logMessage, stop)))
  let database: Embedded | null = null
  let turning: NodeJS.Timeout | null = null
  let code = 0
  try {
    // These processes are started first, because loading their code takes longer than everything that they wait for.
    start(plan.parts.filter((part) => part.waits))
    if (plan.embedded)
      database = await stage('PostgreSQL started', () => startEmbedded(plan.dataDir, {}, 'portal', logMessage))
    else {
      restrictDataFolder(plan.dataDir, null)
      await lockFolder(plan.dataDir)
    }
    if (database?.elsewhere) logMessage(database.elsewhere)
    await assertFree(plan.ports, database?.adopted ? 5_000 : 1_500)
    if (!stop.aborted) start(plan.parts.filter((part) => !part.waits))
    if (!stop.aborted) await stage('Data prepared', () => plan.prepare({ logMessage }))
    if (!stop.aborted) for (const part of supervised) part.proceed()
    turning = setInterval(() => rotateAllLogs(plan, logMessage), LOOK_AT_LOGS)
    await plan.watch?.(supervised)
    const isUp = await stage('Portal started', async () => {
      await Promise.all(plan.ports.map((port) => untilListening(port, stop)))
      return waitUntilUp(plan, stop)
    })
    if (!stop.aborted) for (const line of plan.ready()) logMessage(line)
    if (!stop.aborted && !isUp) logMessage('  Some parts are not up yet. See /api/health.')
    while (!stop.aborted) {
      await Promise.race([aborted(stop), ...(database === null ? [] : [database.lost])])
      if (!stop.aborted && database !== null) database = await restartDatabase(plan.dataDir, stop, logMessage)
    }
    logMessage('Stopping ...')
  } catch (error) {
    code = 1
    process.stderr.write(`${messageOf(error)}\n`)
  }
  if (turning !== null) clearInterval(turning)
  await Promise.all(supervised.map((part) => part.stop(PATIENCE)))
  await database?.stop()
  return code
}

async function waitUntilUp({ isUp }: Plan, stop: AbortSignal): Promise<boolean> {
  for (const until = Date.now() + UP_LIMIT; !stop.aborted && Date.now() < until;) {
    if (await isUp()) return true
    await Promise.race([pause(LOOK_AGAIN), aborted(stop)])
  }
  return false
}

function rotateAllLogs({ dataDir, embedded }: Plan, logMessage: LogMessage): void {
  const homes = new Set([dataDir, ...(embedded ? [embeddedPlace(dataDir).home] : [])])
  for (const home of homes) {
    try {
      rotateLogs(join(home, 'logs'))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        logMessage(`The logs could not be rotated: ${messageOf(error)}`)
    }
  }
}

async function restartDatabase(dataDir: string, stop: AbortSignal, logMessage: LogMessage): Promise<Embedded | null> {
  logMessage('PostgreSQL ended unexpectedly. Restarting it.')
  for (let wait = 100; !stop.aborted; wait = Math.min(wait * 2, 2_000)) {
    try {
      return await startEmbedded(dataDir, {}, 'portal', logMessage)
    } catch (error) {
      if (error instanceof DataInUse) throw error
      logMessage(messageOf(error))
      await Promise.race([pause(wait, undefined, { ref: false }), aborted(stop)])
    }
  }
  return null
}

function stopSignal(): AbortSignal {
  const control = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => control.abort())
  return control.signal
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
