import { readFile } from 'node:fs/promises'
import type { LxdAddress } from './client.ts'
import type { LxdConfig } from './environment.ts'

/** Returns the address of the settings with the certificates that they name. */
export async function addressOf(at: LxdConfig['at']): Promise<LxdAddress> {
  if (at.kind === 'socket') return at
  const [own, serverCertificate] = await Promise.all([
    readFile(at.certificatePath, 'utf8'),
    readFile(at.serverCertificatePath, 'utf8'),
  ])
  return { kind: 'tls', url: at.url, certificate: own, key: own, serverCertificate }
}
