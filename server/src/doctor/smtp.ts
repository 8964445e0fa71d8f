import { type MailDiagnosis, MailError } from '../providers/mail.ts'
import { type Check, green, red } from './check.ts'

const ADVICE: Record<MailError['step'], string> = {
  connection: 'Look at host and port in SMTP_URL, and at the firewall: many networks let nothing out to port 25.',
  tls: 'Use smtps:// (port 465) or a server that offers STARTTLS (port 587), with a certificate for the name in SMTP_URL.',
  login:
    'Look at user and password in SMTP_URL (percent-encoded); some providers want a password made for this program.',
}

/** The mail server takes the portal's login; no email is sent. */
export function smtpCheck(
  diagnosis: MailDiagnosis,
  { host, needs }: { readonly host: string; readonly needs: readonly Check[] },
): Check {
  return {
    group: 'SMTP',
    name: 'TLS and login',
    needs,
    otherwise: ADVICE.connection,
    async run(signal) {
      try {
        await diagnosis.greet(signal)
        return green(`${host} lets the portal in.`)
      } catch (error) {
        if (!(error instanceof MailError)) throw error
        return red(`${host}: ${error.message}`, ADVICE[error.step])
      }
    },
  }
}
