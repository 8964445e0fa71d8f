import { budgetEvents } from './calls/budget-event.ts'
import { entryEvents } from './calls/entry-event.ts'
import { handEvents } from './calls/hand-event.ts'
import { machineEvents } from './calls/machine-event.ts'
import { registrationEvents } from './calls/registration-event.ts'
import { trainingEvents } from './calls/training-event.ts'
import { account } from './calls/account.ts'
import { apiKey } from './calls/api-key.ts'
import { attendance } from './calls/attendance.ts'
import { audit } from './calls/audit.ts'
import { privacy } from './calls/privacy.ts'
import { books } from './calls/books.ts'
import { calendar } from './calls/calendar.ts'
import { classroom } from './calls/classroom.ts'
import { budget } from './calls/budget.ts'
import { credit } from './calls/credit.ts'
import { changeRequest } from './calls/change-request.ts'
import { classSession, holidays } from './calls/class-session.ts'
import { cost } from './calls/cost.ts'
import { firstSteps } from './calls/first-steps.ts'
import { gstReturn } from './calls/gst-return.ts'
import { health } from './calls/health.ts'
import { home } from './calls/home.ts'
import { identityProvider, providerSignIn } from './calls/identity-provider.ts'
import { image } from './calls/image.ts'
import { invoice } from './calls/invoice.ts'
import { labImport } from './calls/lab-import.ts'
import { ledger } from './calls/ledger.ts'
import { lms, ltiLaunch } from './calls/lms.ts'
import { machine, quota } from './calls/machine.ts'
import { meter } from './calls/meter.ts'
import { notification } from './calls/notification.ts'
import { organisation } from './calls/organisation.ts'
import { people } from './calls/people.ts'
import { payment } from './calls/payment.ts'
import { price } from './calls/price.ts'
import { quote } from './calls/quote.ts'
import { port } from './calls/port.ts'
import { registration, registrationLink } from './calls/registration.ts'
import { recurrence } from './calls/recurrence.ts'
import { ready } from './calls/ready.ts'
import { reminder } from './calls/reminder.ts'
import { roster } from './calls/roster.ts'
import { remote } from './calls/remote.ts'
import { awsSandbox, awsUser, azureSandbox, sandboxUser } from './calls/sandbox.ts'
import { schedule } from './calls/schedule.ts'
import { scim } from './calls/scim.ts'
import { search } from './calls/search.ts'
import { network } from './calls/network.ts'
import { passkey, secondFactor, secondLogin } from './calls/second-factor.ts'
import { settlement } from './calls/settlement.ts'
import { supplier } from './calls/supplier.ts'
import { taxStatus } from './calls/tax-status.ts'
import { template } from './calls/template.ts'
import { accessWindow, training } from './calls/training.ts'
import { session, user } from './calls/user.ts'
import { waste } from './calls/waste.ts'
import { webhookCalls } from './calls/webhook.ts'

const { login, ...otherSessionCalls } = session

/** The events of all modules that other systems can subscribe to, in the order on screen. */
export const PUBLISHED = {
  ...machineEvents,
  ...trainingEvents,
  ...budgetEvents,
  ...entryEvents,
  ...handEvents,
  ...registrationEvents,
}
type EventType = keyof typeof PUBLISHED
const EVENT_TYPES = Object.keys(PUBLISHED) as [EventType, ...EventType[]]

export const contract = {
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
  ledger,
  payment,
  settlement,
  supplier,
  invoice,
  taxStatus,
  books,
  gstReturn,
  reminder,
  meter,
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
export type Contract = typeof contract
