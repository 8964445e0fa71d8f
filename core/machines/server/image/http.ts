import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
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
