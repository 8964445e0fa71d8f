import { sql } from 'kysely'
import { serverModule } from '../../../core/module.ts'
import { deleteOldOpenings } from '../operation/openings.ts'
import { abandonedRemoteSessions } from './ending.ts'
import { pinFirstKeys } from './first-keys.ts'
import { remoteHandlers } from './http.ts'
import { cleanTransfers } from './transfer.ts'
import { serveConnections } from '../../../remote/routes.ts'

export default serverModule({
  name: 'remote-access',
  calls: ({ remotePage: page, seal, connector }) => ({ remote: remoteHandlers({ page, seal, connector }) }),
  tasks: ({ db, shells }) => [
    // An API process closes abandoned sessions only while it has open sessions itself.
    { name: 'close abandoned remote sessions', every: 30, on: 'one', run: abandonedRemoteSessions(db) },
    ...(shells
      ? [
          {
            name: 'pin host keys',
            every: 5,
            on: 'one' as const,
            run: (signal: AbortSignal) => pinFirstKeys(db, shells, signal),
          },
        ]
      : []),
  ],
  tables: {
    retained: [
      { table: 'file_transfer', days: 'activity_days', organisation: 't.organisation_id', ended: 't.ended_at' },
      { table: 'remote_watch', days: 'attendance_days', organisation: 't.organisation_id', ended: 't.closed_at' },
      { table: 'remote_session', days: 'attendance_days', organisation: 't.organisation_id', ended: 't.closed_at' },
    ],
    personal: {
      file_transfer: {
        owner: { address: 'email' },
        title: 'File transfers',
        erase: 'delete',
        mentions: 'email path result',
        secrets: 'session_hash digest',
        other: 'direction',
      },
      remote_input: {
        owner: {
          condition: ({ addresses }) => sql`remote_session_id in (
            select id from remote_session where email = any(${addresses}::text[]))`,
        },
        title: 'Periods of input in the browser',
        erase: 'keep',
      },
      remote_opening: {
        owner: { user: 'user_id' },
        title: 'Waiting times for machines',
        erase: 'delete',
        secrets: 'ticket_hash',
        other: 'kind vm_size location',
      },
      remote_session: {
        owner: { address: 'email' },
        title: 'Connections to machines',
        erase: 'keep',
        mentions: 'email ended',
        secrets: 'session_hash ticket_hash',
        other: 'kind held_at',
      },
      remote_ticket: {
        owner: { user: 'user_id' },
        title: 'Tickets for connections',
        erase: 'delete',
        secrets: 'token_hash session_hash',
      },
      remote_watch: {
        owner: { address: 'email' },
        title: 'Screens watched',
        erase: 'keep',
        mentions: 'email ended',
        secrets: 'session_hash view_hash',
      },
    },
    expire: [deleteOldOpenings, cleanTransfers],
  },
  routes: serveConnections,
})
