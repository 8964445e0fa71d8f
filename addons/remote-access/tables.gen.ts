import type { UserId, MachineId, OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, Selectable } from 'kysely'

export interface RemoteTicketTable {
  token_hash: Buffer
  session_hash: Buffer
  user_id: UserId
  machine_id: MachineId
  organisation_id: OrganisationId
  created_at: Generated<Date>
  expires_at: Date
  used_at: Date | null
  to_watch: Generated<boolean>
}

export type RemoteTicketRow = Selectable<RemoteTicketTable>

export interface RemoteSessionTable {
  id: Generated<string>
  session_hash: Buffer
  user_id: UserId | null
  email: string
  machine_id: MachineId
  organisation_id: OrganisationId
  opened_at: Generated<Date>
  seen_at: Generated<Date>
  closed_at: Date | null
  ended: string | null
  kind: Generated<'terminal' | 'desktop' | 'ssh'>
  told_watched: Generated<boolean>
  held_at: string | null
  ticket_hash: Buffer | null
}

export type RemoteSessionRow = Selectable<RemoteSessionTable>

export interface RemoteInputTable {
  remote_session_id: string
  began_at: Date
  organisation_id: OrganisationId
  ended_at: Date
}

export type RemoteInputRow = Selectable<RemoteInputTable>

export interface RemoteWatchTable {
  id: Generated<string>
  terminal_id: string
  organisation_id: OrganisationId
  session_hash: Buffer
  user_id: UserId | null
  email: string
  asked_at: Generated<Date>
  began_at: Date | null
  closed_at: Date | null
  ended: string | null
  view_hash: Buffer | null
}

export type RemoteWatchRow = Selectable<RemoteWatchTable>

export interface RemoteOpeningTable {
  ticket_hash: Buffer
  user_id: UserId | null
  machine_id: MachineId
  organisation_id: OrganisationId
  kind: 'terminal' | 'desktop'
  size_name: string
  location: string
  milliseconds: number
  measured_at: Generated<Date>
}

export type RemoteOpeningRow = Selectable<RemoteOpeningTable>

export interface FileTransferTable {
  id: Generated<string>
  user_id: UserId | null
  email: string
  session_hash: Buffer
  machine_id: MachineId
  organisation_id: OrganisationId
  direction: 'upload' | 'download'
  path: string
  size: number | null
  done: Generated<number>
  digest: Buffer | null
  replaces: Generated<boolean>
  asked_at: Generated<Date>
  moved_at: Generated<Date>
  ended_at: Date | null
  result: string | null
}

export type FileTransferRow = Selectable<FileTransferTable>

export interface MachineActivityTable {
  machine_id: MachineId
  organisation_id: OrganisationId
  input_at: Date | null
  cpu_percent: number | null
  cpu_at: Date | null
  busy_at: Date | null
  here_at: Date | null
  warned_at: Date | null
  stops_at: Date | null
  active_minutes: Generated<number>
  active_at: Date | null
}

export type MachineActivityRow = Selectable<MachineActivityTable>

export interface RemoteAccessTables {
  remote_ticket: RemoteTicketTable
  remote_session: RemoteSessionTable
  remote_input: RemoteInputTable
  remote_watch: RemoteWatchTable
  remote_opening: RemoteOpeningTable
  file_transfer: FileTransferTable
  machine_activity: MachineActivityTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends RemoteAccessTables {}
}
