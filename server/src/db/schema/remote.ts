import type { Generated } from 'kysely'
import type { MachineId, OrganisationId, UserId } from '@trainyard/contract/words/ids.ts'
import type { FileDirection } from '@trainyard/contract/words/file.ts'
import type { OpeningKind } from '@trainyard/contract/words/remote.ts'
import type { DefaultId } from './columns.ts'

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

export interface RemoteSessionTable {
  id: DefaultId<string>
  session_hash: Buffer
  user_id: UserId | null
  email: string
  machine_id: MachineId
  organisation_id: OrganisationId
  opened_at: Generated<Date>
  seen_at: Generated<Date>
  closed_at: Date | null
  ended: string | null
  told_watched: Generated<boolean>
  held_at: string | null
  kind: Generated<'terminal' | 'desktop' | 'ssh'>
  ticket_hash: Buffer | null
}

export interface RemoteInputTable {
  remote_session_id: string
  organisation_id: OrganisationId
  began_at: Date
  ended_at: Date
}

export interface RemoteWatchTable {
  id: DefaultId<string>
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

export interface RemoteOpeningTable {
  ticket_hash: Buffer
  user_id: UserId | null
  machine_id: MachineId
  organisation_id: OrganisationId
  kind: OpeningKind
  vm_size: string
  location: string
  milliseconds: number
  measured_at: Generated<Date>
}

export interface FileTransferTable {
  id: DefaultId<string>
  user_id: UserId | null
  email: string
  session_hash: Buffer
  machine_id: MachineId
  organisation_id: OrganisationId
  direction: FileDirection
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
