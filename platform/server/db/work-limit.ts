import { AsyncLocalStorage } from 'node:async_hooks'

/** Limits of the queries that one request makes. */
export interface WorkLimit {
  /** Maximum milliseconds to wait for a free connection. */
  readonly connectionMs: number
  /** Aborts when no client waits for the result. A query that still runs a second later is ended. */
  readonly unwanted: AbortSignal | null
}

const limits = new AsyncLocalStorage<WorkLimit>()

export const withWorkLimit = <T>(limit: WorkLimit, callback: () => T): T => limits.run(limit, callback)

/**
 * Runs work without the current limit. Work that several requests share must not end when one of their clients
 * disconnects.
 */
export const withoutWorkLimit = <T>(callback: () => T): T => limits.exit(callback)

export const currentWorkLimit = (): WorkLimit | undefined => limits.getStore()
