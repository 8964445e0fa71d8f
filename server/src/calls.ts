import { auditHandlers } from './domain/audit/http.ts'
import { classroomHandlers } from './domain/classroom/http.ts'
import { budgetHandlers } from './domain/budget/http.ts'
import { costHandlers } from './domain/cost/http.ts'
import { homeHandlers } from './domain/home/http.ts'
import { identityProviderHandlers } from './domain/identity-provider/http.ts'
import { providerSignInHandlers } from './domain/identity-provider/sign-in-http.ts'
import { imageHandlers } from './domain/image/http.ts'
import { mustBeSettled } from './domain/ledger/balance.ts'
import { booksHandlers } from './domain/books/http.ts'
import { reminderHandlers } from './domain/reminder/http.ts'
import { invoiceHandlers } from './domain/invoice/http.ts'
import { ledgerHandlers } from './domain/ledger/http.ts'
import { quotaHandlers } from './domain/machine/quota-http.ts'
import { machineHandlers } from './domain/machine/http.ts'
import { meterHandlers } from './domain/meter/http.ts'
import { orderHandlers } from './domain/order/http.ts'
import { organisationCalls } from './domain/organisation/http.ts'
import { paymentHandlers } from './domain/payment/http.ts'
import { portHandlers } from './domain/port/http.ts'
import { readyHandlers } from './domain/ready/http.ts'
import { remoteHandlers } from './domain/remote/http.ts'
import { awsSandboxHandlers } from './domain/sandbox/aws/sandbox-http.ts'
import { awsUserHandlers } from './domain/sandbox/aws/user-http.ts'
import { azureSandboxHandlers } from './domain/sandbox/azure/sandbox-http.ts'
import { sandboxUserHandlers } from './domain/sandbox/azure/user-http.ts'
import { scheduleHandlers } from './domain/schedule/http.ts'
import { recurrenceHandlers } from './domain/schedule/weekly/http.ts'
import { searchHandlers } from './domain/search/http.ts'
import { hasSecondFactor } from './domain/second-factor/factors.ts'
import { passkeyHandlers } from './domain/second-factor/passkey-http.ts'
import { secondFactorHandlers } from './domain/second-factor/http.ts'
import { secondLoginHandlers } from './domain/second-factor/login-http.ts'
import type { RelyingParty } from './domain/second-factor/relying-party.ts'
import { resetHandlers } from './domain/second-factor/reset-http.ts'
import { askSecondStep } from './domain/second-factor/second-step.ts'
import { supplierHandlers } from './domain/supplier/http.ts'
import { templateHandlers } from './domain/template/http.ts'
import { accessWindowHandlers, trainingHandlers } from './domain/training/http.ts'
import { accountHandlers } from './domain/user/account-http.ts'
import { peopleHandlers } from './domain/user/people-http.ts'
import { userHandlers } from './domain/user/http.ts'
import { sessionHandlers } from './domain/user/session-http.ts'
import { wasteHandlers } from './domain/waste/http.ts'
import { statusOf } from './reconcile/status.ts'
import { healthHandlers } from './http/health.ts'
import type { MachineChanges } from './domain/machine/watch.ts'
import type { Handlers } from './core/handler.ts'
import type { Jobs } from './jobs.ts'
import type { OpenId } from './providers/open-id.ts'
import type { Payments } from './providers/payments.ts'
import type { TextRecords } from './providers/text-records.ts'
import type { Proof } from './secrets/proof.ts'
import type { FilesConnector } from './providers/machine-files.ts'
import type { Seal } from './secrets/seal.ts'

/** The parts that the handlers are made with; no cloud is among them. */
export interface CallParts {
  readonly seal: Seal
  readonly jobs: Jobs
  readonly changes: MachineChanges
  /** null: nobody can pay online here. */
  readonly payments: Payments | null
  /** The portal as passkeys know it; null: there are none here. */
  readonly relyingParty: RelyingParty | null
  /** Organisations' own providers, and what their domains publish: signing in waits for both. */
  readonly openId: OpenId
  readonly texts: TextRecords
  /** The address that people reach the portal by. */
  readonly publicUrl: string
  /** Address of the lab remote-access page. */
  readonly remotePage: string
  readonly connector: FilesConnector
  readonly azure: {
    readonly portalUrl: string
    readonly labDomain: string | null
    readonly sandboxLimit: number | null
  }
  readonly aws: {
    readonly labDomain: string | null
    readonly pool: readonly string[]
    readonly consoleUrl: (account: string) => string
  }
  /** Proves to who has the same settings that this portal has them. */
  readonly prove: (nonce: string) => Proof
}

/** A handler for each call of the contract. */
export function callHandlers(parts: CallParts): Handlers {
  const {
    openId,
    texts,
    publicUrl,
    seal,
    jobs,
    changes,
    payments,
    relyingParty,
    remotePage,
    connector,
    azure,
    aws,
    prove,
  } = parts
  return {
    account: accountHandlers({ seal, jobs }),
    session: {
      ...sessionHandlers({ seal, jobs, askSecondStep: askSecondStep(relyingParty), hasSecondFactor }),
      ...secondLoginHandlers({ seal, jobs, relyingParty }),
    },
    secondFactor: { ...secondFactorHandlers({ seal, jobs, relyingParty }), ...resetHandlers({ jobs }) },
    passkey: passkeyHandlers({ seal, jobs, relyingParty }),
    organisation: organisationCalls(mustBeSettled),
    user: userHandlers({ jobs }),
    identityProvider: identityProviderHandlers({ seal, openId, publicUrl, texts }),
    providerSignIn: providerSignInHandlers({ seal, openId, publicUrl }),
    people: peopleHandlers,
    template: templateHandlers,
    training: trainingHandlers,
    machine: { ...machineHandlers({ seal, changes, jobs }), ...orderHandlers({ seal, jobs }) },
    image: imageHandlers({ jobs }),
    quota: quotaHandlers,
    schedule: scheduleHandlers,
    recurrence: recurrenceHandlers,
    ready: readyHandlers,
    accessWindow: accessWindowHandlers,
    port: portHandlers,
    remote: remoteHandlers({ page: remotePage, seal, connector }),
    classroom: classroomHandlers({ changes }),
    search: searchHandlers,
    azureSandbox: azureSandboxHandlers({ seal, ...azure }),
    sandboxUser: sandboxUserHandlers({ seal, jobs, labDomain: azure.labDomain }),
    awsSandbox: awsSandboxHandlers({ seal, consoleUrl: aws.consoleUrl }),
    awsUser: awsUserHandlers({ seal, jobs, labDomain: aws.labDomain, pool: aws.pool }),
    audit: auditHandlers,
    home: homeHandlers,
    ledger: ledgerHandlers,
    payment: paymentHandlers({ payments, jobs }),
    supplier: supplierHandlers,
    invoice: invoiceHandlers({ jobs }),
    books: booksHandlers,
    reminder: reminderHandlers,
    meter: meterHandlers,
    budget: budgetHandlers({ jobs }),
    cost: costHandlers,
    waste: wasteHandlers,
    health: healthHandlers({ prove, status: statusOf }),
  }
}
