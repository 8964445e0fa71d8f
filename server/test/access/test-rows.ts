import type { BodyOf, Call, QueryOf } from '@trainyard/contract/call.ts'
import type { Contract } from '@trainyard/contract/contract.ts'
import { PASSWORD_LENGTH_MIN } from '@trainyard/contract/words/limits.ts'
import type { Role } from '@trainyard/contract/words/role.ts'
import type { Subject } from '#test/world.ts'

type AskOf<C> = C extends Call
  ? (QueryOf<C> extends undefined ? unknown : { readonly query: QueryOf<C> }) &
      (BodyOf<C> extends undefined ? unknown : { readonly body: BodyOf<C> })
  : never

/**
 * How the access test makes a call about a subject.
 * `about` states what the response depends on: `scoped`: the subject's organisation; `self`: only the subject's own
 * user, also for a superadmin; `unscoped`: not on the subject; `refused`: always refused, because a precondition is
 * missing.
 */
export interface Row<C> {
  readonly about: 'somebody' | 'oneself' | 'nobody' | 'none'
  ask(subject: Subject, as: Role): AskOf<C> | readonly AskOf<C>[]
}

/** One row per call: a missing row is a type error and fails the test. */
type Rows = { readonly [M in keyof Contract]: { readonly [K in keyof Contract[M]]: Row<Contract[M][K]> } }

const nothing = { about: 'nobody', ask: () => ({}) } as const

/** A call about a training, with and without the organisation. */
const ofTraining = {
  about: 'somebody',
  ask: ({ trainingName, organization }: Subject) => [
    { query: { trainingName } },
    { query: { trainingName, organization } },
  ],
} as const

const ofTrainingBody = {
  about: 'somebody',
  ask: ({ trainingName, organization }: Subject) => ({ body: { trainingName, organization } }),
} as const

const ofOrganisation = {
  about: 'somebody',
  ask: ({ organization }: Subject) => ({ query: { organization } }),
} as const

const NOBODYS_ID = '00000000-0000-4000-8000-000000000000'
const CREDENTIAL = { id: 'nobodys', rawId: 'nobodys', type: 'public-key' } as const
const SIGNED_BY_NOBODY = {
  ...CREDENTIAL,
  response: { clientDataJSON: 'e30', authenticatorData: 'e30', signature: 'e30' },
}
const MADE_BY_NOBODY = { ...CREDENTIAL, response: { clientDataJSON: 'e30', attestationObject: 'e30' } }

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
    login: { about: 'nobody', ask: ({ email }) => ({ body: { email, password: 'not the password' } }) },
    logout: nothing,
    me: nothing,
    setPassword: {
      about: 'nobody',
      ask: ({ token }) => ({ body: { token, password: 'x'.repeat(PASSWORD_LENGTH_MIN) } }),
    },
    forgot: { about: 'nobody', ask: ({ email }) => ({ body: { email } }) },
    invitation: { about: 'nobody', ask: ({ token }) => ({ body: { token } }) },
    loginSecond: { about: 'nobody', ask: () => ({ body: { challenge: 'nobodys', code: '000000' } }) },
    loginPasskey: { about: 'nobody', ask: () => ({ body: { challenge: 'nobodys', assertion: SIGNED_BY_NOBODY } }) },
  },
  account: {
    sessions: nothing,
    endSession: { about: 'oneself', ask: ({ sessions }, as) => ({ body: { id: sessions[as] } }) },
    endSessions: nothing,
    changePassword: {
      about: 'nobody',
      ask: ({ password }) => ({ body: { password, newPassword: 'chosen by oneself' } }),
    },
  },
  secondFactor: {
    read: nothing,
    confirm: { about: 'none', ask: () => ({ body: { challenge: 'nobodys', assertion: SIGNED_BY_NOBODY } }) },
    beginApp: nothing,
    addApp: { about: 'none', ask: () => ({ body: { setup: 'nobodys', code: '000000' } }) },
    removeApp: { about: 'none', ask: () => ({}) },
    renewRecoveryCodes: nothing,
    resets: nothing,
    askReset: { about: 'somebody', ask: ({ email }) => ({ body: { email } }) },
    confirmReset: { about: 'somebody', ask: ({ email }) => ({ body: { email } }) },
    withdrawReset: { about: 'somebody', ask: ({ email }) => ({ body: { email } }) },
  },
  passkey: {
    beginLogin: nothing,
    beginProof: nothing,
    begin: nothing,
    add: {
      about: 'none',
      ask: () => ({ body: { challenge: 'nobodys', name: 'Phone', attestation: MADE_BY_NOBODY } }),
    },
    rename: { about: 'oneself', ask: ({ passkeys }, as) => ({ body: { _id: passkeys[as], name: 'Phone' } }) },
    remove: { about: 'oneself', ask: ({ passkeys }, as) => ({ body: { _id: passkeys[as] } }) },
  },
  organisation: {
    list: nothing,
    create: { about: 'nobody', ask: ({ organization }) => ({ body: { organization: `${organization} two` } }) },
    remove: { about: 'somebody', ask: ({ organization }) => ({ body: { organization } }) },
    settings: ofOrganisation,
    changeProfile: {
      about: 'somebody',
      ask: ({ organization }) => ({ body: { organization, timeZone: 'Asia/Kathmandu', gst: '29AABCR1718E1ZL' } }),
    },
    changeLogo: { about: 'somebody', ask: ({ organization }) => ({ body: { organization, image: null } }) },
    changeSecurity: { about: 'somebody', ask: ({ organization }) => ({ body: { organization, idleMinutes: 30 } }) },
  },
  user: {
    list: nothing,
    create: {
      about: 'somebody',
      ask: ({ organization, newEmail }) => ({
        body: { organization, email: newEmail, password: 'long enough', userType: 'user' },
      }),
    },
    invite: {
      about: 'somebody',
      ask: ({ organization, newEmail }) => ({ body: { organization, email: newEmail, userType: 'user' } }),
    },
    resendInvitation: {
      about: 'somebody',
      ask: ({ organization, invited }) => ({ body: { organization, email: invited } }),
    },
    revokeInvitation: {
      about: 'somebody',
      ask: ({ organization, invited }) => ({ body: { organization, email: invited } }),
    },
    remove: { about: 'somebody', ask: ({ organization, email }) => ({ body: { organization, email } }) },
  },
  identityProvider: {
    show: ofOrganisation,
    save: {
      about: 'somebody',
      ask: ({ organization }) => ({
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
    test: { about: 'somebody', ask: ({ organization }) => ({ body: { organization } }) },
    remove: { about: 'somebody', ask: ({ organization }) => ({ body: { organization } }) },
    addDomain: {
      about: 'somebody',
      ask: ({ organization, newEmail }) => ({ body: { organization, domain: newEmail.split('@')[1]! } }),
    },
    verifyDomain: {
      about: 'somebody',
      ask: ({ organization, newEmail }) => ({ body: { organization, domain: newEmail.split('@')[1]! } }),
    },
    confirmDomain: {
      about: 'somebody',
      ask: ({ organization, newEmail }) => ({ body: { organization, domain: newEmail.split('@')[1]! } }),
    },
    removeDomain: {
      about: 'somebody',
      ask: ({ organization, newEmail }) => ({ body: { organization, domain: newEmail.split('@')[1]! } }),
    },
  },
  providerSignIn: {
    start: { about: 'nobody', ask: ({ newEmail }) => ({ body: { email: newEmail } }) },
    finish: { about: 'nobody', ask: ({ token }) => ({ body: { answer: `code=x&state=${token}` } }) },
  },
  people: {
    list: ofOrganisation,
    change: { about: 'somebody', ask: ({ email }) => ({ body: { email, name: 'Asha Rao' } }) },
    renameMyself: { about: 'nobody', ask: () => ({ body: { name: 'Asha Rao' } }) },
  },
  template: {
    list: nothing,
    create: { about: 'nobody', ask: ({ template }) => ({ body: { ...TEMPLATE, name: `${template} two` } }) },
    read: { about: 'somebody', ask: ({ template }) => ({ query: { template } }) },
    edit: { about: 'somebody', ask: ({ template }) => ({ body: { ...TEMPLATE, name: template, revision: 1 } }) },
    remove: { about: 'somebody', ask: ({ template }) => ({ body: { template } }) },
    assigned: nothing,
    assign: { about: 'somebody', ask: ({ organization, template }) => ({ body: { organization, template } }) },
    unassign: { about: 'somebody', ask: ({ organization, template }) => ({ body: { organization, template } }) },
    orderable: ofOrganisation,
  },
  training: { names: ofOrganisation },
  machine: {
    list: ofTraining,
    names: ofTraining,
    lastOrder: ofTraining,
    removeTraining: ofTraining,
    watch: ofTraining,
    power: { about: 'somebody', ask: ({ machine }) => ({ body: [{ operation: 0 }, machine] }) },
    restart: { about: 'somebody', ask: ({ machine }) => ({ body: [machine] }) },
    undo: { about: 'somebody', ask: ({ machine }) => ({ body: [machine] }) },
    remove: { about: 'somebody', ask: ({ machine }) => ({ body: [machine] }) },
    reset: { about: 'somebody', ask: ({ machine }) => ({ body: [machine] }) },
    handOver: { about: 'somebody', ask: ({ machine, newEmail }) => ({ body: { ...machine, email: newEmail } }) },
    operations: { about: 'somebody', ask: ({ machine }) => ({ query: { vmName: machine.name } }) },
    order: {
      about: 'somebody',
      ask: ({ organization, trainingName, template, newEmail }) => ({
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
      about: 'somebody',
      ask: ({ trainingName, organization }) => ({ body: { trainingName, organization, increaseBy: 60 } }),
    },
  },
  meter: {
    logs: { about: 'somebody', ask: ({ machine }) => ({ query: { vmName: machine.name } }) },
    bill: ofTraining,
    daily: ofTraining,
    runs: { about: 'somebody', ask: ({ machine }) => ({ query: { vmName: machine.name } }) },
    uncharged: ofOrganisation,
    clearLogs: {
      about: 'somebody',
      ask: ({ trainingName, organization }) => ({ body: { trainingName, organization } }),
    },
  },
  ready: {
    list: ofTraining,
    plan: {
      about: 'somebody',
      ask: ({ trainingName, organization }) => ({
        body: { trainingName, organization, date: '2099-12-31', time: '09:30' },
      }),
    },
    cancel: {
      about: 'somebody',
      ask: ({ trainingName, organization }) => ({
        query: { trainingName, organization, date: '2099-12-31', time: '09:30' },
      }),
    },
  },
  budget: {
    list: ofOrganisation,
    set: {
      about: 'somebody',
      ask: ({ organization, trainingName }) => [
        { body: { organization, amount: 5_000, leash: true, lastDay: null } },
        { body: { organization, trainingName, amount: 5_000, leash: false, lastDay: '2099-12-31' } },
      ],
    },
    remove: { about: 'somebody', ask: ({ organization, trainingName }) => ({ body: { organization, trainingName } }) },
    forecast: {
      about: 'somebody',
      ask: ({ organization, trainingName }) => [{ query: { organization } }, { query: { organization, trainingName } }],
    },
    alerts: ofOrganisation,
    putAway: { about: 'somebody', ask: ({ budgetAlert }) => ({ body: { _id: budgetAlert } }) },
  },
  waste: { list: ofOrganisation, schedule: ofTraining },
  cost: {
    imports: nothing,
    begin: {
      about: 'nobody',
      ask: () => ({ body: { files: [{ name: 'bill.csv', bytes: 100 }], leaveOutBad: false } }),
    },
    send: { about: 'none', ask: () => ({ body: { _id: NOBODYS_ID, file: 0, place: 0, bytes: 'YQ==' } }) },
    remove: { about: 'none', ask: () => ({ body: { _id: NOBODYS_ID } }) },
    month: { about: 'nobody', ask: () => ({ query: {} }) },
    unclaimed: { about: 'nobody', ask: () => ({ query: { month: '2026-01' } }) },
    orphans: nothing,
    adopt: {
      about: 'none',
      ask: () => ({
        body: { provider: 'azure', of: 'resource', value: '/subscriptions/nobodys', organization: 'Nobody' },
      }),
    },
    release: { about: 'none', ask: () => ({ body: { provider: 'azure', of: 'tag', value: NOBODYS_ID } }) },
    deleteOrphan: {
      about: 'none',
      ask: () => ({ body: { resourceGroup: 'nobodys', name: 'nobodys', confirm: 'nobodys' } }),
    },
  },
  schedule: {
    list: ofTraining,
    create: {
      about: 'somebody',
      ask: ({ trainingName, organization }) => ({
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
      about: 'somebody',
      ask: ({ trainingName, organization, schedule }) => ({
        query: { trainingName, organization, scheduleId: schedule },
      }),
    },
  },
  recurrence: {
    list: ofTraining,
    preview: {
      about: 'somebody',
      ask: ({ trainingName, organization }) => ({
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
      about: 'somebody',
      ask: ({ trainingName, organization }) => ({
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
      about: 'somebody',
      ask: ({ trainingName, organization, weekly }) => ({
        query: { trainingName, organization, recurrenceId: weekly },
      }),
    },
    setEnd: {
      about: 'somebody',
      ask: ({ trainingName, organization }) => ({ body: { trainingName, organization, endsOn: '2099-12-31' } }),
    },
  },
  accessWindow: { read: ofTraining },
  port: {
    list: ofTraining,
    open: {
      about: 'somebody',
      ask: ({ trainingName, organization }) => ({ body: { trainingName, organization, port: 8443, priority: 1001 } }),
    },
    close: {
      about: 'somebody',
      ask: ({ trainingName, organization }) => ({ body: { trainingName, organization, port: 8080 } }),
    },
  },
  azureSandbox: {
    read: nothing,
    create: {
      about: 'nobody',
      ask: ({ newSandbox }) => ({ body: { resourceGroupName: newSandbox, resourceGroupLocation: 'southindia' } }),
    },
    remove: { about: 'somebody', ask: ({ sandbox }) => ({ body: { resourceGroupName: sandbox } }) },
    signIn: nothing,
  },
  sandboxUser: {
    list: nothing,
    create: {
      about: 'nobody',
      ask: () => ({ body: { username: 'new', personalEmail: 'new@home.test', duration: 2 } }),
    },
    renew: { about: 'somebody', ask: ({ labUser }) => ({ body: { email: labUser, duration: 1, credits: 10 } }) },
    ended: nothing,
    remove: { about: 'somebody', ask: ({ labUser }) => ({ body: { email: labUser } }) },
  },
  awsSandbox: { read: nothing, signIn: nothing },
  awsUser: {
    list: nothing,
    create: {
      about: 'nobody',
      ask: () => ({ body: { username: 'new', personalEmail: 'new@home.test', duration: 2 } }),
    },
    renew: { about: 'somebody', ask: ({ awsLabUser }) => ({ body: { email: awsLabUser, duration: 1 } }) },
    ended: nothing,
    remove: { about: 'somebody', ask: ({ awsLabUser }) => ({ body: { email: awsLabUser } }) },
  },
  image: {
    capture: { about: 'somebody', ask: ({ machine }) => ({ body: { vm: machine.name } }) },
    list: nothing,
  },
  remote: {
    ticket: { about: 'somebody', ask: ({ machine }) => ({ body: { vmName: machine.name } }) },
    // A ticket can only be used after its page has opened; none has.
    usable: {
      about: 'none',
      ask: ({ machine }) => ({
        body: { vmName: machine.name, password: 'x'.repeat(43), kind: 'terminal', milliseconds: 1_000 },
      }),
    },
    openings: nothing,
    watch: { about: 'somebody', ask: ({ machine }) => ({ body: { vmName: machine.name } }) },
    // The machines have no address here, so no connection is made.
    folder: { about: 'somebody', ask: ({ machine }) => ({ query: { vmName: machine.name } }) },
    transfers: { about: 'somebody', ask: ({ machine }) => ({ query: { vmName: machine.name } }) },
    transfer: {
      about: 'somebody',
      ask: ({ machine }) => ({ body: { vmName: machine.name, direction: 'upload', path: 'notes.txt', size: 3 } }),
    },
    giveUp: { about: 'none', ask: () => ({ query: { id: '00000000-0000-4000-8000-000000000000' } }) },
    filesAllowed: ofTraining,
    allowFiles: {
      about: 'somebody',
      ask: ({ trainingName, organization }) => ({ body: { trainingName, organization, allowed: false } }),
    },
    ending: { about: 'nobody', ask: ({ machine }) => ({ query: { vmName: machine.name } }) },
  },
  classroom: {
    list: ofTraining,
    watch: ofTraining,
    mine: nothing,
    watchMine: nothing,
    raiseHand: ofTrainingBody,
    lowerHand: {
      about: 'somebody',
      ask: ({ trainingName, organization, email }) => ({ query: { trainingName, organization, email } }),
    },
    here: { about: 'somebody', ask: ({ machine }) => ({ body: { vmName: machine.name } }) },
    announce: {
      about: 'somebody',
      ask: ({ trainingName, organization }) => ({
        body: { trainingName, organization, text: 'We go on at ten.', minutes: 15 },
      }),
    },
    takeBack: ofTraining,
    extend: ofTrainingBody,
    setIdleStop: {
      about: 'somebody',
      ask: ({ trainingName, organization }) => ({ body: { trainingName, organization, minutes: 60 } }),
    },
    setWatching: {
      about: 'somebody',
      ask: ({ trainingName, organization }) => ({ body: { trainingName, organization, withoutAsking: true } }),
    },
    power: {
      about: 'somebody',
      ask: ({ trainingName, organization }) => ({
        body: { trainingName, organization, operation: 0, idleMinutes: 30 },
      }),
    },
  },
  search: {
    find: { about: 'nobody', ask: ({ trainingName }) => ({ query: { text: trainingName } }) },
  },
  audit: {
    list: ofOrganisation,
    export: { about: 'somebody', ask: ({ organization }) => ({ body: { organization, format: 'jsonl' } }) },
  },
  home: {
    dashboard: nothing,
    usage: nothing,
    trainings: ofOrganisation,
    attention: nothing,
    contact: {
      about: 'nobody',
      ask: ({ email }) => ({ body: { email, phone: '+91 98450 12345', companyName: 'Some Company' } }),
    },
  },
  ledger: {
    summary: nothing,
    account: ofOrganisation,
    add: {
      about: 'somebody',
      ask: ({ organization }) => ({
        body: { organization, id: 'INV-1', amount: 10.5, date: '2026-01-31', type: 'invoice' },
      }),
    },
    addTds: {
      about: 'somebody',
      ask: ({ organization }) => ({
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
    order: { about: 'nobody', ask: () => ({ body: { amount: 1.29 } }) },
    verify: { about: 'somebody', ask: ({ paid }) => ({ body: { ...paid, amount: 100 } }) },
    refunds: ofOrganisation,
    refund: {
      about: 'somebody',
      ask: ({ organization, paid }) => ({
        body: { organization, payment: paid.payment_id, amount: 1, reason: 'Paid twice' },
      }),
    },
    requests: ofOrganisation,
    request: {
      about: 'somebody',
      ask: ({ organization }) => ({ body: { organization, amount: 1.29, about: 'The balance', days: 14 } }),
    },
    cancelRequest: { about: 'somebody', ask: ({ paymentRequest }) => ({ body: { id: paymentRequest } }) },
    webhook: { about: 'nobody', ask: ({ paid }) => ({ body: JSON.stringify(paid) }) },
  },
  supplier: {
    read: nothing,
    change: { about: 'nobody', ask: () => ({ body: { city: 'Bengaluru' } }) },
  },
  invoice: {
    customer: ofOrganisation,
    changeCustomer: { about: 'somebody', ask: ({ organization }) => ({ body: { organization, city: 'Mysuru' } }) },
    preview: { about: 'nobody', ask: () => ({ query: {} }) },
    draft: { about: 'somebody', ask: ({ organization }) => ({ query: { organization, month: '2026-01' } }) },
    issue: { about: 'somebody', ask: ({ organization }) => ({ body: { organization, month: '2026-01', digest: '' } }) },
    list: ofOrganisation,
    read: { about: 'somebody', ask: ({ document }) => ({ query: { number: document.number } }) },
    credit: {
      about: 'somebody',
      ask: ({ document }) => ({
        body: { number: document.number, reason: 'Not used', items: [{ item: 1, amount: 0.01 }] },
      }),
    },
    register: {
      about: 'somebody',
      ask: ({ document: { number, irn } }) => ({
        body: { number, irn, ackNumber: '112010036563310', ackDate: '2026-11-03T04:30:00Z', signedQr: 'a.b.c' },
      }),
    },
    pdf: { about: 'somebody', ask: ({ document }) => ({ body: { number: document.number } }) },
    json: { about: 'somebody', ask: ({ document }) => ({ body: { number: document.number } }) },
  },
  books: {
    export: {
      about: 'somebody',
      ask: ({ organization }) => ({
        body: { books: 'tally', what: 'invoices', from: '2025-04-01', to: '2026-03-31', organization },
      }),
    },
    statement: { about: 'somebody', ask: ({ organization }) => ({ query: { organization, period: '25-26' } }) },
    statementPdf: { about: 'somebody', ask: ({ organization }) => ({ body: { organization, period: '2026-01' } }) },
  },
  reminder: { list: ofOrganisation },
  health: {
    check: nothing,
    prove: { about: 'nobody', ask: () => ({ query: { nonce: 'n'.repeat(32) } }) },
  },
}
