import type { ImageId, SandboxUserId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from './db/schema.ts'

/** Work that should happen once, by name, with what each needs to know. Secrets never travel in it. */
export interface JobData {
  /** Sends the email of an invitation. */
  'user.invite': { readonly invitation: string }
  /** Tells a new Azure lab user, at the personal address. */
  'azureUser.invite': { readonly user: SandboxUserId; readonly invitation: string }
  /** Tells a new AWS lab user, at the personal address. */
  'awsUser.invite': { readonly user: SandboxUserId; readonly invitation: string }
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
