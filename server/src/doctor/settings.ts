import type { Config, Secrets } from '../config.ts'
import { loginIn } from '../db/roles.ts'

/**
 * Returns the URL of read-only connections. Their statements have no time limit, because each check has its own limit.
 */
export function readOnly(databaseUrl: string): string {
  const [address, query] = databaseUrl.split('?') as [string, string?]
  const settings = new URLSearchParams(query)
  settings.set(
    'options',
    [settings.get('options'), '-c default_transaction_read_only=on -c statement_timeout=0'].filter(Boolean).join(' '),
  )
  return `${address}?${settings.toString()}`
}

export function secretTexts({ azure, aws, payments }: Config, secrets: Secrets): string[] {
  const passwords = [secrets.databaseUrl, secrets.ownerUrl ?? '', secrets.smtpUrl, secrets.egressProxy?.url ?? ''].map(
    (url) => loginIn(url).password ?? '',
  )
  return [
    ...passwords,
    ...(azure.emulated ? [] : azureSecrets(secrets.azureCredential)),
    ...(payments?.emulated === false ? [secrets.razorpayKeySecret, secrets.razorpayWebhookSecret] : []),
    ...(aws.emulated || secrets.awsCredentials === null ? [] : [secrets.awsCredentials.secretAccessKey]),
    ...secrets.keys.map(({ bytes }) => bytes.toString('base64')),
  ]
}

function azureSecrets(credential: Secrets['azureCredential']): string[] {
  if (credential.kind === 'secret') return [credential.secret]
  return credential.kind === 'certificate' && credential.password !== null ? [credential.password] : []
}
