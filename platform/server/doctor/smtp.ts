import { type MailDiagnosis, MailError } from '../mail/mail.ts'
import { type Check, green, red } from './check.ts'

const ADVICE: Record<MailError['step'], string> = {
  connection: 'Check host and port in SMTP_URL, and the firewall: many networks block outbound port 25.',
  tls: 'Use smtps:// (port 465) or a server that offers STARTTLS (port 587), with a certificate for the name in SMTP_URL.',
  login: 'Check user and password in SMTP_URL (percent-encoded). Some providers require an app password.',
}

const OAUTH_ADVICE =
  'Enable authenticated SMTP for the mailbox, and register the application in Exchange Online (New-ServicePrincipal, Add-MailboxPermission): docs/operate.md, "Mail".'

export function smtpCheck(
  diagnosis: MailDiagnosis,
  { host, usesToken, needs }: { readonly host: string; readonly usesToken: boolean; readonly needs: readonly Check[] },
): Check {
  return {
    group: 'SMTP',
    name: 'TLS and login',
    needs,
    otherwise: ADVICE.connection,
    async run(signal) {
      try {
        await diagnosis.checkLogin(signal)
        return green(`${host} accepts the login.`)
      } catch (error) {
        if (!(error instanceof MailError)) throw error
        const isToken = usesToken && error.step === 'login'
        return red(`${host}: ${error.message}`, isToken ? OAUTH_ADVICE : ADVICE[error.step])
      }
    },
  }
}
