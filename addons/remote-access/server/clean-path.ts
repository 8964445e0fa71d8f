import { Constructed, fromBER, Integer, OctetString, Sequence, Utf8String } from 'asn1js'

/**
 * Fields of RDCleanPath, in DER with an explicit tag each. Source:
 * https://docs.rs/ironrdp-rdcleanpath/0.2.1/ironrdp_rdcleanpath/struct.RDCleanPathPdu.html
 */
const FIELD = { version: 0, error: 1, destination: 2, auth: 3, x224: 6, chain: 7, address: 9 } as const
const VERSION = 3390
const GENERAL_ERROR = 1
const MAX_REQUEST_BYTES = 8 * 1024

export interface CleanPathRequest {
  readonly destination: string
  readonly ticket: string
  readonly x224: Buffer
}

export function decodeRequest(bytes: Buffer): CleanPathRequest | null {
  if (bytes.length > MAX_REQUEST_BYTES) return null
  const { offset, result } = fromBER(bytes)
  if (offset !== bytes.length || !(result instanceof Sequence)) return null
  const fields = new Map<number, unknown>()
  for (const field of result.valueBlock.value) {
    if (!(field instanceof Constructed) || field.idBlock.tagClass !== 3 || field.valueBlock.value.length !== 1)
      return null
    fields.set(field.idBlock.tagNumber, field.valueBlock.value[0])
  }
  const version = fields.get(FIELD.version)
  const destination = fields.get(FIELD.destination)
  const ticket = fields.get(FIELD.auth)
  const x224 = fields.get(FIELD.x224)
  if (!(version instanceof Integer) || version.valueBlock.valueDec !== VERSION) return null
  if (!(destination instanceof Utf8String) || !(ticket instanceof Utf8String) || !(x224 instanceof OctetString))
    return null
  const packet = Buffer.from(x224.getValue())
  if (!isConnectionRequest(packet)) return null
  return { destination: destination.getValue(), ticket: ticket.getValue(), x224: packet }
}

/**
 * Returns true for one complete connection request. The gateway sends no other data of the page to a machine before
 * TLS.
 */
const isConnectionRequest = (packet: Buffer): boolean =>
  packet.length >= 11 && packet[0] === 3 && packet.readUInt16BE(2) === packet.length && packet[5] === 0xe0

const field = (number: number, value: Sequence | Integer | OctetString | Utf8String): Constructed =>
  new Constructed({ idBlock: { tagClass: 3, tagNumber: number }, value: [value] })
const encode = (...fields: readonly Constructed[]): Buffer => Buffer.from(new Sequence({ value: [...fields] }).toBER())
const octets = (bytes: Buffer): OctetString => new OctetString({ valueHex: new Uint8Array(bytes) })
const version = () => field(FIELD.version, new Integer({ value: VERSION }))

export const encodeResponse = (options: {
  readonly confirm: Buffer
  readonly chain: readonly Buffer[]
  readonly machine: string
}): Buffer =>
  encode(
    version(),
    field(FIELD.x224, octets(options.confirm)),
    field(FIELD.chain, new Sequence({ value: options.chain.map(octets) })),
    field(FIELD.address, new Utf8String({ value: options.machine })),
  )

/**
 * Returns an error for the page.
 * @param status HTTP status, the only part of an error that the page's client exposes
 */
export const encodeError = (status: number): Buffer =>
  encode(
    version(),
    field(
      FIELD.error,
      new Sequence({
        value: [field(0, new Integer({ value: GENERAL_ERROR })), field(1, new Integer({ value: status }))],
      }),
    ),
  )
