import { connectedModules } from '../core/events.ts'
import { serverModule } from '../core/module.ts'
import { withoutOwner } from '../core/tables.ts'
import type { Db } from '../db/schema.ts'
import { healthHandlers } from '../http/health.ts'
import { deleteOldReplies } from '../http/stored-reply.ts'
import { claimableTables } from '../reconcile/claim.ts'
import { statusOf } from '../reconcile/status.ts'
import { MINUTE } from '../reconcile/task.ts'
import { cleanUp, deleteOldBuckets, deleteOldPulses } from './clean-up.ts'
import { recordPartState } from './part-state.ts'
import { STATE_GAUGES } from './state-gauges.ts'

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
    sql: new URL('../db/tables/platform.sql', import.meta.url),
    personal: {
      // The module server/src/domain/audit/erasure.ts erases these columns.
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
