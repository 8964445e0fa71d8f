import { jobQueueIn } from '../worker/jobs.ts'
import type { App } from './build-app.ts'

export const jobQueueOf = ({ db }: App) => jobQueueIn(db)
