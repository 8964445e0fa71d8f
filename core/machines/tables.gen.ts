import type {
  OrderId,
  OrganisationId,
  TrainingId,
  MachineId,
  PrivateNetworkId,
  ImageId,
  OrphanId,
} from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, Selectable, GeneratedAlways } from 'kysely'
import type { Place, Size, ImageReference } from '@trainyard/templates/contract/provider.ts'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import type { Minutes } from '@trainyard/platform/contract/words/duration.ts'
import type { AzureTags } from '@trainyard/platform/contract/words/azure-tags.ts'

export interface MachineOrderTable {
  id: Generated<OrderId>
  organisation_id: OrganisationId
  training_id: TrainingId
  template_name: string
  ordered_by: string
  machine_count: number
  allotted_minutes: number | null
  created_at: Generated<Date>
  ready_at: Date | null
}

export type MachineOrderRow = Selectable<MachineOrderTable>

export interface MachineTable {
  id: Generated<MachineId>
  number: GeneratedAlways<number>
  name: string
  organisation_id: OrganisationId
  training_id: TrainingId
  order_id: OrderId
  email: string
  provider: string
  place: Place
  size: Size
  image: ImageReference
  place_group: GeneratedAlways<string>
  location: GeneratedAlways<string>
  size_name: GeneratedAlways<string>
  image_id: GeneratedAlways<string>
  os: 'Windows' | 'Linux'
  licence: 'Windows_Server' | 'none'
  admin_username: string
  admin_password: Buffer | null
  guacamole: boolean
  paise_per_hour: Paise
  allotted_minutes: Minutes | null
  created_at: Generated<Date>
  desired: Generated<'running' | 'stopped' | 'gone'>
  observed: Generated<'absent' | 'stopped' | 'running' | 'changing'>
  observed_at: Date | null
  first_seen_at: Date | null
  public_ip: string | null
  restart_asked_at: Date | null
  ended: string | null
  terminated_at: Date | null
  reconcile_at: Generated<Date | null>
  leased_until: Date | null
  fence: Generated<number>
  generation: Generated<number>
  attempts: Generated<number>
  last_error: string | null
  command: 'create' | 'start' | 'stop' | 'restart' | 'delete' | null
  command_at: Date | null
  command_accepted: Generated<boolean>
  quota_ends_at: Date | null
  host_key: Buffer | null
  capturing: Generated<boolean>
  password_due: Generated<boolean>
  used_up_at: Date | null
  refused: Generated<boolean>
  stop_reason: string | null
  not_before: Date | null
  reset_asked_at: Date | null
  password_number: Generated<number>
  handed_over_at: Date | null
  reset_count: Generated<number>
  ordered_for: string
  desktop_certificate: Buffer | null
  create_later: Generated<boolean>
  address_kind: Generated<'public address' | 'private address'>
  azure_tags: Generated<AzureTags>
  withheld_at: Date | null
  spare: Generated<boolean>
  order_paise_per_hour: Paise | null
  private_network_id: PrivateNetworkId | null
}

export type MachineRow = Selectable<MachineTable>

export interface ImageTable {
  id: Generated<ImageId>
  organisation_id: OrganisationId
  machine_id: MachineId
  asked_by: string
  created_at: Generated<Date>
  image_id: string | null
  ready_at: Date | null
  failed: string | null
  progress: Generated<number>
  last_error: string | null
}

export type ImageRow = Selectable<ImageTable>

export interface OrphanTable {
  provider: string
  place_group: string
  name: string
  tag: string | null
  first_seen_at: Date
  last_seen_at: Date
  gone_at: Date | null
  id: Generated<OrphanId>
  deletion_asked_by: string | null
  deletion_asked_at: Date | null
  deleted_at: Date | null
  reconcile_at: Date | null
  leased_until: Date | null
  fence: Generated<number>
  generation: Generated<number>
  attempts: Generated<number>
  last_error: string | null
}

export type OrphanRow = Selectable<OrphanTable>

export interface OperationTable {
  id: Generated<string>
  machine_id: MachineId
  organisation_id: OrganisationId
  kind: 'create' | 'start' | 'stop' | 'restart' | 'reset' | 'delete' | 'capture'
  size_name: string
  location: string
  asked_at: Generated<Date>
  sent_at: Date | null
  accepted_at: Date | null
  ended_at: Date | null
  ready_at: Date | null
  closed_at: Date | null
  reason: string | null
  held_until: Date | null
}

export type OperationRow = Selectable<OperationTable>

export interface WholeSweepTable {
  single: Generated<boolean>
  due_at: Generated<Date>
}

export type WholeSweepRow = Selectable<WholeSweepTable>

export interface MachinesTables {
  machine_order: MachineOrderTable
  machine: MachineTable
  image: ImageTable
  orphan: OrphanTable
  operation: OperationTable
  whole_sweep: WholeSweepTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends MachinesTables {}
}
