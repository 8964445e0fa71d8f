import type { ColumnType, Generated, Insertable, Kysely, Selectable, Transaction } from 'kysely'
import type {
  ImageId,
  MachineId,
  OrderId,
  OrganisationId,
  PaymentId,
  SandboxId,
  SandboxUserId,
  ScheduleId,
  TemplateId,
  TrainingId,
  UserId,
} from '@trainyard/contract/words/ids.ts'
import type { Licence, OperatingSystem } from '@trainyard/contract/words/limits.ts'
import type { Desired, Observed } from '@trainyard/contract/words/machine.ts'
import type { Minutes } from '@trainyard/contract/words/duration.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { RunCause } from '@trainyard/contract/words/run.ts'
import type { ScheduleAction } from '@trainyard/contract/words/schedule.ts'
import type { Role } from '@trainyard/contract/words/role.ts'

type DefaultId<Id> = ColumnType<Id, Id | undefined, never>
type Set<T> = ColumnType<T, T | undefined, T>
type Never<T> = ColumnType<T, never, never>

interface OrganisationTable {
  id: DefaultId<OrganisationId>
  name: string
  time_zone: Generated<string>
  logo: string | null
  gst: Set<string | null>
  credit_limit_paise: Generated<Paise>
  created_at: Generated<Date>
  removed_at: Set<Date | null>
}

interface UserTable {
  id: DefaultId<UserId>
  email: string
  password_hash: string | null
  role: Role
  organisation_id: OrganisationId | null
  created_at: Generated<Date>
}

interface SessionTable {
  token_hash: Buffer
  user_id: UserId
  created_at: Generated<Date>
  expires_at: Date
}

interface InvitationTable {
  id: DefaultId<string>
  user_id: UserId
  created_at: Generated<Date>
  expires_at: Date
  used_at: Set<Date | null>
}

interface TemplateTable {
  id: DefaultId<TemplateId>
  name: string
  rate_paise: Paise
  resource_group: string
  location: string
  vnet: string
  vm_size: string
  image_id: string
  os: OperatingSystem
  licence: Licence
  plan_publisher: string | null
  plan_product: string | null
  plan_version: string | null
  cpu: string
  memory: string
  storage: string
  disk: string
  created_at: Generated<Date>
}

interface TemplateAssignmentTable {
  organisation_id: OrganisationId
  template_id: TemplateId
  created_at: Generated<Date>
}

interface AuditTable {
  id: Never<number>
  at: Generated<Date>
  request_id: string
  call: string
  actor_id: UserId | null
  actor_email: string | null
  actor_role: Role | null
  organisation_id: OrganisationId | null
  detail: ColumnType<unknown, string, never>
}

interface KeptAnswerTable {
  actor_id: UserId
  key: string
  call: string
  body_hash: Buffer
  reply: ColumnType<unknown, string | null, string>
  created_at: Generated<Date>
}

interface WorkerPulseTable {
  worker: string
  seen_at: Date
}

interface PartStateTable {
  part: 'cloud' | 'mail'
  up: boolean
  seen_at: Generated<Date>
}

interface TrainingTable {
  id: DefaultId<TrainingId>
  organisation_id: OrganisationId
  name: string
  created_at: Generated<Date>
  access_start: Set<string | null>
  access_stop: Set<string | null>
  removed_at: Set<Date | null>
}

interface PortTable {
  training_id: TrainingId
  organisation_id: OrganisationId
  port: number
  priority: number
  opened_at: Generated<Date>
}

interface SecurityGroupTable {
  id: DefaultId<string>
  training_id: TrainingId
  organisation_id: OrganisationId
  resource_group: string
  location: string
  settled_generation: Set<number | null>
  reconcile_at: Set<Date | null>
  leased_until: Set<Date | null>
  fence: Set<number>
  generation: Set<number>
  attempts: Set<number>
  trouble: Set<string | null>
}

interface ScheduleTable {
  id: DefaultId<ScheduleId>
  training_id: TrainingId
  organisation_id: OrganisationId
  action: ScheduleAction
  date: string
  time: string
  time_zone: string
  fires_at: Date
  created_by: string
  created_at: Generated<Date>
  completed_at: Set<Date | null>
  missed: Set<boolean>
  removed_at: Set<Date | null>
}

interface ScheduleOutcomeTable {
  schedule_id: ScheduleId
  organisation_id: OrganisationId
  machine_id: MachineId
  outcome: 'acted' | 'skipped' | 'failed'
  reason: string | null
  generation: number | null
}

interface ImageTable {
  id: DefaultId<ImageId>
  organisation_id: OrganisationId
  machine_id: MachineId
  asked_by: string
  created_at: Generated<Date>
  image_id: Set<string | null>
  ready_at: Set<Date | null>
  failed: Set<string | null>
  progress: Generated<number>
  trouble: Set<string | null>
}

interface AzureUserTable extends LeasedColumns {
  id: DefaultId<SandboxUserId>
  email: ColumnType<string, string, never>
  personal_email: string
  account_id: Set<UserId | null>
  days: number
  start_at: Generated<Date>
  end_at: Date
  first_password: Set<Buffer | null>
  total_paise: Paise
  reserved_paise: Generated<Paise>
  consumed_paise: Generated<Paise>
  desired: Set<'ready' | 'gone'>
  create_sent_at: Set<Date | null>
  object_id: Set<string | null>
  blocked_at: Set<Date | null>
  absent_at: Set<Date | null>
  ended_at: Set<Date | null>
}

interface AwsUserTable extends LeasedColumns {
  id: DefaultId<SandboxUserId>
  username: ColumnType<string, string, never>
  email: ColumnType<string, string, never>
  personal_email: string
  account_id: Set<UserId | null>
  aws_account: Set<string | null>
  leased: Set<boolean>
  days: number
  start_at: Generated<Date>
  end_at: Date
  first_password: Set<Buffer | null>
  desired: Set<'ready' | 'gone'>
  create_sent_at: Set<Date | null>
  ready_at: Set<Date | null>
  blocked_at: Set<Date | null>
  absent_at: Set<Date | null>
  ended_at: Set<Date | null>
}

interface AwsAccountTable {
  id: string
  aws_user_id: Set<SandboxUserId | null>
  retired_at: Set<Date | null>
  look_at: Set<Date | null>
  quarantined: Set<string | null>
}

interface SandboxTable extends LeasedColumns {
  id: DefaultId<SandboxId>
  provider: Generated<'azure'>
  group_name: ColumnType<string, string, never>
  azure_user_id: ColumnType<SandboxUserId, SandboxUserId, never>
  location: string
  created_at: Generated<Date>
  delete_at: Date
  reserved_paise: Paise
  desired: Set<'ready' | 'frozen' | 'gone'>
  create_sent_at: Set<Date | null>
  ours: Set<boolean>
  access: Set<'none' | 'read' | 'full'>
  ready_at: Set<Date | null>
  metered_at: Set<Date | null>
  blocked_at: Set<Date | null>
  absent_at: Set<Date | null>
  ended_at: Set<Date | null>
}

interface SandboxChargeTable {
  id: Never<number>
  sandbox_id: SandboxId
  from_at: Date
  to_at: Date
  paise: Paise
  cost_paise: Paise
  standing: ColumnType<unknown, string, never>
}

/** What a row that is its own queue has: when it is due, whose it is meanwhile, and how often it failed. */
interface LeasedColumns {
  reconcile_at: Set<Date | null>
  leased_until: Set<Date | null>
  fence: Set<number>
  generation: Set<number>
  attempts: Set<number>
  trouble: Set<string | null>
}

interface LedgerEntryTable {
  id: Never<number>
  organisation_id: OrganisationId
  kind: 'invoice' | 'payment'
  reference: string
  particular: string
  amount_paise: Paise
  /** YYYY-MM-DD. */
  date: string
  source: 'manual' | 'provider'
  created_by: string
  created_at: Generated<Date>
}

interface LedgerBalanceTable {
  organisation_id: Never<OrganisationId>
  invoice_paise: Never<Paise>
  payment_paise: Never<Paise>
}

interface PaymentTable {
  id: DefaultId<PaymentId>
  organisation_id: Never<OrganisationId>
  amount_paise: Never<Paise>
  order_id: Never<string>
  asked_by: Never<string>
  created_at: Generated<Date>
  paid_at: Set<Date | null>
  reconcile_at: Set<Date | null>
  leased_until: Set<Date | null>
  fence: Set<number>
  generation: Set<number>
  attempts: Set<number>
  trouble: Set<string | null>
}

interface MachineOrderTable {
  id: DefaultId<OrderId>
  organisation_id: OrganisationId
  training_id: TrainingId
  template_name: string
  ordered_by: string
  machine_count: number
  created_at: Generated<Date>
}

interface MachineTable {
  id: DefaultId<MachineId>
  number: Never<number>
  name: string
  organisation_id: OrganisationId
  training_id: TrainingId
  order_id: OrderId
  email: string
  resource_group: string
  location: string
  vnet: string
  vm_size: string
  image_id: string
  os: OperatingSystem
  licence: Licence
  plan_publisher: string | null
  plan_product: string | null
  plan_version: string | null
  admin_username: string
  admin_password: Buffer | null
  guacamole: boolean
  paise_per_hour: Paise
  allotted_minutes: Minutes | null
  created_at: Generated<Date>
  desired: Set<Desired>
  observed: Set<Observed>
  observed_at: Set<Date | null>
  first_seen_at: Set<Date | null>
  public_ip: Set<string | null>
  restart_asked_at: Set<Date | null>
  ended: Set<string | null>
  terminated_at: Set<Date | null>
  reconcile_at: Set<Date | null>
  leased_until: Set<Date | null>
  fence: Set<number>
  generation: Set<number>
  attempts: Set<number>
  trouble: Set<string | null>
  command: Set<Command | null>
  command_at: Set<Date | null>
  command_accepted: Set<boolean>
  quota_ends_at: Never<Date | null>
  used_up_at: Never<Date | null>
  host_key: Set<Buffer | null>
  capturing: Generated<boolean>
  password_due: Generated<boolean>
}

/** What a cloud can be told to do with a machine. */
export type Command = 'create' | 'start' | 'stop' | 'restart' | 'delete'

interface RemoteTicketTable {
  token_hash: Buffer
  session_hash: Buffer
  user_id: UserId
  machine_id: MachineId
  organisation_id: OrganisationId
  created_at: Generated<Date>
  expires_at: Date
  used_at: Set<Date | null>
}

interface RemoteSessionTable {
  id: DefaultId<string>
  session_hash: Buffer
  user_id: UserId | null
  email: string
  machine_id: MachineId
  organisation_id: OrganisationId
  opened_at: Generated<Date>
  seen_at: Generated<Date>
  closed_at: Set<Date | null>
  ended: Set<string | null>
}

interface SweepTable {
  name: string
  leased_until: Date | null
  fence: number
  begun_at: Date
  due_at: Date
  failing: boolean
}

interface OrphanTable {
  resource_group: string
  name: string
  tag: string | null
  first_seen_at: Date
  last_seen_at: Date
  gone_at: Date | null
}

interface RunTable {
  id: Never<number>
  machine_id: MachineId
  organisation_id: OrganisationId
  started_at: Date
  stopped_at: Set<Date | null>
  paise_per_hour: Paise
  hidden_at: Set<Date | null>
  opened_by: Generated<RunCause>
  opened_told_at: Date | null
  closed_by: Set<RunCause | null>
  closed_told_at: Set<Date | null>
}

interface CallBucketTable {
  name: string
  tokens: number
  counted_at: Date
  closed_until: Date
}

interface CloudPlaceTable {
  location: string
  looked_at: Date
}

interface CloudSizeTable {
  location: string
  size: string
  family: string
  cores: number
  withheld: string | null
}

interface CloudLimitTable {
  location: string
  family: string
  used: number
  allowed: number
}

interface CloudTermsTable {
  publisher: string
  product: string
  plan: string
  accepted: boolean
  looked_at: Date
}

interface ReconciliationTable {
  day: string
  compared_at: Date
  machines: number
  seconds_here: number
  seconds_there: number
}

interface ReconciliationDifferenceTable {
  day: string
  machine_name: string
  machine_id: MachineId | null
  seconds_here: number
  seconds_there: number
}

interface TallyTable {
  name: Never<'users' | 'live' | 'failing' | 'used up'>
  training_id: Never<TrainingId | null>
  count: Never<number>
}

interface TallyChangeTable {
  id: Never<number>
  name: Never<'users' | 'live' | 'failing' | 'used up'>
  training_id: Never<TrainingId | null>
  change: Never<number>
}

export interface Schema {
  organisation: OrganisationTable
  portal_user: UserTable
  session: SessionTable
  invitation: InvitationTable
  template: TemplateTable
  template_assignment: TemplateAssignmentTable
  audit: AuditTable
  kept_answer: KeptAnswerTable
  worker_pulse: WorkerPulseTable
  part_state: PartStateTable
  training: TrainingTable
  port: PortTable
  security_group: SecurityGroupTable
  schedule: ScheduleTable
  schedule_outcome: ScheduleOutcomeTable
  image: ImageTable
  ledger_entry: LedgerEntryTable
  azure_user: AzureUserTable
  sandbox: SandboxTable
  aws_user: AwsUserTable
  aws_account: AwsAccountTable
  sandbox_charge: SandboxChargeTable
  ledger_balance: LedgerBalanceTable
  payment: PaymentTable
  machine_order: MachineOrderTable
  machine: MachineTable
  run: RunTable
  call_bucket: CallBucketTable
  cloud_place: CloudPlaceTable
  cloud_size: CloudSizeTable
  cloud_limit: CloudLimitTable
  cloud_terms: CloudTermsTable
  reconciliation: ReconciliationTable
  tally: TallyTable
  tally_change: TallyChangeTable
  reconciliation_difference: ReconciliationDifferenceTable
  remote_ticket: RemoteTicketTable
  remote_session: RemoteSessionTable
  sweep: SweepTable
  orphan: OrphanTable
}

export type Db = Kysely<Schema>
/** What changes something takes this first, so that it can't be done outside a transaction. */
export type Tx = Transaction<Schema>

export type OrganisationRow = Selectable<OrganisationTable>
export type UserRow = Selectable<UserTable>
export type TemplateRow = Selectable<TemplateTable>
export type PaymentRow = Selectable<PaymentTable>
export type TrainingRow = Selectable<TrainingTable>
export type MachineRow = Selectable<MachineTable>
export type NewMachine = Insertable<MachineTable>
export type AzureUserRow = Selectable<AzureUserTable>
export type SandboxRow = Selectable<SandboxTable>
export type AwsUserRow = Selectable<AwsUserTable>
export type RunRow = Selectable<RunTable>
