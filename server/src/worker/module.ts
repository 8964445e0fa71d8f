import { connectedModules } from '../core/events.ts'
import { serverModule } from '../core/module.ts'
import type { Db } from '../db/schema.ts'
import { healthHandlers } from '../http/health.ts'
import { claimableTables } from '../reconcile/claim.ts'
import { statusOf } from '../reconcile/status.ts'
import { MINUTE } from '../reconcile/task.ts'
import { cleanUp } from './clean-up.ts'
import { recordPartState } from './part-state.ts'

const status = (db: Db) => statusOf(db, claimableTables(connectedModules()))

export default serverModule({
  name: 'platform',
  calls: ({ prove, disk }) => ({ health: healthHandlers({ prove, disk, status }) }),
  tasks: ({ db, isMailUp, backUp }) => [
    {
      name: 'check the mail server',
      every: 10,
      on: 'one',
      run: async () => recordPartState(db, 'mail', await isMailUp()),
    },
    { name: 'delete expired records', every: 10 * MINUTE, on: 'one', run: () => cleanUp(db) },
    ...(backUp
      ? [{ name: 'back up the database', every: 10 * MINUTE, on: 'one' as const, limit: 3_600, run: backUp }]
      : []),
  ],
})
