import { connectedModules } from './server/core/events.ts'
import { serverModule } from './server/core/module.ts'
import { withoutOwner } from './server/core/tables.ts'
import { BACKUP_TASK } from './server/db/backup/retention.ts'
import type { Db } from './server/db/schema.ts'
import { StepError } from './server/providers/errors.ts'
import { healthHandlers } from './server/http/health.ts'
import { deleteOldReplies } from './server/http/stored-reply.ts'
import { claimableTables } from './server/run/reconcile/claim.ts'
import { statusOf } from './server/run/reconcile/status.ts'
import { type Again, DAY, MINUTE } from './server/run/reconcile/task.ts'
import { cleanUp, deleteOldBuckets, deleteOldPulses } from './server/run/clean-up.ts'
import { recordPartState } from './server/run/part-state.ts'
import { STATE_GAUGES } from './server/run/state-gauges.ts'

const HOUR = 60 * MINUTE

const status = (db: Db) => statusOf(db, claimableTables(connectedModules()))

/** Returns a run that is repeated only after a while if it fails, because it reads the whole database. */
const retrying = (seconds: number, run: () => Promise<Again | void>) => (): Promise<Again | void> =>
  run().catch((error: unknown) => {
    throw new StepError('failed', (error as Error).message, { retryAfter: seconds, cause: error })
  })

export default serverModule({
  name: 'platform',
  calls: ({ prove, disk, unset }) => ({ health: healthHandlers({ prove, disk, unset, status }) }),
  tasks: ({ db, isMailUp, backUp, verifyRestore }) => [
    ...(isMailUp
      ? [
          {
            name: 'check the mail server',
            every: 10,
            on: 'one' as const,
            run: async () => recordPartState(db, 'mail', await isMailUp()),
          },
        ]
      : []),
    { name: 'delete expired records', every: 10 * MINUTE, on: 'one', run: () => cleanUp(db) },
    ...(backUp
      ? [
          {
            name: BACKUP_TASK,
            every: 10 * MINUTE,
            on: 'one' as const,
            limit: 3_600,
            run: retrying(HOUR, backUp),
          },
        ]
      : []),
    ...(verifyRestore
      ? [
          {
            name: 'test the restore of a backup',
            every: 7 * DAY,
            on: 'one' as const,
            limit: 3_600,
            run: retrying(DAY, async () => ((await verifyRestore()) ? undefined : { inSeconds: DAY })),
          },
        ]
      : []),
  ],
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    access: { audit: { writes: 'insert', generated: ['id', 'at', 'xid'] } },
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
