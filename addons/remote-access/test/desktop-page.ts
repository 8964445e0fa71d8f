import { Constructed, fromBER, Integer, OctetString, Sequence, Utf8String } from 'asn1js'
import { WebSocket } from 'ws'
import { DESKTOP_SOCKET } from '../contract/remote-words.ts'
import { sessionCookie } from '@trainyard/platform/server/http/authenticate.ts'

/** IronRDP's connection request, which offers TLS and CredSSP. Source: MS-RDPBCGR, section 2.2.1.1 */
const CONNECTION_REQUEST = Buffer.from('030000130ee000000000000100080003000000', 'hex')

/** The WebSocket of a desktop page, without a browser. */
export interface DesktopPage {
  send(bytes: Buffer): void
  received(): Buffer
  /** Waits until so many bytes were received; rejects if the socket closes first. */
  receive(bytes: number): Promise<Buffer>
  readonly closed: Promise<number>
  close(): void
}

export function openDesktopPage({
  url,
  token,
}: {
  readonly url: string
  readonly token: string
}): Promise<DesktopPage> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${DESKTOP_SOCKET}`, {
    headers: { cookie: `${sessionCookie(false)}=${token}` },
    origin: new URL(url).origin,
  })
  let received = Buffer.alloc(0)
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const resolve of waiting) resolve()
    waiting.clear()
  }
  socket.on('message', (data: Buffer) => {
    received = Buffer.concat([received, data])
    wake()
  })
  socket.on('close', wake)
  const page: DesktopPage = {
    send: (bytes) => socket.send(bytes),
    received: () => received,
    async receive(bytes) {
      while (received.length < bytes) {
        if (socket.readyState === WebSocket.CLOSED) throw new Error(`Closed after ${received.length} bytes.`)
        await new Promise<void>((resolve) => waiting.add(resolve))
      }
      return received
    },
    closed: new Promise((resolve) => socket.on('close', resolve)),
    close: () => socket.terminate(),
  }
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(page))
    socket.on('unexpected-response', (_request, reply) => reject(new Error(String(reply.statusCode))))
    socket.on('error', reject)
  })
}

const field = (number: number, value: Sequence | Integer | OctetString | Utf8String) =>
  new Constructed({ idBlock: { tagClass: 3, tagNumber: number }, value: [value] })

/** Returns a page's first message: an RDCleanPath request in DER. */
export function cleanPathRequest(destination: string, ticket: string, x224 = CONNECTION_REQUEST): Buffer {
  const fields = [
    field(0, new Integer({ value: 3390 })),
    field(2, new Utf8String({ value: destination })),
    field(3, new Utf8String({ value: ticket })),
    field(6, new OctetString({ valueHex: new Uint8Array(x224) })),
  ]
  return Buffer.from(new Sequence({ value: fields }).toBER())
}

/** Returns the gateway's response: the status of a refusal, or the machine's connection confirm and certificates. */
export function readAnswer(bytes: Buffer): {
  readonly status: number | null
  readonly confirm: Buffer | null
  readonly chain: readonly Buffer[]
} {
  const { result } = fromBER(bytes)
  const fields = new Map(
    (result as Sequence).valueBlock.value.map((each) => [
      each.idBlock.tagNumber,
      (each as Constructed).valueBlock.value[0],
    ]),
  )
  const octets = (value: unknown) => Buffer.from((value as OctetString).getValue())
  const error = fields.get(1) as Sequence | undefined
  const status = error?.valueBlock.value.find(({ idBlock }) => idBlock.tagNumber === 1) as Constructed | undefined
  return {
    status: status === undefined ? null : (status.valueBlock.value[0] as Integer).valueBlock.valueDec,
    confirm: fields.has(6) ? octets(fields.get(6)) : null,
    chain: fields.has(7) ? (fields.get(7) as Sequence).valueBlock.value.map(octets) : [],
  }
}
