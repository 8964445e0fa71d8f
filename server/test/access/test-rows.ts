import type { BodyOf, Call, QueryOf } from '@trainyard/contract/call.ts'
import type { Contract } from '@trainyard/contract/contract.ts'
import { PASSWORD_LENGTH_MIN } from '@trainyard/contract/words/limits.ts'
import type { Role } from '@trainyard/contract/words/role.ts'
import type { Subject } from '#test/world.ts'

type RequestOf<C> = C extends Call
  ? (QueryOf<C> extends undefined ? unknown : { readonly query: QueryOf<C> }) &
      (BodyOf<C> extends undefined ? unknown : { readonly body: BodyOf<C> })
  : never

/**
 * How the access test makes a call about a subject. `about` states what the response depends on: `scoped`: the
 * subject's organisation; `self`: only the subject's own user, also for a superadmin; `unscoped`: not on the subject;
 * `refused`: always refused, because a precondition is missing.
 */
export interface Row<C> {
  readonly about: 'scoped' | 'self' | 'unscoped' | 'refused'
  request(subject: Subject, as: Role): RequestOf<C> | readonly RequestOf<C>[]
}

/** Type that requires a row for each call. A missing row is a type error and fails the test. */
type Rows = { readonly [M in keyof Contract]: { readonly [K in keyof Contract[M]]: Row<Contract[M][K]> } }

const WITHOUT_INPUT = { about: 'unscoped', request: () => ({}) } as const

const ofTraining = {
  about: 'scoped',
  request: ({ trainingName, organization }: Subject) => [
    { query: { trainingName } },
    { query: { trainingName, organization } },
  ],
} as const

const ofTrainingBody = {
  about: 'scoped',
  request: ({ trainingName, organization }: Subject) => ({ body: { trainingName, organization } }),
} as const

const ofOrganisation = {
  about: 'scoped',
  request: ({ organization }: Subject) => ({ query: { organization } }),
} as const

const ofEndpoint = ({ webhook }: Subject) => ({ body: { id: webhook.endpoint } })

const ABSENT_ID = '00000000-0000-4000-8000-000000000000'
const ABSENT_CODE = '000000000000'
const ABSENT_QUOTE = 'Q-20-21-9999'

const ATTENDANCE_DAYS = { from: '2026-01-01', until: '2026-03-31' }
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

export const ROWS: Rows = {
  session: {
    login: { about: 'unscoped', request: ({ email }) => ({ body: { email, password: 'not the password' } }) },
    logout: WITHOUT_INPUT,
    me: WITHOUT_INPUT,
    setPassword: {
      about: 'unscoped',
      request: ({ token }) => ({ body: { token, password: 'x'.repeat(PASSWORD_LENGTH_MIN) } }),
    },
    // The token of the subject sets a password.
    confirmChange: { about: 'refused', request: ({ token }) => ({ body: { token } }) },
    forgot: { about: 'unscoped', request: ({ email }) => ({ body: { email } }) },
    invitation: { about: 'unscoped', request: ({ token }) => ({ body: { token } }) },
    loginSecond: { about: 'unscoped', request: () => ({ body: { challenge: 'absent', code: '000000' } }) },
    loginPasskey: {
      about: 'unscoped',
      request: () => ({ body: { challenge: 'absent', assertion: INVALID_ASSERTION } }),
    },
  },
  account: {
    sessions: WITHOUT_INPUT,
    endSession: { about: 'self', request: ({ sessions }, as) => ({ body: { id: sessions[as] } }) },
    endSessions: WITHOUT_INPUT,
    changePassword: {
      about: 'unscoped',
      request: ({ password }) => ({ body: { password, newPassword: 'chosen by oneself' } }),
    },
  },
  apiKey: {
    list: WITHOUT_INPUT,
    // The call needs an API key.
    read: { about: 'refused', request: () => ({}) },
    create: {
      about: 'unscoped',
      request: (_subject, as) => ({
        body: { name: `Build of ${as}`, kind: 'personal', scopes: ['machine:read'], days: 90, networks: [] },
      }),
    },
    revoke: { about: 'self', request: ({ apiKeys }, as) => ({ body: { id: apiKeys[as] } }) },
  },
  secondFactor: {
    read: WITHOUT_INPUT,
    confirm: { about: 'refused', request: () => ({ body: { challenge: 'absent', assertion: INVALID_ASSERTION } }) },
    beginApp: WITHOUT_INPUT,
    addApp: { about: 'refused', request: () => ({ body: { setup: 'absent', code: '000000' } }) },
    removeApp: { about: 'refused', request: () => ({}) },
    renewRecoveryCodes: WITHOUT_INPUT,
    resets: WITHOUT_INPUT,
    askReset: { about: 'scoped', request: ({ email }) => ({ body: { email } }) },
    confirmReset: { about: 'scoped', request: ({ email }) => ({ body: { email } }) },
    withdrawReset: { about: 'scoped', request: ({ email }) => ({ body: { email } }) },
  },
  passkey: {
    beginLogin: WITHOUT_INPUT,
    beginProof: WITHOUT_INPUT,
    begin: WITHOUT_INPUT,
    add: {
      about: 'refused',
      request: () => ({ body: { challenge: 'absent', name: 'Phone', attestation: INVALID_ATTESTATION } }),
    },
    rename: { about: 'self', request: ({ passkeys }, as) => ({ body: { _id: passkeys[as], name: 'Phone' } }) },
    remove: { about: 'self', request: ({ passkeys }, as) => ({ body: { _id: passkeys[as] } }) },
  },
  organisation: {
    list: WITHOUT_INPUT,
    create: { about: 'unscoped', request: ({ organization }) => ({ body: { organization: `${organization} two` } }) },
    remove: { about: 'scoped', request: ({ organization }) => ({ body: { organization } }) },
    settings: ofOrganisation,
    changeProfile: {
      about: 'scoped',
      request: ({ organization }) => ({ body: { organization, timeZone: 'Asia/Kathmandu' } }),
    },
    changeSources: {
      about: 'scoped',
      request: ({ organization }) => ({ body: { organization, managementSources: ['203.0.113.0/24'] } }),
    },
    changeLogo: { about: 'scoped', request: ({ organization }) => ({ body: { organization, image: null } }) },
    changeSecurity: { about: 'scoped', request: ({ organization }) => ({ body: { organization, idleMinutes: 30 } }) },
  },
  firstSteps: {
    createCustomer: {
      about: 'unscoped',
      request: ({ organization, newEmail }) => ({
        body: { organization: `${organization} three`, email: newEmail, templates: [], creditLimit: 1000 },
      }),
    },
    createDemoClass: { about: 'scoped', request: ({ organization }) => ({ body: { organization } }) },
    removeDemoClass: { about: 'scoped', request: ({ organization }) => ({ body: { organization } }) },
  },
  user: {
    list: WITHOUT_INPUT,
    create: {
      about: 'scoped',
      request: ({ organization, newEmail }) => ({
        body: { organization, email: newEmail, password: 'long enough', userType: 'user' },
      }),
    },
    invite: {
      about: 'scoped',
      request: ({ organization, newEmail }) => ({ body: { organization, email: newEmail, userType: 'user' } }),
    },
    resendInvitation: {
      about: 'scoped',
      request: ({ organization, invited }) => ({ body: { organization, email: invited } }),
    },
    revokeInvitation: {
      about: 'scoped',
      request: ({ organization, invited }) => ({ body: { organization, email: invited } }),
    },
    remove: { about: 'scoped', request: ({ organization, email }) => ({ body: { organization, email } }) },
  },
  identityProvider: {
    show: ofOrganisation,
    save: {
      about: 'scoped',
      request: ({ organization }) => ({
        body: {
          organization,
          issuer: 'https://login.example.com',
          clientId: 'trainyard',
          clientSecret: 'a client secret',
          groupClaim: null,
          groups: [],
          signsOutThere: false,
          adminsNeedSecondFactor: false,
        },
      }),
    },
    test: { about: 'scoped', request: ({ organization }) => ({ body: { organization } }) },
    remove: { about: 'scoped', request: ({ organization }) => ({ body: { organization } }) },
    addDomain: {
      about: 'scoped',
      request: ({ organization, newEmail }) => ({ body: { organization, domain: newEmail.split('@')[1]! } }),
    },
    verifyDomain: {
      about: 'scoped',
      request: ({ organization, newEmail }) => ({ body: { organization, domain: newEmail.split('@')[1]! } }),
    },
    confirmDomain: {
      about: 'scoped',
      request: ({ organization, newEmail }) => ({ body: { organization, domain: newEmail.split('@')[1]! } }),
    },
    removeDomain: {
      about: 'scoped',
      request: ({ organization, newEmail }) => ({ body: { organization, domain: newEmail.split('@')[1]! } }),
    },
  },
  providerSignIn: {
    start: { about: 'unscoped', request: ({ newEmail }) => ({ body: { email: newEmail } }) },
    finish: { about: 'unscoped', request: ({ token }) => ({ body: { answer: `code=x&state=${token}` } }) },
  },
  privacy: {
    settings: ofOrganisation,
    changeSettings: {
      about: 'scoped',
      request: ({ organization }) => ({ body: { organization, emailDays: 90 } }),
    },
    notice: WITHOUT_INPUT,
    exportPerson: { about: 'scoped', request: ({ email }) => ({ body: { email, format: 'json' } }) },
    exportMine: { about: 'unscoped', request: () => ({ body: { format: 'text' } }) },
    erase: { about: 'scoped', request: ({ invited }) => ({ body: { email: invited } }) },
    erasures: ofOrganisation,
  },
  people: {
    list: ofOrganisation,
    change: { about: 'scoped', request: ({ email }) => ({ body: { email, name: 'Asha Rao' } }) },
    invite: { about: 'scoped', request: ({ invited }) => ({ body: { email: invited } }) },
    renameMyself: { about: 'unscoped', request: () => ({ body: { name: 'Asha Rao' } }) },
  },
  network: {
    list: WITHOUT_INPUT,
    create: {
      about: 'unscoped',
      request: ({ network }) => ({ body: { name: `${network} two`, route: 'gateway', ranges: ['10.0.0.0/8'] } }),
    },
    change: { about: 'scoped', request: ({ network }) => ({ body: { network, ranges: ['10.0.0.0/8'] } }) },
    remove: { about: 'scoped', request: ({ network }) => ({ body: { network } }) },
    issueToken: { about: 'scoped', request: ({ network }) => ({ body: { network } }) },
    revoke: { about: 'scoped', request: ({ network }) => ({ body: { network } }) },
  },
  template: {
    list: WITHOUT_INPUT,
    create: { about: 'unscoped', request: ({ template }) => ({ body: { ...TEMPLATE, name: `${template} two` } }) },
    read: { about: 'scoped', request: ({ template }) => ({ query: { template } }) },
    sizes: { about: 'unscoped', request: () => ({ query: { location: 'southindia' } }) },
    edit: { about: 'scoped', request: ({ template }) => ({ body: { ...TEMPLATE, name: template, revision: 1 } }) },
    remove: { about: 'scoped', request: ({ template }) => ({ body: { template } }) },
    assigned: WITHOUT_INPUT,
    assign: { about: 'scoped', request: ({ organization, template }) => ({ body: { organization, template } }) },
    unassign: { about: 'scoped', request: ({ organization, template }) => ({ body: { organization, template } }) },
    orderable: ofOrganisation,
  },
  training: { names: ofOrganisation },
  machine: {
    list: ofTraining,
    names: ofTraining,
    lastOrder: ofTraining,
    removeTraining: ofTraining,
    watch: ofTraining,
    power: { about: 'scoped', request: ({ machine }) => ({ body: [{ operation: 0 }, machine] }) },
    restart: { about: 'scoped', request: ({ machine }) => ({ body: [machine] }) },
    undo: { about: 'scoped', request: ({ machine }) => ({ body: [machine] }) },
    remove: { about: 'scoped', request: ({ machine }) => ({ body: [machine] }) },
    reset: { about: 'scoped', request: ({ machine }) => ({ body: [machine] }) },
    handOver: { about: 'scoped', request: ({ machine, newEmail }) => ({ body: { ...machine, email: newEmail } }) },
    handOverAll: {
      about: 'scoped',
      request: ({ machine, newEmail }) => ({ body: { machines: [{ ...machine, email: newEmail }], reset: false } }),
    },
    operations: { about: 'scoped', request: ({ machine }) => ({ query: { vmName: machine.name } }) },
    order: {
      about: 'scoped',
      request: ({ organization, trainingName, template, newEmail }) => ({
        body: {
          organization,
          trainingName,
          templateName: template,
          email: [newEmail],
          allocatedHours: null,
          createVmCount: 1,
          guacamole: false,
        },
      }),
    },
  },
  quota: {
    read: ofTraining,
    increase: {
      about: 'scoped',
      request: ({ trainingName, organization }) => ({ body: { trainingName, organization, increaseBy: 60 } }),
    },
  },
  notification: {
    list: WITHOUT_INPUT,
    mark: { about: 'unscoped', request: () => ({ body: { ids: [ABSENT_ID], read: true } }) },
    watch: WITHOUT_INPUT,
  },
  changeRequest: {
    list: WITHOUT_INPUT,
    askHours: {
      about: 'scoped',
      request: ({ machine }) => ({ body: { vmName: machine.name, minutes: 60, reason: 'Not finished' } }),
    },
    askQuota: {
      about: 'scoped',
      request: ({ trainingName, organization }) => ({
        body: { trainingName, organization, minutes: 60, reason: 'One more day' },
      }),
    },
    askAdmin: {
      about: 'unscoped',
      request: ({ newEmail }) => ({ body: { email: newEmail, reason: 'A colleague' } }),
    },
    withdraw: { about: 'self', request: ({ changeRequests }, as) => ({ body: { id: changeRequests[as] } }) },
    decide: {
      about: 'scoped',
      request: ({ organization, changeRequests }) => ({
        body: { organization, id: changeRequests.user, decision: 'approved' },
      }),
    },
  },
  meter: {
    logs: { about: 'scoped', request: ({ machine }) => ({ query: { vmName: machine.name } }) },
    bill: ofTraining,
    daily: ofTraining,
    runs: { about: 'scoped', request: ({ machine }) => ({ query: { vmName: machine.name } }) },
    uncharged: ofOrganisation,
    clearLogs: {
      about: 'scoped',
      request: ({ trainingName, organization }) => ({ body: { trainingName, organization } }),
    },
  },
  ready: {
    list: ofTraining,
    plan: {
      about: 'scoped',
      request: ({ trainingName, organization }) => ({
        body: { trainingName, organization, date: '2099-12-31', time: '09:30' },
      }),
    },
    cancel: {
      about: 'scoped',
      request: ({ trainingName, organization }) => ({
        query: { trainingName, organization, date: '2099-12-31', time: '09:30' },
      }),
    },
  },
  classSession: {
    list: {
      about: 'scoped',
      request: ({ trainingName, organization }) => ({
        query: { trainingName, organization, from: '2099-11-30', until: '2099-12-31' },
      }),
    },
    preview: {
      about: 'scoped',
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
      about: 'scoped',
      request: ({ trainingName, organization }) => ({
        body: {
          trainingName,
          organization,
          weekdays: [1, 5],
          from: '2098-12-01',
          until: '2099-02-01',
          start: '09:00',
          stop: '17:00',
          limitAccess: true,
          skipHolidays: true,
        },
      }),
    },
    change: {
      about: 'scoped',
      request: ({ trainingName, organization, classSession }) => ({
        body: {
          trainingName,
          organization,
          sessionId: classSession,
          scope: 'one',
          weekdays: null,
          from: '2099-12-15',
          until: '2099-12-15',
          start: '10:00',
          stop: '18:00',
          limitAccess: true,
          skipHolidays: true,
        },
      }),
    },
    skip: {
      about: 'scoped',
      request: ({ trainingName, organization, classSession }) => ({
        body: { trainingName, organization, sessionId: classSession, skipped: true },
      }),
    },
    remove: {
      about: 'scoped',
      request: ({ trainingName, organization, classSession }) => ({
        query: { trainingName, organization, sessionId: classSession, scope: 'one' },
      }),
    },
  },
  attendance: {
    list: {
      about: 'scoped',
      request: ({ trainingName, organization }) => ({ query: { trainingName, organization, ...ATTENDANCE_DAYS } }),
    },
    csv: {
      about: 'scoped',
      request: ({ trainingName, organization }) => ({ body: { trainingName, organization, ...ATTENDANCE_DAYS } }),
    },
    pdf: {
      about: 'scoped',
      request: ({ trainingName, organization }) => ({ body: { trainingName, organization, ...ATTENDANCE_DAYS } }),
    },
  },
  calendar: {
    list: WITHOUT_INPUT,
    create: {
      about: 'scoped',
      request: ({ trainingName, organization }) => ({ body: { trainingName, organization } }),
    },
    revoke: { about: 'unscoped', request: () => ({ query: { linkId: ABSENT_ID } }) },
    read: { about: 'refused', request: () => ({ query: { token: 'absent' } }) },
  },
  holidays: {
    list: ofOrganisation,
    add: {
      about: 'scoped',
      request: ({ organization }) => ({ body: { organization, date: '2099-12-25', name: 'Christmas' } }),
    },
    remove: {
      about: 'scoped',
      request: ({ organization }) => ({ query: { organization, date: '2099-12-25' } }),
    },
  },
  quote: {
    list: ofOrganisation,
    create: {
      about: 'scoped',
      request: ({ organization }) => ({
        body: {
          organization,
          lines: [{ description: 'Setup of a classroom', amount: 1_000 }],
          validUntil: '2999-01-01',
        },
      }),
    },
    decide: { about: 'refused', request: () => ({ body: { number: ABSENT_QUOTE, decision: 'accepted' } }) },
    withdraw: { about: 'refused', request: () => ({ body: { number: ABSENT_QUOTE } }) },
    proforma: { about: 'refused', request: () => ({ body: { number: ABSENT_QUOTE } }) },
    prepaid: { about: 'scoped', request: ({ organization }) => ({ body: { organization, amount: 1_000 } }) },
    pay: { about: 'refused', request: () => ({ body: { number: ABSENT_QUOTE, id: 'PAY-1' } }) },
    issue: { about: 'refused', request: () => ({ body: { number: ABSENT_QUOTE, digest: '' } }) },
    pdf: { about: 'refused', request: () => ({ body: { number: ABSENT_QUOTE } }) },
  },
  price: {
    list: ofOrganisation,
    set: {
      about: 'scoped',
      request: ({ organization }) => ({
        body: { organization, kind: 'licence', item: 'Windows_Server', from: '2999-01-01', rate: 12.5 },
      }),
    },
    remove: {
      about: 'scoped',
      request: ({ organization }) => ({
        body: { organization, kind: 'licence', item: 'Windows_Server', from: '2999-01-01' },
      }),
    },
  },
  credit: {
    read: ofOrganisation,
    setAccount: {
      about: 'scoped',
      request: ({ organization, trainingName }) => [
        { body: { organization, hardLimit: false, low: 500, validDays: 365 } },
        { body: { organization, trainingName, hardLimit: false, low: 0, validDays: null } },
      ],
    },
    setAlert: {
      about: 'scoped',
      request: ({ organization }) => ({ body: { organization, low: 1_000 } }),
    },
    record: {
      about: 'scoped',
      request: ({ organization }) => ({ body: { organization, id: 'PREPAID-1', amount: 1_180, date: '2026-04-01' } }),
    },
    setTerms: {
      about: 'scoped',
      request: ({ organization }) => ({
        body: {
          organization,
          limitEnforced: false,
          overdue: { warnDays: 5, holdDays: 10, stopDays: null },
          pausedUntil: null,
        },
      }),
    },
  },
  budget: {
    list: ofOrganisation,
    set: {
      about: 'scoped',
      request: ({ organization, trainingName }) => [
        { body: { organization, amount: 5_000, spendingCap: true, lastDay: null } },
        { body: { organization, trainingName, amount: 5_000, spendingCap: false, lastDay: '2099-12-31' } },
      ],
    },
    remove: {
      about: 'scoped',
      request: ({ organization, trainingName }) => ({ body: { organization, trainingName } }),
    },
    forecast: {
      about: 'scoped',
      request: ({ organization, trainingName }) => [
        { query: { organization } },
        { query: { organization, trainingName } },
      ],
    },
    alerts: ofOrganisation,
    putAway: { about: 'scoped', request: ({ budgetAlert }) => ({ body: { _id: budgetAlert } }) },
  },
  lms: {
    list: ofOrganisation,
    create: { about: 'scoped', request: ({ organization }) => ({ body: { organization, name: 'Another LMS' } }) },
    renewLink: { about: 'scoped', request: ({ lmsWaiting }) => ({ body: { id: lmsWaiting } }) },
    save: {
      about: 'scoped',
      request: ({ lms }) => ({
        body: {
          id: lms,
          name: 'Renamed LMS',
          issuer: 'https://lms.example.com',
          clientId: 'client',
          authorizationUrl: 'https://lms.example.com/auth',
          tokenUrl: 'https://lms.example.com/token',
          tokenAudience: null,
          keySetUrl: 'https://lms.example.com/keys',
          deployments: ['1'],
        },
      }),
    },
    suspend: { about: 'scoped', request: ({ lms }) => ({ body: { id: lms, suspended: true } }) },
    remove: { about: 'scoped', request: ({ lms }) => ({ body: { id: lms } }) },
    decideDeployment: {
      about: 'scoped',
      request: ({ lms }) => ({ body: { id: lms, deployment: '1', accepted: true } }),
    },
    connectCourse: { about: 'scoped', request: ({ lmsCourse }) => ({ body: { id: lmsCourse, trainingName: null } }) },
    setScore: { about: 'scoped', request: ({ lmsLink }) => ({ body: { id: lmsLink, minutes: 60 } }) },
    test: { about: 'scoped', request: ({ lms }) => ({ body: { id: lms } }) },
  },
  ltiLaunch: {
    keys: { about: 'unscoped', request: ({ lms }) => ({ query: { platform: lms } }) },
    start: {
      about: 'unscoped',
      request: () => ({
        body: {
          platform: ABSENT_ID,
          issuer: 'https://lms.example.com',
          loginHint: '1',
          messageHint: null,
          clientId: null,
          deployment: null,
          storageTarget: null,
        },
      }),
    },
    finish: {
      about: 'unscoped',
      request: () => ({ body: { platform: ABSENT_ID, stateToken: 'x', idToken: 'x', error: null, proof: null } }),
    },
    enter: { about: 'unscoped', request: () => ({ body: { ticket: 'x'.repeat(43) } }) },
    handOver: { about: 'unscoped', request: () => ({ body: { ticket: 'x'.repeat(43) } }) },
    choose: { about: 'unscoped', request: () => ({ body: { ticket: 'x'.repeat(43), view: 'class', title: 'Lab' } }) },
    link: { about: 'refused', request: () => ({ body: { ticket: 'x'.repeat(43) } }) },
    register: {
      about: 'unscoped',
      request: () => ({ body: { code: 'x'.repeat(43), configuration: 'https://lms.example.com/c', token: null } }),
    },
  },
  webhook: {
    list: ofOrganisation,
    create: {
      about: 'scoped',
      request: ({ organization }) => ({
        body: { organization, url: 'https://hooks.example.com/', description: 'Chat', events: ['hand.raised'] },
      }),
    },
    change: {
      about: 'scoped',
      request: ({ webhook }) => ({
        body: {
          id: webhook.endpoint,
          url: 'https://hooks.example.com/other',
          description: 'Chat',
          events: [],
          enabled: true,
        },
      }),
    },
    // The admin's call deletes the first endpoint before this one.
    remove: {
      about: 'scoped',
      request: ({ webhook }, as) => ({ body: { id: as === 'superadmin' ? webhook.second : webhook.endpoint } }),
    },
    rotate: { about: 'scoped', request: ofEndpoint },
    test: { about: 'scoped', request: ofEndpoint },
    deliveries: { about: 'scoped', request: ({ webhook }) => ({ query: { id: webhook.endpoint } }) },
    delivery: { about: 'scoped', request: ({ webhook }) => ({ query: { id: webhook.delivery } }) },
    resend: {
      about: 'scoped',
      request: ({ webhook }) => [
        { body: { range: 'one', delivery: webhook.delivery } },
        { body: { range: 'all', id: webhook.endpoint, since: '2020-01-01T00:00:00Z' } },
      ],
    },
  },
  registration: {
    read: { about: 'unscoped', request: () => ({ query: { code: ABSENT_CODE } }) },
    requestAccount: { about: 'unscoped', request: ({ email }) => ({ body: { code: ABSENT_CODE, email } }) },
    confirmation: { about: 'unscoped', request: ({ token }) => ({ body: { token } }) },
    beginPasskey: { about: 'unscoped', request: ({ token }) => ({ body: { token } }) },
    createAccount: {
      about: 'unscoped',
      request: ({ token }) => ({ body: { token, password: 'x'.repeat(PASSWORD_LENGTH_MIN) } }),
    },
    mine: { about: 'refused', request: () => ({ query: { code: ABSENT_CODE } }) },
    takeSeat: { about: 'refused', request: () => ({ body: { code: ABSENT_CODE } }) },
  },
  registrationLink: {
    list: ofTraining,
    registrations: { about: 'scoped', request: ({ registrationLink }) => ({ query: { link: registrationLink } }) },
    create: {
      about: 'scoped',
      request: ({ trainingName, organization }) => ({
        body: {
          trainingName,
          organization,
          name: 'Mondays',
          seats: 10,
          opensAt: null,
          closesAt: null,
          domains: [],
          needsApproval: false,
          machine: null,
        },
      }),
    },
    change: { about: 'scoped', request: ({ registrationLink }) => ({ body: { link: registrationLink, seats: 5 } }) },
    rotate: { about: 'scoped', request: ({ registrationLink }) => ({ body: { link: registrationLink } }) },
    revoke: { about: 'scoped', request: ({ registrationLink }) => ({ body: { link: registrationLink } }) },
    approve: {
      about: 'scoped',
      request: ({ registrationLink, email }) => ({ body: { link: registrationLink, emails: [email] } }),
    },
    decline: {
      about: 'scoped',
      request: ({ registrationLink, email }) => ({ body: { link: registrationLink, emails: [email] } }),
    },
  },
  labImport: {
    list: ofOrganisation,
    connect: {
      about: 'scoped',
      request: ({ organization }) => ({
        body: {
          organization,
          subscriptionId: ABSENT_ID,
          principal: { tenantId: ABSENT_ID, clientId: ABSENT_ID, clientSecret: 'secret' },
        },
      }),
    },
    upload: {
      about: 'scoped',
      request: ({ organization }) => ({
        body: { organization, files: [{ name: 'labs.csv', csv: 'LabName,Size\none,Basic' }] },
      }),
    },
    refresh: { about: 'scoped', request: ({ labImport }) => ({ body: { _id: labImport } }) },
    remove: { about: 'scoped', request: ({ labImport }) => ({ body: { _id: labImport } }) },
    plan: { about: 'scoped', request: ({ importedLab }) => ({ query: { lab: importedLab } }) },
    choose: { about: 'scoped', request: ({ importedLab }) => ({ body: { lab: importedLab, usageComesAlong: false } }) },
    makeTemplate: {
      about: 'scoped',
      request: ({ importedLab }) => ({
        body: {
          lab: importedLab,
          name: 'Made for a lab',
          rate: 10,
          resourceGroup: 'group',
          vnet: 'net',
          imageId: 'a:b:c:latest',
        },
      }),
    },
    apply: { about: 'scoped', request: ({ importedLab }) => ({ body: { labs: [{ lab: importedLab, ticked: [] }] } }) },
    cutOver: {
      about: 'scoped',
      request: ({ importedLab }) => ({
        body: { lab: importedLab, readyBy: { date: '2099-12-31', time: '09:00' }, guacamole: false },
      }),
    },
    rollBack: { about: 'scoped', request: ({ importedLab }) => ({ body: { lab: importedLab } }) },
    report: { about: 'scoped', request: ({ importedLab }) => ({ body: { lab: importedLab, format: 'csv' } }) },
  },
  waste: { list: ofOrganisation, schedule: ofTraining },
  cost: {
    imports: WITHOUT_INPUT,
    begin: {
      about: 'unscoped',
      request: () => ({ body: { files: [{ name: 'bill.csv', bytes: 100 }], leaveOutBad: false } }),
    },
    send: { about: 'refused', request: () => ({ body: { _id: ABSENT_ID, file: 0, place: 0, bytes: 'YQ==' } }) },
    remove: { about: 'refused', request: () => ({ body: { _id: ABSENT_ID } }) },
    month: { about: 'unscoped', request: () => ({ query: {} }) },
    unclaimed: { about: 'unscoped', request: () => ({ query: { month: '2026-01' } }) },
    orphans: WITHOUT_INPUT,
    adopt: {
      about: 'refused',
      request: () => ({
        body: { provider: 'azure', of: 'resource', value: '/subscriptions/absent', organization: 'Nobody' },
      }),
    },
    release: { about: 'refused', request: () => ({ body: { provider: 'azure', of: 'tag', value: ABSENT_ID } }) },
    deleteOrphan: {
      about: 'refused',
      request: () => ({ body: { resourceGroup: 'absent', name: 'absent', confirm: 'absent' } }),
    },
  },
  schedule: {
    list: ofTraining,
    create: {
      about: 'scoped',
      request: ({ trainingName, organization }) => ({
        body: {
          trainingName,
          organization,
          data: {
            schedules: [{ date: '2099-12-31', time: '09:30', action: 'Stop', status: 'Pending' }],
            restrictLogin: { restrictUserLogin: false, userAccessOnTime: null, userAccessOffTime: null },
          },
        },
      }),
    },
    remove: {
      about: 'scoped',
      request: ({ trainingName, organization, schedule }) => ({
        query: { trainingName, organization, scheduleId: schedule },
      }),
    },
  },
  recurrence: {
    list: ofTraining,
    preview: {
      about: 'scoped',
      request: ({ trainingName, organization }) => ({
        query: {
          trainingName,
          organization,
          action: 'Stop',
          time: '18:00',
          weekdays: '1,5',
          from: '2098-12-01',
          until: '2099-02-01',
        },
      }),
    },
    create: {
      about: 'scoped',
      request: ({ trainingName, organization }) => ({
        body: {
          trainingName,
          organization,
          action: 'Stop',
          time: '18:00',
          weekdays: [1, 5],
          from: '2098-12-01',
          until: '2099-02-01',
        },
      }),
    },
    remove: {
      about: 'scoped',
      request: ({ trainingName, organization, weekly }) => ({
        query: { trainingName, organization, recurrenceId: weekly },
      }),
    },
    setEnd: {
      about: 'scoped',
      request: ({ trainingName, organization }) => ({ body: { trainingName, organization, endsOn: '2099-12-31' } }),
    },
  },
  accessWindow: { read: ofTraining },
  port: {
    list: ofTraining,
    open: {
      about: 'scoped',
      request: ({ trainingName, organization }) => ({
        body: { trainingName, organization, port: 8443, priority: 1001 },
      }),
    },
    close: {
      about: 'scoped',
      request: ({ trainingName, organization }) => ({ body: { trainingName, organization, port: 8080 } }),
    },
  },
  azureSandbox: {
    read: WITHOUT_INPUT,
    create: {
      about: 'unscoped',
      request: ({ newSandbox }) => ({ body: { resourceGroupName: newSandbox, resourceGroupLocation: 'southindia' } }),
    },
    remove: { about: 'scoped', request: ({ sandbox }) => ({ body: { resourceGroupName: sandbox } }) },
    signIn: WITHOUT_INPUT,
  },
  sandboxUser: {
    list: WITHOUT_INPUT,
    create: {
      about: 'unscoped',
      request: () => ({ body: { username: 'new', personalEmail: 'new@home.test', duration: 2 } }),
    },
    renew: { about: 'scoped', request: ({ labUser }) => ({ body: { email: labUser, duration: 1, credits: 10 } }) },
    ended: WITHOUT_INPUT,
    remove: { about: 'scoped', request: ({ labUser }) => ({ body: { email: labUser } }) },
    issueAccessPass: { about: 'scoped', request: ({ labUser }) => ({ body: { email: labUser } }) },
    showAccessPass: { about: 'scoped', request: ({ labUser }) => ({ body: { email: labUser } }) },
  },
  awsSandbox: { read: WITHOUT_INPUT, signIn: WITHOUT_INPUT },
  awsUser: {
    list: WITHOUT_INPUT,
    create: {
      about: 'unscoped',
      request: () => ({ body: { username: 'new', personalEmail: 'new@home.test', duration: 2 } }),
    },
    renew: { about: 'scoped', request: ({ awsLabUser }) => ({ body: { email: awsLabUser, duration: 1 } }) },
    ended: WITHOUT_INPUT,
    remove: { about: 'scoped', request: ({ awsLabUser }) => ({ body: { email: awsLabUser } }) },
  },
  image: {
    capture: { about: 'scoped', request: ({ machine }) => ({ body: { vm: machine.name } }) },
    list: WITHOUT_INPUT,
  },
  scim: {
    show: ofOrganisation,
    createToken: {
      about: 'scoped',
      request: ({ organization }, as) => ({ body: { organization, name: `Directory of ${as}`, days: 365 } }),
    },
    revokeToken: {
      about: 'scoped',
      request: ({ organization, scimToken }) => ({ body: { organization, id: scimToken } }),
    },
    mapGroup: {
      about: 'scoped',
      request: ({ organization, group }) => ({ body: { organization, group, role: 'user' } }),
    },
  },
  roster: {
    show: ofTraining,
    save: {
      about: 'scoped',
      request: ({ trainingName, organization, group }) => ({
        body: {
          trainingName,
          organization,
          source: { kind: 'scim_group', key: group },
          rules: {
            machineRule: 'none',
            templateName: null,
            allottedMinutes: null,
            guacamole: true,
            seats: null,
            graceDays: 14,
          },
        },
      }),
    },
    remove: ofTrainingBody,
    decide: {
      about: 'scoped',
      request: ({ trainingName, organization }) => ({
        body: { trainingName, organization, version: 0, approve: true },
      }),
    },
  },
  remote: {
    ticket: { about: 'scoped', request: ({ machine }) => ({ body: { vmName: machine.name } }) },
    // The call needs an API key.
    connect: { about: 'refused', request: ({ machine }) => ({ body: { vmName: machine.name } }) },
    // A ticket can be used only after its page has opened, and no page has.
    usable: {
      about: 'refused',
      request: ({ machine }) => ({
        body: { vmName: machine.name, password: 'x'.repeat(43), kind: 'terminal', milliseconds: 1_000 },
      }),
    },
    openings: WITHOUT_INPUT,
    watch: { about: 'scoped', request: ({ machine }) => ({ body: { vmName: machine.name } }) },
    // The machines here have no address, so no connection is made.
    folder: { about: 'scoped', request: ({ machine }) => ({ query: { vmName: machine.name } }) },
    transfers: { about: 'scoped', request: ({ machine }) => ({ query: { vmName: machine.name } }) },
    transfer: {
      about: 'scoped',
      request: ({ machine }) => ({ body: { vmName: machine.name, direction: 'upload', path: 'notes.txt', size: 3 } }),
    },
    giveUp: { about: 'refused', request: () => ({ query: { id: '00000000-0000-4000-8000-000000000000' } }) },
    filesAllowed: ofTraining,
    allowFiles: {
      about: 'scoped',
      request: ({ trainingName, organization }) => ({ body: { trainingName, organization, allowed: false } }),
    },
    ending: { about: 'unscoped', request: ({ machine }) => ({ query: { vmName: machine.name } }) },
  },
  classroom: {
    list: ofTraining,
    watch: ofTraining,
    mine: WITHOUT_INPUT,
    watchMine: WITHOUT_INPUT,
    raiseHand: ofTrainingBody,
    lowerHand: {
      about: 'scoped',
      request: ({ trainingName, organization, email }) => ({ query: { trainingName, organization, email } }),
    },
    here: { about: 'scoped', request: ({ machine }) => ({ body: { vmName: machine.name } }) },
    announce: {
      about: 'scoped',
      request: ({ trainingName, organization }) => ({
        body: { trainingName, organization, text: 'We go on at ten.', minutes: 15 },
      }),
    },
    takeBack: ofTraining,
    extend: ofTrainingBody,
    setIdleStop: {
      about: 'scoped',
      request: ({ trainingName, organization }) => ({ body: { trainingName, organization, minutes: 60 } }),
    },
    setWatching: {
      about: 'scoped',
      request: ({ trainingName, organization }) => ({ body: { trainingName, organization, withoutAsking: true } }),
    },
    setEarlyStart: {
      about: 'scoped',
      request: ({ trainingName, organization }) => ({ body: { trainingName, organization, allowed: true } }),
    },
    startable: ofTraining,
    power: {
      about: 'scoped',
      request: ({ trainingName, organization }) => ({
        body: { trainingName, organization, operation: 0, idleMinutes: 30 },
      }),
    },
    hands: WITHOUT_INPUT,
    invitations: ofTraining,
    invite: {
      about: 'scoped',
      request: ({ trainingName, organization, email }) => ({ body: { trainingName, organization, email } }),
    },
    instructors: ofTraining,
    addInstructor: {
      about: 'scoped',
      request: ({ trainingName, organization, newEmail }) => ({
        body: { trainingName, organization, email: newEmail },
      }),
    },
    removeInstructor: {
      about: 'scoped',
      request: ({ trainingName, organization, instructor }) => ({
        query: { trainingName, organization, email: instructor },
      }),
    },
  },
  search: {
    find: { about: 'unscoped', request: ({ trainingName }) => ({ query: { text: trainingName } }) },
  },
  audit: {
    list: ofOrganisation,
    export: { about: 'scoped', request: ({ organization }) => ({ body: { organization, format: 'jsonl' } }) },
  },
  home: {
    dashboard: WITHOUT_INPUT,
    usage: WITHOUT_INPUT,
    trainings: ofOrganisation,
    nextClass: ofOrganisation,
    attention: WITHOUT_INPUT,
    expiring: WITHOUT_INPUT,
    contact: {
      about: 'unscoped',
      request: ({ email }) => ({ body: { email, phone: '+91 98450 12345', companyName: 'Some Company' } }),
    },
  },
  ledger: {
    summary: WITHOUT_INPUT,
    account: ofOrganisation,
    add: {
      about: 'scoped',
      request: ({ organization }) => ({
        body: { organization, id: 'INV-1', amount: 10.5, date: '2026-01-31', type: 'invoice' },
      }),
    },
    ageing: WITHOUT_INPUT,
    trialBalance: { about: 'unscoped', request: () => ({ query: { on: '2026-01-31' } }) },
    open: ofOrganisation,
    reversible: ofOrganisation,
    reverse: {
      about: 'scoped',
      request: ({ organization, document }) => ({
        body: {
          organization,
          kind: 'payment',
          id: `paid ${document.number}`,
          reason: 'Typed twice',
          date: '2026-01-31',
        },
      }),
    },
    writeOff: {
      about: 'scoped',
      request: ({ organization, document }) => ({
        body: { organization, invoice: document.number, amount: 0.01, reason: 'Not paid', date: '2026-01-31' },
      }),
    },
    tdsReceipts: ofOrganisation,
    certifyTds: {
      about: 'scoped',
      request: ({ organization, paid }) => ({
        body: { organization, certificate: 'ABCDEFH', receipts: [`TDS of ${paid.payment_id}`] },
      }),
    },
    addTds: {
      about: 'scoped',
      request: ({ organization }) => ({
        body: {
          organization,
          certificate: 'ABCDEFG',
          section: '194J',
          financialYear: '25-26',
          quarter: 4,
          amount: 10.5,
          date: '2026-01-31',
        },
      }),
    },
  },
  payment: {
    order: { about: 'unscoped', request: () => ({ body: { amount: 1.29 } }) },
    verify: { about: 'scoped', request: ({ paid }) => ({ body: { ...paid, amount: 100 } }) },
    refunds: ofOrganisation,
    refund: {
      about: 'scoped',
      request: ({ organization, paid }) => ({
        body: { organization, payment: paid.payment_id, amount: 1, reason: 'Paid twice' },
      }),
    },
    requests: ofOrganisation,
    request: {
      about: 'scoped',
      request: ({ organization }) => ({ body: { organization, amount: 1.29, about: 'The balance', days: 14 } }),
    },
    cancelRequest: { about: 'scoped', request: ({ paymentRequest }) => ({ body: { id: paymentRequest } }) },
    webhook: { about: 'unscoped', request: ({ paid }) => ({ body: JSON.stringify(paid) }) },
  },
  supplier: {
    read: WITHOUT_INPUT,
    change: { about: 'unscoped', request: () => ({ body: { city: 'Bengaluru' } }) },
  },
  invoice: {
    customer: ofOrganisation,
    changeCustomer: { about: 'scoped', request: ({ organization }) => ({ body: { organization, city: 'Mysuru' } }) },
    preview: { about: 'unscoped', request: () => ({ query: {} }) },
    draft: { about: 'scoped', request: ({ organization }) => ({ query: { organization, month: '2026-01' } }) },
    issue: {
      about: 'scoped',
      request: ({ organization }) => ({ body: { organization, month: '2026-01', digest: '' } }),
    },
    list: ofOrganisation,
    read: { about: 'scoped', request: ({ document }) => ({ query: { number: document.number } }) },
    credit: {
      about: 'scoped',
      request: ({ document }) => ({
        body: { number: document.number, reason: 'Not used', items: [{ item: 1, amount: 0.01 }] },
      }),
    },
    debit: {
      about: 'scoped',
      request: ({ document }) => ({
        body: { number: document.number, reason: 'Too low', items: [{ item: 1, amount: 10 }] },
      }),
    },
    draftOneOff: {
      about: 'scoped',
      request: ({ organization }) => ({
        body: { organization, lines: [{ description: 'Setup of a classroom', amount: 1_000 }] },
      }),
    },
    issueOneOff: {
      about: 'scoped',
      request: ({ organization }) => ({
        body: { organization, lines: [{ description: 'Setup of a classroom', amount: 1_000 }], digest: '' },
      }),
    },
    register: {
      about: 'scoped',
      request: ({ document: { number, irn } }) => ({
        body: { number, irn, ackNumber: '112010036563310', ackDate: '2026-11-03T04:30:00Z', signedQr: 'a.b.c' },
      }),
    },
    cancel: {
      about: 'scoped',
      request: ({ document }) => ({
        body: { number: document.number, cancelledAt: '2026-11-03T05:30:00Z', reason: 'other' },
      }),
    },
    pdf: { about: 'scoped', request: ({ document }) => ({ body: { number: document.number } }) },
    json: { about: 'scoped', request: ({ document }) => ({ body: { number: document.number } }) },
  },
  taxStatus: {
    read: ofOrganisation,
    open: WITHOUT_INPUT,
    effect: {
      about: 'scoped',
      request: ({ organization }) => ({
        query: { organization, place: 'sez', gstin: '29AABCR1718E1ZL', from: '2026-01-01' },
      }),
    },
    request: {
      about: 'scoped',
      request: ({ organization }) => ({
        body: {
          organization,
          place: 'abroad',
          gstin: null,
          from: '2026-12-01',
          reason: 'Moved',
          document: 'letter.pdf',
          bytes: Buffer.from('%PDF-1.7 letter').toString('base64'),
        },
      }),
    },
    withdraw: { about: 'scoped', request: ({ statusRequest }) => ({ body: { id: statusRequest } }) },
    decide: {
      about: 'scoped',
      request: ({ statusRequest }) => ({ body: { id: statusRequest, decision: 'rejected', answer: 'Not legible' } }),
    },
    change: {
      about: 'scoped',
      request: ({ organization }) => ({
        body: { organization, place: 'abroad', gstin: null, from: '2030-01-01', reason: 'Moved' },
      }),
    },
    document: { about: 'scoped', request: ({ statusRequest }) => ({ body: { id: statusRequest } }) },
  },
  books: {
    export: {
      about: 'scoped',
      request: ({ organization }) => ({
        body: { books: 'tally', what: 'invoices', from: '2025-04-01', to: '2026-03-31', organization },
      }),
    },
    statement: { about: 'scoped', request: ({ organization }) => ({ query: { organization, period: '25-26' } }) },
    statementPdf: { about: 'scoped', request: ({ organization }) => ({ body: { organization, period: '2026-01' } }) },
  },
  settlement: {
    list: { about: 'unscoped', request: () => ({ query: {} }) },
    lines: { about: 'refused', request: () => ({ query: { id: 'setl_none' } }) },
    differences: WITHOUT_INPUT,
  },
  gstReturn: {
    read: { about: 'unscoped', request: () => ({ query: { month: '2026-01' } }) },
    json: { about: 'refused', request: () => ({ body: { month: '2026-01' } }) },
  },
  reminder: { list: ofOrganisation },
  health: {
    check: WITHOUT_INPUT,
    live: WITHOUT_INPUT,
    ready: WITHOUT_INPUT,
    prove: { about: 'unscoped', request: () => ({ query: { nonce: 'n'.repeat(32) } }) },
  },
}
