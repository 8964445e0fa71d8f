/**
 * Emulated invoice registration portal (IRP). Implements the API of the National Informatics Centre (NIC), which GST
 * service providers (GSPs) forward unchanged. Paths, headers, encryption and replies follow NIC's API 1.04 (sign-in) and
 * 1.03 (invoices), as open-source clients use it.
 */
import {
  constants,
  createCipheriv,
  createDecipheriv,
  createHash,
  generateKeyPairSync,
  privateDecrypt,
  randomBytes,
  sign,
} from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '#src/clock/clock.ts'
import type { Database } from '#src/record/database.ts'
import type { Settings } from '#src/record/settings.ts'

/**
 * Error codes with their texts. Sources: https://einvoice1.gst.gov.in/others/geterrorcodes/INV and
 * https://docs.cleartax.in/cleartax-docs/e-invoicing-api/e-invoicing-api-reference/resources-and-master/error-codes.
 * Codes of a cancellation: https://developer.sandbox.co.in/api-reference/gst/compliance/endpoints/e-invoice/cancel_e_invoice.
 */
const CODES = {
  1005: 'Invalid Token',
  1008: 'Invalid login credentials',
  1010: 'Invalid Client-ID/Client-Secret',
  1013: 'Decryption of password failed',
  1015: 'Invalid GSTIN for this user',
  2140: 'Error while validating invoice',
  2143: 'Invoice does not belongs to the user GSTIN',
  2146: 'Unable to create IRN, Pls. try after some time',
  2148: 'Requested IRN data is not available',
  2150: 'Duplicate IRN',
  2270: 'The allowed cancellation time limit is crossed, you cannot cancel the IRN',
  2283: 'IRN details cannot be provided as it is generated more than 2 days prior',
  9999: 'Invoice is not active',
} as const

export class IrpRefusal extends Error {
  readonly code: keyof typeof CODES
  readonly info: object[] | null
  constructor(code: keyof typeof CODES, info: object[] | null = null) {
    super(CODES[code])
    this.code = code
    this.info = info
  }
}

/** The only client. These are not real secrets. */
export const client = {
  id: 'emulated-client',
  secret: 'emulated-client-secret',
  user: 'emulated-user',
  password: 'emulated-password',
} as const

const HOUR = 3_600_000
const TOKEN_HOURS = 6
const CANCEL_HOURS = 24
const READ_HOURS = 48

const tables = `
CREATE TABLE IF NOT EXISTS irp_invoice (
  irn TEXT PRIMARY KEY, gstin TEXT NOT NULL, ack_number INTEGER NOT NULL, ack_at INTEGER NOT NULL, qr TEXT NOT NULL,
  cancelled_at INTEGER) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS irp_session (
  token TEXT PRIMARY KEY, gstin TEXT NOT NULL, sek TEXT NOT NULL, expires INTEGER NOT NULL) WITHOUT ROWID;
`

interface Registered {
  readonly irn: string
  readonly gstin: string
  readonly ack_number: number
  readonly ack_at: number
  readonly qr: string
  readonly cancelled_at: number | null
}

interface Session {
  readonly gstin: string
  readonly sessionKey: Buffer
}

/** Fields that the portal checks or signs. The emulator neither requires nor checks the other fields of INV-01. */
const invoiceShape = z.looseObject({
  Version: z.literal('1.1'),
  TranDtls: z.looseObject({ TaxSch: z.literal('GST'), SupTyp: z.string() }),
  DocDtls: z.looseObject({
    Typ: z.enum(['INV', 'CRN', 'DBN']),
    No: z.string().regex(/^[A-Z1-9][A-Z0-9/-]{0,15}$/i),
    Dt: z.string().regex(/^\d{2}\/\d{2}\/\d{4}$/),
  }),
  SellerDtls: z.looseObject({ Gstin: z.string().length(15), LglNm: z.string(), Addr1: z.string(), Stcd: z.string() }),
  BuyerDtls: z.looseObject({ Gstin: z.string(), LglNm: z.string(), Pos: z.string(), Addr1: z.string() }),
  ItemList: z
    .array(z.looseObject({ HsnCd: z.string(), AssAmt: z.number(), GstRt: z.number(), TotItemVal: z.number() }))
    .min(1),
  ValDtls: z.looseObject({ AssVal: z.number(), TotInvVal: z.number() }),
})

const cancelShape = z.strictObject({
  Irn: z.string().length(64),
  CnlRsn: z.enum(['1', '2', '3', '4']),
  CnlRem: z.string().max(100),
})

export class Irp {
  readonly #database: Database
  readonly #settings: Settings
  readonly #clock: Clock
  /** Replaces the IRN of replies, to simulate a portal that answers for another document. */
  wrongIrn: string | null = null

  constructor(database: Database, settings: Settings, clock: Clock) {
    database.applySchema(tables)
    this.#database = database
    this.#settings = settings
    this.#clock = clock
  }

  /** Keys in PEM, created at the first use. Clients encrypt with one, and check signatures with the other. */
  keys(): { readonly encryption: KeyPair; readonly signing: KeyPair } {
    const stored = this.#settings.read('irp.keys')
    if (stored !== undefined) return JSON.parse(stored) as { encryption: KeyPair; signing: KeyPair }
    const keys = { encryption: newKeyPair(), signing: newKeyPair() }
    this.useKeys(keys)
    return keys
  }

  useKeys(keys: { readonly encryption: KeyPair; readonly signing: KeyPair }): void {
    this.#settings.write('irp.keys', JSON.stringify(keys))
  }

  signIn(headers: RequestHeaders, body: unknown): object {
    if (headers.client_id !== client.id || headers.client_secret !== client.secret) throw new IrpRefusal(1010)
    const shape = z.object({
      UserName: z.string(),
      Password: z.string(),
      AppKey: z.string(),
      ForceRefreshAccessToken: z.boolean(),
    })
    let credentials: z.infer<typeof shape>
    let appKey: Buffer
    try {
      const { Data } = z.strictObject({ Data: z.string() }).parse(body)
      const key = { key: this.keys().encryption.private, padding: constants.RSA_PKCS1_PADDING }
      const text = privateDecrypt(key, Buffer.from(Data, 'base64')).toString('utf8')
      credentials = shape.parse(JSON.parse(Buffer.from(text, 'base64').toString('utf8')))
      appKey = Buffer.from(credentials.AppKey, 'base64')
      if (appKey.length !== 32) throw new Error('The app key must have 32 bytes.')
    } catch {
      throw new IrpRefusal(1013)
    }
    if (credentials.UserName !== client.user || credentials.Password !== client.password) throw new IrpRefusal(1008)
    const [token, sessionKey] = [randomBytes(18).toString('base64url'), randomBytes(32)]
    const expires = this.#clock.now() + TOKEN_HOURS * HOUR
    this.#database.run(
      'INSERT INTO irp_session (token, gstin, sek, expires) VALUES (?, ?, ?, ?)',
      token,
      headers.gstin ?? '',
      sessionKey.toString('base64'),
      expires,
    )
    const expiry = indianTime(expires)
    const Sek = encryptAes(appKey, sessionKey)
    return { ClientId: client.id, UserName: client.user, AuthToken: token, Sek, TokenExpiry: expiry }
  }

  requireSession(headers: RequestHeaders): Session {
    if (headers.client_id !== client.id || headers.client_secret !== client.secret) throw new IrpRefusal(1010)
    const found = this.#database.one<{ gstin: string; sek: string; expires: number }>(
      'SELECT * FROM irp_session WHERE token = ?',
      headers.authtoken ?? '',
    )
    if (found === undefined || found.expires <= this.#clock.now()) throw new IrpRefusal(1005)
    if (headers.user_name !== client.user || headers.gstin !== found.gstin) throw new IrpRefusal(1005)
    return { gstin: found.gstin, sessionKey: Buffer.from(found.sek, 'base64') }
  }

  register({ gstin }: Session, form: unknown, signedBy: KeyPair = this.keys().signing): object {
    const parsed = invoiceShape.safeParse(form)
    if (!parsed.success) throw new IrpRefusal(2140)
    const { DocDtls, SellerDtls, BuyerDtls, ItemList, ValDtls } = parsed.data
    if (SellerDtls.Gstin !== gstin) throw new IrpRefusal(1015)
    const taxable = ItemList.reduce((sum, item) => sum + item.AssAmt, 0)
    if (Math.abs(taxable - ValDtls.AssVal) > 0.005) throw new IrpRefusal(2140)
    const [day, month, year] = DocDtls.Dt.split('/') as [string, string, string]
    const startYear = Number(month) < 4 ? Number(year) - 1 : Number(year)
    const financialYear = `${startYear}-${String((startYear + 1) % 100).padStart(2, '0')}`
    const irn = createHash('sha256').update(`${gstin}${financialYear}${DocDtls.Typ}${DocDtls.No}`).digest('hex')
    const registered = this.#registered(irn)
    if (registered !== undefined) {
      const Desc = { AckNo: registered.ack_number, AckDt: indianTime(registered.ack_at), Irn: this.wrongIrn ?? irn }
      throw new IrpRefusal(2150, [{ InfCd: 'DUPIRN', Desc }])
    }
    const now = Math.floor(this.#clock.now() / 1000) * 1000
    const main = ItemList.toSorted((a, b) => b.AssAmt - a.AssAmt)[0]!
    const qr = jwt(signedBy.private, {
      SellerGstin: gstin,
      BuyerGstin: BuyerDtls.Gstin,
      DocNo: DocDtls.No,
      DocTyp: DocDtls.Typ,
      DocDt: `${day}/${month}/${year}`,
      TotInvVal: ValDtls.TotInvVal,
      ItemCnt: ItemList.length,
      MainHsnCode: main.HsnCd,
      Irn: irn,
      IrnDt: indianTime(now),
    })
    const ackNumber = 112_010_000_000_000 + Number(BigInt(`0x${irn.slice(0, 8)}`))
    this.#database.run(
      'INSERT INTO irp_invoice (irn, gstin, ack_number, ack_at, qr) VALUES (?, ?, ?, ?, ?)',
      irn,
      gstin,
      ackNumber,
      now,
      qr,
    )
    return this.#registrationReply(this.#registered(irn)!)
  }

  read({ gstin }: Session, irn: string): object {
    const found = this.#registered(irn)
    if (found === undefined) throw new IrpRefusal(2148)
    if (found.gstin !== gstin) throw new IrpRefusal(2143)
    if (this.#clock.now() - found.ack_at > READ_HOURS * HOUR) throw new IrpRefusal(2283)
    return this.#registrationReply(found)
  }

  cancel({ gstin }: Session, form: unknown): object {
    const parsed = cancelShape.safeParse(form)
    if (!parsed.success) throw new IrpRefusal(2140)
    const found = this.#registered(parsed.data.Irn)
    if (found === undefined) throw new IrpRefusal(2148)
    if (found.gstin !== gstin) throw new IrpRefusal(2143)
    if (found.cancelled_at !== null) throw new IrpRefusal(9999)
    const now = this.#clock.now()
    if (now - found.ack_at > CANCEL_HOURS * HOUR) throw new IrpRefusal(2270)
    this.#database.run('UPDATE irp_invoice SET cancelled_at = ? WHERE irn = ?', now, found.irn)
    return { Irn: this.wrongIrn ?? found.irn, CancelDate: indianTime(now) }
  }

  /** Numbers of documents, including cancelled documents, and of cancelled documents. */
  counts = (): { readonly registered: number; readonly cancelled: number } =>
    this.#database.one('SELECT count(*) AS registered, count(cancelled_at) AS cancelled FROM irp_invoice')!

  #registered = (irn: string): Registered | undefined =>
    this.#database.one<Registered>('SELECT * FROM irp_invoice WHERE irn = ?', irn)

  #registrationReply({ irn, ack_number, ack_at, qr, cancelled_at }: Registered): object {
    return {
      AckNo: ack_number,
      AckDt: indianTime(ack_at),
      Irn: this.wrongIrn ?? irn,
      SignedInvoice: '',
      SignedQRCode: qr,
      Status: cancelled_at === null ? 'ACT' : 'CNL',
    }
  }
}

export interface KeyPair {
  readonly public: string
  readonly private: string
}

export type RequestHeaders = Readonly<Record<string, string | undefined>>

export function newKeyPair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    public: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    private: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** AES-256-ECB with PKCS#7 padding, in Base64, as the interface requires. */
export function encryptAes(key: Buffer, content: Buffer): string {
  const cipher = createCipheriv('aes-256-ecb', key, null)
  return Buffer.concat([cipher.update(content), cipher.final()]).toString('base64')
}

export function decryptAes(key: Buffer, text: string): Buffer {
  const decipher = createDecipheriv('aes-256-ecb', key, null)
  return Buffer.concat([decipher.update(Buffer.from(text, 'base64')), decipher.final()])
}

function jwt(privateKey: string, data: object): string {
  const part = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64url')
  const signed = `${part({ alg: 'RS256', typ: 'JWT', kid: 'EMULATED' })}.${part({ data: JSON.stringify(data), iss: 'NIC' })}`
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64url')}`
}

/** YYYY-MM-DD HH:MM:SS in India. */
const indianTime = (instant: number): string =>
  new Date(instant + 330 * 60_000).toISOString().slice(0, 19).replace('T', ' ')
