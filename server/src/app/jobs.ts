import { jobQueueIn } from '../worker/jobs.ts'
import type { App } from './build-app.ts'

/** Returns the job queue for commands that run on the server itself. */
export const jobQueueOf = ({ db }: App) => jobQueueIn(db)
