import accounting from '../../server/src/domain/money/accounting/module.ts'
import alsImport from '../../server/src/domain/lab/import/module.ts'
import apiKeys from '../../server/src/domain/people/api-key/module.ts'
import attendance from '../../server/src/domain/attendance/module.ts'
import auditChain from '../../server/src/domain/audit/module.ts'
import azure from '../../server/src/providers/azure/module.ts'
import books from '../../server/src/domain/money/books/module.ts'
import budgets from '../../server/src/domain/money/budget/module.ts'
import classSessions from '../../server/src/domain/lab/class-session/module.ts'
import classroom from '../../server/src/domain/lab/classroom/module.ts'
import demo from '../../server/src/demo/module.ts'
import doctor from '../../server/src/doctor/module.ts'
import home from '../../server/src/domain/home/module.ts'
import invoices from '../../server/src/domain/money/invoice/module.ts'
import labUsers from '../../server/src/domain/sandbox/module.ts'
import ledger from '../../server/src/domain/money/ledger/module.ts'
import lti from '../../server/src/domain/lab/lms/module.ts'
import machines from '../../server/src/domain/lab/machine/module.ts'
import notifications from '../../server/src/domain/notification/module.ts'
import organisations from '../../server/src/domain/people/organisation/module.ts'
import payments from '../../server/src/domain/money/payment/module.ts'
import platform from '../../server/src/worker/module.ts'
import ports from '../../server/src/domain/lab/port/module.ts'
import prepaidCredit from '../../server/src/domain/money/credit/module.ts'
import privacy from '../../server/src/domain/privacy/module.ts'
import privateNetworks from '../../server/src/domain/lab/network/module.ts'
import providerCosts from '../../server/src/domain/money/cost/module.ts'
import quotes from '../../server/src/domain/money/quote/module.ts'
import registration from '../../server/src/domain/lab/registration/module.ts'
import reminders from '../../server/src/domain/money/reminder/module.ts'
import remoteAccess from '../../server/src/domain/lab/remote/module.ts'
import requests from '../../server/src/domain/lab/change-request/module.ts'
import rosters from '../../server/src/domain/lab/roster/module.ts'
import sandboxAws from '../../server/src/domain/sandbox/aws/module.ts'
import sandboxAzure from '../../server/src/domain/sandbox/azure/module.ts'
import schedules from '../../server/src/domain/lab/schedule/module.ts'
import scim from '../../server/src/domain/people/directory/module.ts'
import search from '../../server/src/domain/search/module.ts'
import secondFactor from '../../server/src/domain/people/second-factor/module.ts'
import settlements from '../../server/src/domain/money/settlement/module.ts'
import sso from '../../server/src/domain/people/identity-provider/module.ts'
import templates from '../../server/src/domain/lab/template/module.ts'
import trainings from '../../server/src/domain/lab/training/module.ts'
import { connectContract } from '@trainyard/contract/contract.ts'
import { connectModules } from '../../server/src/core/events.ts'
import type { ServerModule } from '../../server/src/core/module.ts'
import { contract } from './contract.ts'
import usage from '../../server/src/domain/money/meter/module.ts'
import users from '../../server/src/domain/people/user/module.ts'
import webhooks from '../../server/src/domain/webhook/module.ts'

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
  attendance,
  lti,
  alsImport,
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
  doctor,
  demo,
]

/** Connects the modules and the calls of this process. */
export function connectAll(): void {
  connectModules(SERVER_MODULES)
  connectContract(contract)
}
