import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { irpEInvoices } from '../src/providers/irp/e-invoices.ts'
import type { TestEnvironment } from './environment.ts'
import { setClock } from './invoicing.ts'

/**
 * Settings with which the API accepts cancellations. They name no reachable portal: tests call the emulated one with
 * `emulatedIrp`, so that no worker registers documents at the same time.
 */
export function eInvoiceSettings(): Readonly<Record<string, string>> {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  return {
    EINVOICE_URL: 'http://127.0.0.1:9',
    EINVOICE_CLIENT_ID: 'id',
    EINVOICE_CLIENT_SECRET: 'secret',
    EINVOICE_USER: 'user',
    EINVOICE_PASSWORD: 'password',
    EINVOICE_PUBLIC_KEY: key,
    EINVOICE_SIGNING_KEY: key,
  }
}

/** Returns a function that creates an adapter of the emulated e-invoice portal, with settings that differ. */
export async function emulatedIrp({
  control,
  emulator,
}: TestEnvironment): Promise<(more?: object) => ReturnType<typeof irpEInvoices>> {
  const { id, secret, user, password, publicKey, signingKey } = (await control('GET', '/_irp')).body
  return (more = {}) =>
    irpEInvoices({
      url: emulator.url,
      clientId: id,
      clientSecret: secret,
      user,
      password,
      publicKey: createPublicKey(publicKey),
      verificationKey: createPublicKey(signingKey),
      timeout: 2_000,
      ...more,
    })
}

/** Sets the clocks of the portal and of the emulated e-invoice portal. */
export async function setBothClocks({ portal, control }: TestEnvironment, instant: string): Promise<void> {
  await setClock(portal, instant)
  await control('POST', '/_clock', { mode: 'stepped', set: instant })
}
