import type { PgBoss } from 'pg-boss'
import type { Tx } from '../../db/schema.ts'

type Options = Omit<NonNullable<Parameters<PgBoss['createQueue']>[1]>, 'name'>

/** Options of e-mails. They are retried for about two days, because a mail server may be down for days. */
export const EMAILS: Options = {
  retryLimit: 60,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 3_600,
  heartbeatSeconds: 10,
}

/** A kind of one-off work. Its data must not contain secrets. */
export interface Job<Data> {
  readonly name: string
  readonly options: Options
  readonly data?: Data
}

export const job = <Data extends object>(name: string, options: Options): Job<Data> => ({ name, options })

/** Function that runs a job. A job may run more than once, so the function must be idempotent. */
export type Run<Kind> = Kind extends Job<infer Data> ? (data: Data, signal: AbortSignal) => Promise<void> : never

/** A kind of job with the function that runs it. */
export interface RunnableJob {
  readonly job: Job<unknown>
  readonly run: (data: never, signal: AbortSignal) => Promise<void>
}

/**
 * Queue of jobs. A job is enqueued in the transaction of its cause, so that either both are committed or neither is.
 */
export interface JobQueue {
  /**
   * @param cause organisation or registration link that caused the jobs. The causes of a queue take turns, so that a large number
   *   of jobs delays only those of the same cause.
   */
  enqueue<Data extends object>(tx: Tx, job: Job<Data>, rows: readonly NoInfer<Data>[], cause?: string): Promise<void>
}

/** Thrown to run the job again without reporting an error. */
export class JobNotFinished extends Error {
  override readonly name = 'JobNotFinished'
}
