import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { connectionsAnswer, mailAnswer } from '../contract/set-up.ts'
import { connectionsTry, mailTry } from './jobs.ts'
import { readTry, startTry } from './tries.ts'

const RUNNING = { message: 'A try is running already. Its answer appears here.' }

export const setUpHandlers = ({ jobs }: { readonly jobs: JobQueue }): HandlersOf<'setUp'> => ({
  async read(db) {
    return {
      connections: await readTry(db, 'connections', connectionsAnswer),
      mail: await readTry(db, 'mail', mailAnswer),
    }
  },

  async tryConnections(tx) {
    const attempt = await startTry(tx, 'connections')
    if (attempt === null) return RUNNING
    await jobs.enqueue(tx, connectionsTry, [{ attempt }])
    return { message: 'The connections are being tried.' }
  },

  async tryMail(tx, { actor }) {
    const attempt = await startTry(tx, 'mail')
    if (attempt === null) return RUNNING
    await jobs.enqueue(tx, mailTry, [{ attempt, user: actor.id }])
    return { message: `A test e-mail to ${actor.email} is being sent.` }
  },
})
