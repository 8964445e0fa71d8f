import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { DirectoryDiagnosis, ExpiringCredential } from './identity-provider.ts'

type Proof =
  | { readonly kind: 'secret'; readonly secret: string }
  | { readonly kind: 'certificate'; readonly path: string }
  | { readonly kind: 'federated' | 'managed' }

/**
 * Returns the secret or certificate with which the portal signs in: a certificate from its file, a secret from Entra's
 * description. Returns several secrets if the description matches all of them.
 */
export async function expiringCredentials(
  diagnosis: Pick<DirectoryDiagnosis, 'credentials'>,
  clientId: string,
  proof: Proof,
  signal: AbortSignal,
): Promise<ExpiringCredential[]> {
  if (proof.kind === 'certificate') return [ofFile(await readFile(proof.path, 'utf8'))]
  if (proof.kind !== 'secret') return []
  const secrets = (await diagnosis.credentials(clientId, signal)).filter(({ kind }) => kind === 'secret')
  // Entra shows the first three characters of each secret.
  const matching = secrets.filter(({ hint }) => hint !== null && proof.secret.startsWith(hint))
  return (matching.length > 0 ? matching : secrets).map(({ name, endsAt }) => ({
    what: `The client secret ${name}`.trim(),
    endsAt,
  }))
}

function ofFile(pem: string): ExpiringCredential {
  const { subject, validTo } = new X509Certificate(pem)
  return { what: `The certificate ${subject.replaceAll('\n', ', ')}`, endsAt: new Date(validTo) }
}
