import type { RawBuilder } from 'kysely'

/** Something that happens every so often, by itself. */
export interface Task {
  readonly name: string
  /** Seconds from the end of one run to the start of the next, where a run does not say so itself. */
  readonly every: number
  /** `one`: of all workers one runs it at a time. `each`: every worker runs it by itself. */
  readonly on: 'one' | 'each'
  /** A channel of commits that have it run at once. Of `each` tasks only. */
  readonly wokenBy?: string
  /** True in SQL while there is something to do: then it runs at once. Of `each` tasks only. */
  readonly isDue?: RawBuilder<boolean>
  /** Seconds after which a run is called off; a minute, where it is left out. */
  readonly limit?: number
  /**
   * Does it. May answer the seconds until the next run. It is repeated after any end, so that dying half-way loses
   * nothing; an error is shown, and tried again after a growing pause, on each worker after a short one.
   */
  run(signal: AbortSignal): Promise<number | void>
}

export const LIMIT_SECONDS = 60
