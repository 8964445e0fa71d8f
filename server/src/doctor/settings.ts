import type { Config, Secrets } from '../config.ts'
import { loginIn } from '../db/roles.ts'

/** The same database, in sessions that can't change anything. */
export function readOnly(databaseUrl: string): string {
  const [address, query] = databaseUrl.split('?') as [string, string?]
  const settings = new URLSearchParams(query)
  settings.set('options', [settings.get('options'), '-c default_transaction_read_only=on'].filter(Boolean).join(' '))
  return `${address}?${settings.toString()}`
}

/** Each secret of the settings, as it might be quoted by somebody at the far end. The emulator's are none. */
export function secretTexts({ azure, aws, payments }: Config, secrets: Secrets): string[] {
  const passwords = [secrets.databaseUrl, secrets.ownerUrl ?? '', secrets.smtpUrl].map(
    (url) => loginIn(url).password ?? '',
  )
  return [
    ...passwords,
    ...(azure.emulated ? [] : [secrets.azureClientSecret]),
    ...(payments?.emulated === false ? [secrets.razorpayKeySecret, secrets.razorpayWebhookSecret] : []),
    ...(aws.emulated || secrets.awsCredentials === null ? [] : [secrets.awsCredentials.secretAccessKey]),
    ...secrets.keys.map(({ bytes }) => bytes.toString('base64')),
  ]
}
