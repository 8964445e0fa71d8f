import type { WebModule } from '../../web/src/shell/module.ts'
import { organisations } from '../../web/src/screens/organisation-settings/module.ts'
import { users } from '../../web/src/screens/organisation-settings/users.module.ts'
import { trainings } from '../../web/src/training/module.ts'
import { usage } from '../../web/src/screens/billing/module.ts'
import { machines } from '../../web/src/machine/module.ts'
import { ports } from '../../web/src/screens/ports/module.ts'
import { schedules } from '../../web/src/screens/scheduler/module.ts'
import { ledger } from '../../web/src/screens/ledger/module.ts'
import { payments } from '../../web/src/screens/account/payments.module.ts'
import { sandboxAzure } from '../../web/src/screens/azure-sandbox/module.ts'
import { sandboxAws } from '../../web/src/screens/aws-sandbox/module.ts'
import { home } from '../../web/src/screens/home/module.ts'
import { overview } from '../../web/src/screens/overview/module.ts'
import { secondFactor } from '../../web/src/screens/account-security/module.ts'
import { sso } from '../../web/src/screens/organisation-settings/sso.module.ts'
import { scim } from '../../web/src/screens/organisation-settings/scim.module.ts'
import { apiKeys } from '../../web/src/screens/api-keys/module.ts'
import { rosters } from '../../web/src/screens/roster/module.ts'
import { registration } from '../../web/src/screens/registration/module.ts'
import { requests } from '../../web/src/screens/requests/module.ts'
import { lti } from '../../web/src/screens/lms/module.ts'
import { alsImport } from '../../web/src/screens/lab-import/module.ts'
import { classroom } from '../../web/src/screens/class/module.ts'
import { classSessions } from '../../web/src/screens/scheduler/class-sessions/module.ts'
import { attendance } from '../../web/src/screens/attendance/module.ts'
import { remoteAccess } from '../../web/src/remote/module.ts'
import { privateNetworks } from '../../web/src/screens/networks/module.ts'
import { accounting } from '../../web/src/money/accounting.module.ts'
import { invoices } from '../../web/src/screens/invoices/module.ts'
import { quotes } from '../../web/src/money/quotes/module.ts'
import { prepaidCredit } from '../../web/src/screens/credit/module.ts'
import { budgets } from '../../web/src/screens/budgets/module.ts'
import { reminders } from '../../web/src/screens/account/reminders.module.ts'
import { books } from '../../web/src/screens/statement/module.ts'
import { settlements } from '../../web/src/screens/ledger/settlements.module.ts'
import { providerCosts } from '../../web/src/screens/costs/module.ts'
import { webhooks } from '../../web/src/screens/webhooks/module.ts'
import { notifications } from '../../web/src/screens/notifications/module.ts'
import { search } from '../../web/src/shell/palette/module.ts'
import { auditChain } from '../../web/src/screens/audit/module.ts'
import { privacy } from '../../web/src/screens/organisation-settings/privacy.module.ts'
import { doctor } from '../../web/src/shell/doctor.module.ts'
import { demo } from '../../web/src/screens/home/demo.module.ts'

/** Modules of the web application. */
export const modules: readonly WebModule[] = [
  // Core
  organisations,
  users,
  trainings,
  usage,
  machines,
  ports,
  schedules,
  ledger,
  payments,
  sandboxAzure,
  sandboxAws,
  home,
  overview,
  // Add-ons
  secondFactor,
  sso,
  scim,
  apiKeys,
  rosters,
  registration,
  requests,
  lti,
  alsImport,
  classroom,
  classSessions,
  attendance,
  remoteAccess,
  privateNetworks,
  accounting,
  invoices,
  quotes,
  prepaidCredit,
  budgets,
  reminders,
  books,
  settlements,
  providerCosts,
  webhooks,
  notifications,
  search,
  auditChain,
  privacy,
  doctor,
  demo,
]
