import type {
  BudgetAlertId,
  ChangeRequestId,
  ImportedLabId,
  ImageId,
  OverdueNoticeId,
  PaymentRequestId,
  PrepaidAccountId,
  QuoteId,
  RegistrationLinkId,
  ReminderId,
  SandboxUserId,
  TaxDocumentId,
  UserId,
  WebhookEndpointId,
} from '@trainyard/contract/words/ids.ts'
import type { OfferKind } from '@trainyard/contract/words/quote.ts'
import type { Tx } from '../db/schema.ts'

export type FactorChange =
  | 'app added'
  | 'app removed'
  | 'passkey added'
  | 'passkey removed'
  | 'recovery codes made'
  | 'recovery code used'
  | 'LMS linked'
  | 'reset'

/** The jobs by name, with their data. The data must not contain secrets. */
export interface JobData {
  'user.invite': { readonly invitation: string }
  'user.forgot': { readonly email: string; readonly link: string }
  'user.passwordChanged': {
    readonly user: UserId
    readonly at: string
    readonly address: string
    readonly userAgent: string | null
    /** API keys of the user at the change. */
    readonly keys: { readonly count: number; readonly kept: boolean }
  }
  'secret.created': {
    readonly notice: string
    readonly user: UserId
    readonly what: 'API key' | 'service key' | 'directory token'
    readonly name: string
    readonly by: string
    readonly address: string
    readonly until: string
  }
  'user.confirmChange': { readonly link: string }
  'user.addressNotice': {
    readonly notice: string
    readonly mailbox: string
    /** False if the user has not confirmed the change yet. */
    readonly made: boolean
    readonly from: string
    readonly to: string
  }
  'azureUser.invite': { readonly user: SandboxUserId; readonly invitation: string }
  'awsUser.invite': { readonly user: SandboxUserId; readonly invitation: string }
  'secondFactor.notice': { readonly notice: string; readonly user: UserId; readonly change: FactorChange }
  'invoice.mail': { readonly document: TaxDocumentId }
  'invoice.cancelled': { readonly document: TaxDocumentId }
  'reminder.mail': { readonly reminder: ReminderId }
  'quote.mail': { readonly quote: QuoteId; readonly kind: OfferKind }
  'payment.request': { readonly request: PaymentRequestId }
  'budget.alert': { readonly alert: BudgetAlertId; readonly user: UserId }
  'credit.alert': {
    readonly account: PrepaidAccountId
    readonly user: UserId
    readonly event: 'low' | 'used up'
    readonly key: string
  }
  'credit.overdue': { readonly notice: OverdueNoticeId }
  'changeRequest.decided': { readonly request: ChangeRequestId }
  'labImport.moved': { readonly lab: ImportedLabId; readonly email: string }
  'webhook.disabled': { readonly endpoint: WebhookEndpointId; readonly user: UserId }
  'registration.account': {
    readonly request: string
    readonly link: RegistrationLinkId
    readonly email: string
  }
  'registration.decided': { readonly link: RegistrationLinkId; readonly user: UserId }
  'machine.capture': { readonly image: ImageId }
}
export type JobName = keyof JobData

/**
 * Queue of jobs. A job is enqueued in the transaction of its cause, so that either both are committed or neither is.
 */
export interface JobQueue {
  /**
   * @param cause organisation or registration link that caused the jobs. The causes of a queue take turns, so that a large number
   *   of jobs delays only those of the same cause.
   */
  enqueue<Name extends JobName>(tx: Tx, name: Name, jobs: readonly JobData[Name][], cause?: string): Promise<void>
}

/** Job handlers of a worker. A job may run more than once, so a handler must be idempotent. */
export type JobHandlers = {
  readonly [Name in JobName]: (data: JobData[Name], signal: AbortSignal) => Promise<void>
}

/** Thrown to run the job again without reporting an error. */
export class JobNotFinished extends Error {
  override readonly name = 'JobNotFinished'
}
