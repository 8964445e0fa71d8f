import type { Generated, Selectable } from 'kysely'
import type { Minutes } from '@trainyard/contract/words/duration.ts'
import type { MachineId, OrderId, OrganisationId, OrphanId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Desired, Observed } from '@trainyard/contract/words/machine.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { DefaultId, ReadOnly } from './columns.ts'
import type { LeasedColumns } from './leased.ts'
import type { AzureOptionColumns, MachineConfigColumns } from './machine-config.ts'
import type { OperationKind } from '@trainyard/contract/words/operation.ts'

export interface MachineOrderTable {
  id: DefaultId<OrderId>
  organisation_id: OrganisationId
  training_id: TrainingId
  template_name: string
  ordered_by: string
  machine_count: number
  created_at: Generated<Date>
  ready_at: Date | null
}

export interface MachineTable extends MachineConfigColumns, AzureOptionColumns, LeasedColumns {
  id: DefaultId<MachineId>
  number: ReadOnly<number>
  name: string
  organisation_id: OrganisationId
  training_id: TrainingId
  order_id: OrderId
  email: string
  /** The learner for whom the machine was ordered. A trigger sets the column. */
  ordered_for: ReadOnly<string>
  admin_username: string
  admin_password: Buffer | null
  guacamole: boolean
  /** Current price; see `order_paise_per_hour`. */
  paise_per_hour: Paise
  /**
   * Price of the template when the machine was ordered, with the surcharge. Null: `paise_per_hour` is this price,
   * because no customer price has applied.
   */
  order_paise_per_hour: Paise | null
  allotted_minutes: Minutes | null
  created_at: Generated<Date>
  desired: Generated<Desired>
  observed: Generated<Observed>
  observed_at: Date | null
  first_seen_at: Date | null
  public_ip: string | null
  restart_asked_at: Date | null
  /** Set while a reset is in progress: the machine is deleted and created again under this row. */
  reset_asked_at: Date | null
  ended: string | null
  stop_reason: string | null
  terminated_at: Date | null
  command: Command | null
  command_at: Date | null
  command_accepted: Generated<boolean>
  quota_ends_at: ReadOnly<Date | null>
  used_up_at: ReadOnly<Date | null>
  host_key: Buffer | null
  /** DER-encoded certificate of the desktop when it was first opened. */
  desktop_certificate: Buffer | null
  capturing: Generated<boolean>
  password_due: Generated<boolean>
  password_number: Generated<number>
  handed_over_at: Date | null
  reset_count: Generated<number>
  /** True: the machine is not retried until a user changes its desired state. `last_error` is the reason. */
  refused: Generated<boolean>
  not_before: Date | null
  /** True: the machine is not created before its desired state becomes running. */
  create_later: Generated<boolean>
  withheld_at: Date | null
}

export type Command = 'create' | 'start' | 'stop' | 'restart' | 'delete'

/** A machine at the provider that has the portal's tag but no row. */
export interface OrphanTable extends LeasedColumns {
  id: DefaultId<OrphanId>
  resource_group: string
  name: string
  tag: string | null
  first_seen_at: Date
  last_seen_at: Date
  gone_at: Date | null
  /** E-mail address of the superadmin who requested the deletion. */
  deletion_asked_by: string | null
  deletion_asked_at: Date | null
  deleted_at: Date | null
}
export type OrphanRow = Selectable<OrphanTable>

export type MachineRow = Selectable<MachineTable>

export interface OperationTable {
  id: DefaultId<string>
  machine_id: MachineId
  organisation_id: OrganisationId
  kind: OperationKind
  vm_size: string
  location: string
  asked_at: Generated<Date>
  /** Time until which the operation could be cancelled. It is sent afterwards. */
  held_until: Date | null
  sent_at: Date | null
  accepted_at: Date | null
  ended_at: Date | null
  ready_at: Date | null
  closed_at: Date | null
  reason: string | null
}
