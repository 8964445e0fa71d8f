/** TXT records, the only supported type. Source: RFC 1035, 3.2.2 and 3.3.14. */
const TXT = 16
const HEADER = 12
/** Pointer from the name of an answer to the name of the question, which follows the header (RFC 1035, 4.1.4). */
const POINTER = 0xc0_00 | HEADER
const TEXT_BYTES = 255

interface Question {
  /** Domain name in lower case, without the trailing dot. */
  readonly name: string
  readonly type: number
  readonly bytes: Buffer
}

export function parseQuestion(message: Buffer): Question | undefined {
  if (message.length < HEADER || message.readUInt16BE(4) !== 1) return undefined
  const labels: string[] = []
  let offset = HEADER
  while (offset < message.length && message[offset] !== 0) {
    const length = message[offset]!
    if (length > 63) return undefined
    labels.push(message.subarray(offset + 1, offset + 1 + length).toString('latin1'))
    offset += 1 + length
  }
  const end = offset + 5
  if (end > message.length) return undefined
  return {
    name: labels.join('.').toLowerCase(),
    type: message.readUInt16BE(offset + 1),
    bytes: message.subarray(HEADER, end),
  }
}

/** @param texts of the requested name; if empty, the reply says that the name does not exist */
export function encodeReply(message: Buffer, question: Question, texts: readonly string[]): Buffer {
  const answers = question.type === TXT ? texts.map(textRecord) : []
  const header = Buffer.alloc(HEADER)
  message.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x84_00 | (texts.length === 0 ? 3 : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(answers.length, 6)
  return Buffer.concat([header, question.bytes, ...answers])
}

function textRecord(text: string): Buffer {
  const bytes = Buffer.from(text)
  const strings: Buffer[] = []
  for (let offset = 0; offset < bytes.length || offset === 0; offset += TEXT_BYTES) {
    const part = bytes.subarray(offset, offset + TEXT_BYTES)
    strings.push(Buffer.from([part.length]), part)
  }
  const data = Buffer.concat(strings)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(POINTER, 0)
  head.writeUInt16BE(TXT, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(0, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
