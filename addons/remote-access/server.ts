import { sql } from 'kysely'
import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { answer, answerSql, on } from '@trainyard/platform/server/core/events.ts'
import { accessEnded } from '@trainyard/machines/server/events.ts'
import { openings } from '@trainyard/machines/server/http.ts'
import { wasOpened } from '@trainyard/machines/server/queries.ts'
import { abandonedRemoteSessions } from './server/ending.ts'
import { pinFirstKeys } from './server/first-keys.ts'
import { remoteHandlers } from './server/http.ts'
import { deleteOldOpenings, openingsOf } from './server/openings.ts'
import { revokeUnusedTickets } from './server/revoke-tickets.ts'
import { cleanTransfers } from './server/transfer.ts'
import { serveConnections } from './server/routes.ts'
import type { Desktops } from './server/desktop.ts'
import type { FilesConnector } from './server/machine-files.ts'
import type { Shells } from './server/shell.ts'
import { rdpDesktops } from './server/desktops.ts'
import { sftpFiles } from './server/ssh-files.ts'
import { sshShells } from './server/shells.ts'
import { instrumented } from '@trainyard/platform/server/run/telemetry/instrumented.ts'

declare module '@trainyard/platform/server/core/module.ts' {
  interface CallDependencies {
    readonly remotePage: string
    readonly connector: FilesConnector
    readonly shells: Shells
    readonly desktops: Desktops
  }
}
declare module '@trainyard/platform/server/run/parts.ts' {
  interface WorkerDependencies {
    /** SSH shells of machines; if omitted, host keys are pinned only on the first connection. */
    readonly shells?: Shells
  }
}

export default serverModule({
  name: 'remote-access',
  connectCalls: ({ config }, { routes }) => ({
    remotePage: config.remote.page,
    connector: sftpFiles(routes),
    shells: sshShells(routes),
    desktops: rdpDesktops(routes),
  }),
  connectWorker: async ({ meters }, { routes }) => ({ shells: instrumented('ssh', sshShells(routes), meters) }),
  calls: ({ remotePage: page, seal, connector }) => ({ remote: remoteHandlers({ page, seal, connector }) }),
  tasks: ({ db, shells, clouds }) => [
    // An API process closes abandoned sessions only while it has open sessions itself.
    { name: 'close abandoned remote sessions', every: 30, on: 'one', run: abandonedRemoteSessions(db) },
    ...(shells
      ? [
          {
            name: 'pin host keys',
            every: 5,
            on: 'one' as const,
            run: (signal: AbortSignal) => pinFirstKeys(db, shells, clouds, signal),
          },
        ]
      : []),
  ],
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    retained: [
      { table: 'file_transfer', days: 'activity_days', organisation: 't.organisation_id', ended: 't.ended_at' },
      { table: 'remote_watch', days: 'attendance_days', organisation: 't.organisation_id', ended: 't.closed_at' },
      { table: 'remote_session', days: 'attendance_days', organisation: 't.organisation_id', ended: 't.closed_at' },
    ],
    personal: {
      machine_activity: withoutOwner(''),
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
        other: 'kind size_name location',
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
  listens: [on(accessEnded, revokeUnusedTickets)],
  answers: [answer(openings, openingsOf)],
  sqlAnswers: [answerSql(wasOpened, () => sql`exists (select from remote_session s where s.machine_id = m.id)`)],
  routes: serveConnections,
})
