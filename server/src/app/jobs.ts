import { jobsIn } from '../worker/jobs.ts'
import type { App } from './build-app.ts'

/** The jobs that something at the machine itself puts. */
export const jobsOf = ({ db }: App) => jobsIn(db)
