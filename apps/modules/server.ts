import accounting from '@trainyard/accounting/server.ts'
import alsImport from '@trainyard/als-import/server.ts'
import apiKeys from '@trainyard/api-keys/server.ts'
import attendance from '@trainyard/attendance/server.ts'
import auditChain from '@trainyard/audit-chain/server.ts'
import azure from '@trainyard/azure/server.ts'
import books from '@trainyard/books/server.ts'
import budgets from '@trainyard/budgets/server.ts'
import classSessions from '@trainyard/class-sessions/server.ts'
import classroom from '@trainyard/classroom/server.ts'
import demo from '@trainyard/demo/server.ts'
import credentialExpiry from '@trainyard/credential-expiry/server.ts'
import guides from '@trainyard/guides/server.ts'
import home from '@trainyard/home/server.ts'
import invoices from '@trainyard/invoices/server.ts'
import labUsers from '@trainyard/lab-users/server.ts'
import ledger from '@trainyard/ledger/server.ts'
import lti from '@trainyard/lti/server.ts'
import lxd from '@trainyard/lxd/server.ts'
import machines from '@trainyard/machines/server.ts'
import notifications from '@trainyard/notifications/server.ts'
import organisations from '@trainyard/organisations/server.ts'
import payments from '@trainyard/payments/server.ts'
import platform from '@trainyard/platform/server.ts'
import ports from '@trainyard/ports/server.ts'
import prepaidCredit from '@trainyard/prepaid-credit/server.ts'
import privacy from '@trainyard/privacy/server.ts'
import privateNetworks from '@trainyard/private-networks/server.ts'
import providerCosts from '@trainyard/provider-costs/server.ts'
import quotes from '@trainyard/quotes/server.ts'
import readyPool from '@trainyard/ready-pool/server.ts'
import registration from '@trainyard/registration/server.ts'
import reminders from '@trainyard/reminders/server.ts'
import remoteAccess from '@trainyard/remote-access/server.ts'
import requests from '@trainyard/requests/server.ts'
import rosters from '@trainyard/rosters/server.ts'
import sandboxAws from '@trainyard/sandbox-aws/server.ts'
import sandboxAzure from '@trainyard/sandbox-azure/server.ts'
import schedules from '@trainyard/schedules/server.ts'
import scim from '@trainyard/scim/server.ts'
import search from '@trainyard/search/server.ts'
import secondFactor from '@trainyard/second-factor/server.ts'
import setUp from '@trainyard/set-up/server.ts'
import settlements from '@trainyard/settlements/server.ts'
import sso from '@trainyard/sso/server.ts'
import templates from '@trainyard/templates/server.ts'
import trainings from '@trainyard/trainings/server.ts'
import { connectContract } from '@trainyard/platform/contract/contract.ts'
import { connectModules } from '@trainyard/platform/server/core/events.ts'
import type { ServerModule } from '@trainyard/platform/server/core/module.ts'
import { AUDITED, contract } from './contract.ts'
import usage from '@trainyard/usage/server.ts'
import users from '@trainyard/users/server.ts'
import webhooks from '@trainyard/webhooks/server.ts'

/** The modules of the server: the core in import order, then the add-ons, each after those that it requires. */
export const SERVER_MODULES: readonly ServerModule[] = [
  platform,
  organisations,
  users,
  trainings,
  templates,
  usage,
  machines,
  ports,
  schedules,
  ledger,
  payments,
  labUsers,
  azure,
  sandboxAzure,
  sandboxAws,
  home,
  secondFactor,
  sso,
  rosters,
  scim,
  apiKeys,
  registration,
  requests,
  remoteAccess,
  classroom,
  classSessions,
  readyPool,
  attendance,
  lti,
  guides,
  alsImport,
  lxd,
  privateNetworks,
  // Before prepaidCredit: if both refuse a start, the user reads about the spending cap.
  budgets,
  accounting,
  invoices,
  prepaidCredit,
  quotes,
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

/** Connects the modules and the calls of this process. */
export function connectAll(): void {
  connectModules(SERVER_MODULES)
  connectContract(contract, AUDITED)
}
