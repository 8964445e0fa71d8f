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
  e: Environment,
): { readonly settings: EInvoiceSettings; readonly secrets: EInvoiceSecrets } | null {
  if (!allOrNone(e, 'The e-invoice portal', NAMES)) return null
  return {
    settings: { url: e.EINVOICE_URL!.replace(/\/+$/, ''), clientId: e.EINVOICE_CLIENT_ID!, user: e.EINVOICE_USER! },
    secrets: {
      clientSecret: e.EINVOICE_CLIENT_SECRET!,
      password: e.EINVOICE_PASSWORD!,
      publicKey: readKey('EINVOICE_PUBLIC_KEY', e.EINVOICE_PUBLIC_KEY!),
      verificationKey: readKey('EINVOICE_SIGNING_KEY', e.EINVOICE_SIGNING_KEY!),
    },
  }
}

/** Reads an RSA key or certificate: PEM, whose line breaks may be written as \n, or the Base64 of a key's DER form. */
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
