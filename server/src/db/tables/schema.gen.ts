import type { AccountingTables } from './accounting.gen.ts'
import type { AlsImportTables } from './als-import.gen.ts'
import type { ApiKeysTables } from './api-keys.gen.ts'
import type { AuditTables } from './audit.gen.ts'
import type { BooksTables } from './books.gen.ts'
import type { BudgetsTables } from './budgets.gen.ts'
import type { ClassSessionsTables } from './class-sessions.gen.ts'
import type { ClassroomTables } from './classroom.gen.ts'
import type { InvoicesTables } from './invoices.gen.ts'
import type { LabUsersTables } from './lab-users.gen.ts'
import type { LedgerTables } from './ledger.gen.ts'
import type { LtiTables } from './lti.gen.ts'
import type { MachinesTables } from './machines.gen.ts'
import type { NotificationsTables } from './notifications.gen.ts'
import type { OrganisationsTables } from './organisations.gen.ts'
import type { PaymentsTables } from './payments.gen.ts'
import type { PortsTables } from './ports.gen.ts'
import type { PrepaidCreditTables } from './prepaid-credit.gen.ts'
import type { PrivacyTables } from './privacy.gen.ts'
import type { PrivateNetworksTables } from './private-networks.gen.ts'
import type { ProviderCostsTables } from './provider-costs.gen.ts'
import type { QuotesTables } from './quotes.gen.ts'
import type { RegistrationTables } from './registration.gen.ts'
import type { RemindersTables } from './reminders.gen.ts'
import type { RemoteAccessTables } from './remote-access.gen.ts'
import type { RequestsTables } from './requests.gen.ts'
import type { RostersTables } from './rosters.gen.ts'
import type { SchedulesTables } from './schedules.gen.ts'
import type { ScimTables } from './scim.gen.ts'
import type { SecondFactorTables } from './second-factor.gen.ts'
import type { SettlementsTables } from './settlements.gen.ts'
import type { SsoTables } from './sso.gen.ts'
import type { TemplatesTables } from './templates.gen.ts'
import type { TrainingsTables } from './trainings.gen.ts'
import type { UsageTables } from './usage.gen.ts'
import type { UsersTables } from './users.gen.ts'
import type { WebhooksTables } from './webhooks.gen.ts'
import type { WorkersTables } from './workers.gen.ts'

export interface Schema
  extends
    AccountingTables,
    AlsImportTables,
    ApiKeysTables,
    AuditTables,
    BooksTables,
    BudgetsTables,
    ClassSessionsTables,
    ClassroomTables,
    InvoicesTables,
    LabUsersTables,
    LedgerTables,
    LtiTables,
    MachinesTables,
    NotificationsTables,
    OrganisationsTables,
    PaymentsTables,
    PortsTables,
    PrepaidCreditTables,
    PrivacyTables,
    PrivateNetworksTables,
    ProviderCostsTables,
    QuotesTables,
    RegistrationTables,
    RemindersTables,
    RemoteAccessTables,
    RequestsTables,
    RostersTables,
    SchedulesTables,
    ScimTables,
    SecondFactorTables,
    SettlementsTables,
    SsoTables,
    TemplatesTables,
    TrainingsTables,
    UsageTables,
    UsersTables,
    WebhooksTables,
    WorkersTables {}
