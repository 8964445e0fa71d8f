import type { Config } from '../config.ts'
import { apiKeyHandlers } from '../domain/people/api-key/http.ts'
import { auditHandlers } from '../domain/audit/http.ts'
import { privacyHandlers } from '../domain/privacy/http.ts'
import { changeRequestHandlers } from '../domain/lab/change-request/http.ts'
import { notificationHandlers } from '../domain/notification/http.ts'
import { classroomHandlers } from '../domain/lab/classroom/http.ts'
import { creditHandlers } from '../domain/money/credit/http.ts'
import { priceHandlers } from '../domain/money/price/http.ts'
import { budgetHandlers } from '../domain/money/budget/http.ts'
import { costHandlers } from '../domain/money/cost/http.ts'
import { firstStepsHandlers } from '../domain/home/first-steps.ts'
import { homeHandlers } from '../domain/home/http.ts'
import { identityProviderHandlers } from '../domain/people/identity-provider/http.ts'
import { providerSignInHandlers } from '../domain/people/identity-provider/sign-in-http.ts'
import { imageHandlers } from '../domain/lab/image/http.ts'
import { labImportHandlers } from '../domain/lab/import/http.ts'
import { courseLists } from '../domain/lab/lms/course-members.ts'
import { lmsHandlers } from '../domain/lab/lms/http.ts'
import { ltiLaunchHandlers } from '../domain/lab/lms/launch-http.ts'
import { requireSettled } from '../domain/money/ledger/balance.ts'
import { booksHandlers } from '../domain/money/books/http.ts'
import { gstReturnHandlers } from '../domain/money/gst-return/http.ts'
import { reminderHandlers } from '../domain/money/reminder/http.ts'
import { invoiceHandlers } from '../domain/money/invoice/http.ts'
import { quoteHandlers } from '../domain/money/quote/http.ts'
import { enteredInvoice } from '../domain/money/invoice/entered.ts'
import { ledgerHandlers } from '../domain/money/ledger/http.ts'
import { quotaHandlers } from '../domain/lab/machine/quota-http.ts'
import { wakeSecurityGroupsOf } from '../domain/lab/machine/security-groups.ts'
import { machineHandlers } from '../domain/lab/machine/http.ts'
import { meterHandlers } from '../domain/money/meter/http.ts'
import { orderHandlers } from '../domain/lab/order/http.ts'
import { organisationCalls } from '../domain/people/organisation/http.ts'
import { paymentHandlers } from '../domain/money/payment/http.ts'
import { portHandlers } from '../domain/lab/port/http.ts'
import { attendanceHandlers } from '../domain/attendance/http.ts'
import { openingCalendar } from '../domain/lab/calendar/feed.ts'
import { calendarHandlers } from '../domain/lab/calendar/http.ts'
import { classesOfInvited } from '../domain/lab/calendar/invited-classes.ts'
import { classSessionHandlers, holidaysHandlers } from '../domain/lab/class-session/http.ts'
import { readyHandlers } from '../domain/lab/ready/http.ts'
import { registrationHandlers, registrationLinkHandlers } from '../domain/lab/registration/http.ts'
import { remoteHandlers } from '../domain/lab/remote/http.ts'
import { awsSandboxHandlers } from '../domain/sandbox/aws/sandbox-http.ts'
import { awsUserHandlers } from '../domain/sandbox/aws/user-http.ts'
import { azureSandboxHandlers } from '../domain/sandbox/azure/sandbox-http.ts'
import { sandboxUserHandlers } from '../domain/sandbox/azure/user-http.ts'
import { scheduleHandlers } from '../domain/lab/schedule/http.ts'
import { recurrenceHandlers } from '../domain/lab/schedule/weekly/http.ts'
import { scimHandlers } from '../domain/people/directory/http.ts'
import { groupLists } from '../domain/people/directory/roster-lists.ts'
import { rosterHandlers } from '../domain/lab/roster/http.ts'
import { searchHandlers } from '../domain/search/http.ts'
import { hasSecondFactor } from '../domain/people/second-factor/factors.ts'
import { passkeyHandlers } from '../domain/people/second-factor/passkey-http.ts'
import { secondFactorHandlers } from '../domain/people/second-factor/http.ts'
import { secondLoginHandlers } from '../domain/people/second-factor/login-http.ts'
import type { RelyingParty } from '../domain/people/second-factor/relying-party.ts'
import { resetHandlers } from '../domain/people/second-factor/reset-http.ts'
import { requireSecondStep } from '../domain/people/second-factor/second-step.ts'
import { taxStatusHandlers } from '../domain/money/tax-status/http.ts'
import { settlementHandlers } from '../domain/money/settlement/http.ts'
import { supplierHandlers } from '../domain/money/supplier/http.ts'
import { networkHandlers } from '../domain/lab/network/http.ts'
import { templateHandlers } from '../domain/lab/template/http.ts'
import { accessWindowHandlers, trainingHandlers } from '../domain/lab/training/http.ts'
import { accountHandlers } from '../domain/people/user/own-sign-in-http.ts'
import { endPasswordSessions } from '../domain/people/user/sessions.ts'
import { peopleHandlers } from '../domain/people/user/people-http.ts'
import { userHandlers } from '../domain/people/user/users-http.ts'
import { sessionHandlers } from '../domain/people/user/session-http.ts'
import { webhookHandlers } from '../domain/webhook/http.ts'
import { wasteHandlers } from '../domain/money/waste/http.ts'
import { statusOf } from '../reconcile/status.ts'
import type { DiskState } from '../http/disk-state.ts'
import { healthHandlers } from '../http/health.ts'
import type { MachineChanges } from '../domain/lab/machine/watch.ts'
import type { Handlers } from '../core/handler.ts'
import type { JobQueue } from '../jobs/jobs.ts'
import type { Lms } from '../providers/lms.ts'
import type { OpenId } from '../providers/open-id.ts'
import type { Payments } from '../providers/payments.ts'
import type { Webhooks } from '../providers/webhooks.ts'
import type { TextRecords } from '../providers/text-records.ts'
import type { Proof } from '../secrets/proof.ts'
import type { FilesConnector } from '../providers/machine-files.ts'
import type { Seal } from '../secrets/seal.ts'

/**
 * Parts that the handlers are built from. No cloud provider is among them, because handlers only change the desired
 * state.
 */
export interface CallDependencies {
  readonly seal: Seal
  readonly jobs: JobQueue
  readonly changes: MachineChanges
  readonly secondFactor: Config['secondFactor']
  readonly payments: Payments | null
  readonly relyingParty: RelyingParty | null
  /** Client for organisations' OpenID Connect providers. Only sign-in calls use it. */
  readonly openId: OpenId
  readonly lms: Lms
  /** Client for DNS TXT records. */
  readonly dnsTexts: TextRecords
  readonly webhooks: Webhooks
  readonly publicUrl: string
  readonly remotePage: string
  readonly connector: FilesConnector
  readonly azure: {
    readonly emulated: boolean
    readonly portalUrl: string
    readonly labDomain: string | null
    readonly sandboxLimit: number | null
  }
  readonly aws: {
    readonly labDomain: string | null
    readonly pool: readonly string[]
    readonly consoleUrl: (account: string) => string
  }
  readonly disk: DiskState
  /**
   * Signs a nonce. A process with the same settings uses the signature to verify that this portal has the same
   * settings.
   */
  readonly prove: (nonce: string) => Proof
}

export function callHandlers(parts: CallDependencies): Handlers {
  const {
    openId,
    lms,
    dnsTexts,
    webhooks,
    publicUrl,
    seal,
    jobs,
    changes,
    secondFactor,
    payments,
    relyingParty,
    remotePage,
    connector,
    azure,
    aws,
    prove,
    disk,
  } = parts
  return {
    account: accountHandlers({ seal, jobs }),
    apiKey: apiKeyHandlers({ jobs }),
    session: {
      ...sessionHandlers({
        seal,
        jobs,
        classesOf: classesOfInvited(publicUrl),
        requireSecondStep: requireSecondStep(relyingParty),
        hasSecondFactor,
        emulated: azure.emulated,
      }),
      ...secondLoginHandlers({ seal, jobs, relyingParty }),
    },
    secondFactor: { ...secondFactorHandlers({ seal, jobs, relyingParty }), ...resetHandlers({ jobs }) },
    passkey: passkeyHandlers({ seal, jobs, relyingParty }),
    organisation: organisationCalls(requireSettled, wakeSecurityGroupsOf, endPasswordSessions),
    user: userHandlers({ jobs }),
    identityProvider: identityProviderHandlers({ seal, jobs, openId, publicUrl, dnsTexts }),
    providerSignIn: providerSignInHandlers({ seal, jobs, openId, publicUrl }),
    people: peopleHandlers({ jobs }),
    network: networkHandlers({ seal }),
    template: templateHandlers,
    training: trainingHandlers,
    machine: { ...machineHandlers({ seal, changes, secondFactor, jobs }), ...orderHandlers({ seal, jobs }) },
    image: imageHandlers({ jobs }),
    labImport: labImportHandlers({ seal, jobs }),
    lms: lmsHandlers({ seal, lms, publicUrl }),
    ltiLaunch: ltiLaunchHandlers({ seal, lms, publicUrl, jobs }),
    quota: quotaHandlers,
    changeRequest: changeRequestHandlers({ jobs }),
    notification: notificationHandlers({ changes, secondFactor }),
    schedule: scheduleHandlers,
    recurrence: recurrenceHandlers,
    ready: readyHandlers,
    classSession: classSessionHandlers,
    holidays: holidaysHandlers,
    attendance: attendanceHandlers,
    calendar: calendarHandlers(publicUrl),
    accessWindow: accessWindowHandlers(openingCalendar(publicUrl)),
    port: portHandlers,
    scim: scimHandlers({ jobs, publicUrl }),
    roster: rosterHandlers({ jobs, sources: [groupLists, courseLists] }),
    remote: remoteHandlers({ page: remotePage, seal, connector }),
    classroom: classroomHandlers({ changes, secondFactor, jobs }),
    registration: registrationHandlers({ seal, jobs, relyingParty }),
    registrationLink: registrationLinkHandlers({ seal, jobs, publicUrl }),
    search: searchHandlers,
    azureSandbox: azureSandboxHandlers({ seal, ...azure }),
    sandboxUser: sandboxUserHandlers({ seal, jobs, labDomain: azure.labDomain }),
    awsSandbox: awsSandboxHandlers({ seal, consoleUrl: aws.consoleUrl }),
    awsUser: awsUserHandlers({ seal, jobs, labDomain: aws.labDomain, pool: aws.pool }),
    audit: auditHandlers,
    privacy: privacyHandlers,
    home: homeHandlers,
    firstSteps: firstStepsHandlers({ seal, jobs, emulated: azure.emulated }),
    ledger: ledgerHandlers({ enteredInvoice }),
    payment: paymentHandlers({ payments, jobs }),
    settlement: settlementHandlers,
    supplier: supplierHandlers,
    invoice: invoiceHandlers(jobs),
    quote: quoteHandlers({ jobs }),
    taxStatus: taxStatusHandlers,
    books: booksHandlers,
    gstReturn: gstReturnHandlers,
    reminder: reminderHandlers,
    meter: meterHandlers,
    budget: budgetHandlers({ jobs }),
    credit: creditHandlers,
    price: priceHandlers,
    webhook: webhookHandlers({ seal, webhooks }),
    cost: costHandlers,
    waste: wasteHandlers,
    health: healthHandlers({ prove, disk, status: statusOf }),
  }
}
