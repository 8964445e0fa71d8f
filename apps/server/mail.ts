import type { Config, Secrets } from '@trainyard/platform/server/config/config.ts'
import { ConfigError } from '@trainyard/platform/server/core/errors.ts'
import { proxyFor } from '@trainyard/platform/server/providers/egress.ts'
import type { Mail } from '@trainyard/platform/server/mail/mail.ts'
import { senderOf } from '@trainyard/platform/server/mail/mail-message.ts'
import type { AccessToken, SmtpSettings } from '@trainyard/platform/server/mail/smtp-mail.ts'
import { isMailServerUp } from '@trainyard/platform/server/run/part-state.ts'
import type { EntraMail } from '@trainyard/platform/server/run/parts.ts'

/** Scope of Exchange Online for SMTP. Source: learn.microsoft.com, "Authenticate an SMTP connection using OAuth". */
const SMTP_SCOPE = 'https://outlook.office365.com/.default'
const GRAPH_SCOPE = 'https://graph.microsoft.com/.default'

export interface MailDependencies {
  readonly mail: Mail
  readonly isUp: () => Promise<boolean>
}

/** @throws ConfigError if the method needs Microsoft 365, which no module knows */
export async function mailOf(config: Config, secrets: Secrets, entra: EntraMail | null): Promise<MailDependencies> {
  const { from, method } = config.mail
  if (method === 'graph') {
    const { credential, mailFrom } = required(entra)
    return { mail: mailFrom(from), isUp: () => isIssued(credential, GRAPH_SCOPE) }
  }
  const { smtpMail } = await import('@trainyard/platform/server/mail/smtp-mail.ts')
  const { hostname: host, port, protocol } = new URL(secrets.smtpUrl)
  const proxy = proxyFor(new URL(`https://${host}`), secrets.egressProxy)
  const server = {
    host,
    port: Number(port || (protocol === 'smtps:' ? 465 : 587)),
    proxy: config.mail.emulated ? null : proxy,
  }
  return { mail: smtpMail({ ...smtpOf(config, secrets, entra), from }), isUp: () => isMailServerUp(server) }
}

export function smtpOf(
  { mail: { method, from } }: Config,
  { smtpUrl, egressProxy: egress }: Secrets,
  entra: EntraMail | null,
): Omit<SmtpSettings, 'from'> {
  if (method === 'smtp') return { url: smtpUrl, egress }
  const { credential } = required(entra)
  const url = new URL(smtpUrl)
  const mailbox = decodeURIComponent(url.username) || senderOf(from).mailbox
  url.username = ''
  return { url: url.href, egress, accessToken: { mailbox, get: () => smtpToken(credential) } satisfies AccessToken }
}

function required(entra: EntraMail | null): EntraMail {
  if (entra === null) throw new ConfigError('MAIL_METHOD must be smtp: this portal does not know Microsoft 365.')
  return entra
}

async function smtpToken(credential: EntraMail['credential']): Promise<string> {
  const issued = await credential.getToken(SMTP_SCOPE)
  if (issued === null) throw new Error('Entra issued no access token for SMTP.')
  return issued.token
}

const isIssued = (credential: EntraMail['credential'], scope: string): Promise<boolean> =>
  credential.getToken(scope).then(
    (token) => token !== null,
    () => false,
  )
