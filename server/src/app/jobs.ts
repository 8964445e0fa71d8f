import { jobsIn } from '../worker/jobs.ts'
import type { App } from './build-app.ts'

/** Returns the job queue for commands that run on the server itself. */
export const jobsOf = ({ db }: App) => jobsIn(db)
