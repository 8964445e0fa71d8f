import { z } from 'zod'
import { minimalGuide } from '@trainyard/guides/test/minimal-guide.ts'
import { zipOfFiles } from '@trainyard/guides/server/format/zip-of.ts'
import type { BodyOf, Call, QueryOf } from '@trainyard/platform/contract/call.ts'
import type { Contract } from '@trainyard/platform/contract/contract.ts'
import { contract } from '@trainyard/modules/contract.ts'
import { PASSWORD_LENGTH_MIN } from '@trainyard/platform/contract/words/limits.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import type { RequestOptions } from '@trainyard/platform/test/portal.ts'
import type { Subject } from '../world.ts'

type Shapes = 'query' | 'body'
/** Fields of the call's query or body. */
type FieldsOf<C> = C extends Call ? Partial<BodyOf<C> extends undefined ? QueryOf<C> : BodyOf<C>> : never
type RequestOf<C> = C extends Call
  ? (QueryOf<C> extends undefined ? unknown : { readonly query: QueryOf<C> }) &
      (BodyOf<C> extends undefined ? unknown : { readonly body: BodyOf<C> })
  : never

/**
 * How the access test makes a call about a subject, where it differs from the default: the fields `organization`,
 * `trainingName` and `vmName` name the subject, and one of `SAMPLES` serves for each other required field.
 */
interface Row<C> {
  /**
   * What the response depends on. `scoped`: the subject's organisation; `self`: only the subject's own user, also for a
   * superadmin; `unscoped`: not on the subject; `refused`: always refused, because a precondition is missing. Default:
   * `scoped` if a field names the subject.
   */
  readonly about?: About
  /** Further fields of the query or of the body. */
  readonly fields?: FieldsOf<C> | ((subject: Subject, as: Role) => FieldsOf<C>)
  /** The whole request, if it is not an object with fields. */
  readonly request?: (subject: Subject, as: Role) => RequestOf<C> | readonly RequestOf<C>[]
}

export type About = 'scoped' | 'self' | 'unscoped' | 'refused'

type Rows = { readonly [M in keyof Contract]?: { readonly [K in keyof Contract[M]]?: Row<Contract[M][K]> } }

const NAMED: Readonly<Record<string, (subject: Subject) => string>> = {
  organization: ({ organization }) => organization,
  trainingName: ({ trainingName }) => trainingName,
  vmName: ({ machine }) => machine.name,
}

/** Fields that may name a subject of another organisation. */
const IDENTIFIER = /^_?id$|Id$|email|number|name$/i

/** Values of fields that do not name a subject. */
const SAMPLES = ['text', true, 1]

interface Sample {
  readonly about: About
  readonly request: (subject: Subject, as: Role) => readonly RequestOptions[]
}

/** Returns how the access test makes a call. @throws if a required field is missing */
export function sampleOf(module: string, name: string): Sample {
  const call = (contract as unknown as Record<string, Record<string, Call>>)[module]![name]!
  const row = (ROWS as unknown as Record<string, Record<string, Row<Call>> | undefined>)[module]?.[name]
  const { request, fields } = row ?? {}
  const kind: Shapes = call.body === undefined ? 'query' : 'body'
  const shape = call[kind] instanceof z.ZodObject ? (call[kind].shape as Record<string, z.ZodType>) : {}
  const named = Object.keys(shape).filter((field) => field in NAMED)
  const identifier = Object.keys(shape).find((field) => IDENTIFIER.test(field) && !(field in NAMED))
  if (row === undefined && identifier !== undefined)
    throw new Error(`${module}.${name} needs a row in test-rows.ts that says whose ${identifier} it names`)
  const about = row?.about ?? ((request ?? (named.length > 0 || typeof fields === 'function')) ? 'scoped' : 'unscoped')
  if (request !== undefined) return { about, request: (subject, as) => [request(subject, as)].flat() }
  return {
    about,
    request: (subject, as) => {
      const given = typeof fields === 'function' ? fields(subject, as) : fields
      const input: Record<string, unknown> = {
        ...Object.fromEntries(named.map((field) => [field, NAMED[field]!(subject)])),
        ...given,
      }
      for (const [field, type] of Object.entries(shape)) {
        if (field in input || type.safeParse(undefined).success) continue
        input[field] = SAMPLES.find((value) => type.safeParse(value).success)
        if (input[field] === undefined) throw new Error(`${module}.${name} has no ${field} in test-rows.ts`)
      }
      if (call[kind] === undefined) return [{}]
      // The training alone names its organisation.
      const { organization: _organization, ...alone } = input
      const ofTraining = kind === 'query' && given === undefined && named.includes('trainingName')
      return ofTraining && named.includes('organization') ? [{ query: alone }, { query: input }] : [{ [kind]: input }]
    },
  }
}

const ABSENT_ID = '00000000-0000-4000-8000-000000000000'
const ABSENT_CODE = '000000000000'
const ABSENT_QUOTE = 'Q-20-21-9999'

const ATTENDANCE_DAYS = { from: '2026-01-01', until: '2026-03-31' }
const GUIDE_ARCHIVE = zipOfFiles(minimalGuide('uploaded')).toString('base64')
const CREDENTIAL = { id: 'absent', rawId: 'absent', type: 'public-key' } as const
const INVALID_ASSERTION = {
  ...CREDENTIAL,
  response: { clientDataJSON: 'e30', authenticatorData: 'e30', signature: 'e30' },
}
const INVALID_ATTESTATION = { ...CREDENTIAL, response: { clientDataJSON: 'e30', attestationObject: 'e30' } }

const TEMPLATE = {
  rate: 10.5,
  resourceGroup: 'group',
  vmSize: 'Standard_D2s_v3',
  imageId: 'a:b:c:latest',
  location: 'southindia',
  os: 'Linux',
  vnet: 'net',
  licence: 'none',
  isOfficial: false,
  cpu: '1',
  memory: '1',
  storage: '1',
  disk: '1',
} as const

const ROWS: Rows = {
  session: {
    login: { about: 'unscoped', fields: ({ email }) => ({ email, password: 'not the password' }) },
    setPassword: { about: 'unscoped', fields: ({ token }) => ({ token, password: 'x'.repeat(PASSWORD_LENGTH_MIN) }) },
    isSetUpOpen: { about: 'unscoped', request: () => ({}) },
    // There is a superadmin.
    setUp: {
      about: 'refused',
      fields: { code: 'absent', name: 'Asha', email: 'new@portal.test', password: 'x'.repeat(PASSWORD_LENGTH_MIN) },
    },
    // The token of the subject sets a password.
    confirmChange: { about: 'refused', fields: ({ token }) => ({ token }) },
    forgot: { about: 'unscoped', fields: ({ email }) => ({ email }) },
    invitation: { about: 'unscoped', fields: ({ token }) => ({ token }) },
    loginSecond: { fields: { challenge: 'absent', code: '000000' } },
    loginPasskey: { fields: { challenge: 'absent', assertion: INVALID_ASSERTION } },
  },
  account: {
    endSession: { about: 'self', fields: ({ sessions }, as) => ({ id: sessions[as] }) },
    changePassword: { about: 'unscoped', fields: ({ password }) => ({ password, newPassword: 'chosen by oneself' }) },
  },
  apiKey: {
    // The call needs an API key.
    read: { about: 'refused', request: () => ({}) },
    create: {
      about: 'unscoped',
      fields: (_subject, as) => ({
        name: `Build of ${as}`,
        kind: 'personal',
        scopes: ['machine:read'],
        days: 90,
        networks: [],
      }),
    },
    revoke: { about: 'self', fields: ({ apiKeys }, as) => ({ id: apiKeys[as] }) },
  },
  secondFactor: {
    confirm: { about: 'refused', fields: { challenge: 'absent', assertion: INVALID_ASSERTION } },
    addApp: { about: 'refused', fields: { setup: 'absent', code: '000000' } },
    removeApp: { about: 'refused', request: () => ({}) },
    askReset: { fields: ({ email }) => ({ email }) },
    confirmReset: { fields: ({ email }) => ({ email }) },
    withdrawReset: { fields: ({ email }) => ({ email }) },
  },
  passkey: {
    add: { about: 'refused', fields: { challenge: 'absent', name: 'Phone', attestation: INVALID_ATTESTATION } },
    rename: { about: 'self', fields: ({ passkeys }, as) => ({ _id: passkeys[as], name: 'Phone' }) },
    remove: { about: 'self', fields: ({ passkeys }, as) => ({ _id: passkeys[as] }) },
  },
  organisation: {
    create: { about: 'unscoped', request: ({ organization }) => ({ body: { organization: `${organization} two` } }) },
    changeProfile: { fields: { timeZone: 'Asia/Kathmandu' } },
    changeSources: { fields: { managementSources: ['203.0.113.0/24'] } },
    changeLogo: { fields: { image: null } },
    changeSecurity: { fields: { idleMinutes: 30 } },
  },
  user: {
    create: { fields: ({ newEmail }) => ({ email: newEmail, password: 'long enough', userType: 'user' }) },
    invite: { fields: ({ newEmail }) => ({ email: newEmail, userType: 'user' }) },
    resendInvitation: { fields: ({ invited }) => ({ email: invited }) },
    revokeInvitation: { fields: ({ invited }) => ({ email: invited }) },
    remove: { fields: ({ email }) => ({ email }) },
  },
  identityProvider: {
    save: {
      fields: {
        issuer: 'https://login.example.com',
        clientId: 'trainyard',
        clientSecret: 'a client secret',
        groupClaim: null,
        groups: [],
        signsOutThere: false,
        adminsNeedSecondFactor: false,
      },
    },
    addDomain: { fields: ({ newEmail }) => ({ domain: newEmail.split('@')[1]! }) },
    verifyDomain: { fields: ({ newEmail }) => ({ domain: newEmail.split('@')[1]! }) },
    confirmDomain: { fields: ({ newEmail }) => ({ domain: newEmail.split('@')[1]! }) },
    removeDomain: { fields: ({ newEmail }) => ({ domain: newEmail.split('@')[1]! }) },
  },
  providerSignIn: {
    start: { about: 'unscoped', fields: ({ newEmail }) => ({ email: newEmail }) },
    finish: { about: 'unscoped', fields: ({ token }) => ({ answer: `code=x&state=${token}` }) },
  },
  privacy: {
    changeSettings: { fields: { emailDays: 90 } },
    exportPerson: { fields: ({ email }) => ({ email, format: 'json' }) },
    exportMine: { fields: { format: 'text' } },
    erase: { fields: ({ invited }) => ({ email: invited }) },
  },
  people: {
    change: { fields: ({ email }) => ({ email, name: 'Asha Rao' }) },
    invite: { fields: ({ invited }) => ({ email: invited }) },
    renameMyself: { fields: { name: 'Asha Rao' } },
  },
  network: {
    create: {
      about: 'unscoped',
      fields: ({ network }) => ({ name: `${network} two`, route: 'gateway', ranges: ['10.0.0.0/8'] }),
    },
    change: { fields: ({ network }) => ({ network, ranges: ['10.0.0.0/8'] }) },
    remove: { fields: ({ network }) => ({ network }) },
    issueToken: { fields: ({ network }) => ({ network }) },
    revoke: { fields: ({ network }) => ({ network }) },
  },
  template: {
    create: { about: 'unscoped', fields: ({ template }) => ({ ...TEMPLATE, name: `${template} two` }) },
    read: { fields: ({ template }) => ({ template }) },
    sizes: { fields: { location: 'southindia' } },
    edit: { fields: ({ template }) => ({ ...TEMPLATE, name: template, revision: 1 }) },
    remove: { fields: ({ template }) => ({ template }) },
    assign: { fields: ({ template }) => ({ template }) },
    unassign: { fields: ({ template }) => ({ template }) },
  },
  machine: {
    power: { request: ({ machine }) => ({ body: [{ operation: 0 }, machine] }) },
    restart: { request: ({ machine }) => ({ body: [machine] }) },
    undo: { request: ({ machine }) => ({ body: [machine] }) },
    remove: { request: ({ machine }) => ({ body: [machine] }) },
    reset: { request: ({ machine }) => ({ body: [machine] }) },
    replace: { request: ({ machine }) => ({ body: machine }) },
    handOver: { fields: ({ machine, newEmail }) => ({ ...machine, email: newEmail }) },
    handOverAll: { fields: ({ machine, newEmail }) => ({ machines: [{ ...machine, email: newEmail }], reset: false }) },
    order: {
      fields: ({ template, newEmail }) => ({
        templateName: template,
        email: [newEmail],
        allocatedHours: null,
        createVmCount: 1,
        guacamole: false,
      }),
    },
  },
  quota: {
    increase: { fields: { increaseBy: 60 } },
  },
  notification: {
    mark: { fields: { ids: [ABSENT_ID], read: true } },
  },
  changeRequest: {
    askHours: { fields: { minutes: 60, reason: 'Not finished' } },
    askQuota: { fields: { minutes: 60, reason: 'One more day' } },
    askAdmin: { about: 'unscoped', fields: ({ newEmail }) => ({ email: newEmail, reason: 'A colleague' }) },
    withdraw: { about: 'self', fields: ({ changeRequests }, as) => ({ id: changeRequests[as] }) },
    decide: { fields: ({ changeRequests }) => ({ id: changeRequests.user, decision: 'approved' }) },
  },
  ready: {
    plan: { fields: { date: '2099-12-31', time: '09:30' } },
    cancel: { fields: { date: '2099-12-31', time: '09:30' } },
  },
  classSession: {
    list: { fields: { from: '2099-11-30', until: '2099-12-31' } },
    preview: {
      request: ({ trainingName, organization, classSession }) => [
        {
          query: {
            trainingName,
            organization,
            weekdays: '1,5',
            from: '2098-12-01',
            until: '2099-02-01',
            start: '09:00',
            stop: '17:00',
            limitAccess: 'true',
            skipHolidays: 'true',
          },
        },
        {
          query: {
            trainingName,
            organization,
            from: '2098-12-01',
            until: '2098-12-01',
            start: '09:00',
            stop: '17:00',
            limitAccess: 'false',
            skipHolidays: 'false',
            replaces: classSession,
            scope: 'one',
          },
        },
      ],
    },
    create: {
      fields: {
        weekdays: [1, 5],
        from: '2098-12-01',
        until: '2099-02-01',
        start: '09:00',
        stop: '17:00',
        limitAccess: true,
        skipHolidays: true,
      },
    },
    change: {
      fields: ({ classSession }) => ({
        sessionId: classSession,
        scope: 'one',
        weekdays: null,
        from: '2099-12-15',
        until: '2099-12-15',
        start: '10:00',
        stop: '18:00',
        limitAccess: true,
        skipHolidays: true,
      }),
    },
    skip: { fields: ({ classSession }) => ({ sessionId: classSession, skipped: true }) },
    remove: { fields: ({ classSession }) => ({ sessionId: classSession, scope: 'one' }) },
  },
  attendance: {
    list: { fields: { ...ATTENDANCE_DAYS } },
    csv: { fields: { ...ATTENDANCE_DAYS } },
    pdf: { fields: { ...ATTENDANCE_DAYS } },
  },
  calendar: {
    revoke: { fields: { linkId: ABSENT_ID } },
    read: { about: 'refused', fields: { token: 'absent' } },
  },
  holidays: {
    add: { fields: { date: '2099-12-25', name: 'Christmas' } },
    remove: { fields: { date: '2099-12-25' } },
  },
  quote: {
    create: { fields: { lines: [{ description: 'Setup of a classroom', amount: 1_000 }], validUntil: '2999-01-01' } },
    decide: { about: 'refused', fields: { number: ABSENT_QUOTE, decision: 'accepted' } },
    withdraw: { about: 'refused', fields: { number: ABSENT_QUOTE } },
    proforma: { about: 'refused', fields: { number: ABSENT_QUOTE } },
    prepaid: { request: ({ organization }) => ({ body: { organization, amount: 1_000 } }) },
    pay: { about: 'refused', fields: { number: ABSENT_QUOTE, id: 'PAY-1' } },
    issue: { about: 'refused', fields: { number: ABSENT_QUOTE, digest: '' } },
    pdf: { about: 'refused', fields: { number: ABSENT_QUOTE } },
  },
  price: {
    set: { fields: { kind: 'licence', item: 'Windows_Server', from: '2999-01-01', rate: 12.5 } },
    remove: { fields: { kind: 'licence', item: 'Windows_Server', from: '2999-01-01' } },
  },
  credit: {
    setAccount: {
      request: ({ organization, trainingName }) => [
        { body: { organization, hardLimit: false, low: 500, validDays: 365 } },
        { body: { organization, trainingName, hardLimit: false, low: 0, validDays: null } },
      ],
    },
    setAlert: {
      request: ({ organization }) => ({ body: { organization, low: 1_000 } }),
    },
    record: {
      request: ({ organization }) => ({ body: { organization, id: 'PREPAID-1', amount: 1_180, date: '2026-04-01' } }),
    },
    setTerms: {
      fields: { limitEnforced: false, overdue: { warnDays: 5, holdDays: 10, stopDays: null }, pausedUntil: null },
    },
  },
  budget: {
    set: {
      request: ({ organization, trainingName }) => [
        { body: { organization, amount: 5_000, spendingCap: true } },
        { body: { organization, trainingName, amount: 5_000, spendingCap: false } },
      ],
    },
    putAway: { fields: ({ budgetAlert }) => ({ _id: budgetAlert }) },
  },
  lms: {
    create: { fields: { name: 'Another LMS' } },
    renewLink: { fields: ({ lmsWaiting }) => ({ id: lmsWaiting }) },
    save: {
      fields: ({ lms }) => ({
        id: lms,
        name: 'Renamed LMS',
        issuer: 'https://lms.example.com',
        clientId: 'client',
        authorizationUrl: 'https://lms.example.com/auth',
        tokenUrl: 'https://lms.example.com/token',
        tokenAudience: null,
        keySetUrl: 'https://lms.example.com/keys',
        deployments: ['1'],
      }),
    },
    suspend: { fields: ({ lms }) => ({ id: lms, suspended: true }) },
    remove: { fields: ({ lms }) => ({ id: lms }) },
    decideDeployment: { fields: ({ lms }) => ({ id: lms, deployment: '1', accepted: true }) },
    connectCourse: { request: ({ lmsCourse }) => ({ body: { id: lmsCourse, trainingName: null } }) },
    setScore: { fields: ({ lmsLink }) => ({ id: lmsLink, minutes: 60 }) },
    test: { fields: ({ lms }) => ({ id: lms }) },
  },
  ltiLaunch: {
    keys: { about: 'unscoped', fields: ({ lms }) => ({ platform: lms }) },
    start: {
      fields: {
        platform: ABSENT_ID,
        issuer: 'https://lms.example.com',
        loginHint: '1',
        messageHint: null,
        clientId: null,
        deployment: null,
        storageTarget: null,
      },
    },
    finish: { fields: { platform: ABSENT_ID, stateToken: 'x', idToken: 'x', error: null, proof: null } },
    enter: { fields: { ticket: 'x'.repeat(43) } },
    handOver: { fields: { ticket: 'x'.repeat(43) } },
    choose: { fields: { ticket: 'x'.repeat(43), view: 'class', title: 'Lab' } },
    link: { about: 'refused', fields: { ticket: 'x'.repeat(43) } },
    register: { fields: { code: 'x'.repeat(43), configuration: 'https://lms.example.com/c', token: null } },
  },
  webhook: {
    create: { fields: { url: 'https://hooks.example.com/', description: 'Chat', events: ['hand.raised'] } },
    change: {
      fields: ({ webhook }) => ({
        id: webhook.endpoint,
        url: 'https://hooks.example.com/other',
        description: 'Chat',
        events: [],
        enabled: true,
      }),
    },
    // The admin's call deletes the first endpoint before this one.
    remove: { fields: ({ webhook }, as) => ({ id: as === 'superadmin' ? webhook.second : webhook.endpoint }) },
    rotate: { fields: ({ webhook }) => ({ id: webhook.endpoint }) },
    test: { fields: ({ webhook }) => ({ id: webhook.endpoint }) },
    deliveries: { fields: ({ webhook }) => ({ id: webhook.endpoint }) },
    delivery: { fields: ({ webhook }) => ({ id: webhook.delivery }) },
    resend: {
      request: ({ webhook }) => [
        { body: { range: 'one', delivery: webhook.delivery } },
        { body: { range: 'all', id: webhook.endpoint, since: '2020-01-01T00:00:00Z' } },
      ],
    },
  },
  registration: {
    read: { fields: { code: ABSENT_CODE } },
    requestAccount: { about: 'unscoped', fields: ({ email }) => ({ code: ABSENT_CODE, email }) },
    confirmation: { about: 'unscoped', fields: ({ token }) => ({ token }) },
    beginPasskey: { about: 'unscoped', fields: ({ token }) => ({ token }) },
    createAccount: { about: 'unscoped', fields: ({ token }) => ({ token, password: 'x'.repeat(PASSWORD_LENGTH_MIN) }) },
    mine: { about: 'refused', fields: { code: ABSENT_CODE } },
    takeSeat: { about: 'refused', fields: { code: ABSENT_CODE } },
  },
  registrationLink: {
    registrations: { fields: ({ registrationLink }) => ({ link: registrationLink }) },
    create: {
      fields: {
        name: 'Mondays',
        seats: 10,
        opensAt: null,
        closesAt: null,
        domains: [],
        needsApproval: false,
        machine: null,
      },
    },
    change: { fields: ({ registrationLink }) => ({ link: registrationLink, seats: 5 }) },
    rotate: { fields: ({ registrationLink }) => ({ link: registrationLink }) },
    revoke: { fields: ({ registrationLink }) => ({ link: registrationLink }) },
    approve: { fields: ({ registrationLink, email }) => ({ link: registrationLink, emails: [email] }) },
    decline: { fields: ({ registrationLink, email }) => ({ link: registrationLink, emails: [email] }) },
  },
  labImport: {
    connect: {
      fields: {
        subscriptionId: ABSENT_ID,
        principal: { tenantId: ABSENT_ID, clientId: ABSENT_ID, clientSecret: 'secret' },
      },
    },
    upload: { fields: { files: [{ name: 'labs.csv', csv: 'LabName,Size\none,Basic' }] } },
    refresh: { fields: ({ labImport }) => ({ _id: labImport }) },
    remove: { fields: ({ labImport }) => ({ _id: labImport }) },
    plan: { fields: ({ importedLab }) => ({ lab: importedLab }) },
    choose: { request: ({ importedLab }) => ({ body: { lab: importedLab, usageComesAlong: false } }) },
    makeTemplate: {
      fields: ({ importedLab }) => ({
        lab: importedLab,
        name: 'Made for a lab',
        rate: 10,
        resourceGroup: 'group',
        vnet: 'net',
        imageId: 'a:b:c:latest',
      }),
    },
    apply: { fields: ({ importedLab }) => ({ labs: [{ lab: importedLab, ticked: [] }] }) },
    cutOver: {
      fields: ({ importedLab }) => ({
        lab: importedLab,
        readyBy: { date: '2099-12-31', time: '09:00' },
        guacamole: false,
      }),
    },
    rollBack: { fields: ({ importedLab }) => ({ lab: importedLab }) },
    report: { fields: ({ importedLab }) => ({ lab: importedLab, format: 'csv' }) },
  },
  cost: {
    begin: { fields: { files: [{ name: 'bill.csv', bytes: 100 }], leaveOutBad: false } },
    send: { about: 'refused', fields: { _id: ABSENT_ID, file: 0, place: 0, bytes: 'YQ==' } },
    remove: { about: 'refused', fields: { _id: ABSENT_ID } },
    unclaimed: { fields: { month: '2026-01' } },
    adopt: {
      about: 'refused',
      request: () => ({
        body: { provider: 'azure', of: 'resource', value: '/subscriptions/absent', organization: 'Nobody' },
      }),
    },
    release: { about: 'refused', fields: { provider: 'azure', of: 'tag', value: ABSENT_ID } },
    deleteOrphan: { about: 'refused', fields: { resourceGroup: 'absent', name: 'absent', confirm: 'absent' } },
  },
  schedule: {
    create: {
      fields: {
        data: {
          schedules: [{ date: '2099-12-31', time: '09:30', action: 'Stop', status: 'Pending' }],
          restrictLogin: { restrictUserLogin: false, userAccessOnTime: null, userAccessOffTime: null },
        },
      },
    },
    remove: { fields: ({ schedule }) => ({ scheduleId: schedule }) },
  },
  recurrence: {
    preview: { fields: { action: 'Stop', time: '18:00', weekdays: '1,5', from: '2098-12-01', until: '2099-02-01' } },
    create: { fields: { action: 'Stop', time: '18:00', weekdays: [1, 5], from: '2098-12-01', until: '2099-02-01' } },
    remove: { fields: ({ weekly }) => ({ recurrenceId: weekly }) },
    setEnd: { fields: { endsOn: '2099-12-31' } },
  },
  port: {
    open: { fields: { port: 8443, priority: 1001 } },
    close: { fields: { port: 8080 } },
  },
  azureSandbox: {
    create: {
      about: 'unscoped',
      fields: ({ newSandbox }) => ({ resourceGroupName: newSandbox, resourceGroupLocation: 'southindia' }),
    },
    remove: { fields: ({ sandbox }) => ({ resourceGroupName: sandbox }) },
  },
  sandboxUser: {
    create: { fields: { username: 'new', personalEmail: 'new@home.test', duration: 2 } },
    renew: { fields: ({ labUser }) => ({ email: labUser, duration: 1, credits: 10 }) },
    remove: { fields: ({ labUser }) => ({ email: labUser }) },
    issueAccessPass: { fields: ({ labUser }) => ({ email: labUser }) },
    showAccessPass: { fields: ({ labUser }) => ({ email: labUser }) },
  },
  awsUser: {
    create: { fields: { username: 'new', personalEmail: 'new@home.test', duration: 2 } },
    renew: { fields: ({ awsLabUser }) => ({ email: awsLabUser, duration: 1 }) },
    remove: { fields: ({ awsLabUser }) => ({ email: awsLabUser }) },
  },
  image: {
    capture: { fields: ({ machine }) => ({ vm: machine.name }) },
  },
  scim: {
    createToken: { fields: (_subject, as) => ({ name: `Directory of ${as}`, days: 365 }) },
    revokeToken: { fields: ({ scimToken }) => ({ id: scimToken }) },
    mapGroup: { fields: ({ group }) => ({ group, role: 'user' }) },
  },
  readyPool: {
    set: {
      fields: ({ template }) => ({ templateName: template, machines: 1, power: 'running', guacamole: false }),
    },
  },
  roster: {
    save: {
      fields: ({ group }) => ({
        source: { kind: 'scim_group', key: group },
        rules: {
          machineRule: 'none',
          templateName: null,
          allottedMinutes: null,
          guacamole: true,
          seats: null,
          graceDays: 14,
        },
      }),
    },
    decide: { fields: { version: 0, approve: true } },
  },
  remote: {
    // The call needs an API key.
    connect: { about: 'refused', fields: {} },
    // A ticket can be used only after its page has opened, and no page has.
    usable: { about: 'refused', fields: { password: 'x'.repeat(43), kind: 'terminal', milliseconds: 1_000 } },
    transfer: { fields: { direction: 'upload', path: 'notes.txt', size: 3 } },
    giveUp: { about: 'refused', fields: { id: '00000000-0000-4000-8000-000000000000' } },
    allowFiles: { fields: { allowed: false } },
    ending: { about: 'unscoped', fields: {} },
  },
  guide: {
    read: { about: 'scoped', fields: ({ guide }) => ({ guide, number: '1' }) },
    files: { about: 'scoped', fields: ({ guide }) => ({ guide, number: '1' }) },
    upload: { about: 'scoped', fields: { bytes: GUIDE_ARCHIVE } },
    preview: { about: 'scoped', fields: { bytes: GUIDE_ARCHIVE, shown: 'one.md' } },
    // No Git server runs here. The tests of the module show the scope.
    fetch: { about: 'refused', fields: { url: 'https://name:password@git.example.com/guide.git' } },
    publish: { about: 'scoped', fields: ({ guide }) => ({ guide, number: 2, reason: 'Tried by hand.' }) },
    retire: { about: 'scoped', fields: ({ guide }) => ({ guide, number: 1 }) },
    delete: { about: 'scoped', fields: ({ guide }) => ({ guide, number: '1' }) },
    attach: { fields: ({ guide }) => ({ guide, number: 1, templateName: null }) },
    detach: { fields: { templateName: null } },
    changeStep: { fields: ({ guide }) => ({ guide, step: 'one', isHidden: false, note: 'Ask us.' }) },
    check: { fields: {} },
    solve: { fields: { task: 'task' } },
  },
  proof: {
    list: { about: 'scoped', fields: ({ guide }) => ({ guide }) },
    start: { about: 'scoped', fields: ({ guide, template }) => ({ guide, number: 1, templateName: template }) },
  },
  guideRun: {
    open: { fields: { step: 'one' } },
    chooseLanguage: { fields: { language: 'en' } },
    check: { fields: { task: 'task' } },
    hint: { fields: { task: 'task' } },
    solve: { fields: { task: 'task' } },
    skip: { fields: { task: 'task' } },
    answer: { fields: { question: 'question', answer: [1] } },
  },
  classroom: {
    lowerHand: { fields: ({ email }) => ({ email }) },
    announce: { fields: { text: 'We go on at ten.', minutes: 15 } },
    setIdleStop: { fields: { minutes: 60 } },
    setWatching: { fields: { withoutAsking: true } },
    setEarlyStart: { fields: { allowed: true } },
    power: {
      request: ({ trainingName, organization }) => ({
        body: { trainingName, organization, operation: 0, idleMinutes: 30 },
      }),
    },
    invite: { fields: ({ email }) => ({ email }) },
    addInstructor: { fields: ({ newEmail }) => ({ email: newEmail }) },
    removeInstructor: { fields: ({ instructor }) => ({ email: instructor }) },
  },
  search: {
    find: { about: 'unscoped', fields: ({ trainingName }) => ({ text: trainingName }) },
  },
  audit: {
    export: { fields: { format: 'jsonl' } },
  },
  home: {
    contact: {
      about: 'unscoped',
      fields: ({ email }) => ({ email, phone: '+91 98450 12345', companyName: 'Some Company' }),
    },
  },
  meter: {
    day: { fields: { date: '2026-01-31' } },
  },
  ledger: {
    add: { fields: { id: 'INV-1', amount: 10.5, date: '2026-01-31', type: 'invoice' } },
    trialBalance: { fields: { on: '2026-01-31' } },
    reverse: {
      fields: ({ document }) => ({
        kind: 'payment',
        id: `paid ${document.number}`,
        reason: 'Typed twice',
        date: '2026-01-31',
      }),
    },
    writeOff: {
      fields: ({ document }) => ({ invoice: document.number, amount: 0.01, reason: 'Not paid', date: '2026-01-31' }),
    },
    certifyTds: { fields: ({ paid }) => ({ certificate: 'ABCDEFH', receipts: [`TDS of ${paid.payment_id}`] }) },
    addTds: {
      fields: {
        certificate: 'ABCDEFG',
        section: '194J',
        financialYear: '25-26',
        quarter: 4,
        amount: 10.5,
        date: '2026-01-31',
      },
    },
  },
  payment: {
    order: { fields: { amount: 1.29 } },
    verify: { fields: ({ paid }) => ({ ...paid, amount: 100 }) },
    refund: { fields: ({ paid }) => ({ payment: paid.payment_id, amount: 1, reason: 'Paid twice' }) },
    request: { fields: { amount: 1.29, about: 'The balance', days: 14 } },
    cancelRequest: { fields: ({ paymentRequest }) => ({ id: paymentRequest }) },
    webhook: { about: 'unscoped', request: ({ paid }) => ({ body: JSON.stringify(paid) }) },
  },
  supplier: {
    change: { fields: { city: 'Bengaluru' } },
  },
  invoice: {
    changeCustomer: { fields: { city: 'Mysuru' } },
    draft: { fields: { month: '2026-01' } },
    issue: { fields: { month: '2026-01', digest: '' } },
    read: { fields: ({ document }) => ({ number: document.number }) },
    credit: {
      fields: ({ document }) => ({ number: document.number, reason: 'Not used', items: [{ item: 1, amount: 0.01 }] }),
    },
    debit: {
      fields: ({ document }) => ({ number: document.number, reason: 'Too low', items: [{ item: 1, amount: 10 }] }),
    },
    draftOneOff: { fields: { lines: [{ description: 'Setup of a classroom', amount: 1_000 }] } },
    issueOneOff: { fields: { lines: [{ description: 'Setup of a classroom', amount: 1_000 }], digest: '' } },
    register: {
      fields: ({ document: { number, irn } }) => ({
        number,
        irn,
        ackNumber: '112010036563310',
        ackDate: new Date(Date.now() - 1_000).toISOString(),
        signedQr: 'a.b.c',
      }),
    },
    cancel: {
      fields: ({ document }) => ({ number: document.number, cancelledAt: '2026-11-03T05:30:00Z', reason: 'other' }),
    },
    pdf: { fields: ({ document }) => ({ number: document.number }) },
    json: { fields: ({ document }) => ({ number: document.number }) },
  },
  taxStatus: {
    effect: { fields: { place: 'sez', gstin: '29AABCR1718E1ZL', from: '2026-01-01' } },
    request: {
      fields: {
        place: 'abroad',
        gstin: null,
        from: '2026-12-01',
        reason: 'Moved',
        document: 'letter.pdf',
        bytes: Buffer.from('%PDF-1.7 letter').toString('base64'),
      },
    },
    withdraw: { fields: ({ statusRequest }) => ({ id: statusRequest }) },
    decide: { fields: ({ statusRequest }) => ({ id: statusRequest, decision: 'rejected', answer: 'Not legible' }) },
    change: { fields: { place: 'abroad', gstin: null, from: '2030-01-01', reason: 'Moved' } },
    document: { fields: ({ statusRequest }) => ({ id: statusRequest }) },
  },
  books: {
    export: { fields: { books: 'tally', what: 'invoices', from: '2025-04-01', to: '2026-03-31' } },
    statement: { fields: { period: '25-26' } },
    statementPdf: { fields: { period: '2026-01' } },
    receiptPdf: { fields: ({ paid }) => ({ id: paid.payment_id }) },
  },
  settlement: {
    lines: { about: 'refused', fields: { id: 'setl_none' } },
  },
  gstReturn: {
    read: { fields: { month: '2026-01' } },
    json: { about: 'refused', fields: { month: '2026-01' } },
  },
  health: {
    prove: { fields: { nonce: 'n'.repeat(32) } },
  },
}
