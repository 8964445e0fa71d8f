import { constants, createCipheriv, createDecipheriv, type KeyObject, publicEncrypt, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { EInvoiceError } from '../e-invoices.ts'

/**
 * NIC's interface of the e-invoice portal: sign-in 1.04, invoices 1.03. The sign-in is encrypted with the portal's
 * public key (RSA, PKCS#1 v1.5) and contains a random key, with which the portal encrypts the key of the session. All
 * other bodies are encrypted with that key (AES-256-ECB). A token is valid for six hours.
 * Sources: https://einv-apisandbox.nic.in and public programs that call the interface.
 */
export interface IrpSettings {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  readonly user: string
  readonly password: string
  /** Encrypts the sign-in. */
  readonly publicKey: KeyObject
  readonly timeout?: number
  /** Default: fetch. */
  readonly send?: typeof fetch
}

export interface IrpClient {
  signIn(gstin: string, signal: AbortSignal): Promise<void>
  /** @throws IrpRefusal with the portal's code */
  call(gstin: string, path: string, form: string | null, signal: AbortSignal): Promise<unknown>
}

/** Refusal of a request, with the portal's code and text. */
export class IrpRefusal extends EInvoiceError {
  readonly code: string
  /** IRN of the registration that a duplicate names. */
  readonly duplicateOf: string | null

  constructor(code: string, message: string, duplicateOf: string | null) {
    super(SIGN_IN_CODES.has(code) ? 'unauthorised' : 'refused', `${code}: ${message}`)
    this.code = code
    this.duplicateOf = duplicateOf
  }
}

const INVALID_TOKEN = '1005'
const SIGN_IN_CODES = new Set([INVALID_TOKEN, '1008', '1010', '1013', '1014', '1015'])

const envelope = z.object({
  Status: z.union([z.number(), z.string()]),
  Data: z.unknown(),
  ErrorDetails: z
    .array(z.object({ ErrorCode: z.coerce.string().max(20), ErrorMessage: z.string().max(1_000) }))
    .nullish(),
  InfoDtls: z
    .array(z.object({ InfCd: z.string(), Desc: z.unknown() }))
    .nullish()
    .catch(null),
})
const signedIn = z.object({ AuthToken: z.string().min(1), Sek: z.string().min(1) })
const duplicate = z.object({ Irn: z.string().length(64) })

interface Session {
  readonly token: string
  readonly sessionKey: Buffer
}

export function irpClient({ timeout = 20_000, send = fetch, url, ...given }: IrpSettings): IrpClient {
  const sessions = new Map<string, Session>()
  const headers = (gstin: string) => ({
    'content-type': 'application/json',
    client_id: given.clientId,
    client_secret: given.clientSecret,
    gstin,
  })

  async function exchange(path: string, request: RequestInit, signal: AbortSignal): Promise<unknown> {
    let status: number
    let text: string
    try {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(timeout)])
      const reply = await send(`${url}${path}`, { ...request, signal: limited, redirect: 'error' })
      status = reply.status
      text = await reply.text()
    } catch (cause) {
      throw new EInvoiceError('unreachable', 'The e-invoice portal does not respond.', cause)
    }
    if (status === 429) throw new EInvoiceError('throttled', 'The e-invoice portal throttled the request.')
    const read = envelope.safeParse(parsed(text))
    if (!read.success)
      throw new EInvoiceError(
        'unreachable',
        `The response of the e-invoice portal could not be read (status ${status}).`,
      )
    if (String(read.data.Status) === '1') return read.data.Data
    const [error] = read.data.ErrorDetails ?? []
    const named = read.data.InfoDtls?.find(({ InfCd }) => InfCd === 'DUPIRN')
    throw new IrpRefusal(
      error?.ErrorCode ?? 'none',
      error?.ErrorMessage ?? 'The e-invoice portal gave no reason.',
      duplicate.safeParse(named?.Desc).data?.Irn ?? null,
    )
  }

  async function signIn(gstin: string, signal: AbortSignal): Promise<Session> {
    const appKey = randomBytes(32)
    const { user: UserName, password: Password, publicKey: key } = given
    const credentials = { UserName, Password, AppKey: appKey.toString('base64'), ForceRefreshAccessToken: false }
    const text = Buffer.from(Buffer.from(JSON.stringify(credentials)).toString('base64'))
    const Data = publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, text).toString('base64')
    const request = { method: 'POST', headers: headers(gstin), body: JSON.stringify({ Data }) }
    const read = signedIn.safeParse(await exchange('/eivital/v1.04/auth', request, signal))
    if (!read.success) throw unreadable()
    const session = { token: read.data.AuthToken, sessionKey: decryptAes(appKey, read.data.Sek) }
    sessions.set(gstin, session)
    return session
  }

  async function call(
    gstin: string,
    path: string,
    form: string | null,
    signal: AbortSignal,
    isRepeated = false,
  ): Promise<unknown> {
    const known = sessions.get(gstin)
    const { token, sessionKey } = known ?? (await signIn(gstin, signal))
    const request = {
      headers: { ...headers(gstin), user_name: given.user, authtoken: token },
      ...(form === null ? {} : { method: 'POST', body: JSON.stringify({ Data: encryptAes(sessionKey, form) }) }),
    }
    try {
      const data = await exchange(path, request, signal)
      return parsed(decryptAes(sessionKey, typeof data === 'string' ? data : '').toString('utf8'))
    } catch (error) {
      if (!(error instanceof IrpRefusal) || error.code !== INVALID_TOKEN || isRepeated) throw error
      sessions.delete(gstin)
      return call(gstin, path, form, signal, true)
    }
  }

  return { signIn: async (gstin, signal) => void (await signIn(gstin, signal)), call }
}

const unreadable = (): EInvoiceError =>
  new EInvoiceError('unreachable', 'The response of the e-invoice portal could not be read.')

function encryptAes(key: Buffer, text: string): string {
  const cipher = createCipheriv('aes-256-ecb', key, null)
  return Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('base64')
}

function decryptAes(key: Buffer, text: string): Buffer {
  try {
    const decipher = createDecipheriv('aes-256-ecb', key, null)
    return Buffer.concat([decipher.update(Buffer.from(text, 'base64')), decipher.final()])
  } catch {
    throw unreadable()
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
