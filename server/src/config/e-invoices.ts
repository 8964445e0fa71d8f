import { createPublicKey, type KeyObject } from 'node:crypto'
import { ConfigError } from '../core/errors.ts'
import { allOrNone, type Environment } from './environment.ts'

export interface EInvoiceSettings {
  readonly url: string
  readonly clientId: string
  readonly user: string
}

export interface EInvoiceSecrets {
  readonly clientSecret: string
  readonly password: string
  /** Public key that encrypts the sign-in request. */
  readonly publicKey: KeyObject
  /** Public key that verifies signed QR codes. */
  readonly verificationKey: KeyObject
}

const NAMES = [
  'EINVOICE_URL',
  'EINVOICE_CLIENT_ID',
  'EINVOICE_CLIENT_SECRET',
  'EINVOICE_USER',
  'EINVOICE_PASSWORD',
  'EINVOICE_PUBLIC_KEY',
  'EINVOICE_SIGNING_KEY',
] as const

/**
 * Returns null if e-invoices are registered manually. The emulator is never the default, because its registrations are
 * worthless.
 */
export function eInvoiceSettings(
  env: Environment,
): { readonly settings: EInvoiceSettings; readonly secrets: EInvoiceSecrets } | null {
  if (!allOrNone(env, 'The e-invoice portal', NAMES)) return null
  return {
    settings: {
      url: env.EINVOICE_URL!.replace(/\/+$/, ''),
      clientId: env.EINVOICE_CLIENT_ID!,
      user: env.EINVOICE_USER!,
    },
    secrets: {
      clientSecret: env.EINVOICE_CLIENT_SECRET!,
      password: env.EINVOICE_PASSWORD!,
      publicKey: readKey('EINVOICE_PUBLIC_KEY', env.EINVOICE_PUBLIC_KEY!),
      verificationKey: readKey('EINVOICE_SIGNING_KEY', env.EINVOICE_SIGNING_KEY!),
    },
  }
}

/**
 * Reads a public RSA key. Accepts a key or certificate in PEM, with real or escaped (`\n`) line breaks, or a key in
 * Base64-encoded DER.
 */
function readKey(name: string, text: string): KeyObject {
  try {
    const key = createPublicKey(
      text.includes('-----BEGIN')
        ? text.replaceAll(String.raw`\n`, '\n')
        : { key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' },
    )
    if (key.asymmetricKeyType === 'rsa') return key
  } catch {
    // The error below reports the unreadable key.
  }
  throw new ConfigError(`${name} must be the public RSA key or the certificate that the e-invoice portal published.`)
}
