import { createTransport } from 'nodemailer'
import { type MailDiagnosis, MailError } from './mail.ts'
import { connectionOf } from './connection.ts'
import { loginWith, type SmtpSettings } from './smtp-mail.ts'

export function smtpDiagnosis({
  url,
  timeout = 10_000,
  egress = null,
  accessToken = null,
}: Omit<SmtpSettings, 'from'>): MailDiagnosis {
  return {
    async checkLogin(signal) {
      const login = await loginWith(accessToken).catch((error: Error) => {
        throw new MailError('login', error.message, { cause: error })
      })
      const transport = createTransport({ ...connectionOf(url, timeout, egress), ...login })
      const disconnect = () => transport.close()
      signal.addEventListener('abort', disconnect)
      try {
        await transport.verify()
      } catch (error) {
        throw asMailError(error)
      } finally {
        signal.removeEventListener('abort', disconnect)
        transport.close()
      }
    },
  }
}

/**
 * Converts an error. The message is read too, because nodemailer uses ESOCKET for a refused connection and for a bad
 * certificate.
 */
function asMailError(error: unknown): MailError {
  const { code = '', message } = error as Error & { readonly code?: string }
  const step =
    code === 'EAUTH' || code === 'ENOAUTH'
      ? 'login'
      : code === 'ETLS' || /certificate|self-signed|tls|ssl/i.test(message)
        ? 'tls'
        : 'connection'
  const sentence = /SSL routines:.*:wrong version number/.test(message)
    ? 'The server does not respond with TLS.'
    : message
  return new MailError(step, sentence.replaceAll(/\s+/g, ' '), { cause: error })
}
