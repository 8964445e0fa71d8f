import type { DirectoryDiagnosis } from '../providers/identity.ts'
import { type MailDiagnosis, MailError } from '../providers/mail.ts'
import { type Check, green, red } from './check.ts'

const ADVICE: Record<MailError['step'], string> = {
  connection: 'Check host and port in SMTP_URL, and the firewall: many networks block outbound port 25.',
  tls: 'Use smtps:// (port 465) or a server that offers STARTTLS (port 587), with a certificate for the name in SMTP_URL.',
  login: 'Check user and password in SMTP_URL (percent-encoded). Some providers require an app password.',
}

const OAUTH_ADVICE =
  'Enable authenticated SMTP for the mailbox, and register the application in Exchange Online (New-ServicePrincipal, Add-MailboxPermission): docs/operate/mail.md.'

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

/**
 * Checks sending from a mailbox of Microsoft 365. The check cannot prove that the mailbox exists, because it sends no
 * e-mail.
 */
export function graphMailCheck(
  diagnosis: Pick<DirectoryDiagnosis, 'granted'>,
  { clientId, from, needs }: { readonly clientId: string; readonly from: string; readonly needs: readonly Check[] },
): Check {
  return {
    group: 'Mail',
    name: 'Microsoft Graph',
    needs,
    otherwise: 'Grant the app registration Application.Read.All in Microsoft Graph. Only the doctor needs it.',
    async run(signal) {
      const granted = await diagnosis.granted(clientId, signal)
      if (granted.includes('Mail.Send')) return green(`The portal may send as ${from}.`)
      return red(
        'The app registration was not granted Mail.Send.',
        'Add it as an application permission of Microsoft Graph, grant admin consent, and limit it to the mailbox: docs/operate/mail.md.',
      )
    },
  }
}
