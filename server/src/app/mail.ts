import type { TokenCredential } from '@azure/identity'
import type { Config, Secrets } from '../config.ts'
import { proxyFor } from '../providers/egress.ts'
import type { GraphSettings } from '../providers/graph/wire.ts'
import type { Mail } from '../providers/mail.ts'
import { senderOf } from '../providers/mail-message.ts'
import type { AccessToken, SmtpSettings } from '../providers/smtp/mail.ts'
import { isMailServerUp } from '../worker/part-state.ts'

/** Scope of Exchange Online for SMTP. Source: learn.microsoft.com, "Authenticate an SMTP connection using OAuth". */
const SMTP_SCOPE = 'https://outlook.office365.com/.default'
const GRAPH_SCOPE = 'https://graph.microsoft.com/.default'

export interface MailDependencies {
  readonly mail: Mail
  readonly isUp: () => Promise<boolean>
}

export async function mailOf(config: Config, secrets: Secrets, graph: GraphSettings): Promise<MailDependencies> {
  const { from, method } = config.mail
  if (method === 'graph') {
    const { graphMail } = await import('../providers/graph/mail.ts')
    return { mail: graphMail({ ...graph, from }), isUp: () => isIssued(graph.credential, GRAPH_SCOPE) }
  }
  const { smtpMail } = await import('../providers/smtp/mail.ts')
  const { hostname: host, port, protocol } = new URL(secrets.smtpUrl)
  const proxy = proxyFor(new URL(`https://${host}`), secrets.egressProxy)
  const server = {
    host,
    port: Number(port || (protocol === 'smtps:' ? 465 : 587)),
    proxy: config.mail.emulated ? null : proxy,
  }
  return { mail: smtpMail({ ...smtpOf(config, secrets, graph.credential), from }), isUp: () => isMailServerUp(server) }
}

export function smtpOf(
  { mail: { method, from } }: Config,
  { smtpUrl, egressProxy: egress }: Secrets,
  credential: TokenCredential,
): Omit<SmtpSettings, 'from'> {
  if (method === 'smtp') return { url: smtpUrl, egress }
  const url = new URL(smtpUrl)
  const mailbox = decodeURIComponent(url.username) || senderOf(from).mailbox
  url.username = ''
  return { url: url.href, egress, accessToken: { mailbox, get: () => smtpToken(credential) } satisfies AccessToken }
}

async function smtpToken(credential: TokenCredential): Promise<string> {
  const issued = await credential.getToken(SMTP_SCOPE)
  if (issued === null) throw new Error('Entra issued no access token for SMTP.')
  return issued.token
}

const isIssued = (credential: TokenCredential, scope: string): Promise<boolean> =>
  credential.getToken(scope).then(
    (token) => token !== null,
    () => false,
  )
