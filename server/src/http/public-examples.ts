/** A JSON schema. */
type Schema = { readonly [name: string]: unknown }

/** Values of fields by name, as in a small organisation. */
const VALUES: Readonly<Record<string, unknown>> = {
  trainingName: 'Python for beginners',
  beforeSequence: '4711',
  nextSequence: '4711',
  failure: null,
  event: 'hand.raised',
  endpoint: '0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e',
  eventId: '0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e',
  url: 'https://example.com/webhooks',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  events: ['hand.raised'],
  disabled: null,
  failingSince: null,
  formerSecretUntil: null,
  requestHeaders: { 'webhook-id': '0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e' },
  headers: { 'content-type': 'text/plain' },
  body: '{"received":true}',
  type: 'hand.raised',
  trainingNames: ['Python for beginners', 'Linux 101'],
  organization: 'Acme Learning',
  organizations: ['Acme Learning'],
  email: 'asha@example.com',
  people: 'asha@example.com',
  person: 'asha@example.com',
  learnerName: 'Asha Rao',
  vmName: 'python-a',
  machine: 'python-a',
  resourceGroup: 'acme-python',
  template: 'Ubuntu 24.04 Standard',
  templateName: 'Ubuntu 24.04 Standard',
  adminUsername: 'learner',
  account: 'learner',
  adminPass: null,
  publicIp: '203.0.113.7',
  os: 'Ubuntu 24.04',
  timeZone: 'Asia/Kolkata',
  createVmCount: 1,
  allocatedHours: 2_400,
  guacamole: true,
  waitMinutes: 2,
  operation: 1,
  port: 8080,
  ports: [8080],
  priority: 1_001,
  source: null,
  lastError: null,
  pending: false,
  start: '09:00',
  stop: '12:00',
  userAccessOnTime: '09:00',
  userAccessOffTime: '17:00',
  loginStart: '09:00',
  loginStop: '12:00',
  time: '09:00',
  date: '2026-12-01',
  from: '2026-12-01',
  until: '2026-12-18',
  today: '2026-11-25',
  endsOn: null,
  day: '2026-12-01',
  month: '2026-11',
  weekdays: [1, 3],
  minutes: 15,
  text: 'We continue at ten.',
  number: 'INV/26-27/0042',
  invoice: 'INV/26-27/0042',
  Amount: 1_860.92,
  Duration: 59.08,
  rate: 14,
  amount: 5_000,
  amountPaise: 186_092,
  totalPaise: 219_589,
  creditedPaise: 0,
  paisePerHour: 1_900,
  seconds: 3_600,
  paiseSeconds: 6_840_000,
  hours: 6.5,
  cpu: '2 vCPU',
  memory: '8 GB',
  consumed: 120,
  total: 2_400,
  statusReason: null,
  spendingCapReason: null,
  progress: null,
  readyAt: null,
  refused: false,
  capturing: false,
  bounced: null,
  holiday: null,
  skipped: false,
  moved: false,
  earlier: null,
  announcement: null,
  handRaisedAt: null,
  handReason: null,
  stopsAt: '2026-12-01T06:30:00Z',
  startsAt: '2026-12-01T03:30:00Z',
  idleSince: null,
  disconnectedSince: null,
  expires: '2027-02-23T09:30:00Z',
  scopes: ['machine:read', 'machine:power'],
  userType: 'admin',
  kind: 'personal',
  ticket: 'i7JtK0bJf3mVhZb3kq0nB4d3s7Yw0wq7mP6vZ1cX2uA',
  path: '/api/remote/ssh',
  hostKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleExampleExampleExampleExampleExample0',
  expiresIn: 60,
  _id: '0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e',
  id: '0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e',
  sessionId: '0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e',
  scheduleId: '0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e',
  message: 'Done.',
  storage: '30 GB',
  disk: 'Standard SSD',
  vmSize: 'Standard_D2s_v5',
  refusal: null,
  median: 80,
  p90: 120,
  p95: 130,
  milliseconds: 1_800,
  reason: null,
  repeats: null,
  late: 0,
  next: [],
  note: null,
  others: [],
  ready: 2,
  machines: 2,
  cost: 228,
  idleStopMinutes: 30,
  percent: 12,
  activeMinutes: [0, 1, 2],
  gst: '29AAACA1234F1Z5',
  gstin: '29AAACA1234F1Z5',
  balance: 3_466.79,
  limit: 50_000,
  opening: 0,
  particular: 'Invoice INV/26-27/0042',
  of: null,
  legalName: 'Acme Learning Private Limited',
  line1: '12 MG Road',
  line2: null,
  city: 'Bengaluru',
  pin: '560001',
  code: '29',
  country: 'IN',
  phone: null,
  bankName: 'State Bank of India',
  accountName: 'Trainyard Services Private Limited',
  accountNumber: '00001234567890',
  ifsc: 'SBIN0000001',
  signatory: 'Meera Nair',
  cin: 'U72200KA2013PTC097389',
  purchaseOrder: 'PO-4711',
  costCentre: 'Training 12',
  learner: 'Asha Rao',
  endorsement: null,
  description: 'Python for beginners',
  training: 'Python for beginners',
  sac: '998315',
  taxablePaise: 186_092,
  cgstPaise: 16_748,
  sgstPaise: 16_749,
  igstPaise: 0,
  roundOffPaise: 0,
  reverseCharge: false,
  words: 'Rupees two thousand one hundred ninety-five and eighty-nine paise',
  notes: [],
  debitNotes: [],
  leftPaise: [186_092],
  discountPaise: 13_908,
  registration: null,
  expectedIrn: '0'.repeat(64),
  cancellation: null,
  cancelled: false,
  duration: 180,
  online: 2,
  offline: 0,
  runs: 2,
  spentPaise: 346_679,
  spendingCap: false,
  usedUp: false,
  setBy: 'admin@example.com',
  weeks: 8,
  error: 0.12,
  naiveError: 0.2,
  expectedPaise: 22_800,
  over: null,
  role: 'admin',
  address: '203.0.113.9',
  position: 4_711,
}

/** Values of a field in a single operation, which differ from its other operations. */
const OF_OPERATION: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  createOrder: {
    email: ['asha@example.com', 'ravi@example.com'],
    createVmCount: 2,
    names: [{ email: 'ravi@example.com', name: 'Ravi Kumar' }],
    readyBy: { date: '2026-12-01', time: '08:45' },
    message: 'VM Creation in Process, Please wait for 2 mins before trying again.',
  },
  powerMachines: { message: 'VM Start in Process, Please wait for 10 secs before trying again' },
  createClassSession: { message: '6 sessions are planned: Mon, Wed, 09:00 to 12:00.' },
  openPort: {
    source: '203.0.113.0/24',
    message: 'Port 8080 is being opened on every machine of Python for beginners.',
  },
  listAudit: {
    refused: 'forbidden',
    call: 'machine.order',
    before: '2026-11-25T09:30:00.000000Z.4711',
    text: 'python-a',
  },
  getAccount: { before: '2026-11-25.4711' },
  listInvoices: { before: 'INV/26-27/0042' },
  getKey: { name: 'Command line', kind: 'personal', email: 'admin@example.com' },
  listOrganisations: { organization: ['Acme Learning'] },
  listSessions: { start: '2026-12-01T03:30:00Z', stop: '2026-12-01T06:30:00Z' },
  listRuns: { start: '2026-12-01T03:30:00Z', stop: '2026-12-01T04:30:00Z' },
}

/** Names of objects by the array that contains them. */
const NAMES: Readonly<Record<string, string>> = {
  templates: 'Ubuntu 24.04 Standard',
  people: 'Asha Rao',
  holidays: 'Christmas',
}

/** Text of a field that VALUES does not name. */
export const PLACEHOLDER = 'placeholder'

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-12-01T03:30:00Z',
  date: '2026-12-01',
  uuid: '0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e',
}

/**
 * Returns an example of a schema of a request or a reply. Fields with a familiar name have a realistic value, if the
 * schema allows it.
 */
export function exampleOf(schema: Schema, operation: string): unknown {
  const own = OF_OPERATION[operation] ?? {}
  return sampleOf(schema, { field: '', within: '' })

  function sampleOf(part: Schema, at: { readonly field: string; readonly within: string }): unknown {
    const alternatives = (part['anyOf'] ?? part['oneOf']) as Schema[] | undefined
    const { field, within } = at
    const value = field === 'name' ? (own['name'] ?? NAMES[within] ?? 'python-a') : (own[field] ?? VALUES[field])
    if (alternatives !== undefined) {
      const fitting = value === undefined ? undefined : alternatives.find((each) => isAllowed(each, value))
      return fitting === undefined ? sampleOf(alternatives[0]!, at) : value
    }
    if (value !== undefined && isAllowed(part, value)) return value
    if ('const' in part) return part['const']
    if (Array.isArray(part['enum'])) return part['enum'][0]
    switch (typeOf(part)) {
      case 'object':
        return Object.fromEntries(
          Object.entries((part['properties'] ?? {}) as Record<string, Schema>).map(([name, inner]) => [
            name,
            sampleOf(inner, { field: name, within: field }),
          ]),
        )
      case 'array': {
        const fixed = (part['prefixItems'] ?? []) as Schema[]
        const items = part['items'] as Schema | undefined
        const more = typeof items === 'object' ? [sampleOf(items, { field, within: field })] : []
        return [...fixed.map((inner) => sampleOf(inner, { field, within: field })), ...more]
      }
      case 'string':
        return FORMATS[String(part['format'])] ?? PLACEHOLDER
      case 'integer':
      case 'number':
        return Math.max(1, Number(part['minimum'] ?? 1))
      case 'boolean':
        return true
      default:
        return null
    }
  }
}

function typeOf(part: Schema): unknown {
  const { type } = part
  return Array.isArray(type) ? type.find((each) => each !== 'null') : type
}

/** Returns true if a value of this kind may be in the field. The test of the description checks the whole examples. */
function isAllowed(part: Schema, value: unknown): boolean {
  const alternatives = (part['anyOf'] ?? part['oneOf']) as Schema[] | undefined
  if (alternatives !== undefined) return alternatives.some((each) => isAllowed(each, value))
  if ('const' in part) return part['const'] === value
  if (Array.isArray(part['enum'])) return part['enum'].includes(value)
  const types = new Set([part['type']].flat())
  if (value === null) return types.has('null')
  if (Array.isArray(value)) return types.has('array') && value.every((each) => isAllowed(part['items'] as Schema, each))
  if (typeof value === 'number') return types.has('number') || (types.has('integer') && Number.isInteger(value))
  if (typeof value === 'object') return types.has('object')
  if (typeof value === 'string') {
    const { pattern, format } = part as { pattern?: string; format?: string }
    if (format === 'date-time' && !value.includes('T')) return false
    return types.has('string') && (pattern === undefined || new RegExp(pattern, 'u').test(value))
  }
  return types.has(typeof value)
}
