import { MailRejectedError } from './mail.ts'

export interface MailedEach {
  readonly delivered: readonly string[]
  /** Throws the first permanent rejection, which ends the job. Call it after the delivery is recorded. */
  reportRejection(): void
}

/** Sends an email to each recipient. A recipient that the mail server permanently rejects does not stop the others. */
export async function mailEach(
  recipients: readonly string[],
  signal: AbortSignal,
  send: (to: string) => Promise<void>,
): Promise<MailedEach> {
  const delivered: string[] = []
  const rejections: MailRejectedError[] = []
  for (const to of recipients) {
    if (signal.aborted) throw signal.reason
    try {
      await send(to)
      delivered.push(to)
    } catch (thrown) {
      if (!(thrown instanceof MailRejectedError)) throw thrown
      rejections.push(thrown)
    }
  }
  return {
    delivered,
    reportRejection() {
      if (rejections[0] !== undefined) throw rejections[0]
    },
  }
}
