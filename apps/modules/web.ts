import type { WebModule } from '@trainyard/platform/web/shell/module.ts'
import { organisations } from '@trainyard/organisations/web.ts'
import { users } from '@trainyard/users/web.ts'
import { trainings } from '@trainyard/trainings/web.ts'
import { usage } from '@trainyard/usage/web.ts'
import { machines } from '@trainyard/machines/web.ts'
import { ports } from '@trainyard/ports/web.ts'
import { schedules } from '@trainyard/schedules/web.ts'
import { ledger } from '@trainyard/ledger/web.ts'
import { payments } from '@trainyard/payments/web.ts'
import { sandboxAzure } from '@trainyard/sandbox-azure/web.ts'
import { sandboxAws } from '@trainyard/sandbox-aws/web.ts'
import { home } from '@trainyard/home/web.ts'
import { secondFactor } from '@trainyard/second-factor/web.ts'
import { sso } from '@trainyard/sso/web.ts'
import { scim } from '@trainyard/scim/web.ts'
import { apiKeys } from '@trainyard/api-keys/web.ts'
import { rosters } from '@trainyard/rosters/web.ts'
import { readyPool } from '@trainyard/ready-pool/web.ts'
import { registration } from '@trainyard/registration/web.ts'
import { requests } from '@trainyard/requests/web.ts'
import { lti } from '@trainyard/lti/web.ts'
import { alsImport } from '@trainyard/als-import/web.ts'
import { classroom } from '@trainyard/classroom/web.ts'
import { classSessions } from '@trainyard/class-sessions/web.ts'
import { attendance } from '@trainyard/attendance/web.ts'
import { remoteAccess } from '@trainyard/remote-access/web.ts'
import { guides } from '@trainyard/guides/web.ts'
import { privateNetworks } from '@trainyard/private-networks/web.ts'
import { accounting } from '@trainyard/accounting/web.ts'
import { invoices } from '@trainyard/invoices/web.ts'
import { quotes } from '@trainyard/quotes/web.ts'
import { prepaidCredit } from '@trainyard/prepaid-credit/web.ts'
import { budgets } from '@trainyard/budgets/web.ts'
import { reminders } from '@trainyard/reminders/web.ts'
import { books } from '@trainyard/books/web.ts'
import { settlements } from '@trainyard/settlements/web.ts'
import { providerCosts } from '@trainyard/provider-costs/web.ts'
import { webhooks } from '@trainyard/webhooks/web.ts'
import { notifications } from '@trainyard/notifications/web.ts'
import { search } from '@trainyard/search/web.ts'
import { auditChain } from '@trainyard/audit-chain/web.ts'
import { privacy } from '@trainyard/privacy/web.ts'
import { credentialExpiry } from '@trainyard/credential-expiry/web.ts'
import { setUp } from '@trainyard/set-up/web.ts'
import { demo } from '@trainyard/demo/web.ts'

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
  readyPool,
  attendance,
  remoteAccess,
  guides,
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
  credentialExpiry,
  setUp,
  demo,
]
