import { budgetEvents } from '@trainyard/budgets/contract/budget-event.ts'
import { entryEvents } from '@trainyard/invoices/contract/entry-event.ts'
import { handEvents } from '@trainyard/classroom/contract/hand-event.ts'
import { machineEvents } from '@trainyard/machines/contract/machine-event.ts'
import { registrationEvents } from '@trainyard/registration/contract/registration-event.ts'
import { trainingEvents } from '@trainyard/trainings/contract/training-event.ts'
import type { Contract } from '@trainyard/platform/contract/contract.ts'
import { account, operatorActions } from '@trainyard/users/contract/account.ts'
import { apiKey } from '@trainyard/api-keys/contract/api-key.ts'
import { attendance } from '@trainyard/attendance/contract/attendance.ts'
import { audit, auditActions } from '@trainyard/audit-chain/contract/audit.ts'
import { privacy, privacyActions } from '@trainyard/privacy/contract/privacy.ts'
import { books } from '@trainyard/books/contract/books.ts'
import { calendar } from '@trainyard/class-sessions/contract/calendar.ts'
import { classroom, classroomActions } from '@trainyard/classroom/contract/classroom.ts'
import { budget, budgetActions } from '@trainyard/budgets/contract/budget.ts'
import { credit, creditActions } from '@trainyard/prepaid-credit/contract/credit.ts'
import { changeRequest } from '@trainyard/requests/contract/change-request.ts'
import { classSession, holidays } from '@trainyard/class-sessions/contract/class-session.ts'
import { cost, costActions } from '@trainyard/provider-costs/contract/cost.ts'
import { firstSteps } from '@trainyard/demo/contract/first-steps.ts'
import { gstReturn } from '@trainyard/books/contract/gst-return.ts'
import { guideEvents } from '@trainyard/guides/contract/guide-event.ts'
import { guide, guideRun } from '@trainyard/guides/contract/guide.ts'
import { proof, proofActions } from '@trainyard/guides/contract/proof.ts'
import { health } from '@trainyard/platform/contract/health.ts'
import { expiringCredentials } from '@trainyard/credential-expiry/contract/expiring.ts'
import { home } from '@trainyard/home/contract/home.ts'
import { nextClass } from '@trainyard/class-sessions/contract/next-class.ts'
import { identityProvider, providerSignIn } from '@trainyard/sso/contract/identity-provider.ts'
import { image } from '@trainyard/machines/contract/image.ts'
import { invoice, unchargedUsage, invoiceActions } from '@trainyard/invoices/contract/invoice.ts'
import { labImport } from '@trainyard/als-import/contract/lab-import.ts'
import { ledger } from '@trainyard/ledger/contract/ledger.ts'
import { accounting } from '@trainyard/accounting/contract.ts'
import { lms, ltiLaunch } from '@trainyard/lti/contract/lms.ts'
import { machine, quota, machineActions } from '@trainyard/machines/contract/machine.ts'
import { meter } from '@trainyard/usage/contract/meter.ts'
import { notification } from '@trainyard/notifications/contract/notification.ts'
import { organisation } from '@trainyard/organisations/contract/organisation.ts'
import { people } from '@trainyard/users/contract/people.ts'
import { payment, paymentActions } from '@trainyard/payments/contract/payment.ts'
import { paymentRequests } from '@trainyard/reminders/contract/payment-request.ts'
import { price } from '@trainyard/quotes/contract/price.ts'
import { quote } from '@trainyard/quotes/contract/quote.ts'
import { port } from '@trainyard/ports/contract/port.ts'
import { registration, registrationLink } from '@trainyard/registration/contract/registration.ts'
import { readyPool } from '@trainyard/ready-pool/contract/ready-pool.ts'
import { recurrence } from '@trainyard/class-sessions/contract/recurrence.ts'
import { ready } from '@trainyard/class-sessions/contract/ready.ts'
import { reminder, reminderActions } from '@trainyard/reminders/contract/reminder.ts'
import { roster, rosterActions } from '@trainyard/rosters/contract/roster.ts'
import { remote, remoteActions } from '@trainyard/remote-access/contract/remote.ts'
import { awsSandbox, awsUser, azureSandbox, sandboxUser } from '@trainyard/lab-users/contract/sandbox.ts'
import { schedule } from '@trainyard/schedules/contract/schedule.ts'
import { scim, scimActions } from '@trainyard/scim/contract/scim.ts'
import { search } from '@trainyard/search/contract/search.ts'
import { network, gatewayActions } from '@trainyard/private-networks/contract/network.ts'
import {
  passkey,
  secondFactor,
  secondLogin,
  secondFactorActions,
} from '@trainyard/second-factor/contract/second-factor.ts'
import { setUp } from '@trainyard/set-up/contract/set-up.ts'
import { settlement } from '@trainyard/settlements/contract/settlement.ts'
import { supplier } from '@trainyard/invoices/contract/supplier.ts'
import { taxStatus } from '@trainyard/invoices/contract/tax-status.ts'
import { template } from '@trainyard/templates/contract/template.ts'
import { accessWindow, training } from '@trainyard/trainings/contract/training.ts'
import { session, user } from '@trainyard/users/contract/user.ts'
import { webhookCalls, webhookActions } from '@trainyard/webhooks/contract/webhook.ts'

/** The events of all modules that other systems can subscribe to, in the order on screen. */
export const PUBLISHED = {
  ...machineEvents,
  ...trainingEvents,
  ...budgetEvents,
  ...entryEvents,
  ...handEvents,
  ...registrationEvents,
  ...guideEvents,
}

/** Texts of actions that are no calls, for the audit log. */
export const AUDITED: Readonly<Record<string, string>> = {
  ...webhookActions,
  ...gatewayActions,
  ...remoteActions,
  ...classroomActions,
  ...paymentActions,
  ...invoiceActions,
  ...reminderActions,
  ...creditActions,
  ...budgetActions,
  ...auditActions,
  ...scimActions,
  ...rosterActions,
  ...costActions,
  ...machineActions,
  ...operatorActions,
  ...secondFactorActions,
  ...privacyActions,
  ...proofActions,
}

const { login, ...otherSessionCalls } = session

/** All calls by group, in the order of the API reference. */
export const contract: Contract = {
  session: { login, ...secondLogin, ...otherSessionCalls },
  account,
  apiKey,
  organisation,
  user,
  secondFactor,
  passkey,
  identityProvider,
  providerSignIn,
  people,
  network,
  template,
  training,
  machine,
  quota,
  readyPool,
  changeRequest,
  notification,
  schedule,
  recurrence,
  ready,
  classSession,
  holidays,
  attendance,
  calendar,
  accessWindow,
  port,
  roster,
  scim,
  remote,
  guide,
  guideRun,
  proof,
  classroom,
  registration,
  registrationLink,
  search,
  azureSandbox,
  sandboxUser,
  awsSandbox,
  awsUser,
  home: { ...home, ...nextClass, ...expiringCredentials },
  firstSteps,
  setUp,
  ledger: { ...ledger, ...accounting },
  payment: { ...payment, ...paymentRequests },
  settlement,
  supplier,
  invoice,
  taxStatus,
  books,
  gstReturn,
  reminder,
  meter: { ...meter, ...unchargedUsage },
  budget,
  price,
  quote,
  credit,
  cost,
  image,
  labImport,
  lms,
  ltiLaunch,
  webhook: webhookCalls(PUBLISHED),
  audit,
  privacy,
  health,
}
