import type {
  BudgetAlertId,
  ImageId,
  PaymentRequestId,
  ReminderId,
  SandboxUserId,
  TaxDocumentId,
  UserId,
} from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../db/schema.ts'

/** A change of somebody's second factors that they are told of. */
export type FactorChange =
  | 'app added'
  | 'app removed'
  | 'passkey added'
  | 'passkey removed'
  | 'recovery codes made'
  | 'recovery code used'
  | 'reset'

/** Work that should happen once, by name, with what each needs to know. Secrets never travel in it. */
export interface JobData {
  /** Sends the email of an invitation. */
  'user.invite': { readonly invitation: string }
  /** Sends a link that sets another password, to whoever has an account of this e-mail; `link` is the id that it gets. */
  'user.forgot': { readonly email: string; readonly link: string }
  /** Tells a person that their password was changed, when and from where. */
  'user.passwordChanged': {
    readonly user: UserId
    readonly at: string
    readonly address: string
    readonly userAgent: string | null
  }
  /** Tells a new Azure lab user, at the personal address. */
  'azureUser.invite': { readonly user: SandboxUserId; readonly invitation: string }
  /** Tells a new AWS lab user, at the personal address. */
  'awsUser.invite': { readonly user: SandboxUserId; readonly invitation: string }
  /** Tells a person of a change of their second factors; `notice` is the email's own name. */
  'secondFactor.notice': { readonly notice: string; readonly user: UserId; readonly change: FactorChange }
  /** Mails an issued document to whoever an organisation names for it. */
  'invoice.mail': { readonly document: TaxDocumentId }
  /** Reminds whoever an organisation names for it of an overdue invoice. */
  'reminder.mail': { readonly reminder: ReminderId }
  /** Asks whoever an organisation names for it for a payment. */
  'payment.request': { readonly request: PaymentRequestId }
  /** Tells an admin that a budget or a quota is used to a part. */
  'budget.alert': { readonly alert: BudgetAlertId; readonly user: UserId }
  /** Makes an image of a machine. */
  'machine.capture': { readonly image: ImageId }
}
export type JobName = keyof JobData

/** How the domain asks for a job: in the transaction of what causes it, so that neither happens without the other. */
export interface Jobs {
  put<Name extends JobName>(tx: Tx, name: Name, jobs: readonly JobData[Name][]): Promise<void>
}

/** The functions that a worker runs for jobs. A job may run again, and must then change nothing more. */
export type JobHandlers = {
  readonly [Name in JobName]: (data: JobData[Name], signal: AbortSignal) => Promise<void>
}

/** Thrown by a job that has done what could be done for now: its turn comes again, and nobody need hear of it. */
export class NotYet extends Error {
  override readonly name = 'NotYet'
}
