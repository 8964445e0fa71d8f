import { connectedModules } from './server/core/events.ts'
import { serverModule } from './server/core/module.ts'
import { withoutOwner } from './server/core/tables.ts'
import type { Db } from './server/db/schema.ts'
import { healthHandlers } from './server/http/health.ts'
import { deleteOldReplies } from './server/http/stored-reply.ts'
import { claimableTables } from './server/run/reconcile/claim.ts'
import { statusOf } from './server/run/reconcile/status.ts'
import { MINUTE } from './server/run/reconcile/task.ts'
import { cleanUp, deleteOldBuckets, deleteOldPulses } from './server/run/clean-up.ts'
import { recordPartState } from './server/run/part-state.ts'
import { STATE_GAUGES } from './server/run/state-gauges.ts'

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
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    personal: {
      // The module addons/audit-chain/server/erasure.ts erases these columns.
      audit: withoutOwner('request_id call actor_role refused actor_email detail address before after'),
      call_bucket: withoutOwner('name'),
      part_state: withoutOwner('part'),
      stored_reply: {
        owner: { user: 'actor_id' },
        title: 'Stored replies',
        erase: 'delete',
        ifMentioned: 'delete',
        mentions: 'reply',
        secrets: 'body_hash',
        other: 'key call',
      },
      task: withoutOwner('name', 'last_error'),
      task_on_worker: withoutOwner('worker name', 'last_error'),
      worker_pulse: withoutOwner('worker'),
    },
    expire: [deleteOldReplies, deleteOldBuckets, deleteOldPulses],
  },
  gauges: STATE_GAUGES,
})
