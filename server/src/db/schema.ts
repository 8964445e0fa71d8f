import type { Kysely, Transaction } from 'kysely'
import type { ApiKeyTable } from './schema/api-key.ts'
import type { AwsAccountTable, AwsUserTable } from './schema/aws-lab.ts'
import type { AzureUserTable, SandboxChargeTable, SandboxTable } from './schema/azure-lab.ts'
import type {
  CreditTermsTable,
  OverdueNoticeTable,
  OverdueStopTable,
  PrepaidAccountTable,
  PrepaidPurchaseTable,
} from './schema/credit.ts'
import type { BudgetAlertSeenTable, BudgetAlertTable, BudgetTable } from './schema/budget.ts'
import type { AuditArchiveTable, AuditHeadTable, AuditSealTable, AuditTable, StoredReplyTable } from './schema/call.ts'
import type {
  ActivityStretchTable,
  AnnouncementTable,
  MachineActivityTable,
  RaisedHandTable,
} from './schema/classroom.ts'
import type { ChangeRequestTable } from './schema/change-request.ts'
import type { NotificationReadTable, NotificationTable } from './schema/notification.ts'
import type { CalendarLinkTable } from './schema/calendar.ts'
import type { ClassSeriesTable, ClassSessionTable, HolidayTable } from './schema/class-session.ts'
import type { CloudLimitTable, CloudPlaceTable, CloudSizeTable, CloudTermsTable } from './schema/cloud-limits.ts'
import type {
  IdentityProviderGroupTable,
  IdentityProviderTable,
  OrganisationDomainTable,
  ProviderIdentityTable,
  ProviderSignInTable,
} from './schema/identity-provider.ts'
import type { ImageTable } from './schema/template.ts'
import type {
  LmsCourseTable,
  LmsDeploymentTable,
  LmsIdentityTable,
  LmsKeyTable,
  LmsLaunchTable,
  LmsLinkTable,
  LmsMemberTable,
  LmsPlatformTable,
  LmsScoreTable,
  LmsTicketTable,
} from './schema/lms.ts'
import type { ImportedLabTable, LabImportTable } from './schema/lab-import.ts'
import type {
  LedgerAccountTable,
  LedgerBalanceTable,
  LedgerEntryTable,
  PostingTable,
  CustomerLedgerTable,
  TdsCertificateTable,
} from './schema/ledger.ts'
import type { MachineOrderTable, MachineTable, OrphanTable } from './schema/machine.ts'
import type { CustomerPriceTable, DayTotalTable, PriceChangeTable, RunTable, RunTotalTable } from './schema/meter.ts'
import type { PrivateNetworkTable } from './schema/network.ts'
import type { OrganisationLogoTable, OrganisationTable } from './schema/organisation.ts'
import type { RegistrationEmailTable, RegistrationLinkTable, RegistrationTable } from './schema/registration.ts'
import type { OperationTable } from './schema/machine.ts'
import type { CallBucketTable } from './schema/cloud-limits.ts'
import type { PaymentRequestTable } from './schema/payment.ts'
import type { PaymentTable } from './schema/payment.ts'
import type { PortTable, SecurityGroupTable } from './schema/training.ts'
import type { AuditErasureTable, OrganisationPrivacyTable, PersonErasureTable } from './schema/privacy.ts'
import type { ReadyByTable, ReadyMachineTable } from './schema/ready.ts'
import type { InvoiceReminderTable } from './schema/tax-document.ts'
import type { ProformaPaymentTable, QuoteSeriesTable, QuoteTable } from './schema/quote.ts'
import type { TaxStatusRequestTable, TaxStatusTable } from './schema/tax-status.ts'
import type { RosterMemberTable, RosterTable } from './schema/roster.ts'
import type { ScimGroupMemberTable, ScimGroupTable, ScimTokenTable, ScimUserTable } from './schema/scim.ts'
import type { RefundTable } from './schema/refund.ts'
import type {
  FileTransferTable,
  RemoteInputTable,
  RemoteOpeningTable,
  RemoteSessionTable,
  RemoteTicketTable,
  RemoteWatchTable,
} from './schema/remote.ts'
import type {
  SettlementDayTable,
  SettlementEntryTable,
  SettlementLineTable,
  SettlementPostingTable,
  SettlementTable,
} from './schema/settlement.ts'
import type { RecurrenceTable, ScheduleOutcomeTable, ScheduleTable } from './schema/schedule.ts'
import type {
  CostAdoptionTable,
  CostImportPartTable,
  CostImportTable,
  CostLineTable,
  CostResourceTable,
} from './schema/cost.ts'
import type {
  AuthenticatorAppTable,
  ChallengeTable,
  PasskeyTable,
  RecoveryCodeTable,
  SecondFactorResetTable,
} from './schema/second-factor.ts'
import type { TaskOnWorkerTable, TaskTable, WholeSweepTable } from './schema/task.ts'
import type {
  ChargedLineTable,
  CarriedMonthTable,
  DocumentSeriesTable,
  EInvoiceAttemptTable,
  EInvoiceCancellationTable,
  OrganisationBillingTable,
  SupplierTable,
  TaxDocumentRegistrationTable,
  TaxDocumentTable,
  TaxRateTable,
  UndertakingTable,
} from './schema/tax-document.ts'
import type { TemplateAssignmentTable, TemplateTable } from './schema/template.ts'
import type { TrainingInstructorTable, TrainingTable } from './schema/training.ts'
import type { AccountControlTable, InvitationTable, LoginLaneTable, SessionTable, UserTable } from './schema/user.ts'
import type { ExpiringCredentialTable, PartStateTable, WorkerPulseTable } from './schema/task.ts'
import type {
  WebhookAttemptTable,
  WebhookDeliveryTable,
  WebhookEndpointTable,
  WebhookEventTable,
  WebhookLaneTable,
} from './schema/webhook.ts'

export interface Schema {
  person_erasure: PersonErasureTable
  audit_erasure: AuditErasureTable
  organisation_privacy: OrganisationPrivacyTable
  organisation: OrganisationTable
  organisation_logo: OrganisationLogoTable
  portal_user: UserTable
  session: SessionTable
  api_key: ApiKeyTable
  invitation: InvitationTable
  login_lane: LoginLaneTable
  account_control: AccountControlTable
  challenge: ChallengeTable
  authenticator_app: AuthenticatorAppTable
  recovery_code: RecoveryCodeTable
  passkey: PasskeyTable
  second_factor_reset: SecondFactorResetTable
  organisation_domain: OrganisationDomainTable
  identity_provider: IdentityProviderTable
  identity_provider_group: IdentityProviderGroupTable
  provider_identity: ProviderIdentityTable
  provider_sign_in: ProviderSignInTable
  scim_token: ScimTokenTable
  scim_user: ScimUserTable
  scim_group: ScimGroupTable
  scim_group_member: ScimGroupMemberTable
  private_network: PrivateNetworkTable
  template: TemplateTable
  template_assignment: TemplateAssignmentTable
  training: TrainingTable
  training_instructor: TrainingInstructorTable
  roster: RosterTable
  roster_member: RosterMemberTable

  registration_link: RegistrationLinkTable
  registration: RegistrationTable
  registration_email: RegistrationEmailTable
  machine_order: MachineOrderTable
  machine: MachineTable
  orphan: OrphanTable
  image: ImageTable
  imported_lab: ImportedLabTable
  lab_import: LabImportTable
  lms_platform: LmsPlatformTable
  lms_key: LmsKeyTable
  lms_deployment: LmsDeploymentTable
  lms_course: LmsCourseTable
  lms_identity: LmsIdentityTable
  lms_launch: LmsLaunchTable
  lms_link: LmsLinkTable
  lms_member: LmsMemberTable
  lms_score: LmsScoreTable
  lms_ticket: LmsTicketTable
  operation: OperationTable
  run: RunTable
  run_total: RunTotalTable
  day_total: DayTotalTable
  recurrence: RecurrenceTable
  budget: BudgetTable
  prepaid_account: PrepaidAccountTable
  prepaid_purchase: PrepaidPurchaseTable
  credit_terms: CreditTermsTable
  overdue_stop: OverdueStopTable
  overdue_notice: OverdueNoticeTable
  budget_alert: BudgetAlertTable
  budget_alert_seen: BudgetAlertSeenTable
  schedule: ScheduleTable
  schedule_outcome: ScheduleOutcomeTable
  holiday: HolidayTable
  class_series: ClassSeriesTable
  class_session: ClassSessionTable
  calendar_link: CalendarLinkTable
  ready_by: ReadyByTable
  ready_machine: ReadyMachineTable
  port: PortTable
  security_group: SecurityGroupTable
  remote_ticket: RemoteTicketTable
  remote_session: RemoteSessionTable
  remote_input: RemoteInputTable
  remote_watch: RemoteWatchTable
  remote_opening: RemoteOpeningTable
  file_transfer: FileTransferTable
  machine_activity: MachineActivityTable
  activity_stretch: ActivityStretchTable
  raised_hand: RaisedHandTable
  announcement: AnnouncementTable
  change_request: ChangeRequestTable
  notification: NotificationTable
  notification_read: NotificationReadTable

  webhook_endpoint: WebhookEndpointTable
  webhook_event: WebhookEventTable
  webhook_delivery: WebhookDeliveryTable
  webhook_lane: WebhookLaneTable
  webhook_attempt: WebhookAttemptTable

  azure_user: AzureUserTable
  sandbox: SandboxTable
  sandbox_charge: SandboxChargeTable
  aws_user: AwsUserTable
  aws_account: AwsAccountTable

  ledger_entry: LedgerEntryTable
  customer_ledger: CustomerLedgerTable
  tds_certificate: TdsCertificateTable
  ledger_account: LedgerAccountTable
  posting: PostingTable
  ledger_balance: LedgerBalanceTable
  settlement: SettlementTable
  settlement_line: SettlementLineTable
  settlement_entry: SettlementEntryTable
  settlement_posting: SettlementPostingTable
  settlement_day: SettlementDayTable
  payment: PaymentTable
  payment_request: PaymentRequestTable
  refund: RefundTable
  invoice_reminder: InvoiceReminderTable

  supplier: SupplierTable
  tax_rate: TaxRateTable
  undertaking: UndertakingTable
  organisation_billing: OrganisationBillingTable
  customer_price: CustomerPriceTable
  price_change: PriceChangeTable
  tax_status: TaxStatusTable
  quote: QuoteTable
  quote_series: QuoteSeriesTable
  proforma_payment: ProformaPaymentTable
  tax_status_request: TaxStatusRequestTable
  charged_line: ChargedLineTable
  carried_month: CarriedMonthTable
  tax_document: TaxDocumentTable
  tax_document_registration: TaxDocumentRegistrationTable
  e_invoice_attempt: EInvoiceAttemptTable
  e_invoice_cancellation: EInvoiceCancellationTable
  document_series: DocumentSeriesTable

  cost_import: CostImportTable
  cost_import_part: CostImportPartTable
  cost_resource: CostResourceTable
  cost_line: CostLineTable
  cost_adoption: CostAdoptionTable

  audit: AuditTable
  audit_seal: AuditSealTable
  audit_head: AuditHeadTable
  audit_archive: AuditArchiveTable
  stored_reply: StoredReplyTable
  worker_pulse: WorkerPulseTable
  part_state: PartStateTable
  expiring_credential: ExpiringCredentialTable
  task: TaskTable
  task_on_worker: TaskOnWorkerTable
  whole_sweep: WholeSweepTable
  call_bucket: CallBucketTable
  cloud_place: CloudPlaceTable
  cloud_size: CloudSizeTable
  cloud_limit: CloudLimitTable
  cloud_terms: CloudTermsTable
}

interface Views {
  /** Current and archived runs. Queries that sum, list or compare runs use this view. */
}

export type Db = Kysely<Schema & Views>
/**
 * Transaction. Functions that change rows have a parameter of this type, so that they cannot run outside a transaction.
 */
export type Tx = Transaction<Schema & Views>
