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
  // OpenSSL's own words name its files and lines, and nothing that anybody could mend.
  const words = /SSL routines:.*:wrong version number/.test(message) ? 'It does not answer with TLS.' : message
  return new MailError(step, words.replaceAll(/\s+/g, ' '), { cause: error })
}
