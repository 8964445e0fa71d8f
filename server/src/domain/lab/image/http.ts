import type { HandlersOf } from '../../../core/handler.ts'
import type { JobQueue } from '../../../jobs/jobs.ts'
import { captureMachine } from './capture.ts'
import { listImages } from './list.ts'

export function imageHandlers({ jobs }: { readonly jobs: JobQueue }): HandlersOf<'image'> {
  return {
    async capture(tx, { actor, body }) {
      return { message: await captureMachine(tx, actor, body.vm, jobs) }
    },

    list: (db) => listImages(db),
  }
}
