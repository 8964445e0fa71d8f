import { webcrypto } from 'node:crypto'
import 'reflect-metadata'
import { X509CertificateGenerator } from '@peculiar/x509'

const ALGORITHM = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048,
}

/**
 * Creates a self-signed certificate for an app registration. It expires in `days` days, or expired in the past if
 * `days` is negative.
 */
export async function makeAppCertificate(days: number): Promise<{ readonly cert: string; readonly key: string }> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const end = Date.now() + days * 86_400_000
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=trainyard',
    notBefore: new Date(end - 365 * 86_400_000),
    notAfter: new Date(end),
    signingAlgorithm: ALGORITHM,
    keys: keys as unknown as CryptoKeyPair,
  })
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  const key = `-----BEGIN PRIVATE KEY-----\n${pkcs8.replaceAll(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`
  return { cert: `${certificate.toString('pem')}\n`, key }
}
