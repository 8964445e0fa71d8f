import { createTransport } from 'nodemailer'
import { type MailDiagnosis, MailError } from '../mail.ts'
import { connectionOf } from './connection.ts'

/** The doctor's question to a mail server. */
export function smtpDiagnosis({
  url,
  timeout = 10_000,
}: {
  readonly url: string
  readonly timeout?: number
}): MailDiagnosis {
  return {
    async greet(signal) {
      const transport = createTransport(connectionOf(url, timeout))
      const leave = () => transport.close()
      signal.addEventListener('abort', leave)
      try {
        await transport.verify()
      } catch (error) {
        throw asMailError(error)
      } finally {
        signal.removeEventListener('abort', leave)
        transport.close()
      }
    },
  }
}

/** nodemailer says ESOCKET of a refused connection and of a certificate alike. */
function asMailError(error: unknown): MailError {
  const { code = '', message } = error as Error & { readonly code?: string }
  const step =
    code === 'EAUTH' || code === 'ENOAUTH'
      ? 'login'
      : code === 'ETLS' || /certificate|self-signed|tls|ssl/i.test(message)
        ? 'tls'
        : 'connection'
  return new MailError(step, message.replaceAll(/\s+/g, ' '), { cause: error })
}
