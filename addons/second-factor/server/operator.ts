import type { Command } from '@trainyard/platform/server/core/command.ts'
import { jobQueueIn } from '@trainyard/platform/server/run/jobs/queue.ts'
import { resetByOperator } from './reset.ts'

/** `npm run superadmin -- EMAIL reset-second-factor` */
export const resetCommand: Command = ({ args: [email = ''], print, withDb }) =>
  withDb('app', async (db) => {
    await resetByOperator(db, jobQueueIn(db), email)
    print(`The second factors of ${email} were removed and their sessions ended.`)
    return 0
  })
