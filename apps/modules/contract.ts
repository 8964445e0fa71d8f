import { budgetEvents } from '@trainyard/contract/calls/budget-event.ts'
import { entryEvents } from '@trainyard/contract/calls/entry-event.ts'
import { handEvents } from '@trainyard/contract/calls/hand-event.ts'
import { machineEvents } from '@trainyard/contract/calls/machine-event.ts'
import { registrationEvents } from '@trainyard/contract/calls/registration-event.ts'
import { trainingEvents } from '@trainyard/contract/calls/training-event.ts'
import type { Contract } from '@trainyard/contract/contract.ts'
import { account } from '@trainyard/contract/calls/account.ts'
import { apiKey } from '@trainyard/contract/calls/api-key.ts'
import { attendance } from '@trainyard/contract/calls/attendance.ts'
import { audit } from '@trainyard/contract/calls/audit.ts'
import { privacy } from '@trainyard/contract/calls/privacy.ts'
import { books } from '@trainyard/contract/calls/books.ts'
import { calendar } from '@trainyard/contract/calls/calendar.ts'
import { classroom } from '@trainyard/contract/calls/classroom.ts'
import { budget } from '@trainyard/contract/calls/budget.ts'
import { credit } from '@trainyard/contract/calls/credit.ts'
import { changeRequest } from '@trainyard/contract/calls/change-request.ts'
import { classSession, holidays } from '@trainyard/contract/calls/class-session.ts'
import { cost } from '@trainyard/contract/calls/cost.ts'
import { firstSteps } from '@trainyard/contract/calls/first-steps.ts'
import { gstReturn } from '@trainyard/contract/calls/gst-return.ts'
import { health } from '@trainyard/contract/calls/health.ts'
import { home } from '@trainyard/contract/calls/home.ts'
import { identityProvider, providerSignIn } from '@trainyard/contract/calls/identity-provider.ts'
import { image } from '@trainyard/contract/calls/image.ts'
import { invoice, unchargedUsage } from '@trainyard/contract/calls/invoice.ts'
import { labImport } from '@trainyard/contract/calls/lab-import.ts'
import { ledger } from '@trainyard/contract/calls/ledger.ts'
import { accounting } from '@trainyard/contract/calls/accounting.ts'
import { lms, ltiLaunch } from '@trainyard/contract/calls/lms.ts'
import { machine, quota } from '@trainyard/contract/calls/machine.ts'
import { meter } from '@trainyard/contract/calls/meter.ts'
import { notification } from '@trainyard/contract/calls/notification.ts'
import { organisation } from '@trainyard/contract/calls/organisation.ts'
import { people } from '@trainyard/contract/calls/people.ts'
import { payment } from '@trainyard/contract/calls/payment.ts'
import { paymentRequests } from '@trainyard/contract/calls/payment-request.ts'
import { price } from '@trainyard/contract/calls/price.ts'
import { quote } from '@trainyard/contract/calls/quote.ts'
import { port } from '@trainyard/contract/calls/port.ts'
import { registration, registrationLink } from '@trainyard/contract/calls/registration.ts'
import { recurrence } from '@trainyard/contract/calls/recurrence.ts'
import { ready } from '@trainyard/contract/calls/ready.ts'
import { reminder } from '@trainyard/contract/calls/reminder.ts'
import { roster } from '@trainyard/contract/calls/roster.ts'
import { remote } from '@trainyard/contract/calls/remote.ts'
import { awsSandbox, awsUser, azureSandbox, sandboxUser } from '@trainyard/contract/calls/sandbox.ts'
import { schedule } from '@trainyard/contract/calls/schedule.ts'
import { scim } from '@trainyard/contract/calls/scim.ts'
import { search } from '@trainyard/contract/calls/search.ts'
import { network } from '@trainyard/contract/calls/network.ts'
import { passkey, secondFactor, secondLogin } from '@trainyard/contract/calls/second-factor.ts'
import { settlement } from '@trainyard/contract/calls/settlement.ts'
import { supplier } from '@trainyard/contract/calls/supplier.ts'
import { taxStatus } from '@trainyard/contract/calls/tax-status.ts'
import { template } from '@trainyard/contract/calls/template.ts'
import { accessWindow, training } from '@trainyard/contract/calls/training.ts'
import { session, user } from '@trainyard/contract/calls/user.ts'
import { waste } from '@trainyard/contract/calls/waste.ts'
import { webhookCalls } from '@trainyard/contract/calls/webhook.ts'

/** The events of all modules that other systems can subscribe to, in the order on screen. */
export const PUBLISHED = {
  ...machineEvents,
  ...trainingEvents,
  ...budgetEvents,
  ...entryEvents,
  ...handEvents,
  ...registrationEvents,
}

const { login, ...otherSessionCalls } = session
type EventType = keyof typeof PUBLISHED
const EVENT_TYPES = Object.keys(PUBLISHED) as [EventType, ...EventType[]]

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
  classroom,
  registration,
  registrationLink,
  search,
  azureSandbox,
  sandboxUser,
  awsSandbox,
  awsUser,
  home,
  firstSteps,
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
  waste,
  image,
  labImport,
  lms,
  ltiLaunch,
  webhook: webhookCalls(EVENT_TYPES),
  audit,
  privacy,
  health,
}
